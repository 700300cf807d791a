// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/exports/promela/PromelaModel.h"

#include <string>
#include <vector>

namespace understudy::tools::exports::promela {

/// Assignments that take place together, as Promela statements. Values are computed first and kept
/// in hidden variables when one assignment could disturb another.
class PromelaWrites {
public:
  explicit PromelaWrites(const PromelaModel &model) : model_(model) {}

  /// `variable` of the thread in `slot` gets the value of a term over the thread in `readerSlot`.
  void assign(logic::Variable variable, const std::string &slot, logic::Term value,
              const std::string &readerSlot);
  /// `variable` of the thread in `slot` gets the value of an expression that no write disturbs.
  void assignText(logic::Variable variable, const std::string &slot, const std::string &value);
  /// A place that no value in this set reads.
  void assignText(const std::string &place, const std::string &value);
  /// `variable` gets any value of its sort.
  void choose(logic::Variable variable, const std::string &slot);

  std::string statements() const;

  /// Declarations of the hidden variables.
  static std::string declarations();

private:
  enum class Far { Never, Perhaps }; ///< can the value be too large for the export?
  struct Write {
    std::string place;
    std::string index; ///< of an array element; may be empty
    std::string value;
    Far far;
  };
  const PromelaModel &model_;
  std::vector<Write> writes_;
  std::vector<Write> separate_;
  std::string choices_;
  std::vector<logic::Variable> written_;
  std::vector<logic::Variable> read_;

  void assignArray(logic::Variable variable, const std::string &slot, logic::Term value,
                   const PromelaExpression &expression);
  static Far farOf(logic::Sort sort, logic::Term value);
  void noteReads(logic::Term term);
  bool disturbed() const;
};

} // namespace understudy::tools::exports::promela

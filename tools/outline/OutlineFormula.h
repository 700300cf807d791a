// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compose/proof/SlotModel.h"
#include "specs/check/CheckExpr.h"
#include "tools/outline/OutlineWords.h"

#include <map>
#include <string>
#include <vector>

namespace understudy::tools::outline {

/// A piece of one line of the outline.
struct Piece {
  std::string text;
  logic::SourceRange range;

  /// A part of it; white space at its ends is left out.
  Piece part(size_t from, size_t length = std::string::npos) const;
};

/// Reads the formulas of an outline in the words of `OutlineWords`, and collects what is wrong with
/// them.
class OutlineFormula {
public:
  static constexpr size_t longest = 1u << 20;

  OutlineFormula(const compose::Program &program, const compose::proof::SlotModel &model,
                 const OutlineWords &words);

  /// Says that the ghost is declared; reports a name that is taken.
  void declare(Variable ghost, const Piece &name);
  /// Null after a report: it is no ghost.
  const specs::check::Symbol *ghost(const Piece &name);

  /// At a slot, or outside of all threads. An empty term after a report.
  Term condition(const Piece &piece, std::optional<Slot> self);
  Term value(const Piece &piece, logic::Sort sort, std::optional<Slot> self);
  /// A constant.
  Term constant(const Piece &piece, logic::Sort sort);

  void report(const logic::SourceRange &range, const std::string &message,
              const std::string &hint = {});
  /// Throws `logic::Error` if something was reported.
  void throwIfFailed() const { reporter_.throwIfFailed(); }

private:
  const compose::Program &program_;
  const OutlineWords &words_;
  specs::syntax::Reporter reporter_;
  specs::check::Scope outer_;
  std::map<std::string, specs::check::Scope> scopes_; ///< of "T#2"; "": outside

  void declareVariables(const compose::proof::SlotModel &model);
  void declareEnum(logic::Sort sort);
  template <typename Check>
  Term read(const Piece &piece, specs::check::ExprPlace place, std::optional<Slot> self,
            const Check &check);
};

} // namespace understudy::tools::outline

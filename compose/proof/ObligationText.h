// SPDX-License-Identifier: Apache-2.0
//
// Writing obligations: declarations, what the sorts say, definitions and assertions.
#pragma once

#include "compose/Program.h"
#include "compose/proof/Obligations.h"

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace understudy::compose::proof {

/// The texts of one script. Variables are declared once, with the facts of their sorts; facts about
/// what is read from arrays come with the assertion that reads.
class ObligationText {
public:
  explicit ObligationText(logic::TermPool &pool) : pool_(pool) {}

  /// Declares the variable, or says nothing if it is declared already. Throws InvalidEvidence when
  /// two variables have one symbol.
  std::string declare(logic::VariableUse use);
  /// `(define-fun name (parameters) Bool formula)`; throws InvalidEvidence, beginning with `what`,
  /// when the formula may not stand there.
  std::string define(const std::string &name, const std::vector<Variable> &parameters,
                     const std::string &formula, const std::string &what) const;
  /// Precondition: its variables are declared.
  std::string assertion(Term formula) const;
  static std::string assertion(const std::string &formula) { return "(assert " + formula + ")\n"; }
  static std::string application(const std::string &name, const std::vector<Term> &arguments);

private:
  logic::TermPool &pool_;
  std::set<logic::VariableUse> declared_;
  std::set<std::string> symbols_;
  std::unordered_set<Term> facts_;
};

/// "'x := 1' of T (file:12)".
std::string stepText(const Template &thread, const Edge &edge);
/// " (file:12)", or nothing.
std::string placeNote(const SourceRange &range);

} // namespace understudy::compose::proof

// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/ObligationText.h"

#include "compose/proof/FormulaText.h"
#include "logic/SortFacts.h"
#include "logic/smtlib/SmtLib.h"

namespace understudy::compose::proof {

using logic::VariableUse;

namespace {

std::string sortText(logic::Sort sort) {
  if (sort.isArray())
    return "(Array Int " + sortText(sort.element()) + ")";
  return sort.isBool() ? "Bool" : "Int";
}

} // namespace

std::string ObligationText::declare(VariableUse use) {
  if (!declared_.insert(use).second)
    return "";
  std::string symbol = logic::smtlib::smtSymbol(use);
  if (!symbols_.insert(symbol).second)
    throw InvalidEvidence("two variables of the program have the SMT-LIB symbol " + symbol);
  std::string text = "(declare-const " + symbol + " " + sortText(use.variable.sort()) + ")\n";
  Term variable = use.primed ? pool_.primed(use.variable) : pool_.var(use.variable);
  for (const Term &fact : logic::sortFacts(variable).facts)
    if (facts_.insert(fact).second)
      text += assertion(logic::smtlib::smtLib(fact));
  return text;
}

std::string ObligationText::define(const std::string &name, const std::vector<Variable> &parameters,
                                   const std::string &formula, const std::string &what) const {
  std::set<std::string> symbols;
  std::string list;
  for (Variable parameter : parameters) {
    std::string symbol = logic::smtlib::smtSymbol({parameter, false});
    if (!symbols.insert(symbol).second)
      throw InvalidEvidence("two variables of the program have the SMT-LIB symbol " + symbol);
    list += (list.empty() ? "(" : " (") + symbol + " " + sortText(parameter.sort()) + ")";
  }
  if (std::string fault = faultOfFormula(formula, symbols); !fault.empty())
    throw InvalidEvidence(what + " is not a formula over the program's variables: " + fault);
  return "(define-fun " + name + " (" + list + ") Bool\n  " + formula + ")\n";
}

std::string ObligationText::assertion(Term formula) const {
  std::string text;
  for (const Term &fact : logic::sortFacts(formula).facts)
    if (!facts_.contains(fact))
      text += assertion(logic::smtlib::smtLib(fact));
  return text + assertion(logic::smtlib::smtLib(formula));
}

std::string ObligationText::application(const std::string &name,
                                        const std::vector<Term> &arguments) {
  if (arguments.empty())
    return name;
  std::string text = "(" + name;
  for (const Term &argument : arguments)
    text += " " + logic::smtlib::smtLib(argument);
  return text + ")";
}

std::string placeNote(const SourceRange &range) {
  return range.known() ? " (" + range.file->name() + ":" + std::to_string(range.begin.line) + ")"
                       : "";
}

std::string stepText(const Template &thread, const Edge &edge) {
  return "'" + edge.text + "' of " + thread.name + placeNote(edge.range);
}

} // namespace understudy::compose::proof

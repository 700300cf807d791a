// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "logic/smtlib/SmtLib.h"
#include "logic/smtlib/SmtReader.h"

#include <algorithm>
#include <cctype>

namespace understudy::compose::proof {

namespace {

bool isName(const std::string &name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

class EvidenceReader {
public:
  EvidenceReader(const Program &program, const OwickiGriesEvidence &evidence)
      : pool_(*program.pool), evidence_(evidence), model_(program, evidence.slots) {
    for (Variable variable : model_.variables())
      add(variable);
  }

  OwickiGries read() {
    OwickiGries result;
    result.slots = evidence_.slots;
    for (const OwickiGriesEvidence::Ghost &ghost : evidence_.ghosts)
      result.ghosts.push_back(readGhost(ghost));
    for (const OwickiGriesEvidence::At &at : evidence_.assertions) {
      const Term formula = term(at.formula, "an assertion");
      if (!formula.sort().isBool())
        refuse("an assertion is not a formula", at.formula);
      result.assertions.push_back({at.slot, at.location, formula});
    }
    for (const OwickiGriesEvidence::Update &update : evidence_.updates) {
      OwickiGries::Update read{update.mover, update.edge, update.others, {}};
      for (const auto &[ghost, value] : update.assign) {
        auto found = symbols_.find(ghost);
        if (found == symbols_.end())
          refuse("an update assigns the unknown ghost '" + ghost + "'", value);
        read.assign.emplace_back(found->second, term(value, "an update"));
      }
      result.updates.push_back(std::move(read));
    }
    return result;
  }

private:
  logic::TermPool &pool_;
  const OwickiGriesEvidence &evidence_;
  SlotModel model_;
  logic::smtlib::SymbolTable symbols_;

  [[noreturn]] static void refuse(const std::string &what, const std::string &text) {
    constexpr size_t enough = 60;
    throw logic::Error({},
                       what + ": '" + text.substr(0, enough) + (text.size() > enough ? "…'" : "'"),
                       "the certificate is corrupt or was written by another tool");
  }

  void add(Variable variable) {
    for (bool primed : {false, true})
      if (const std::string symbol = logic::smtlib::smtSymbol({variable, primed});
          !(primed ? after_.insert(symbol).second && !symbols_.contains(symbol)
                   : symbols_.emplace(symbol, variable).second && !after_.contains(symbol)))
        throw logic::Error({}, "two variables are called '" + variable.fullName() + "'", {});
  }

  OwickiGries::Ghost readGhost(const OwickiGriesEvidence::Ghost &ghost) {
    if (!isName(ghost.name))
      refuse("the name of a ghost is expected", ghost.name);
    if (ghost.sort != "Int" && ghost.sort != "Bool")
      refuse("the ghost '" + ghost.name + "' is neither Int nor Bool", ghost.sort);
    const Variable variable =
        pool_.variable("", ghost.name, ghost.sort == "Int" ? pool_.intSort() : pool_.boolSort());
    const Term initial = term(ghost.initial, "the first value of '" + ghost.name + "'");
    add(variable);
    return {variable, initial};
  }

  Term term(const std::string &text, const std::string &what) {
    try {
      return logic::smtlib::readSmtLib(pool_, text, symbols_);
    } catch (const logic::smtlib::NoFormula &fault) {
      refuse(what + " is not a formula over the program's variables and ghosts, " + fault.what(),
             text);
    }
  }

  std::set<std::string> after_; ///< symbols of primed variables
};

} // namespace

OwickiGries readOwickiGries(const Program &program, const OwickiGriesEvidence &evidence) {
  return EvidenceReader(program, evidence).read();
}

OwickiGriesEvidence evidenceOf(const OwickiGries &annotation) {
  using logic::smtlib::smtLib;
  OwickiGriesEvidence result;
  result.slots = annotation.slots;
  for (const OwickiGries::Ghost &ghost : annotation.ghosts)
    result.ghosts.push_back({ghost.variable.name(), ghost.variable.sort().isBool() ? "Bool" : "Int",
                             smtLib(ghost.initial)});
  for (const OwickiGries::At &at : annotation.assertions)
    result.assertions.push_back({at.slot, at.location, smtLib(at.formula)});
  for (const OwickiGries::Update &update : annotation.updates) {
    OwickiGriesEvidence::Update text{update.mover, update.edge, update.others, {}};
    for (const auto &[ghost, value] : update.assign)
      text.assign.emplace_back(logic::smtlib::smtSymbol({ghost, false}), smtLib(value));
    result.updates.push_back(std::move(text));
  }
  return result;
}

} // namespace understudy::compose::proof

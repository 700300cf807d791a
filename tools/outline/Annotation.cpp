// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/Annotation.h"

#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"
#include "logic/smtlib/Readable.h"
#include "logic/smtlib/SmtLib.h"
#include "logic/smtlib/SmtReader.h"
#include "tools/outline/Margin.h"
#include "tools/outline/OutlinePlaces.h"
#include "tools/outline/OutlineWords.h"
#include "tools/outline/OutlineWriter.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace understudy::tools::outline {

using compose::LocationId;
using compose::LocationKind;
using compose::Program;
using compose::Template;
using compose::TemplateId;
using compose::proof::CountingEvidence;
using compose::proof::OwickiGries;
using compose::proof::OwickiGriesEvidence;
using compose::proof::Slot;
using logic::Term;
using logic::Variable;

namespace {

/// Counters are ghosts that follow from where threads are. What holds always is said once; what
/// matters at one place of a thread is said there.
class CountingWriter {
public:
  CountingWriter(const Program &program, const logic::SourceFile &file,
                 const CountingEvidence &evidence)
      : program_(program), evidence_(evidence), places_(program, file), words_(program),
        margin_(file), counts_(compose::proof::countVariables(program, evidence.crowds)) {}

  std::string write() {
    margin_.head("for any number of threads; T.L is the number of T threads at L");
    for (const CountingEvidence::At &at : evidence_.invariants)
      parts_.push_back(partsOf(at));
    for (size_t i = 0; i < parts_.size(); ++i)
      for (const Term &part : parts_[i])
        say(part, i);
    for (size_t i = 0; i < counts_.size(); ++i)
      writeCrowd(i);
    for (size_t s = 0; s < evidence_.singles.size(); ++s)
      writeSingle(s);
    return margin_.print();
  }

private:
  const Program &program_;
  const CountingEvidence &evidence_;
  OutlinePlaces places_;
  OutlineWords words_;
  Margin margin_;
  std::vector<Variable> counts_;
  std::vector<std::vector<Term>> parts_;         ///< of each invariant
  std::map<size_t, std::vector<Term>> atCrowds_; ///< what is said where a thread of the crowd is
  std::map<std::pair<size_t, LocationId>, std::vector<Term>> atSingles_;
  std::set<Term> said_; ///< always

  Term formula(const CountingEvidence::At &at) const {
    logic::smtlib::SymbolTable symbols;
    auto add = [&](Variable v) { symbols.emplace(logic::smtlib::smtSymbol({v, false}), v); };
    std::for_each(program_.globals.begin(), program_.globals.end(), add);
    for (TemplateId single : evidence_.singles) {
      const auto &locals = program_.templates[single].locals;
      std::for_each(locals.begin(), locals.end(), add);
    }
    std::for_each(counts_.begin(), counts_.end(), add);
    try {
      return logic::smtlib::readSmtLib(*program_.pool, at.formula, symbols);
    } catch (const logic::smtlib::NoFormula &fault) {
      throw logic::Unsupported(std::string("the invariant cannot be shown: ") + fault.what());
    }
  }

  std::vector<Term> partsOf(const CountingEvidence::At &at) const {
    std::vector<Term> parts = logic::conjunctsOf(logic::simplify(formula(at)));
    std::erase_if(parts, [&](const Term &part) { return part.isTrue() || isBound(part); });
    return parts;
  }

  /// Do all invariants say it, or all where this single thread is at this location?
  bool isSaid(Term part, std::optional<std::pair<size_t, LocationId>> place = {}) const {
    for (size_t i = 0; i < parts_.size(); ++i)
      if ((!place || evidence_.invariants[i].control[place->first] == place->second) &&
          std::find(parts_[i].begin(), parts_[i].end(), part) == parts_[i].end())
        return false;
    return true;
  }

  /// At the one place where it matters, if there is one.
  void say(Term part, size_t invariant) {
    if (isSaid(part)) {
      if (said_.insert(part).second)
        sayAlways(part);
      return;
    }
    const std::vector<LocationId> &control = evidence_.invariants[invariant].control;
    for (size_t s = 0; s < control.size(); ++s)
      if (isSaid(part, std::pair(s, control[s]))) {
        std::vector<Term> &there = atSingles_[{s, control[s]}];
        if (std::find(there.begin(), there.end(), part) == there.end())
          there.push_back(part);
        return;
      }
    std::string where;
    for (size_t s = 0; s < control.size(); ++s) {
      const Template &thread = program_.templates[evidence_.singles[s]];
      where +=
          (s == 0 ? "while " : ", ") + thread.name + " is at " + thread.locations[control[s]].name;
    }
    margin_.head(where + ": " + text(part));
  }

  void sayAlways(Term part) {
    std::vector<size_t> absent; // crowds without a thread are one of the cases
    std::vector<Term> others;
    for (const Term &one : part.op() == logic::Op::Or
                               ? std::vector<Term>(part.operands().begin(), part.operands().end())
                               : std::vector{part})
      if (auto crowd = atMost(one, 0))
        absent.push_back(*crowd);
      else
        others.push_back(one);
    if (absent.size() == 1 && !others.empty())
      atCrowds_[absent.front()].push_back(program_.pool->disjunction(std::move(others)));
    else if (absent.size() == 2 && others.empty())
      margin_.head("never " + counts_[absent[0]].name() + " with " + counts_[absent[1]].name());
    else if (auto crowd = atMost(part, 1))
      margin_.head("at most one thread at " + counts_[*crowd].name());
    else
      margin_.head("invariant " + text(part));
  }

  /// The crowd that the formula bounds so.
  std::optional<size_t> atMost(Term formula, int64_t bound) const {
    if (formula.op() != logic::Op::LessEqual || formula.operand(0).op() != logic::Op::Variable ||
        !formula.operand(1).isConstant() || formula.operand(1).value() != bound)
      return std::nullopt;
    auto found = std::find(counts_.begin(), counts_.end(), formula.operand(0).variable());
    return found == counts_.end() ? std::nullopt : std::optional<size_t>(found - counts_.begin());
  }

  void writeAt(TemplateId id, LocationId number, const std::vector<Term> &parts) {
    const Template &thread = program_.templates[id];
    const compose::Location &location = thread.locations[number];
    const Anchor *anchor = places_.anchorOf(id, number);
    if (anchor && !(location.hidden && parts.empty()))
      margin_.before(anchor->at,
                     (location.hidden ? places_.labelAt(id, number) + ": " : std::string()) + "{ " +
                         text(program_.pool->conjunction(parts)) + " }");
  }

  /// With the values that the locals have in the crowd.
  void writeCrowd(size_t number) {
    const CountingEvidence::Group &group = evidence_.crowds[number];
    const auto &locals = program_.templates[group.thread].locals;
    std::vector<Term> parts;
    for (size_t i = 0; i < locals.size(); ++i)
      parts.push_back(
          program_.pool->equal(program_.pool->var(locals[i]),
                               logic::termOf(*program_.pool, group.locals[i], locals[i].sort())));
    const std::vector<Term> &said = atCrowds_[number];
    parts.insert(parts.end(), said.begin(), said.end());
    writeAt(group.thread, group.location, parts);
  }

  void writeSingle(size_t single) {
    const TemplateId id = evidence_.singles[single];
    for (LocationId l = 0; l < program_.templates[id].locations.size(); ++l)
      writeAt(id, l, atSingles_[{single, l}]);
  }

  std::string text(Term formula) const { return words_.text(counted(formula), std::nullopt); }

  /// At most none is none.
  Term counted(Term formula) const {
    logic::TermPool &pool = *program_.pool;
    if (atMost(formula, 0))
      return pool.equal(formula.operand(0), formula.operand(1));
    if (formula.op() != logic::Op::And && formula.op() != logic::Op::Or)
      return formula;
    std::vector<Term> operands;
    for (const Term &operand : formula.operands())
      operands.push_back(counted(operand));
    return formula.op() == logic::Op::And ? pool.conjunction(std::move(operands))
                                          : pool.disjunction(std::move(operands));
  }

  /// That counters are not negative is clear.
  bool isBound(Term part) const {
    return part.op() == logic::Op::LessEqual && part.operand(0).isConstant() &&
           part.operand(0).value() == 0 && part.operand(1).op() == logic::Op::Variable &&
           std::find(counts_.begin(), counts_.end(), part.operand(1).variable()) != counts_.end();
  }
};

} // namespace

std::string annotatedSource(const Program &program, const compose::proof::Evidence &evidence) {
  std::map<std::string, logic::SourceFilePtr> files;
  for (const Template &thread : program.templates)
    for (const compose::Location &location : thread.locations)
      if (location.range.known())
        files.emplace(location.range.file->name(), location.range.file);
  std::string text;
  for (const auto &[name, file] : files) {
    text += files.size() > 1 ? "// ---- " + name + "\n" : "";
    if (const auto *annotation = std::get_if<OwickiGriesEvidence>(&evidence))
      text += outlineText(program, *file, compose::proof::readOwickiGries(program, *annotation));
    else if (const auto *counting = std::get_if<CountingEvidence>(&evidence))
      text += CountingWriter(program, *file, *counting).write();
    else
      throw logic::Unsupported("a proof of kind " + word(kindOf(evidence)) +
                               " cannot be shown in the source");
  }
  return text;
}

} // namespace understudy::tools::outline

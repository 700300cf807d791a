// SPDX-License-Identifier: Apache-2.0
#include "tools/report/Annotation.h"

#include "compose/proof/OwickiGriesCheck.h"
#include "logic/Error.h"
#include "logic/Simplify.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"
#include "logic/smtlib/Readable.h"
#include "logic/smtlib/SmtLib.h"
#include "logic/smtlib/SmtReader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace understudy::tools::report {

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

bool standsIn(const logic::SourceRange &range, const logic::SourceFile &file) {
  return range.known() && range.file->name() == file.name();
}

/// The source with comment lines between its lines.
class Margin {
public:
  explicit Margin(const logic::SourceFile &file) : file_(file) {}

  void head(const std::string &comment) { head_.push_back(comment); }
  void before(uint32_t line, const std::string &comment) { before_[line].push_back(comment); }
  void after(uint32_t line, const std::string &comment) { after_[line].push_back(comment); }

  std::string print() const {
    std::string text;
    bool headed = false;
    for (uint32_t number = 1; number <= file_.lineCount(); ++number) {
      const std::string line(file_.line(number));
      if (number == file_.lineCount() && line.empty())
        break;
      if (!headed && !line.starts_with("//") && !line.empty()) {
        for (const std::string &comment : head_)
          text += "// " + comment + "\n";
        headed = true;
      }
      const std::string indent = line.substr(0, line.find_first_not_of(" \t"));
      text += lines(before_, number, line.starts_with("}") ? "  " : indent);
      text += line + "\n" + lines(after_, number, indent);
    }
    return text;
  }

private:
  const logic::SourceFile &file_;
  std::vector<std::string> head_;
  std::map<uint32_t, std::vector<std::string>> before_, after_;

  static std::string lines(const std::map<uint32_t, std::vector<std::string>> &from,
                           uint32_t number, const std::string &indent) {
    std::string text;
    if (auto found = from.find(number); found != from.end())
      for (const std::string &comment : found->second)
        text += indent + "// " + comment + "\n";
    return text;
  }
};

/// Terms in the words of the source: locals of the thread itself by their names, those of others
/// with their owner, mutexes by `free` and `held`.
class Words {
public:
  explicit Words(const Program &program) : program_(program), pool_(*program.pool) {}

  std::string scopeOf(Slot slot) const {
    return program_.templates[slot.thread].name + "#" + std::to_string(slot.number);
  }

  Term named(Term term, std::optional<Slot> self) const {
    const std::string own = self ? scopeOf(*self) : "";
    return logic::simplify(logic::substitute(term, [&](Variable v, bool) -> Term {
      if (const auto mutex = lockedMutex(v); !mutex.empty())
        return pool_.negate(shown("free(" + mutex + ")", v.sort()));
      if (v.scope().empty())
        return {};
      const std::string prefix =
          v.scope() == own || v.scope().find('#') == std::string::npos ? "" : v.scope() + ".";
      return shown(prefix + wordOf(v), v.sort());
    }));
  }
  std::string text(Term term, std::optional<Slot> self) const {
    return logic::smtlib::text(logic::smtlib::readable(named(term, self)));
  }

private:
  const Program &program_;
  logic::TermPool &pool_;

  /// A variable that only serves to print.
  Term shown(const std::string &name, logic::Sort sort) const {
    return pool_.var(pool_.variable("", name, sort));
  }
  std::string lockedMutex(Variable v) const {
    for (const compose::Mutex &mutex : program_.mutexes)
      if (mutex.locked == v)
        return mutex.name;
    return "";
  }
  std::string wordOf(Variable v) const {
    if (v.name() == "thread id")
      return "id";
    if (v.name() == "is live")
      return "alive";
    for (const compose::Mutex &mutex : program_.mutexes)
      if (v.name() == compose::heldName(mutex.name))
        return "held(" + mutex.name + ")";
    return v.name();
  }
};

/// Where in the file a reader looks for a location; 0: nowhere.
uint32_t lineOf(const Template &thread, LocationId id, const logic::SourceFile &file) {
  const compose::Location &location = thread.locations[id];
  if (!standsIn(location.range, file))
    return 0;
  const bool end = location.kind == LocationKind::Final && thread.edgesFrom(id).empty() &&
                   location.range.begin.line < location.range.end.line;
  return end ? location.range.end.line : location.range.begin.line;
}

class OutlineWriter {
public:
  OutlineWriter(const Program &program, const logic::SourceFile &file,
                const OwickiGries &annotation)
      : program_(program), annotation_(annotation), file_(file), words_(program), margin_(file) {}

  std::string write() {
    findInvariants();
    for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
      margin_.head("ghost " + ghost.variable.sort().text() + " " + ghost.variable.name() + " = " +
                   logic::smtlib::text(ghost.initial));
    for (TemplateId id = 0; id < annotation_.slots.size(); ++id)
      if (annotation_.slots[id] > 1)
        margin_.head("at most " + std::to_string(annotation_.slots[id]) + " threads " +
                     program_.templates[id].name + " at a time, in numbered slots");
    for (const Term &invariant : invariants_)
      margin_.head("invariant " + words_.text(invariant, std::nullopt));
    for (TemplateId id = 0; id < program_.templates.size(); ++id)
      writeThread(id);
    return margin_.print();
  }

private:
  const Program &program_;
  const OwickiGries &annotation_;
  const logic::SourceFile &file_;
  Words words_;
  Margin margin_;
  std::set<Term> invariants_;

  bool isError(const OwickiGries::At &at) const {
    return at.location &&
           program_.templates[at.slot.thread].locations[*at.location].kind == LocationKind::Error;
  }

  /// What every assertion of a thread that exists says: it is said once.
  void findInvariants() {
    bool first = true;
    for (const OwickiGries::At &at : annotation_.assertions) {
      if (!at.location || isError(at) || at.formula.isFalse())
        continue;
      const auto parts = logic::conjunctsOf(at.formula);
      const std::set<Term> own(parts.begin(), parts.end());
      if (first)
        for (const Term &part : own) {
          if (!part.isTrue())
            invariants_.insert(part);
        }
      std::erase_if(invariants_, [&](const Term &term) { return !own.contains(term); });
      first = false;
    }
  }

  Term withoutInvariants(Term formula) const {
    std::vector<Term> rest;
    for (const Term &part : logic::conjunctsOf(formula))
      if (!invariants_.contains(part))
        rest.push_back(part);
    return program_.pool->conjunction(std::move(rest));
  }

  void writeThread(TemplateId id) {
    const Template &thread = program_.templates[id];
    if (annotation_.slots[id] == 0)
      return;
    for (LocationId location = 0; location < thread.locations.size(); ++location)
      if (thread.locations[location].kind != LocationKind::Error)
        writeAssertion(id, location);
    if (standsIn(thread.range, file_))
      for (const std::string &text : assertionsAt(id, std::nullopt))
        if (!text.ends_with("{ true }"))
          margin_.before(thread.range.begin.line, "not running: " + text);
    writeUpdates(id);
  }

  /// "{ x == 1 }", or one for each slot: "slot 1: { x == 1 }". Of slots that are not named, no
  /// thread is ever there.
  std::vector<std::string> assertionsAt(TemplateId id, std::optional<LocationId> location) const {
    std::map<std::string, std::vector<uint32_t>> texts;
    for (const OwickiGries::At &at : annotation_.assertions)
      if (at.slot.thread == id && at.location == location)
        texts[words_.text(withoutInvariants(at.formula), at.slot)].push_back(at.slot.number);
    if (texts.empty())
      return {"{ false }"};
    std::map<std::vector<uint32_t>, std::string> bySlots;
    for (const auto &[text, slots] : texts)
      bySlots[slots] = text;
    std::vector<std::string> result;
    for (const auto &[slots, text] : bySlots)
      result.push_back(
          (slots.size() == annotation_.slots[id] ? "" : slotText({slots.begin(), slots.end()})) +
          "{ " + text + " }");
    return result;
  }

  /// "slot 1: ", "slots 1, 3: "
  static std::string slotText(const std::set<uint32_t> &slots) {
    std::string text;
    for (uint32_t slot : slots)
      text += (text.empty() ? "" : ", ") + std::to_string(slot);
    return (slots.size() == 1 ? "slot " : "slots ") + text + ": ";
  }

  void writeAssertion(TemplateId id, LocationId location) {
    const Template &thread = program_.templates[id];
    const uint32_t line = lineOf(thread, location, file_);
    if (line == 0)
      return;
    const std::string label =
        thread.locations[location].hidden ? thread.locations[location].name + ": " : "";
    for (const std::string &text : assertionsAt(id, location))
      margin_.before(line, label + text);
  }

  void writeUpdates(TemplateId id) {
    const Template &thread = program_.templates[id];
    // line -> text of the update -> slots that do it
    std::map<uint32_t, std::map<std::string, std::set<uint32_t>>> found;
    for (const OwickiGries::Update &update : annotation_.updates) {
      if (update.mover.thread != id)
        continue;
      const compose::Edge &edge = thread.edges[update.edge];
      std::string text;
      for (const auto &[ghost, value] : update.assign)
        text +=
            (text.empty() ? "" : "; ") + ghost.name() + " := " + words_.text(value, update.mover);
      std::string with;
      for (const OwickiGries::Other &other : update.others)
        with += (with.empty() ? " (with " : ", ") + words_.scopeOf(other.slot);
      if (branches(thread, edge))
        text += " (when " + edge.text + ")";
      if (standsIn(edge.range, file_))
        found[edge.range.end.line][text + with + (with.empty() ? "" : ")")].insert(
            update.mover.number);
    }
    for (const auto &[line, texts] : found)
      for (const auto &[text, slots] : texts) {
        const bool all = slots.size() == annotation_.slots[id];
        margin_.after(line, (all ? "" : slotText(slots)) + "ghost " + text);
      }
  }

  static bool branches(const Template &thread, const compose::Edge &edge) {
    return std::count_if(thread.edges.begin(), thread.edges.end(), [&](const auto &other) {
             return other.source == edge.source && !other.failure;
           }) > 1;
  }
};

/// Counters are ghosts that follow from where threads are. What holds always is said once; what
/// matters at one place of a thread is said there.
class CountingWriter {
public:
  CountingWriter(const Program &program, const logic::SourceFile &file,
                 const CountingEvidence &evidence)
      : program_(program), evidence_(evidence), file_(file), words_(program), margin_(file),
        counts_(compose::proof::countVariables(program, evidence.crowds)) {}

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
  const logic::SourceFile &file_;
  Words words_;
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
    const uint32_t line = lineOf(thread, number, file_);
    if (line != 0 && location.kind != LocationKind::Error && !(location.hidden && parts.empty()))
      margin_.before(line, (location.hidden ? location.name + ": " : std::string()) + "{ " +
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
      text += OutlineWriter(program, *file, compose::proof::readOwickiGries(program, *annotation))
                  .write();
    else if (const auto *counting = std::get_if<CountingEvidence>(&evidence))
      text += CountingWriter(program, *file, *counting).write();
    else
      throw logic::Unsupported("a proof of kind " + word(kindOf(evidence)) +
                               " cannot be shown in the source");
  }
  return text;
}

} // namespace understudy::tools::report

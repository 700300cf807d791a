// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/AnnotatedConc.h"

#include "compose/proof/SlotModel.h"
#include "logic/Error.h"
#include "logic/Substitute.h"
#include "logic/smtlib/Print.h"
#include "specs/syntax/Reporter.h"
#include "tools/outline/OutlinePlaces.h"
#include "tools/outline/OutlineWords.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace understudy::tools::exports {

using compose::EdgeId;
using compose::LocationId;
using compose::Program;
using compose::Template;
using compose::TemplateId;
using compose::proof::OwickiGries;
using compose::proof::Slot;
using compose::proof::SlotStep;
using logic::SourceRange;
using logic::Term;
using specs::syntax::Block;
using specs::syntax::Statement;

namespace {

std::string textOf(const SourceRange &range) {
  const std::string_view text = range.file->text();
  auto offset = [&](logic::Position position) {
    return static_cast<size_t>(range.file->line(position.line).data() - text.data()) +
           position.column - 1;
  };
  const size_t begin = offset(range.begin);
  return std::string(text.substr(begin, offset(range.end) - begin));
}

/// The formulas and updates of the annotation in the words of CONC.
class ConcProof {
public:
  ConcProof(const Program &program, const OwickiGries &annotation)
      : program_(program), annotation_(annotation), model_(program, annotation.slots),
        words_(program) {}

  /// "true" if nothing is said: of one of the slots, since the thread does not know its own.
  std::string assertionAt(TemplateId id, LocationId location) const {
    std::set<std::string> texts;
    for (const OwickiGries::At &at : annotation_.assertions)
      if (at.slot.thread == id && at.location == location && !at.formula.isFalse())
        texts.insert(formula(at.formula, at.slot));
    if (texts.contains("true"))
      return "true";
    std::string result;
    for (const std::string &text : texts)
      result += (result.empty() ? "" : " || ") + (texts.size() > 1 ? "(" + text + ")" : text);
    return texts.empty() ? "false" : result;
  }

  /// "g := 1;", or nothing.
  std::string updateOf(TemplateId id, EdgeId edge) {
    std::set<std::string> texts;
    for (const SlotStep &step : model_.steps())
      if (step.kind == SlotStep::Kind::Taken && step.edge == edge && model_.canHappen(step) &&
          model_.slots()[step.moves[0].slot].thread == id)
        texts.insert(updateOf(model_.slots()[step.moves[0].slot], edge, model_.othersOf(step)));
    if (texts.size() > 1)
      throw logic::Unsupported("a ghost is updated differently for threads in different slots",
                               program_.edge(id, edge).range);
    return texts.empty() ? "" : *texts.begin();
  }

  std::string ghosts() const {
    std::string text;
    for (const OwickiGries::Ghost &ghost : annotation_.ghosts)
      text += "global " + ghost.variable.sort().text() + " " + ghost.variable.name() + " = " +
              logic::smtlib::text(ghost.initial) + ";\n";
    for (const auto &[name, sort] : copies_)
      text += "global " + sort + " " + name + (sort == "bool" ? " = false;\n" : " = 0;\n");
    return text;
  }

private:
  const Program &program_;
  const OwickiGries &annotation_;
  compose::proof::SlotModel model_;
  outline::OutlineWords words_;
  std::map<std::string, std::string> copies_; ///< name -> type

  std::string formula(Term term, Slot slot) const {
    const std::string own = words_.scopeOf(slot);
    for (const logic::VariableUse &use : logic::variablesOf(term)) {
      const auto &scope = use.variable.scope();
      const bool isKnown = scope.empty() || (scope == own && use.variable.name() != "thread id" &&
                                             use.variable.name() != "is live");
      if (!isKnown)
        throw logic::Unsupported("the proof speaks of '" + words_.wordFor(use.variable, "") +
                                 "', which other threads do not see");
    }
    if (!logic::definedness(term).isTrue())
      throw logic::Unsupported("the proof reads array elements that need not exist");
    return words_.text(term, slot);
  }

  /// Does a later value need what an earlier ghost was before?
  static bool dependsOnOrder(const OwickiGries::Update &update) {
    std::set<logic::Variable> assigned;
    for (const auto &[ghost, value] : update.assign) {
      for (const logic::VariableUse &use : logic::variablesOf(value))
        if (assigned.contains(use.variable))
          return true;
      assigned.insert(ghost);
    }
    return false;
  }

  /// Ghosts get their values at once: through copies, if need be.
  std::string updateOf(Slot slot, EdgeId edge, const std::vector<OwickiGries::Other> &others) {
    for (const OwickiGries::Update &update : annotation_.updates) {
      if (update.mover != slot || update.edge != edge || update.others != others)
        continue;
      const bool copies = dependsOnOrder(update);
      std::string first, second;
      for (const auto &[ghost, value] : update.assign) {
        const std::string name = copies ? copyOf(ghost.name(), ghost.sort().text()) : ghost.name();
        first += name + " := " + formula(value, slot) + "; ";
        if (copies)
          second += ghost.name() + " := " + name + "; ";
      }
      return first + second;
    }
    return "";
  }

  std::string copyOf(const std::string &ghost, const std::string &sort) {
    std::set<std::string> taken;
    for (const logic::Variable global : program_.globals)
      taken.insert(global.name());
    for (const Template &thread : program_.templates) {
      taken.insert(thread.name);
      for (const logic::Variable local : thread.locals)
        taken.insert(local.name());
    }
    for (const OwickiGries::Ghost &other : annotation_.ghosts)
      taken.insert(other.variable.name());
    std::string name = "next_" + ghost;
    while (taken.contains(name))
      name += "_";
    copies_.emplace(name, sort);
    return name;
  }
};

/// One thread, statement by statement.
class AnnotatedThread {
public:
  AnnotatedThread(const Program &program, TemplateId id, const outline::OutlinePlaces &places,
                  ConcProof &proof)
      : type_(program.templates[id]), id_(id), places_(places), proof_(proof) {}

  std::string print(const specs::syntax::ConcThread &tree) {
    const std::string text = textOf(tree.range);
    text_ = text.substr(0, text.find('{')) + "{\n";
    block(tree.body, "  ");
    for (LocationId l = 0; l < type_.locations.size(); ++l)
      if (type_.locations[l].kind == compose::LocationKind::Final)
        assertAt(l, "  ");
    return text_ + "}\n";
  }

private:
  const Template &type_;
  TemplateId id_;
  const outline::OutlinePlaces &places_;
  ConcProof &proof_;
  std::string text_;

  void line(const std::string &indent, const std::string &text) { text_ += indent + text + "\n"; }

  void assertAt(LocationId location, const std::string &indent) {
    if (const std::string text = proof_.assertionAt(id_, location); text != "true")
      line(indent, "assert " + text + ";");
  }

  /// Nothing for declarations and labels.
  std::optional<LocationId> locationOf(const Statement &statement) const {
    for (const outline::Anchor &anchor : places_.anchors())
      if (anchor.thread == id_ && anchor.at == statement.range.begin)
        return anchor.location;
    return std::nullopt;
  }

  void block(const Block &statements, const std::string &indent) {
    for (const Statement &statement : statements) {
      const bool isStep = !std::holds_alternative<specs::syntax::LabelStatement>(statement.node) &&
                          !std::holds_alternative<specs::syntax::LocalDecl>(statement.node);
      const auto location = isStep ? locationOf(statement) : std::nullopt;
      if (!location) {
        line(indent, textOf(statement.whole));
        continue;
      }
      assertAt(*location, indent);
      if (const auto *choice = std::get_if<specs::syntax::IfStatement>(&statement.node))
        branch(*choice, *location, indent);
      else if (const auto *loop = std::get_if<specs::syntax::WhileStatement>(&statement.node))
        repeat(*loop, *location, indent);
      else
        simple(statement, *location, indent);
    }
  }

  struct Outcomes {
    std::string condition; ///< empty: `*`
    std::string yes, no;   ///< updates
    bool any() const { return !yes.empty() || !no.empty(); }
  };

  Outcomes outcomes(const specs::syntax::ExprPtr &condition, LocationId location) {
    Outcomes result;
    std::string negated;
    if (condition) {
      result.condition = textOf(condition->range);
      negated = "!(" + specs::syntax::sourceText(condition->range) + ")";
    }
    bool first = true;
    for (EdgeId edge : type_.edgesFrom(location)) {
      if (type_.edges[edge].failure)
        continue;
      const bool isNo = condition ? type_.edges[edge].text == negated : !first;
      (isNo ? result.no : result.yes) = proof_.updateOf(id_, edge);
      first = false;
    }
    return result;
  }

  static std::string step(const std::string &condition, const std::string &update) {
    return "atomic { " + (condition.empty() ? "" : "assume " + condition + "; ") + update + "}";
  }
  static std::string negation(const std::string &condition) {
    return condition.empty() ? "" : "!(" + condition + ")";
  }

  void branch(const specs::syntax::IfStatement &choice, LocationId location,
              const std::string &indent) {
    const Outcomes found = outcomes(choice.condition, location);
    const bool free = found.any() || found.condition.empty();
    line(indent, "if (" + (free ? "*" : found.condition) + ") {");
    if (found.any())
      line(indent + "  ", step(found.condition, found.yes));
    block(*choice.yes, indent + "  ");
    if (choice.no || found.any()) {
      line(indent, "} else {");
      if (found.any())
        line(indent + "  ", step(negation(found.condition), found.no));
      if (choice.no)
        block(*choice.no, indent + "  ");
    }
    line(indent, "}");
  }

  void repeat(const specs::syntax::WhileStatement &loop, LocationId location,
              const std::string &indent) {
    const Outcomes found = outcomes(loop.condition, location);
    const bool free = found.any() || found.condition.empty();
    line(indent, "while (" + (free ? "*" : found.condition) + ") {");
    if (found.any())
      line(indent + "  ", step(found.condition, found.yes));
    block(*loop.body, indent + "  ");
    assertAt(location, indent + "  ");
    line(indent, "}");
    if (found.any())
      line(indent, step(negation(found.condition), found.no));
  }

  void simple(const Statement &statement, LocationId location, const std::string &indent) {
    std::set<std::string> updates;
    std::set<LocationId> targets;
    for (EdgeId edge : type_.edgesFrom(location))
      if (!type_.edges[edge].failure) {
        updates.insert(proof_.updateOf(id_, edge));
        targets.insert(type_.edges[edge].target);
      }
    for (const outline::HiddenPlace &hidden : places_.hiddenAt(*places_.anchorOf(id_, location)))
      for (EdgeId edge : type_.edgesFrom(hidden.location))
        updates.insert(proof_.updateOf(id_, edge));
    std::string text = textOf(statement.whole);
    if (updates.empty() || updates == std::set<std::string>{""})
      return line(indent, text);
    const bool waits = std::holds_alternative<specs::syntax::WaitStatement>(statement.node);
    if (updates.size() > 1 || targets.size() > 1 || waits)
      throw logic::Unsupported("a ghost is updated within a statement of several steps or outcomes",
                               statement.range);
    const bool jumps = std::holds_alternative<specs::syntax::GotoStatement>(statement.node) ||
                       std::holds_alternative<specs::syntax::ReturnStatement>(statement.node);
    const std::string &update = *updates.begin();
    if (std::holds_alternative<specs::syntax::AtomicStatement>(statement.node))
      return line(indent, atomicWith(text, statement, update));
    line(indent, "atomic { " + (jumps ? update + text + " " : text + " " + update) + "}");
  }

  /// The update at the end of the section, which no path leaves early.
  static std::string atomicWith(std::string text, const Statement &statement,
                                const std::string &update) {
    auto jumps = [](auto &self, const Block &body) -> bool {
      return std::any_of(body.begin(), body.end(), [&](const Statement &inner) {
        if (const auto *choice = std::get_if<specs::syntax::IfStatement>(&inner.node))
          return self(self, *choice->yes) || (choice->no && self(self, *choice->no));
        return std::holds_alternative<specs::syntax::GotoStatement>(inner.node) ||
               std::holds_alternative<specs::syntax::ReturnStatement>(inner.node);
      });
    };
    if (jumps(jumps, *std::get<specs::syntax::AtomicStatement>(statement.node).body))
      throw logic::Unsupported("a ghost is updated by an atomic section that jumps",
                               statement.range);
    const size_t end = text.rfind('}');
    return text.substr(0, end) + update + text.substr(end);
  }
};

} // namespace

std::string annotatedConc(const specs::syntax::ConcFile &file, const Program &program,
                          const OwickiGries &annotation) {
  ConcProof proof(program, annotation);
  const outline::OutlinePlaces places(program, *file.file);
  std::string text;
  bool afterThread = false;
  for (const specs::syntax::ConcItem &item : file.items) {
    const auto *thread = std::get_if<specs::syntax::ConcThread>(&item);
    text += thread || afterThread ? "\n" : "";
    text += thread
                ? AnnotatedThread(program, *program.templateNamed(thread->name.text), places, proof)
                      .print(*thread)
                : std::visit([](const auto &node) { return textOf(node.range); }, item) + "\n";
    afterThread = thread != nullptr;
  }
  return "// with its proof, written by understudy export --to conc --annotated\n" +
         proof.ghosts() + text;
}

} // namespace understudy::tools::exports

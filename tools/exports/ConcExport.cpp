// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/ConcExport.h"

#include "compose/ProgramCopy.h"
#include "logic/Error.h"
#include "logic/Words.h"
#include "specs/Compile.h"
#include "specs/format/Format.h"
#include "specs/syntax/Keywords.h"
#include "specs/syntax/Parse.h"
#include "tools/exports/ConcThreadText.h"

#include <algorithm>

namespace understudy::tools::exports {

using namespace compose;
using logic::VariableUse;

namespace {

class ConcFileText {
public:
  ConcFileText(const specs::syntax::Contract &contract, const Program &program,
               const ThreadCounts &counts, const logic::NewNames &names)
      : contract_(contract), program_(program), counts_(counts), names_(names),
        expression_(program) {}

  std::string print() const {
    std::string text = "// " + program_.name + ", written by understudy export --to conc\n";
    for (const auto &[before, after] : names_)
      text += "// '" + before + "', a keyword of CONC, is called '" + after + "' here.\n";
    if (!program_.conditions.empty())
      text += "// Contracts allow spurious wakeups: verify with --spurious on.\n";
    text += enums() + globals() + properties() + "\n";
    Guardians guardians = guardianNames();
    for (TemplateId id = 0; id < program_.templates.size(); ++id)
      text += ConcThreadText(program_, id, guardians).print() + "\n";
    return text + "run " + starts() + ";\n";
  }

private:
  const specs::syntax::Contract &contract_;
  const Program &program_;
  const ThreadCounts &counts_;
  const logic::NewNames &names_;
  ConcExpression expression_;

  std::string nameOf(const std::string &name) const {
    auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  Guardians guardianNames() const {
    Guardians result;
    for (const specs::syntax::SystemItem &item : contract_.items)
      if (const auto *shared = std::get_if<specs::syntax::SharedDecl>(&item))
        if (shared->discipline &&
            shared->discipline->kind == specs::syntax::DisciplineKind::GuardedBy)
          result[nameOf(shared->name.text)] = nameOf(shared->discipline->by.text);
    return result;
  }

  std::string enums() const {
    std::string text;
    std::set<std::string> printed;
    auto print = [&](Variable variable) {
      logic::Sort sort = variable.sort();
      if (sort.isArray())
        sort = sort.element();
      if (!sort.isEnum() || !printed.insert(sort.enumName()).second)
        return;
      text += "enum " + sort.enumName() + " { " +
              logic::joined(sort.enumerators(),
                            [](const logic::Enumerator &entry) {
                              return entry.name + " = " + std::to_string(entry.value);
                            }) +
              " }\n";
    };
    std::for_each(program_.globals.begin(), program_.globals.end(), print);
    for (const Template &type : program_.templates)
      std::for_each(type.locals.begin(), type.locals.end(), print);
    return text;
  }

  /// Values that the start determines one by one stand beside the variables, the rest in
  /// `initially`.
  std::string globals() const {
    std::string text;
    for (const Mutex &mutex : program_.mutexes)
      text += "global mutex " + mutex.name + ";\n";
    for (const std::string &condition : program_.conditions)
      text += "global cond " + condition + ";\n";
    std::map<Variable, Term> values;
    std::string rest;
    for (const Term &conjunct : logic::conjunctsOf(program_.initial))
      if (!isValue(conjunct, values) && !aboutMutexes(conjunct) && !conjunct.isTrue())
        rest += "initially " + expression_(conjunct) + ";\n";
    for (Variable variable : program_.globals) {
      if (program_.isMutexFlag(variable))
        continue;
      text += "global " + variable.sort().text() + " " + variable.name();
      if (auto value = values.find(variable); value != values.end())
        text += " = " + expression_(value->second);
      text += ";\n";
    }
    return text + rest;
  }

  bool aboutMutexes(Term term) const {
    auto uses = logic::variablesOf(term);
    return std::any_of(uses.begin(), uses.end(),
                       [&](const VariableUse &use) { return program_.isMutexFlag(use.variable); });
  }

  /// `x == constant`, `b`, `!b`, or all elements of an array the same constant.
  bool isValue(Term conjunct, std::map<Variable, Term> &values) const {
    auto commands = promela::guardedCommands(conjunct, allGlobals(), "the initial state", {});
    if (commands.size() != 1 || commands[0].assignments.size() != 1 || !commands[0].guard.empty() ||
        !commands[0].constraints.empty())
      return false;
    promela::Assignment value = commands[0].assignments.front();
    if (value.value.op() == logic::Op::ConstArray)
      value.value = value.value.operand(0);
    if (!value.value.isConstant() || program_.isMutexFlag(value.variable))
      return false;
    return values.emplace(value.variable, value.value).second;
  }

  std::vector<VariableUse> allGlobals() const {
    std::vector<VariableUse> result;
    for (Variable variable : program_.globals)
      result.push_back({variable, false});
    return result;
  }

  std::string properties() const {
    std::string text;
    for (const Claim &invariant : program_.invariants)
      text += "invariant " + expression_(invariant.formula) + ";\n";
    auto place = [&](const Place &p) {
      return program_.templates[p.thread].name + "." +
             program_.templates[p.thread].locations[p.location].name;
    };
    for (const Exclusion &exclusion : program_.exclusions)
      text += "never " + place(exclusion.first) + " with " + place(exclusion.second) + ";\n";
    return text;
  }

  std::string starts() const {
    return logic::joined(program_.starts, [&](const Start &start) {
      auto asked = counts_.find(start.thread);
      const std::string &name = program_.templates[start.thread].name;
      if (start.unbounded && asked == counts_.end())
        return name + "*";
      uint32_t count = start.unbounded ? asked->second : start.count;
      return count == 1 ? name : name + " * " + std::to_string(count);
    });
  }
};

std::set<std::string> namesOf(const Program &program) {
  std::set<std::string> names(program.conditions.begin(), program.conditions.end());
  auto add = [&](Variable variable) {
    names.insert(variable.name());
    const logic::Sort sort =
        variable.sort().isArray() ? variable.sort().element() : variable.sort();
    if (!sort.isEnum())
      return;
    names.insert(sort.enumName());
    for (const logic::Enumerator &one : sort.enumerators())
      names.insert(one.name);
  };
  std::for_each(program.globals.begin(), program.globals.end(), add);
  for (const Mutex &mutex : program.mutexes)
    names.insert(mutex.name);
  for (const Template &thread : program.templates) {
    names.insert(thread.name);
    std::for_each(thread.locals.begin(), thread.locals.end(), add);
    for (const Location &location : thread.locations)
      names.insert(location.name);
  }
  return names;
}

/// A contract may use words as names that are keywords of CONC.
logic::NewNames insteadOfKeywords(const Program &program) {
  std::set<std::string> taken = namesOf(program);
  logic::NewNames names;
  for (const std::string &word : specs::syntax::keywords(specs::syntax::Language::Conc)) {
    if (!taken.contains(word))
      continue;
    std::string other = word + "_";
    while (!taken.insert(other).second)
      other += "_";
    names[word] = other;
  }
  return names;
}

} // namespace

std::string concText(const specs::syntax::Contract &contract, const Program &program,
                     const ThreadCounts &counts) {
  const logic::NewNames names = insteadOfKeywords(program);
  const Program written = names.empty() ? program : renamed(program, names);
  std::string text = ConcFileText(contract, written, counts, names).print();
  // What is handed out is a program of CONC: what it cannot say shows up here.
  try {
    auto file = std::make_shared<logic::SourceFile>(program.name + ".conc", text);
    auto parsed = specs::syntax::parseConc(file);
    specs::compile(parsed.tree, {specs::SpuriousWakeups::On});
    return specs::format::format(parsed);
  } catch (const logic::Error &error) {
    throw logic::Unsupported(std::string("CONC cannot express this: ") + error.what());
  }
}

} // namespace understudy::tools::exports

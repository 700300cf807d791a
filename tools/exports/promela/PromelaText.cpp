// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/PromelaText.h"

#include "logic/Error.h"
#include "logic/smtlib/Print.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>

namespace understudy::tools::exports::promela {

using logic::Op;
using logic::Sort;
using logic::SortKind;
using logic::Term;
using logic::Variable;

namespace {

const char *const reservedWords[] = {
    // Promela
    "active", "assert", "atomic", "bit", "bool", "break", "byte", "chan", "d_step", "D_proctype",
    "do", "else", "empty", "enabled", "eval", "false", "fi", "for", "full", "get_priority", "goto",
    "hidden", "if", "in", "init", "inline", "int", "len", "local", "ltl", "mtype", "nempty",
    "never", "nfull", "notrace", "np_", "od", "of", "pc_value", "pid", "print", "printf", "printm",
    "priority", "proctype", "provided", "return", "run", "select", "set_priority", "short", "show",
    "skip", "timeout", "trace", "true", "type", "typedef", "unless", "unsigned", "xr", "xs",
    "c_code", "c_decl", "c_expr", "c_state", "c_track", "_", "_last", "_pid", "_nr_pr", "STDIN",
    // C, since SPIN makes C of it
    "auto", "case", "char", "const", "continue", "default", "double", "enum", "extern", "float",
    "long", "register", "restrict", "signed", "sizeof", "static", "struct", "switch", "union",
    "void", "volatile", "while", "linux", "unix", "now", "this", "main", "uchar", "ushort", "uint",
    // macros of that code
    "bfs_do_store", "cas", "enter_critical", "final", "get16bits", "get_permuted", "getframe",
    "grab_state", "iam_alive", "leave_critical", "max", "mix", "onstack_now", "onstack_put",
    "onstack_zap", "pptr", "pthread_equal", "q_sz", "qptr", "rand", "rot", "ulong", "wasnew",
    // this export
    "me", "slot", "chosen", "end_absent"};

/// Where the operators of the terms stand: everything but names and numbers is put in parentheses.
std::string inParentheses(const std::string &text) { return "(" + text + ")"; }

/// The values that a term can have, as far as they are easy to see. Exact up to 2^53, and only
/// numbers below 2^32 matter.
struct Range {
  double lower = 0;
  double upper = 0;
};

Range range(int64_t lower, int64_t upper) {
  return {static_cast<double>(lower), static_cast<double>(upper)};
}

Range rangeOfSort(Sort sort) {
  if (auto values = sort.isEnum() ? sort.values() : std::nullopt; values && !values->empty())
    return range(values->front(), values->back());
  if (sort.isBool())
    return {0, 1};
  if (sort.isArray())
    return rangeOfSort(sort.element());
  if (sort.kind() == SortKind::Int)
    return range(-promelaFarthest, promelaFarthest);
  return range(sort.lower(), sort.upper());
}

Range united(Range a, Range b) { return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)}; }

Range rangeOf(Term term) {
  switch (term.op()) {
  case Op::Constant:
    return range(term.value(), term.value());
  case Op::Ite:
    return united(rangeOf(term.operand(1)), rangeOf(term.operand(2)));
  case Op::Add: {
    Range sum;
    for (const Term &operand : term.operands()) {
      Range one = rangeOf(operand);
      sum = {sum.lower + one.lower, sum.upper + one.upper};
    }
    return sum;
  }
  case Op::Multiply: {
    Range factor = rangeOf(term.operand(0));
    const double a = factor.lower * static_cast<double>(term.value());
    const double b = factor.upper * static_cast<double>(term.value());
    return {std::min(a, b), std::max(a, b)};
  }
  case Op::Divide:
  case Op::Remainder:
    return united(rangeOf(term.operand(0)), {0, 0}); // nearer to 0
  case Op::Select:
    return rangeOf(term.operand(0));
  case Op::Store:
    return united(rangeOf(term.operand(0)), rangeOf(term.operand(2)));
  case Op::ConstArray:
    return rangeOf(term.operand(0));
  default:
    return rangeOfSort(term.sort());
  }
}

void requireSmall(Term term) {
  Range values = rangeOf(term);
  if (values.lower < std::numeric_limits<int32_t>::min() ||
      values.upper > std::numeric_limits<int32_t>::max())
    throw logic::Unsupported("Promela integers have 32 bits, but the values of '" +
                             logic::smtlib::text(term) + "' may not fit");
}

} // namespace

PromelaNames::PromelaNames() : used_(std::begin(reservedWords), std::end(reservedWords)) {
  for (size_t i = 0; i < temporaries; ++i)
    used_.insert(temporary(i));
}

std::string PromelaNames::temporary(size_t index) { return "t" + std::to_string(index) + "_"; }

bool promelaMayLeave(Term term) {
  constexpr auto farthest = static_cast<double>(promelaFarthest);
  Range values = rangeOf(term);
  return values.lower < -farthest || values.upper > farthest;
}

std::string promelaNumber(int64_t value) {
  constexpr int64_t least = std::numeric_limits<int32_t>::min();
  if (value < least || value > std::numeric_limits<int32_t>::max())
    throw logic::Unsupported("the number " + std::to_string(value) + " does not fit in Promela");
  if (value == least) // as a literal it would be the negation of a number that does not fit
    return inParentheses(std::to_string(value + 1) + " - 1");
  return value < 0 ? inParentheses(std::to_string(value)) : std::to_string(value);
}

std::string PromelaNames::take(const std::string &wanted) {
  std::string name;
  for (char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  // SPIN's C code is full of macros in capitals.
  if (std::none_of(name.begin(), name.end(),
                   [](char c) { return std::islower(static_cast<unsigned char>(c)); }))
    name += "_v";
  while (!used_.insert(name).second)
    name += "_";
  return name;
}

namespace {

void noteReads(Term term, std::set<Variable> &read) {
  for (const logic::VariableUse &use : logic::variablesOf(term))
    read.insert(use.variable);
}

/// Variables that steps or claims look at.
std::set<Variable> readVariables(const compose::Program &program) {
  std::set<Variable> read;
  for (const compose::Claim &invariant : program.invariants)
    noteReads(invariant.formula, read);
  for (const compose::Template &kind : program.templates) {
    noteReads(kind.initial, read);
    for (const compose::Location &location : kind.locations)
      for (const compose::Claim &rely : location.relies)
        noteReads(rely.formula, read);
    for (const compose::Edge &edge : kind.edges) {
      for (const logic::VariableUse &use : logic::variablesOf(edge.relation))
        if (!use.primed)
          read.insert(use.variable);
      if (const auto *fork = std::get_if<compose::Fork>(&edge.action)) {
        for (const Term &argument : fork->arguments)
          noteReads(argument, read);
        if (fork->id)
          noteReads(*fork->id, read);
      }
      if (const auto *join = std::get_if<compose::Join>(&edge.action); join && join->id)
        noteReads(*join->id, read);
    }
  }
  return read;
}

} // namespace

PromelaScope::PromelaScope(const compose::Program &program, PromelaNames &names) {
  // SPIN makes variables that nobody reads global variables of its C code, among its own.
  const std::set<Variable> read = readVariables(program);
  for (Variable variable : program.globals)
    names_[variable] = names.take(variable.name() + (read.contains(variable) ? "" : "_unread"));
  for (const compose::Template &kind : program.templates)
    for (Variable variable : kind.locals)
      names_[variable] = names.take(kind.name + "_" + variable.name());
  for (Variable variable : program.globals)
    saved_[variable] = names.take("old_" + variable.name());
}

const std::string &PromelaScope::name(Variable variable) const { return names_.at(variable); }

std::string PromelaScope::place(Variable variable, const std::string &slot) const {
  return variable.scope().empty() ? name(variable) : name(variable) + "[" + slot + "]";
}

std::string promelaType(Sort sort, const std::string &what) {
  if (sort.isBool())
    return "bool";
  if (sort.isArray())
    return promelaType(sort.element(), what);
  if (sort.kind() == SortKind::Int)
    return "int";
  int64_t lower = 0;
  int64_t upper = 0;
  if (sort.isEnum()) {
    for (const logic::Enumerator &entry : sort.enumerators()) {
      lower = std::min(lower, entry.value);
      upper = std::max(upper, entry.value);
    }
  } else {
    lower = sort.lower();
    upper = sort.upper();
  }
  auto fits = [&](int64_t low, int64_t high) { return low <= lower && upper <= high; };
  if (fits(0, 255))
    return "byte";
  if (fits(-32768, 32767))
    return "short";
  if (fits(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()))
    return "int";
  throw logic::Unsupported("Promela has no type for the values of " + what);
}

int64_t promelaSize(Sort sort, const std::string &what) {
  auto size = sort.arraySize();
  if (!size)
    throw logic::Unsupported("Promela has no unbounded arrays: " + what);
  return *size;
}

std::string PromelaExpression::variable(Term term) const {
  if (!term.primed())
    if (auto found = saved_.find(term.variable()); found != saved_.end())
      return found->second;
  return scope_.place(term.variable(), slot_);
}

std::string PromelaExpression::joined(Term term, const std::string &separator) const {
  std::string text;
  for (const Term &operand : term.operands())
    text += (text.empty() ? "" : separator) + (*this)(operand);
  return inParentheses(text);
}

std::string PromelaExpression::sum(Term term) const {
  std::string text;
  for (const Term &operand : term.operands()) {
    bool negative = operand.op() == Op::Multiply && operand.value() == -1;
    bool constant = operand.isConstant() && operand.value() < 0 && !text.empty();
    if (negative)
      text += (text.empty() ? "0 - " : " - ") + (*this)(operand.operand(0));
    else if (constant && operand.value() > std::numeric_limits<int32_t>::min())
      text += " - " + promelaNumber(-operand.value());
    else
      text += (text.empty() ? "" : " + ") + (*this)(operand);
  }
  return inParentheses(text);
}

std::string PromelaExpression::equal(Term term) const {
  Sort sort = term.operand(0).sort();
  if (!sort.isArray())
    return joined(term, " == ");
  std::string text;
  for (int64_t i = 0; i < promelaSize(sort, "a comparison of arrays"); ++i) {
    std::string index = std::to_string(i);
    text += (i == 0 ? "" : " && ") + inParentheses(element(term.operand(0), index) +
                                                   " == " + element(term.operand(1), index));
  }
  return inParentheses(text);
}

std::string PromelaExpression::element(Term array, const std::string &index) const {
  switch (array.op()) {
  case Op::Variable: {
    Variable base = array.variable();
    if (base.scope().empty())
      return variable(array) + "[" + index + "]";
    // The arrays of all threads lie one behind the other.
    std::string size = std::to_string(promelaSize(base.sort(), "local array " + base.name()));
    return scope_.name(base) + "[" + slot_ + " * " + size + " + " + index + "]";
  }
  case Op::Store:
    return "((" + index + " == " + (*this)(array.operand(1)) + ") -> " + (*this)(array.operand(2)) +
           " : " + element(array.operand(0), index) + ")";
  case Op::ConstArray:
    return (*this)(array.operand(0));
  case Op::Ite:
    return "(" + (*this)(array.operand(0)) + " -> " + element(array.operand(1), index) + " : " +
           element(array.operand(2), index) + ")";
  default:
    throw std::logic_error("not an array");
  }
}

std::string PromelaExpression::operator()(Term term) const {
  auto part = [&](size_t i) { return (*this)(term.operand(i)); };
  switch (term.op()) {
  case Op::Constant:
    return term.sort().isBool() ? (term.value() != 0 ? "true" : "false")
                                : promelaNumber(term.value());
  case Op::Variable:
    return variable(term);
  case Op::Not:
    return "!" + inParentheses(part(0));
  case Op::And:
    return joined(term, " && ");
  case Op::Or:
    return joined(term, " || ");
  case Op::Implies:
    return "(!" + inParentheses(part(0)) + " || " + part(1) + ")";
  case Op::Ite:
    return "(" + part(0) + " -> " + part(1) + " : " + part(2) + ")";
  case Op::Equal:
    return equal(term);
  case Op::Less:
    return joined(term, " < ");
  case Op::LessEqual:
    return joined(term, " <= ");
  case Op::Add:
    requireSmall(term);
    return sum(term);
  case Op::Multiply:
    requireSmall(term);
    return inParentheses(promelaNumber(term.value()) + " * " + part(0));
  case Op::Divide:
    return inParentheses(part(0) + " / " + promelaNumber(term.value()));
  case Op::Remainder:
    return inParentheses(part(0) + " % " + promelaNumber(term.value()));
  case Op::Select:
    return element(term.operand(0), part(1));
  case Op::Store:
  case Op::ConstArray:
    break;
  }
  throw std::logic_error("an array is not a Promela expression");
}

std::string promelaString(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '%')
      result += '%';
    if (c == '"' || c == '\\')
      result += '\'';
    else
      result += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  }
  return result;
}

} // namespace understudy::tools::exports::promela

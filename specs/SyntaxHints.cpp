// SPDX-License-Identifier: Apache-2.0
//
// Hints for syntax errors: what people write by habit, and how it is written here.
#include "specs/ParseState.h"

#include <array>
#include <utility>

namespace understudy::specs {

namespace {

/// The form of the part that is broken, by what was expected there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> forms{{
    {"';' after the edge", "an edge is written -> TARGET : CONDITION do ACTION;"},
    {"the target state of the edge", "an edge is written -> TARGET : CONDITION do ACTION;"},
    {"an edge ('->'),", "an edge is written -> TARGET : CONDITION do ACTION;"},
    {"';' after the shared variable",
     "a shared variable is written shared TYPE NAME @ PATH = VALUE guarded by MUTEX;"},
    {"a variable name", "a variable is declared with its type first: int x"},
    {"'=' and the value of the constant", "a constant has no type: const N = 4;"},
    {"a name for the constant", "a constant has no type: const N = 4;"},
    {"an action after 'do'",
     "the actions are fork, join, lock, unlock, wait, signal, broadcast and call"},
    {"'with' and the mutex", "a wait is written wait c with m"},
    {"'with' between", "an exclusion is written never A.S with B.T;"},
    {"'.' between", "an exclusion is written never A.S with B.T;"},
    {"'system NAME {'", "a contract file is one system: system NAME { ... }"},
    {"'{' before the body", "the body needs braces, also when it is one statement"},
    {"'(' before the condition", "write if (c) {...} or while (c) {...}; c may be *"},
    {"'..' between", "a bounded type is written int LO..HI"},
    {"'..' after 'in LO'", "membership is written x in LO..HI"},
    {"'{' or ';' after the name of the state",
     "a state is written state NAME { ... } or final NAME;"},
    {"an item of the system",
     "items start with shared, enum, const, define, initially, invariant, never, thread, handler, "
     "environment or run"},
    {"a declaration or a thread",
     "a program consists of global, enum, thread, run, initially, invariant and never"},
    {"':=' after the variable", "an assignment is written x := e;"},
    {"'(' after the thread name", "a fork is written fork T(args); or fork ID T(args);"},
    {"the name of a C function", "write for f, or for \"file.c\":f for a static function"},
    {"',' or ';' after a thread of 'run'", "write run A, B * 3, C*;"},
    {"a state, 'local'", "a thread consists of local, rely, assert, initial, state and final"},
}};

class Hints {
public:
  Hints(const ParseState &state, TokenIt where, std::string_view expected)
      : state_(state), where_(where), expected_(expected) {}

  std::string find() const {
    if (expected_.find("name") != std::string_view::npos && isKeyword(where_->kind))
      return "keywords cannot be used as names";
    for (auto rule : {&Hints::increment, &Hints::assignment, &Hints::bitOperator,
                      &Hints::misspelled, &Hints::foreignStatement, &Hints::closing, &Hints::form})
      if (std::string hint = (this->*rule)(); !hint.empty())
        return hint;
    return {};
  }

private:
  bool is(int offset, Tok kind) const {
    if (offset < 0 && where_ + offset < state_.begin())
      return false;
    if (offset > 0 && where_ + offset > state_.end())
      return false;
    return where_[offset].kind == kind;
  }
  /// The tokens at `offset` and behind it touch.
  bool touches(int offset) const { return where_[offset].end == where_[offset + 1].begin; }
  std::string word(int offset) const { return std::string(state_.text(where_ + offset)); }
  bool isContract() const { return state_.language() == Language::Contract; }

  std::string step(const std::string &name, char op, const std::string &by) const {
    std::string sum = name + " " + op + " " + by;
    return isContract() ? "write " + name + "' == " + sum : "write " + name + " := " + sum;
  }

  std::string increment() const {
    for (Tok op : {Tok::Plus, Tok::Minus}) {
      char sign = op == Tok::Plus ? '+' : '-';
      for (int second : {0, -1}) // x++ fails at the second sign, x-- behind it
        if (is(second, op) && is(second - 1, op) && touches(second - 1) &&
            is(second - 2, Tok::Name))
          return "'" + word(second - 2) + sign + sign +
                 "' is not supported: " + step(word(second - 2), sign, "1");
      if (is(0, Tok::Assign) && is(-1, op) && touches(-1) && is(-2, Tok::Name))
        return std::string("'") + sign + "=' is not supported: " + step(word(-2), sign, "...");
      if (is(0, op) && is(1, op) && touches(0))
        return std::string("'") + sign + sign + "' is not supported";
    }
    return {};
  }

  std::string assignment() const {
    bool inAssignment = expected_.starts_with("':='");
    if (is(0, Tok::Assign) && is(-1, Tok::Equal))
      return "use '==' to compare";
    if (is(0, Tok::Greater) && is(-1, Tok::Equal))
      return "use '=>' for implication, '>=' to compare";
    if (is(0, Tok::Less) && is(-1, Tok::Assign))
      return "use '<=' to compare";
    if (is(0, Tok::Assign))
      return inAssignment ? "use ':=' to assign: x := e;"
                          : "use '==' to compare; '=' is not an operator";
    if (is(0, Tok::Equal) && inAssignment)
      return "use ':=' to assign: x := e;";
    if (is(0, Tok::Becomes))
      return isContract() ? "contracts have no assignment: write x' == e"
                          : "use '=' for initial values, '==' to compare";
    return {};
  }

  std::string bitOperator() const {
    if (is(0, Tok::Ampersand))
      return "use '&&' for and; there are no bit operations";
    if (is(0, Tok::Pipe))
      return "use '||' for or; there are no bit operations";
    if ((is(0, Tok::Less) && is(-1, Tok::Less)) || (is(0, Tok::Greater) && is(-1, Tok::Greater)))
      return "there are no shifts";
    if (is(0, Tok::Greater) && is(-1, Tok::Less))
      return "use '!=' for different";
    if (is(0, Tok::Minus) && is(1, Tok::Greater))
      return "use '->' without a space for an edge";
    return {};
  }

  std::string misspelled() const {
    for (int offset : {0, -1}) {
      if (!is(offset, Tok::Name))
        continue;
      // The word before is suspect only where it could have been a keyword.
      if (offset == -1 && !is(0, Tok::Name))
        continue;
      auto nearest = nearestKeyword(word(offset), state_.language());
      if (nearest && fits(*nearest))
        return "did you mean '" + *nearest + "'?";
    }
    return {};
  }
  /// A keyword is suggested where a word of its kind is expected.
  bool fits(const std::string &) const {
    return expected_.starts_with("an edge") || expected_.starts_with("a state,") ||
           expected_.starts_with("an item") || expected_.starts_with("a declaration") ||
           expected_.starts_with("a statement") || expected_.starts_with("':='") ||
           expected_.starts_with("'system") || expected_.starts_with("an action") ||
           expected_.starts_with("';'") || expected_.starts_with("'by'") ||
           expected_.starts_with("'with'") || expected_.starts_with("'{'");
  }

  std::string foreignStatement() const {
    if (!is(0, Tok::Name))
      return expected_.starts_with("a statement") && is(0, Tok::Semicolon)
                 ? "an empty statement is written skip;"
                 : std::string();
    std::string text = word(0);
    if (text == "for" || text == "do" || text == "switch")
      return "the only loop is while (c) {...}, the only choice is if (c) {...}";
    if (text == "break" || text == "continue")
      return "use a label and goto";
    if (text == "var" || text == "let" || text == "static" || text == "unsigned" || text == "long")
      return "the types are bool, int, int LO..HI and enums";
    return {};
  }

  std::string closing() const {
    if (is(0, Tok::End) && expected_.starts_with("'}'"))
      return "a '{' above is not closed";
    if (is(0, Tok::RBrace) &&
        (expected_.starts_with("the end of the file") || expected_.starts_with("a declaration")))
      return "this '}' closes nothing: there is one too many above";
    return {};
  }

  std::string form() const {
    for (const auto &[start, hint] : forms)
      if (expected_.starts_with(start))
        return std::string(hint);
    return {};
  }

  const ParseState &state_;
  TokenIt where_;
  std::string_view expected_;
};

} // namespace

std::string syntaxHint(const ParseState &state, TokenIt where, std::string_view expected) {
  return Hints(state, where, expected).find();
}

} // namespace understudy::specs

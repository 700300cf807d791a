// SPDX-License-Identifier: Apache-2.0
//
// Hints for syntax errors: what people write by habit, and how it is written here.
#include "specs/syntax/ParseState.h"

#include <utility>

namespace understudy::specs::syntax {

namespace {

/// The form of the part that is broken, by how the words for what was expected begin.
constexpr std::pair<std::string_view, std::string_view> forms[] = {
    {"';' after the edge", "an edge has the form -> TARGET : CONDITION do ACTION;"},
    {"the target state of the edge", "an edge has the form -> TARGET : CONDITION do ACTION;"},
    {"an edge ('->'),", "an edge has the form -> TARGET : CONDITION do ACTION;"},
    {"';' after the shared variable",
     "a shared variable has the form shared TYPE NAME @ PATH = VALUE guarded by MUTEX;"},
    {"'by' after 'guarded'", "write guarded by MUTEX"},
    {"'under' after 'written'", "write written under MUTEX"},
    {"'by' after 'owned'", "write owned by THREAD"},
    {"a name for the object", "an object has the form object NAME : struct TYPE;"},
    {"':' and the C type", "an object has the form object NAME : struct TYPE;"},
    {"the C type of the object", "an object has the form object NAME : struct TYPE;"},
    {"'@' and where the claim", "a claim has the form claim CONDITION @ f(), PATH[];"},
    {"a name for the parameter of the definition",
     "a definition has the form define NAME(PARAMETER) = EXPRESSION;"},
    {"',' or ')' after a parameter",
     "a definition has the form define NAME(PARAMETER) = EXPRESSION;"},
    {"the name of a section", "a state has the form state NAME inside SECTION { ... }"},
    {"'reading' after 'for'", "a state has the form state NAME inside SECTION for reading { ... }"},
    {"the name of a state that", "write assert CONDITION except STATE, STATE;"},
    {"the name of a C function after 'via'", "write via WRAPPER(ARGUMENT, ARGUMENT)"},
    {"'(' and the arguments", "write via WRAPPER(ARGUMENT, ARGUMENT)"},
    {"the name of an object", "an object is declared by object NAME : struct TYPE;"},
    {"a variable name", "a variable is declared with its type first: int x"},
    {"'=' and the value of the constant", "a constant has the form const NAME = VALUE;"},
    {"a name for the constant", "a constant has no type: const NAME = VALUE;"},
    {"'=' and the expression", "a definition has the form define NAME = EXPRESSION;"},
    {"an action after 'do'",
     "the actions are fork, join, lock, unlock, wait, signal, broadcast and call"},
    {"a C variable after '@'",
     "a path has the form variable, function::variable, dev->field, struct type.field or "
     "\"file.c\":variable"},
    {"']' after the index", "an index is one constant in a path, one expression elsewhere"},
    {"'with' and the mutex", "a wait has the form wait c with m"},
    {"'with' between", "an exclusion has the form never A.S with B.T;"},
    {"'.' between", "an exclusion has the form never A.S with B.T;"},
    {"'system NAME {'", "a contract file is one system: system NAME { ... }"},
    {"a name for the system", "a contract file is one system: system NAME { ... }"},
    {"'{' before the body", "the body needs braces, even for a single statement"},
    {"'(' before the condition", "write if (c) {...} or while (c) {...}; c may be *"},
    {"'..' between", "a bounded type has the form int LO..HI"},
    {"'..' after 'in LO'", "write x in LO..HI"},
    {"the range LO..HI", "write x in LO..HI"},
    {"'{' or ';' after the name of the state", "a state has the form state NAME { ... }"},
    {"a state name", "a state has the form state NAME { ... }"},
    {"'{' and the states", "an environment has no code, so its states say what it does"},
    {"a name for the enum", "an enum has the form enum NAME { a, b = 4 }"},
    {"a name for the value", "an enum has the form enum NAME { a, b = 4 }"},
    {"',' or '}' after a value", "an enum has the form enum NAME { a, b = 4 }"},
    {"an item of the system",
     "items start with shared, object, enum, const, define, initially, invariant, never, claim, "
     "thread, handler, environment or run"},
    {"a declaration or a thread",
     "items start with global, enum, thread, run, initially, invariant or never"},
    {"':=' after the variable", "an assignment has the form x := e;"},
    {"'(' after the thread name", "a fork has the form fork T(args); or fork ID T(args);"},
    {"the name of the thread that", "a fork has the form fork T(args); or fork ID T(args);"},
    {"a thread name, or a thread id and", "a fork has the form fork T(args); or fork ID T(args);"},
    {"a thread id or a thread name", "a join has the form join ID; or join T;"},
    {"a thread name, or 'as'", "a join has the form join T, join T as ID or join as ID"},
    {"a name for the parameter", "a parameter has the form TYPE NAME"},
    {"the name of a C function", "write for f, or for \"file.c\":f for a static function"},
    {"',' or ';' after a thread of 'run'", "write run A, B * 3, C*;"},
    {"the name of a thread to run", "write run A, B * 3, C*;"},
    {"a state, 'local'", "a thread contains local, rely, assert, initial, state and final"},
    {"a label after 'goto'", "a jump has the form goto LABEL;"},
    {"'(' and the name of a mutex", "write held(m) or free(m)"},
};

class Hints {
public:
  Hints(const ParseState &state, TokenIt where, std::string_view expected)
      : state_(state), where_(where), expected_(expected) {}

  std::string find() const {
    for (auto rule :
         {&Hints::increment, &Hints::comparison, &Hints::assignment, &Hints::wordOperator,
          &Hints::bitOperator, &Hints::foreign, &Hints::misspelled, &Hints::misplaced,
          &Hints::statement, &Hints::bracket, &Hints::keywordAsName, &Hints::form})
      if (std::string hint = (this->*rule)(); !hint.empty())
        return hint;
    return {};
  }

private:
  bool is(int offset, Tok kind) const {
    if (offset < 0 && where_ - state_.begin() < -offset)
      return false;
    if (offset > 0 && state_.end() - where_ < offset)
      return false;
    return where_[offset].kind == kind;
  }
  /// The tokens at `offset` and behind it touch.
  bool touches(int offset) const { return where_[offset].end == where_[offset + 1].begin; }
  std::string word(int offset) const { return std::string(state_.text(where_ + offset)); }
  bool wants(std::string_view start) const { return expected_.starts_with(start); }
  bool isContract() const { return state_.language() == Language::Contract; }

  std::string step(const std::string &name, char op, const std::string &by) const {
    std::string sum = name + " " + op + " " + by;
    return isContract() ? "write " + name + "' == " + sum : "write " + name + " := " + sum;
  }

  /// `x++`, `x--`, `x += 2`: the error may be at any of the signs, or behind them.
  std::string increment() const {
    for (Tok op : {Tok::Plus, Tok::Minus}) {
      char sign = op == Tok::Plus ? '+' : '-';
      for (int at : {0, -1, -2}) {
        if (!is(at, op) || !is(at - 1, Tok::Name) || !touches(at))
          continue;
        if (is(at + 1, op) && at + 1 >= -1)
          return "'" + word(at - 1) + sign + sign +
                 "' is not supported: " + step(word(at - 1), sign, "1");
        if (is(at + 1, Tok::Assign) && at + 1 >= 0)
          return std::string("'") + sign +
                 "=' is not supported: " + step(word(at - 1), sign, "...");
      }
      if (is(0, op) && is(1, op) && touches(0) && is(2, Tok::Name))
        return std::string("'") + sign + sign + word(2) +
               "' is not supported: " + step(word(2), sign, "1");
    }
    return {};
  }

  /// Signs of other languages that look like comparisons.
  std::string comparison() const {
    if (is(0, Tok::Assign) && is(1, Tok::Less) && touches(0))
      return "use '<=' to compare";
    if (is(0, Tok::Assign) && is(1, Tok::Not) && touches(0))
      return "use '!=' to compare";
    if (is(0, Tok::Assign) && is(-1, Tok::Equal))
      return "use '==' to compare";
    if (is(0, Tok::Greater) && is(-1, Tok::Equal))
      return "use '=>' for implication, '>=' to compare";
    if (is(0, Tok::Greater) && is(-1, Tok::Less))
      return "use '!=' for inequality";
    return {};
  }

  std::string assignment() const {
    bool inExpression = wants("';'") || wants("')'") || wants("an expression");
    bool inDeclaration = wants("';' after the shared") || wants("';' after the globals") ||
                         wants("';' after the local") || wants("'=' and");
    if (wants("':='") && is(0, Tok::Assign))
      return "use ':=' to assign: x := e;";
    if (wants("':='") && is(0, Tok::Equal))
      return "use ':=' to assign; assume and assert state conditions";
    if (wants("a statement") && is(0, Tok::Assign) && is(-1, Tok::Colon))
      return "use ':=' without a space to assign: x := e;";
    if (inDeclaration && (is(0, Tok::Equal) || is(0, Tok::Becomes)))
      return "use '=' for the value";
    if (is(0, Tok::Becomes) && where_ != state_.begin() && isKeyword(where_[-1].kind))
      return "'" + word(-1) + "' is a keyword, not a variable";
    if (is(0, Tok::Becomes) && inExpression)
      return isContract() ? "contracts have no assignment: write x' == e" : "use '==' to compare";
    if (is(0, Tok::Assign) && is(-1, Tok::Name) && isContract() && wants("';' after the edge"))
      return "use '==' to compare; to change " + word(-1) + ", write " + word(-1) + "' == ...";
    if (is(0, Tok::Assign) && inExpression && !inDeclaration)
      return "use '==' to compare; '=' is not an operator";
    return {};
  }

  /// `not` is read as a name, so the error is behind it.
  std::string wordOperator() const {
    if (is(-1, Tok::Name) && word(-1) == "not")
      return "use '!' for 'not'";
    if (is(0, Tok::Name) && word(0) == "and")
      return "use '&&' for 'and'";
    if (is(0, Tok::Name) && word(0) == "or")
      return "use '||' for 'or'";
    return {};
  }

  std::string bitOperator() const {
    if (is(0, Tok::Ampersand))
      return "use '&&' for 'and'; bitwise operators are not supported";
    if (is(0, Tok::Pipe))
      return "use '||' for 'or'; bitwise operators are not supported";
    if ((is(0, Tok::Less) && is(-1, Tok::Less)) || (is(0, Tok::Greater) && is(-1, Tok::Greater)))
      return "shifts are not supported";
    if (is(0, Tok::Minus) && is(1, Tok::Greater))
      return "use '->' without a space for an edge";
    return {};
  }

  /// A keyword is suggested where a word of its kind is expected.
  std::string misspelled() const {
    bool here = wants("an edge (") || wants("a state,") || wants("an item") ||
                wants("a declaration") || wants("a statement") || wants("'system") ||
                wants("an action") || wants("';' after the edge") || wants("'by'") ||
                wants("';' after the shared") || wants("'with'") || wants("'{'");
    for (int offset : {0, -1}) {
      bool suspect = offset == 0 ? here : wants("':='");
      if (!suspect || !is(offset, Tok::Name))
        continue;
      if (auto nearest = nearestKeyword(word(offset), state_.language()))
        return "did you mean '" + *nearest + "'?";
    }
    return {};
  }

  /// Right words in the wrong place.
  std::string misplaced() const {
    Tok kind = where_->kind;
    bool isStateWord = kind == Tok::KwInitial || kind == Tok::KwState || kind == Tok::KwFinal ||
                       kind == Tok::KwLocal || kind == Tok::KwRely || kind == Tok::KwAssert ||
                       kind == Tok::Arrow;
    if (wants("an item") && isStateWord)
      return "'" + word(0) + "' belongs in a thread: is there an extra '}' above?";
    if (wants("a state,") && kind == Tok::Arrow)
      return "an edge belongs in a state: state NAME { -> TARGET; }";
    if ((wants("an item") || wants("a declaration")) && kind == Tok::Semicolon)
      return "no ';' is needed after '}'";
    if (wants("the name of a condition variable") && kind == Tok::KwWith)
      return "a wait has the form wait c with m";
    if (wants("a variable name") && is(-2, Tok::DotDot))
      return "'" + word(-1) + "' is the upper bound here: a bounded type has the form int LO..HI";
    if (wants("'{' or ';' after the name of the state") && is(-1, Tok::KwInitial) &&
        is(-2, Tok::KwFinal))
      return "write initial final NAME";
    if (wants("'{' and the states") && kind == Tok::KwFor)
      return "an environment has no code, so there is no function to name";
    if (wants("a statement") && kind == Tok::KwElse)
      return "this 'else' has no 'if' before it";
    if (wants("the end of the file after") && kind == Tok::KwSystem)
      return "a contract file holds one system";
    if (wants("the end of the file after") && kind != Tok::RBrace)
      return "the system ends with the previous '}': is there an extra '}' above?";
    if (kind == Tok::RBrace && (wants("the end of the file") || wants("a declaration")))
      return "unmatched '}': is there an extra one above?";
    return {};
  }

  /// Words and forms of C.
  std::string foreign() const {
    bool isType = is(0, Tok::KwInt) || is(0, Tok::KwBool) || is(0, Tok::KwMutex);
    if (isType && wants("a declaration"))
      return "a global variable has the form global TYPE NAME = VALUE;";
    if (isType && (wants("a statement") || wants("a state,")))
      return "a local variable has the form local TYPE NAME = VALUE;";
    if (isType && wants("an item"))
      return "a shared variable has the form shared TYPE NAME = VALUE;";
    if (isType && wants("a variable name"))
      return "the types are bool, int, int LO..HI and enums";
    if (is(0, Tok::LBracket) && (wants("';' after the globals") || wants("';' after the local")))
      return "the size belongs to the type: int[4] a";
    if (is(0, Tok::LBracket) && wants("a variable name"))
      return "the size follows the name: int a[4]";
    int offset = wants("':='") ? -1 : 0;
    if (!is(offset, Tok::Name))
      return {};
    std::string text = word(offset);
    if (text == "for" || text == "do" || text == "switch")
      return "use while (c) {...} for loops and if (c) {...} for choices";
    if (text == "break" || text == "continue")
      return "use a label and goto";
    if (text == "if" && isContract())
      return "the condition follows the target: -> TARGET : CONDITION;";
    if ((text == "system" || text == "shared") && wants("a declaration"))
      return "this looks like a contract: the file's name must end in .contract";
    if (text == "global" && wants("an item"))
      return "in contracts, variables are declared with shared";
    if (wants("':='") && is(0, Tok::LParen) && !nearestKeyword(text, state_.language()))
      return "there are no functions; start a thread with fork T(args);";
    return {};
  }

  /// Details of the statements of CONC.
  std::string statement() const {
    if (wants("a statement") && is(0, Tok::Semicolon))
      return "the empty statement is skip;";
    if (wants("a statement") && is(0, Tok::LBrace))
      return "a block belongs to if, while or atomic";
    if (is(0, Tok::LParen) && (wants("the name of a mutex") || wants("the name of a cond")))
      return "no parentheses: " + word(-1) + " NAME;";
    if (wants("';' after the statement") && is(-2, Tok::KwWait))
      return "a wait has the form wait c; or wait c with m;";
    if (wants("';' after the statement") && is(-1, Tok::KwReturn))
      return "a thread returns no value";
    if (wants("';' after the start") && is(0, Tok::LParen))
      return "give only the name of a place without columns";
    if (wants("the name of the thread that") && is(0, Tok::Number) && is(-1, Tok::KwFork))
      return "a fork whose id is stored takes no id: x := fork T(args);";
    if (wants("':='") && isKeyword(where_->kind))
      return "write " + word(-1) + ": for a label";
    return {};
  }

  bool isArithmeticSign() const {
    return is(0, Tok::Plus) || is(0, Tok::Minus) || is(0, Tok::Star) || is(0, Tok::Slash);
  }
  /// Where the bracket stands that is not closed.
  std::string bracket() const {
    Tok open = wants("')'")                          ? Tok::LParen
               : wants("'}'")                        ? Tok::LBrace
               : wants("']'") && !isArithmeticSign() ? Tok::LBracket
                                                     : Tok::End;
    if (wants("';'") && is(0, Tok::RParen))
      return "unmatched ')'";
    if (open == Tok::End)
      return {};
    Tok close = open == Tok::LParen   ? Tok::RParen
                : open == Tok::LBrace ? Tok::RBrace
                                      : Tok::RBracket;
    int depth = 1;
    for (TokenIt token = where_; token != state_.begin();) {
      --token;
      depth += token->kind == close ? 1 : token->kind == open ? -1 : 0;
      if (depth == 0) {
        logic::Position at = state_.range(token, token + 1).begin;
        return "the '" + std::string(state_.text(token)) + "' on line " + std::to_string(at.line) +
               ", column " + std::to_string(at.column) + " is never closed";
      }
    }
    return {};
  }

  std::string keywordAsName() const {
    bool isType = where_->kind == Tok::KwInt || where_->kind == Tok::KwBool;
    if (!isKeyword(where_->kind) || isType || wants("'") || wants("a state,") ||
        expected_.find("name") == std::string_view::npos)
      return {};
    return "choose another name, for example '" + word(0) + "_'";
  }

  std::string form() const {
    for (const auto &[start, hint] : forms)
      if (wants(start))
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

} // namespace understudy::specs::syntax

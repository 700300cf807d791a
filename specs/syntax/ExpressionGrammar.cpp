// SPDX-License-Identifier: Apache-2.0
//
// The expression grammar of all languages. An expression is read as a flat list: operands with
// operators between them; Operators.cpp then applies the precedences. So the depth of the recursion
// is that of the brackets, and a chain of a million operands is a loop.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"
#include "specs/syntax/Grammars.h"
#include "specs/syntax/Operators.h"

namespace understudy::specs::syntax {

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Flat &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Operand &result);

namespace {

bool isPrefix(TokenIt token) { return token->kind == Tok::Not || token->kind == Tok::Minus; }

bool isBinary(TokenIt token) {
  switch (token->kind) {
  case Tok::Implies:
  case Tok::OrOr:
  case Tok::AndAnd:
  case Tok::Equal:
  case Tok::NotEqual:
  case Tok::Less:
  case Tok::LessEqual:
  case Tok::Greater:
  case Tok::GreaterEqual:
    return true;
  default:
    return isArithmetic(token->kind);
  }
}

bool isArithmeticToken(TokenIt token) { return isArithmetic(token->kind); }

constexpr TokenIf prefix{isPrefix, "an operator"};
constexpr TokenIf binary{isBinary, "an operator"};
constexpr TokenIf arithmetic{isArithmeticToken, "an operator"};

// Actions: each builds one node.

const auto setName = [](auto &context) { x3::_val(context).name = x3::_attr(context); };
const auto setPrimed = [](auto &context) { x3::_val(context).primed = true; };
const auto setIndex = [](auto &context) {
  x3::_val(context).index = std::move(x3::_attr(context));
};
const auto addArgument = [](auto &context) {
  x3::_val(context).arguments.push_back(std::move(x3::_attr(context)));
};
const auto setLast = [](auto &context) { x3::_val(context).last = x3::_attr(context) + 1; };

const auto literal = [](auto &context) {
  x3::_val(context).value = makeLiteral(stateOf(context), x3::_attr(context));
};
const auto nameUse = [](auto &context) {
  x3::_val(context).value = makeName(stateOf(context), std::move(x3::_attr(context)));
};
const auto wordOfName = [](auto &context) {
  WordUse &use = x3::_attr(context);
  x3::_val(context).value = makeWord(stateOf(context), use);
};
const auto parenthesized = [](auto &context) {
  Bracketed &inner = x3::_attr(context);
  Built built = resolve(stateOf(context), std::move(inner.flat));
  built.expr->parenthesized = true;
  built.first = inner.first;
  built.last = inner.last;
  x3::_val(context).value = std::move(built);
};
const auto pushPrefix = [](auto &context) {
  x3::_val(context).prefixes.push_back(x3::_attr(context));
};

const auto openBracket = [](auto &context) { x3::_val(context).first = x3::_attr(context); };
const auto closeBracket = [](auto &context) { x3::_val(context).last = x3::_attr(context) + 1; };
const auto setFlat = [](auto &context) { x3::_val(context).flat = std::move(x3::_attr(context)); };
const auto wordStart = [](auto &context) { x3::_val(context).word = x3::_attr(context); };
const auto wordName = [](auto &context) { x3::_val(context).name = x3::_attr(context); };
const auto wordEnd = [](auto &context) { x3::_val(context).last = x3::_attr(context) + 1; };

const auto firstOperand = [](auto &context) {
  x3::_val(context).first = applyPrefixes(stateOf(context), std::move(x3::_attr(context)));
};
const auto stepOperator = [](auto &context) { x3::_val(context).token = x3::_attr(context); };
const auto stepOperand = [](auto &context) {
  x3::_val(context).operand = applyPrefixes(stateOf(context), std::move(x3::_attr(context)));
};
const auto addInner = [](auto &context) {
  Step &step = x3::_val(context);
  if (!step.inner)
    step.inner = std::make_unique<StepInner>();
  Built built = resolve(stateOf(context), std::move(x3::_attr(context)));
  (step.inner->first.expr ? step.inner->second : step.inner->first) = std::move(built);
};
const auto addStep = [](auto &context) {
  x3::_val(context).steps.push_back(std::move(x3::_attr(context)));
};

// The grammar. Recursion goes through `flat`, `operand` and `expression`, see Part in Grammar.h.

constexpr Part<Flat> flat{"an expression"};
constexpr Part<Operand> operand{"an expression"};

constexpr TokenParser closeParen = token(Tok::RParen, "')'");
constexpr TokenParser closeIndex = token(Tok::RBracket, "']' after the index");

constexpr TokenParser closeArguments = token(Tok::RParen, "',' or ')' after an argument");

/// Contracts only: CONC has no definitions, and its calls get a better message.
struct OpenArguments : x3::parser<OpenArguments> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static bool const has_attribute = false;

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &) const {
    if (first->kind != Tok::LParen || stateOf(context).language() != Language::Contract)
      return false;
    ++first;
    return true;
  }
};
constexpr OpenArguments openArguments{};

const auto named = x3::rule<struct NamedRule, NameUse>{"a name"} =
    NameTokenParser("a name")[setName] >> -token(Tok::Prime)[setPrimed] >>
    -((token(Tok::LBracket) > expression[setIndex] > closeIndex[setLast]) |
      (openArguments > expression[addArgument] > *(token(Tok::Comma) > expression[addArgument]) >
       closeArguments[setLast]));

const auto bracketed = x3::rule<struct BracketedRule, Bracketed>{"'('"} =
    token(Tok::LParen)[openBracket] > flat[setFlat] > closeParen[closeBracket];

/// `held`, `free` and `havoc` are names unless what they ask for follows.
bool asksForMutex(TokenIt token) {
  return (token->kind == Tok::KwHeld || token->kind == Tok::KwFree) &&
         (token[1].kind == Tok::LParen || token[1].kind == Tok::Name);
}
bool asksForVariable(TokenIt token) {
  return token->kind == Tok::KwHavoc && (token[1].kind == Tok::Name || isKeyword(token[1].kind));
}
constexpr TokenIf mutexWord{asksForMutex, "held"};
constexpr TokenIf havocWord{asksForVariable, "havoc"};

const auto ofMutex = x3::rule<struct OfMutexRule, WordUse>{"held"} =
    mutexWord[wordStart] > token(Tok::LParen, "'(' and the name of a mutex") >
    NameTokenParser("the name of a mutex")[wordName] > token(Tok::RParen, "')'")[wordEnd];

const auto havoc = x3::rule<struct HavocRule, WordUse>{
    "havoc"} = havocWord[wordStart] > NameTokenParser("a variable name after 'havoc'")[wordName];

const auto count = x3::rule<struct CountRule, WordUse>{
    "#"} = token(Tok::Hash)[wordStart] > NameTokenParser("a thread name after '#'")[wordName];

bool isRelation(TokenIt token) {
  return token->kind == Tok::KwParent || token->kind == Tok::KwAncestor ||
         token->kind == Tok::KwNext || token->kind == Tok::KwElder;
}
constexpr TokenIf relationWord{isRelation, "a relation"};
const auto setWord = [](auto &context) { x3::_val(context).word = x3::_attr(context); };
const auto setFirst = [](auto &context) { x3::_val(context).first = x3::_attr(context); };
const auto setSecond = [](auto &context) { x3::_val(context).second = x3::_attr(context); };
const auto relatedNames = [](auto &context) {
  x3::_val(context).value = makeRelated(stateOf(context), x3::_attr(context));
};

const auto related = x3::rule<struct RelatedRule, RelationUse>{"a relation"} =
    relationWord[setWord] > token(Tok::LParen, "'(' and the names of two threads") >
    token(Tok::Name, "the name of a thread")[setFirst] >
    token(Tok::Comma, "',' and the name of another thread") >
    token(Tok::Name, "the name of a thread")[setSecond] > token(Tok::RParen, "')'")[setLast];

const auto number = token(Tok::Number)[literal];
const auto primary = number | token(Tok::KwTrue)[literal] | token(Tok::KwFalse)[literal] |
                     ofMutex[wordOfName] | havoc[wordOfName] | count[wordOfName] |
                     related[relatedNames] | named[nameUse] | bracketed[parenthesized];

const auto operandExpected = x3::rule<struct PrimaryRule, Operand>{"an expression"} = primary;
const auto takeOver = [](auto &context) {
  x3::_val(context).value = std::move(x3::_attr(context).value);
};
const auto operandRule = x3::rule<struct OperandRule, Operand>{"an expression"} =
    (+prefix[pushPrefix] > operandExpected[takeOver]) | primary;

const auto arithmeticStep = x3::rule<struct ArithmeticStepRule, Step>{"an operator"} =
    arithmetic[stepOperator] > operand[stepOperand];
const auto bound = x3::rule<struct BoundRule, Flat>{"the range LO..HI after 'in'"} =
    operand[firstOperand] >> *arithmeticStep[addStep];

const auto binaryStep = x3::rule<struct BinaryStepRule, Step>{"an operator"} =
    binary[stepOperator] > operand[stepOperand];
const auto conditionalStep = x3::rule<struct ConditionalStepRule, Step>{"'?'"} =
    token(Tok::Question)[stepOperator] > flat[addInner] >
    token(Tok::Colon, "':' and the other case of '?'") > operand[stepOperand];
const auto inStep = x3::rule<struct InStepRule, Step>{"'in'"} =
    token(Tok::KwIn)[stepOperator] > bound[addInner] >
    token(Tok::DotDot, "'..' after 'in LO'") > bound[addInner];

const auto flatRule = x3::rule<struct FlatRule, Flat>{"an expression"} =
    operand[firstOperand] >> *(binaryStep[addStep] | conditionalStep[addStep] | inStep[addStep]);

// Bounds in types: a name is not indexed there, since `[` starts the size of an array.

const auto typeNamed = x3::rule<struct TypeNamedRule, NameUse>{"a name"} =
    NameTokenParser("a name")[setName];
const auto typeOperand = x3::rule<struct TypeOperandRule, Operand>{
    "a number"} = *prefix[pushPrefix] >> (number | typeNamed[nameUse] | bracketed[parenthesized]);
const auto typeStep = x3::rule<struct TypeStepRule, Step>{"an operator"} =
    arithmetic[stepOperator] > typeOperand[stepOperand];
const auto typeFlat = x3::rule<struct TypeFlatRule, Flat>{"a number"} =
    typeOperand[firstOperand] >> *typeStep[addStep];

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Flat &result) {
  return runGrammar(flatRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Operand &result) {
  return runGrammar(operandRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Built &result) {
  Flat read;
  if (!parsePart(first, last, state, read))
    return false;
  result = resolve(state, std::move(read));
  return true;
}

bool parseTypeBound(TokenIt &first, TokenIt last, ParseState &state, Built &result) {
  Flat read;
  if (!runGrammar(typeFlat, first, last, state, read))
    return false;
  result = resolve(state, std::move(read));
  return true;
}

void parseFormulaTokens(ParseState &state, ExprPtr &formula) {
  TokenIt first = state.begin();
  Built read;
  try {
    if (!parsePart(first, state.end(), state, read))
      return state.syntaxError(first, "an expression");
  } catch (const x3::expectation_failure<TokenIt> &failure) {
    return state.syntaxError(failure.where(), failure.which());
  }
  if (first != state.end())
    state.syntaxError(first, "an operator or the end of the formula");
  formula = std::move(read.expr);
}

} // namespace understudy::specs::syntax

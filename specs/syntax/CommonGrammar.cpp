// SPDX-License-Identifier: Apache-2.0
//
// What both languages share besides expressions: types, enums, `initially`, `invariant`, `never`,
// `run`.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"

namespace understudy::specs::syntax {

namespace {

// Types ----------------------------------------------------------------------------------------

/// `int` is followed by a bound, not by the name of a variable.
bool startsBound(TokenIt token) {
  if (token->kind == Tok::Name || (isKeyword(token->kind) && !isWordOfC(token->kind)))
    return token[1].kind == Tok::DotDot || isArithmetic(token[1].kind);
  return token->kind == Tok::Number || token->kind == Tok::Minus || token->kind == Tok::LParen;
}

struct BoundParser : x3::parser<BoundParser> {
  using attribute_type = Built;
  [[maybe_unused]] static bool const has_attribute = true;
  const char *what;
  constexpr explicit BoundParser(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &last, const Context &context, RContext &,
             Attribute &attr) const {
    Built result;
    if (!parseTypeBound(first, last, stateOf(context), result))
      return false;
    x3::traits::move_to(std::move(result), attr);
    return true;
  }
};

template <TypeKind kind>
constexpr auto setKind = [](auto &context) { x3::_val(context).kind = kind; };
const auto setTypeName = [](auto &context) {
  x3::_val(context).kind = TypeKind::Named;
  x3::_val(context).name = std::move(x3::_attr(context).text);
};

constexpr LookAhead boundFollows{startsBound};
constexpr BoundParser lowerBound{"the lower bound of the range"};
constexpr BoundParser upperBound{"the upper bound of the range"};

const auto baseType =
    token(Tok::KwBool)[setKind<TypeKind::Bool>] | token(Tok::KwMutex)[setKind<TypeKind::Mutex>] |
    token(Tok::KwCond)[setKind<TypeKind::Cond>] |
    token(Tok::KwSection)[setKind<TypeKind::Section>] |
    (token(Tok::KwInt)[setKind<TypeKind::Int>] >>
     -(boundFollows > lowerBound[set<&TypeRef::lower>] >
       token(Tok::DotDot, "'..' between the bounds of the range")[setKind<TypeKind::Range>] >
       upperBound[set<&TypeRef::upper>])) |
    NameParser("a type")[setTypeName];

const auto typeRule = x3::rule<struct TypeRule, TypeRef>{"a type"} = located[baseType];

const auto arraySuffix = token(Tok::LBracket)[mark<&TypeRef::isArray>] >
                         -expression[set<&TypeRef::arraySize>] >
                         token(Tok::RBracket, "']' after the size of the array");
const auto concTypeRule = x3::rule<struct ConcTypeRule, TypeRef>{"a type"} =
    located[baseType >> -arraySuffix];

// Items ----------------------------------------------------------------------------------------

const auto enumerator = x3::rule<struct EnumeratorRule, EnumeratorDecl>{"a name for the value"} =
    NameParser("a name for the value")[set<&EnumeratorDecl::name>] >>
    -(token(Tok::Assign) > expression[set<&EnumeratorDecl::value>]);

bool endsEnum(TokenIt token) { return token->kind == Tok::RBrace; }
constexpr LookAhead atEnumEnd{endsEnum};

const auto enumRule = x3::rule<struct EnumRule, EnumDecl>{"an enum"} =
    located[token(Tok::KwEnum) > NameParser("a name for the enum")[set<&EnumDecl::name>] >
            token(Tok::LBrace, "'{' before the values of the enum") >
            enumerator[append<&EnumDecl::enumerators>] >>
            *(token(Tok::Comma) >>
              (atEnumEnd | (x3::eps > enumerator[append<&EnumDecl::enumerators>]))) >
            token(Tok::RBrace, "',' or '}' after a value of the enum") >> -token(Tok::Semicolon)];

const auto initiallyRule = x3::rule<struct InitiallyRule, InitiallyItem>{"'initially'"} =
    located[token(Tok::KwInitially) > expression[set<&InitiallyItem::condition>] >
            semicolon("';' after the initial condition")];

const auto invariantRule = x3::rule<struct InvariantRule, InvariantItem>{"'invariant'"} =
    located[token(Tok::KwInvariant) > expression[set<&InvariantItem::condition>] >
            semicolon("';' after the invariant")];

const auto place = x3::rule<struct PlaceRule, PlaceRef>{"a thread name"} =
    NameParser("a thread name")[set<&PlaceRef::thread>] >
    token(Tok::Dot, "'.' between the thread and its state") >
    NameParser("a state name")[set<&PlaceRef::place>];

const auto neverRule = x3::rule<struct NeverRule, NeverItem>{"'never'"} =
    located[token(Tok::KwNever) > place[set<&NeverItem::first>] >
            token(Tok::KwWith, "'with' between the two states") > place[set<&NeverItem::second>] >
            semicolon("';' after the exclusion")];

bool endsRunEntry(TokenIt token) {
  return token->kind == Tok::Comma || token->kind == Tok::Semicolon;
}
constexpr LookAhead atEntryEnd{endsRunEntry};

const auto runEntry = x3::rule<struct RunEntryRule, RunEntry>{"the name of a thread to run"} =
    NameParser("the name of a thread to run")[set<&RunEntry::thread>] >>
    -(token(Tok::Star) >
      (atEntryEnd[mark<&RunEntry::unbounded>] | (x3::eps > expression[set<&RunEntry::count>])));

const auto runRule = x3::rule<struct RunRule, RunItem>{"'run'"} =
    located[token(Tok::KwRun) > runEntry[append<&RunItem::entries>] >>
            *(token(Tok::Comma) > runEntry[append<&RunItem::entries>]) >
            semicolon("',' or ';' after a thread of 'run'")];

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, TypeRef &result) {
  return state.language() == Language::Conc ? runGrammar(concTypeRule, first, last, state, result)
                                            : runGrammar(typeRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, EnumDecl &result) {
  return runGrammar(enumRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, InitiallyItem &result) {
  return runGrammar(initiallyRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, InvariantItem &result) {
  return runGrammar(invariantRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NeverItem &result) {
  return runGrammar(neverRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, RunItem &result) {
  return runGrammar(runRule, first, last, state, result);
}

} // namespace understudy::specs::syntax

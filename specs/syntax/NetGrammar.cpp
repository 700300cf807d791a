// SPDX-License-Identifier: Apache-2.0
//
// The grammar of nets with dynamic process creation (.tnet).
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"
#include "specs/syntax/Grammars.h"

namespace understudy::specs::syntax {

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Declarator &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Operand &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ColumnDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetField &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetToken &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetConst &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, PlacesItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, TransitionItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, QuestionItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetItem &result);

namespace {

constexpr auto setVariant = [](auto &context) {
  x3::_val(context) = std::move(x3::_attr(context));
};

constexpr Part<Declarator> declarator{"a name for the constant"};
constexpr Part<ColumnDecl> column{"a column: 'pid' or a type"};
constexpr Part<NetField> field{"a field of the token"};
constexpr Part<NetToken> netToken{"a token, as in 'listen(p, 0)'"};
constexpr NameParser placeName{"the name of a place"};
constexpr NameParser threadName{"the name of a thread"};

const auto constRule = x3::rule<struct NetConstRule, NetConst>{"'const'"} =
    located[token(Tok::KwConst) > type[set<&NetConst::type>] >
            declarator[append<&NetConst::constants>] >
            *(token(Tok::Comma) > declarator[append<&NetConst::constants>]) >
            semicolon("';' after the constants")];

// Places ---------------------------------------------------------------------------------------

const auto columnRule = x3::rule<struct ColumnRule, ColumnDecl>{"a column"} =
    located[token(Tok::KwPid)[mark<&ColumnDecl::isPid>] | type[set<&ColumnDecl::type>]];

const auto place = x3::rule<struct PlaceDeclRule, PlaceDecl>{"a name for the place"} =
    located[NameParser("a name for the place")[set<&PlaceDecl::name>] >
            token(Tok::LParen, "'(' and the columns of the place") >
            (LookAhead{isRightParen} |
             (x3::eps > column[append<&PlaceDecl::columns>] >>
              *(token(Tok::Comma) > column[append<&PlaceDecl::columns>]))) >
            token(Tok::RParen, "',' or ')' after a column")];

const auto placesRule = x3::rule<struct PlacesRule, PlacesItem>{"'place'"} =
    located[(token(Tok::KwPlace) | token(Tok::KwData)[mark<&PlacesItem::isData>]) >
            place[append<&PlacesItem::places>] >
            *(token(Tok::Comma) > place[append<&PlacesItem::places>]) >
            semicolon("',' or ';' after a place")];

const auto startRule = x3::rule<struct StartRule, StartPlace>{"'start'"} =
    located[token(Tok::KwStart) > placeName[set<&StartPlace::place>] >
            semicolon("';' after the start")];

const auto finalRule = x3::rule<struct FinalRule, FinalPlaces>{"'final'"} =
    located[token(Tok::KwFinal) > placeName[append<&FinalPlaces::places>] >
            *(token(Tok::Comma) > placeName[append<&FinalPlaces::places>]) >
            semicolon("',' or ';' after a final place")];

// Keywords elsewhere, and so that a misspelled one can be named.
constexpr CNameParser relationName{"a relation: parent, ancestor, next or elder"};
const auto relationsRule = x3::rule<struct RelationsRule, RelationsItem>{"'relations'"} =
    located[token(Tok::KwRelations) > relationName[append<&RelationsItem::relations>] >
            *(token(Tok::Comma) > relationName[append<&RelationsItem::relations>]) >
            semicolon("',' or ';' after a relation")];

// Tokens ---------------------------------------------------------------------------------------

const auto newThread = x3::rule<struct NewThreadRule, NewThread>{"'new'"} =
    located[(token(Tok::KwNew) >> -NameParser("a name")[set<&NewThread::name>]) >
            token(Tok::KwOf, "'of' and the thread that creates the new one") >
            threadName[set<&NewThread::parent>]];

const auto fieldRule = x3::rule<struct FieldRule, NetField>{"a field"} =
    located[newThread[set<&NetField::created>] | expression[set<&NetField::value>]];

/// A number of tokens, not the place itself.
bool startsCount(TokenIt token) {
  if (token->kind == Tok::Name)
    return token[1].kind == Tok::Star;
  return token->kind == Tok::Number || token->kind == Tok::LParen || token->kind == Tok::Minus;
}
constexpr LookAhead countFollows{startsCount};
constexpr Part<Operand> countOperand{"a number of tokens"};
const auto setCount = [](auto &context) {
  x3::_val(context).count = applyPrefixes(stateOf(context), std::move(x3::_attr(context))).expr;
};

const auto fields = token(Tok::LParen, "'(' and the fields of the token") >
                    (LookAhead{isRightParen} |
                     (x3::eps > field[append<&NetToken::fields>] >>
                      *(token(Tok::Comma) > field[append<&NetToken::fields>]))) >
                    token(Tok::RParen, "',' or ')' after a field");

const auto tokenRule = x3::rule<struct NetTokenRule, NetToken>{"a token"} =
    located[(token(Tok::KwEnd)[mark<&NetToken::ends>] > threadName[set<&NetToken::name>]) |
            (countFollows > countOperand[setCount] >
             token(Tok::Star, "'*' between the number and the token") >
             placeName[set<&NetToken::name>] > fields) |
            (placeName[set<&NetToken::name>] > fields)];

// Transitions and questions --------------------------------------------------------------------

const auto transitionRule = x3::rule<struct TransitionRule, TransitionItem>{"'transition'"} =
    located[token(Tok::KwTransition) >
            NameParser("a name for the transition")[set<&TransitionItem::name>] >
            token(Tok::Colon, "':' and the tokens that the transition takes") >
            netToken[append<&TransitionItem::takes>] >
            *(token(Tok::Comma) > netToken[append<&TransitionItem::takes>]) >
            token(Tok::Arrow, "',' or '->' after a token that is taken") >
            netToken[append<&TransitionItem::gives>] >
            *(token(Tok::Comma) > netToken[append<&TransitionItem::gives>]) >
            -(token(Tok::KwWhen) > expression[set<&TransitionItem::guard>]) >
            semicolon("';' after the transition")];

const auto questionRule = x3::rule<struct QuestionRule, QuestionItem>{"'never'"} =
    located[(token(Tok::KwNever)[mark<&QuestionItem::never>] | token(Tok::KwReach)) >
            NameParser("a name for the question")[set<&QuestionItem::name>] >
            token(Tok::Colon, "':' and the tokens that are asked for") >
            netToken[append<&QuestionItem::tokens>] >
            *(token(Tok::Comma) > netToken[append<&QuestionItem::tokens>]) >
            -(token(Tok::KwWhen) > expression[set<&QuestionItem::guard>]) >
            semicolon("';' after the question")];

bool strayNetItem(TokenIt token) { return token->kind != Tok::End; }

struct NetItemRule : Recovering<Sync::Item> {};
const auto item = x3::rule<NetItemRule, NetItem>{"an item"} =
    part<NetConst>[setVariant] | part<EnumDecl>[setVariant] | part<PlacesItem>[setVariant] |
    startRule[setVariant] | finalRule[setVariant] | relationsRule[setVariant] |
    part<TransitionItem>[setVariant] | part<QuestionItem>[setVariant] |
    (LookAhead{strayNetItem} > Missing("an item of the net, such as a place or a transition"));

const auto netFile = x3::rule<struct NetFileRule, NetFile>{
    "a net"} = *part<NetItem>[append<&NetFile::items>] > token(Tok::End, "the end of the file");

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ColumnDecl &result) {
  return runGrammar(columnRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetField &result) {
  return runGrammar(fieldRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetToken &result) {
  return runGrammar(tokenRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetConst &result) {
  return runGrammar(constRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, PlacesItem &result) {
  return runGrammar(placesRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, TransitionItem &result) {
  return runGrammar(transitionRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, QuestionItem &result) {
  return runGrammar(questionRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NetItem &result) {
  return runGrammar(item, first, last, state, result);
}

void parseNetTokens(ParseState &state, NetFile &net) {
  TokenIt first = state.begin();
  runGrammar(netFile, first, state.end(), state, net);
}

} // namespace understudy::specs::syntax

// SPDX-License-Identifier: Apache-2.0
//
// The grammar of the CONC language, apart from its statements.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"
#include "specs/syntax/Grammars.h"

namespace understudy::specs::syntax {

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Statement &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, GlobalDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConcThread &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConcItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Declarator &result);

namespace {

constexpr auto setVariant = [](auto &context) {
  x3::_val(context) = std::move(x3::_attr(context));
};

constexpr Part<Declarator> declarator{"a variable name"};
constexpr Part<Statement> statement{"a statement"};

const auto declaratorRule = x3::rule<struct DeclaratorRule, Declarator>{"a variable name"} =
    NameParser("a variable name")[set<&Declarator::name>] >>
    -(token(Tok::Assign) > expression[set<&Declarator::initial>]);

const auto globalRule = x3::rule<struct GlobalRule, GlobalDecl>{"'global'"} =
    located[token(Tok::KwGlobal) > type[set<&GlobalDecl::type>] >
            declarator[append<&GlobalDecl::variables>] >
            *(token(Tok::Comma) > declarator[append<&GlobalDecl::variables>]) >
            semicolon("';' after the globals")];

bool strayItem(TokenIt token) { return token->kind != Tok::End; }

const auto parameter = x3::rule<struct ParameterRule, Parameter>{"a parameter"} =
    type[set<&Parameter::type>] > NameParser("a name for the parameter")[set<&Parameter::name>];

const auto parameters = token(Tok::LParen) >
                        (LookAhead{isRightParen} |
                         (x3::eps > parameter[append<&ConcThread::parameters>] >>
                          *(token(Tok::Comma) > parameter[append<&ConcThread::parameters>]))) >
                        token(Tok::RParen, "',' or ')' after a parameter");

const auto threadRule = x3::rule<struct ThreadRule, ConcThread>{"'thread'"} =
    located[token(Tok::KwThread) > NameParser("a thread name")[set<&ConcThread::name>] >>
            -parameters > token(Tok::LBrace, "'{' before the statements of the thread") >
            *statement[append<&ConcThread::body>] >
            token(Tok::RBrace, "'}' at the end of the thread")];

struct ConcItemRule : Recovering<Sync::Item> {};
const auto item = x3::rule<ConcItemRule, ConcItem>{"an item"} =
    part<GlobalDecl>[setVariant] | part<EnumDecl>[setVariant] | part<ConcThread>[setVariant] |
    part<RunItem>[setVariant] | part<InitiallyItem>[setVariant] | part<InvariantItem>[setVariant] |
    part<NeverItem>[setVariant] | (LookAhead{strayItem} > Missing("a declaration or a thread"));

const auto concFile = x3::rule<struct FileRule, ConcFile>{"a program"} =
    *part<ConcItem>[append<&ConcFile::items>] > token(Tok::End, "the end of the file");

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Declarator &result) {
  return runGrammar(declaratorRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, GlobalDecl &result) {
  return runGrammar(globalRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConcThread &result) {
  return runGrammar(threadRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConcItem &result) {
  return runGrammar(item, first, last, state, result);
}

void parseConcTokens(ParseState &state, ConcFile &program) {
  TokenIt first = state.begin();
  runGrammar(concFile, first, state.end(), state, program);
}

} // namespace understudy::specs::syntax

// SPDX-License-Identifier: Apache-2.0
//
// The statements of the CONC language.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"

namespace understudy::specs::syntax {

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Statement &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Declarator &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, LocalDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ForkStatement &result);

namespace {

constexpr Part<Declarator> declarator{"a variable name"};
const auto localRule = x3::rule<struct LocalRule, LocalDecl>{"'local'"} =
    located[token(Tok::KwLocal) > type[set<&LocalDecl::type>] >
            declarator[append<&LocalDecl::variables>] >
            *(token(Tok::Comma) > declarator[append<&LocalDecl::variables>]) >
            semicolon("';' after the locals")];

// Statements -----------------------------------------------------------------------------------

bool isConcItemStart(Tok kind) {
  switch (kind) {
  case Tok::KwGlobal:
  case Tok::KwEnum:
  case Tok::KwThread:
  case Tok::KwRun:
  case Tok::KwInitially:
  case Tok::KwInvariant:
  case Tok::KwNever:
    return true;
  default:
    return false;
  }
}
bool strayStatement(TokenIt token) {
  return token->kind != Tok::End && token->kind != Tok::RBrace && !isConcItemStart(token->kind);
}
bool isLabel(TokenIt token) { return token->kind == Tok::Name && token[1].kind == Tok::Colon; }
bool isTemplate(TokenIt token) { return token->kind == Tok::Name && token[1].kind == Tok::LParen; }
bool isFork(TokenIt token) { return token->kind == Tok::KwFork; }

/// A block and where it stands.
struct BlockText {
  Block statements;
  SourceRange range;
};
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, BlockText &result);

constexpr Part<Statement> statement{"a statement"};

constexpr auto addStatement = [](auto &context) {
  x3::_val(context).statements.push_back(std::move(x3::_attr(context)));
};
const auto blockRule = x3::rule<struct BlockRule, BlockText>{"'{'"} =
    located[token(Tok::LBrace) > *statement[addStatement] >
            token(Tok::RBrace, "'}' at the end of the block")];
/// The block of `if` and the like, where braces are not optional.
constexpr Part<BlockText> body{"'{' before the body"};

constexpr auto shareBlock = [](BlockText &text) {
  return std::make_shared<const Block>(std::move(text.statements));
};

/// Name of the variable on the left, then what is assigned.
struct Assignment {
  Name variable;
  ExprPtr index;
  ExprPtr value;
  ForkStatement fork;
  bool isForkResult = false;
};
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Assignment &result);

constexpr auto addArgument = [](auto &context) {
  x3::_val(context).arguments.push_back(valueOf(std::move(x3::_attr(context))));
};
const auto arguments = token(Tok::LParen, "'(' after the thread name") >
                       (LookAhead{isRightParen} |
                        (x3::eps > expression[addArgument] >>
                         *(token(Tok::Comma) > expression[addArgument]))) >
                       token(Tok::RParen, "',' or ')' after an argument");

const auto forkTemplate =
    NameParser("the name of the thread that is forked")[set<&ForkStatement::thread>] > arguments;
const auto forkRule = x3::rule<struct ForkRule, ForkStatement>{"'fork'"} =
    token(Tok::KwFork) >
    ((LookAhead{isTemplate} > forkTemplate) |
     (x3::eps >
      Part<Built>("a thread name, or a thread id and a thread name")[set<&ForkStatement::id>] >
      forkTemplate));
const auto freshFork = x3::rule<struct FreshForkRule, ForkStatement>{"'fork'"} =
    token(Tok::KwFork) > forkTemplate;

const auto assignRule = x3::rule<struct AssignRule, Assignment>{"an assignment"} =
    NameParser("a variable name")[set<&Assignment::variable>] >
    -(token(Tok::LBracket) > expression[set<&Assignment::index>] >
      token(Tok::RBracket, "']' after the index")) >
    token(Tok::Becomes, "':=' after the variable") >
    ((LookAhead{isFork}[mark<&Assignment::isForkResult>] > freshFork[set<&Assignment::fork>]) |
     (x3::eps > expression[set<&Assignment::value>]));

const auto takeAssignment = [](auto &context) {
  Assignment &read = x3::_attr(context);
  ParseState &state = stateOf(context);
  if (!read.isForkResult) {
    x3::_val(context).node = AssignStatement{read.variable, read.index, read.value};
    return;
  }
  if (read.index)
    state.error(read.index->range, "the id of a fork cannot be stored in an array element",
                "store it in a variable first: x := fork T(); a[i] := x;");
  read.fork.result = std::move(read.variable);
  x3::_val(context).node = std::move(read.fork);
};

constexpr auto setNode = [](auto &context) {
  x3::_val(context).node = std::move(x3::_attr(context));
};
template <typename Node>
constexpr auto putNode = [](auto &context) { x3::_val(context).node = Node{}; };
/// A statement whose only part is one name.
template <typename Node>
constexpr auto nameNode =
    [](auto &context) { x3::_val(context).node = Node{std::move(x3::_attr(context))}; };
/// A statement whose only part is one expression.
template <typename Node>
constexpr auto expressionNode =
    [](auto &context) { x3::_val(context).node = Node{valueOf(std::move(x3::_attr(context)))}; };

constexpr NameParser mutexName{"the name of a mutex"};
constexpr NameParser condName{"the name of a condition variable"};

const auto joinNode = [](auto &context) {
  x3::_val(context).node = JoinStatement{valueOf(std::move(x3::_attr(context))), std::nullopt};
};
const auto waitRule = x3::rule<struct WaitRule, WaitStatement>{"'wait'"} =
    token(Tok::KwWait) > condName[set<&WaitStatement::cond>] >>
    -(token(Tok::KwWith) > mutexName[set<&WaitStatement::mutex>]);

/// Statements that end in `;`.
const auto simple =
    part<Assignment>[takeAssignment] |
    (token(Tok::KwHavoc) > NameParser("a variable name after 'havoc'")[nameNode<HavocStatement>]) |
    token(Tok::KwSkip)[putNode<SkipStatement>] |
    (token(Tok::KwAssume) > expression[expressionNode<AssumeStatement>]) |
    (token(Tok::KwAssert) > expression[expressionNode<AssertStatement>]) |
    (token(Tok::KwGoto) > NameParser("a label after 'goto'")[nameNode<GotoStatement>]) |
    token(Tok::KwReturn)[putNode<ReturnStatement>] | part<ForkStatement>[setNode] |
    (token(Tok::KwJoin) > Part<Built>("a thread id or a thread name")[joinNode]) |
    (token(Tok::KwLock) > mutexName[nameNode<LockStatement>]) |
    (token(Tok::KwUnlock) > mutexName[nameNode<UnlockStatement>]) | waitRule[setNode] |
    (token(Tok::KwSignal) > condName[nameNode<SignalStatement>]) |
    (token(Tok::KwBroadcast) > condName[nameNode<BroadcastStatement>]);

// Compound statements --------------------------------------------------------------------------

/// `if (c)` or `while (c)`.
struct Head {
  ExprPtr condition;
  SourceRange range;
};
const auto condition = token(Tok::LParen, "'(' before the condition") >
                       (token(Tok::Star) | (x3::eps > expression[set<&Head::condition>])) >
                       token(Tok::RParen, "')' after the condition");
const auto ifHead = x3::rule<struct IfHeadRule, Head>{"'if'"} =
    located[token(Tok::KwIf) > condition];
const auto whileHead = x3::rule<struct WhileHeadRule, Head>{"'while'"} =
    located[token(Tok::KwWhile) > condition];

/// One `if (c) {...}` of a chain of `else if`.
struct Branch {
  Head head;
  BlockText block;
  TokenIt first = nullptr;
};
/// The chain is read in a loop, so that its length is no depth of recursion.
struct IfChain {
  std::vector<Branch> branches;
  std::optional<BlockText> otherwise;
};
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, IfChain &result);

struct Position : x3::parser<Position> {
  using attribute_type = TokenIt;
  [[maybe_unused]] static bool const has_attribute = true;
  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &, RContext &, Attribute &attr) const {
    x3::traits::move_to(TokenIt(first), attr);
    return true;
  }
};

const auto branch = x3::rule<struct BranchRule, Branch>{"'if'"} =
    (Position{}[set<&Branch::first>] >> ifHead[set<&Branch::head>]) > body[set<&Branch::block>];

bool isElseIf(TokenIt token) { return token->kind == Tok::KwElse && token[1].kind == Tok::KwIf; }
const auto ifRule = x3::rule<struct IfChainRule, IfChain>{"'if'"} =
    branch[append<&IfChain::branches>] >>
    *(LookAhead{isElseIf} > token(Tok::KwElse) > branch[append<&IfChain::branches>]) >>
    -(token(Tok::KwElse) > body[set<&IfChain::otherwise>]);

/// Builds the nested statements from the last branch to the first.
Statement nestBranches(ParseState &state, IfChain &chain, TokenIt last) {
  if (chain.branches.size() > maxNesting)
    state.error(chain.branches[maxNesting].head.range,
                "more than " + std::to_string(maxNesting) + " branches in one chain of 'else if'");
  std::shared_ptr<const Block> otherwise;
  SourceRange otherwiseRange;
  if (chain.otherwise) {
    otherwise = std::make_shared<const Block>(std::move(chain.otherwise->statements));
    otherwiseRange = chain.otherwise->range;
  }
  Statement result;
  for (size_t i = std::min<size_t>(chain.branches.size(), maxNesting); i-- > 0;) {
    Branch &each = chain.branches[i];
    bool isLast = i + 1 == chain.branches.size();
    Statement choice;
    choice.node = IfStatement{each.head.condition, shareBlock(each.block), otherwise, !isLast,
                              each.block.range,    otherwiseRange};
    choice.range = each.head.range;
    choice.whole = state.range(each.first, last);
    otherwiseRange = {};
    if (i > 0)
      otherwise = std::make_shared<const Block>(Block{std::move(choice)});
    else
      result = std::move(choice);
  }
  return result;
}

struct WhileText {
  Head head;
  BlockText block;
};
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, WhileText &result);
const auto whileRule = x3::rule<struct WhileRule, WhileText>{"'while'"} =
    whileHead[set<&WhileText::head>] > body[set<&WhileText::block>];

struct AtomicText {
  BlockText block;
  SourceRange range; ///< of the word `atomic`
};
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, AtomicText &result);
const auto atomicWord = [](auto &context) {
  TokenIt word = x3::_attr(context);
  x3::_val(context).range = stateOf(context).range(word, word + 1);
};
const auto atomicRule = x3::rule<struct AtomicRule, AtomicText>{"'atomic'"} =
    token(Tok::KwAtomic)[atomicWord] > body[set<&AtomicText::block>];

const auto takeIf = [](auto &context) {
  IfChain &chain = x3::_attr(context);
  x3::_val(context) = nestBranches(stateOf(context), chain, x3::_where(context).begin());
};
const auto takeWhile = [](auto &context) {
  WhileText &text = x3::_attr(context);
  x3::_val(context).node = WhileStatement{text.head.condition, shareBlock(text.block)};
  x3::_val(context).range = text.head.range;
};
const auto takeAtomic = [](auto &context) {
  AtomicText &text = x3::_attr(context);
  x3::_val(context).node = AtomicStatement{shareBlock(text.block)};
  x3::_val(context).range = text.range;
};

const auto takeSimple = [](auto &context) { x3::_val(context) = std::move(x3::_attr(context)); };
const auto simpleRule = x3::rule<struct SimpleRule, Statement>{"a statement"} =
    located[simple > semicolon("';' after the statement")];
const auto labelRule = x3::rule<struct LabelRule, Statement>{"a label"} =
    located[LookAhead{isLabel} >> NameParser("a label")[nameNode<LabelStatement>] >>
            token(Tok::Colon)];
const auto localStatement = x3::rule<struct LocalStatementRule, Statement>{"'local'"} =
    located[part<LocalDecl>[setNode]];

/// Sets `whole` of the statement to what the subject matched.
template <typename Subject>
struct Whole : x3::unary_parser<Subject, Whole<Subject>> {
  using base_type = x3::unary_parser<Subject, Whole<Subject>>;
  [[maybe_unused]] static bool const is_pass_through_unary = true;
  [[maybe_unused]] static bool const handles_container = Subject::handles_container;
  constexpr explicit Whole(const Subject &inner) : base_type(inner) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &last, const Context &context, RContext &rcontext,
             Attribute &attr) const {
    TokenIt start = first;
    if (!this->subject.parse(first, last, context, rcontext, attr))
      return false;
    rcontext.whole = stateOf(context).range(start, first);
    return true;
  }
};
struct WholeGenerator {
  template <typename Subject>
  constexpr auto operator[](const Subject &subject) const {
    return Whole<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
constexpr WholeGenerator whole{};

const auto anyStatement = labelRule[takeSimple] | simpleRule[takeSimple] |
                          localStatement[takeSimple] | part<IfChain>[takeIf] |
                          part<WhileText>[takeWhile] | part<AtomicText>[takeAtomic] |
                          (LookAhead{strayStatement} > Missing("a statement or '}'"));

struct StatementRule : Recovering<Sync::InBlock> {};
const auto statementRule = x3::rule<StatementRule, Statement>{"a statement"} = whole[anyStatement];

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, BlockText &result) {
  return runGrammar(blockRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Assignment &result) {
  return runGrammar(assignRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, IfChain &result) {
  return runGrammar(ifRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, WhileText &result) {
  return runGrammar(whileRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, AtomicText &result) {
  return runGrammar(atomicRule, first, last, state, result);
}

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, LocalDecl &result) {
  return runGrammar(localRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ForkStatement &result) {
  return runGrammar(forkRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Statement &result) {
  return runGrammar(statementRule, first, last, state, result);
}

} // namespace understudy::specs::syntax

// SPDX-License-Identifier: Apache-2.0
//
// The grammar of the contract language.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"
#include "specs/syntax/Grammars.h"

namespace understudy::specs::syntax {

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, SharedDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConstDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, DefineDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, RelyDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, AssertDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ContractLocal &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, EdgeDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, StateDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ContractThread &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ActionRef &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, StateMember &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ThreadMember &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, SystemItem &result);

namespace {

// Bindings to C --------------------------------------------------------------------------------

bool isStructOrUnion(const ParseState &state, TokenIt token) {
  std::string_view text = state.text(token);
  return token->kind == Tok::Name && (text == "struct" || text == "union");
}

std::string pathText(const ParseState &state, TokenIt first, TokenIt last) {
  std::string text;
  for (TokenIt token = first; token != last; ++token) {
    if (token->kind == Tok::Ampersand)
      text += " & ";
    else
      text += state.text(token);
    if (isStructOrUnion(state, token) && token + 1 != last &&
        (token[1].kind == Tok::Name || isKeyword(token[1].kind)))
      text += ' ';
  }
  return text;
}

/// Runs the subject, which matches a path, and stores its text.
template <typename Subject>
struct PathDirective : x3::unary_parser<Subject, PathDirective<Subject>> {
  using base_type = x3::unary_parser<Subject, PathDirective<Subject>>;
  using attribute_type = BindingPath;
  [[maybe_unused]] static bool const has_attribute = true;
  constexpr explicit PathDirective(const Subject &inner) : base_type(inner) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &last, const Context &context, RContext &rcontext,
             Attribute &attr) const {
    TokenIt start = first;
    if (!this->subject.parse(first, last, context, rcontext, x3::unused))
      return false;
    ParseState &state = stateOf(context);
    x3::traits::move_to(BindingPath{pathText(state, start, first), state.range(start, first)},
                        attr);
    return true;
  }
};

bool isTypeTag(TokenIt token) {
  return token->kind == Tok::Name && (token[1].kind == Tok::Name || isKeyword(token[1].kind));
}

/// `struct` or `union` before the name of a type.
struct TypeTagParser : x3::parser<TypeTagParser> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static bool const has_attribute = false;

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &) const {
    if (!isTypeTag(first) || !isStructOrUnion(stateOf(context), first))
      return false;
    ++first;
    return true;
  }
};

bool isConstantToken(TokenIt token) {
  return token->kind == Tok::Number || token->kind == Tok::Name;
}
constexpr CNameParser cName{"a C name"};
constexpr TokenIf cIndex{isConstantToken, "a constant index"};
constexpr TokenIf cMask{isConstantToken, "a constant mask"};

const auto
    pathSteps = -(token(Tok::String) > token(Tok::Colon, "':' after the file name")) >>
                -TypeTagParser{} >> cName >>
                -(token(Tok::Colon) > token(Tok::Colon, "'::' after the name of a function") >
                  CNameParser("the name of a static variable")) >>
                *(((token(Tok::Arrow) | token(Tok::Dot)) > CNameParser("the name of a C field")) |
                  (token(Tok::LBracket) > cIndex > token(Tok::RBracket, "']' after the index"))) >>
                -(token(Tok::Ampersand) > cMask);
const PathDirective<std::decay_t<decltype(pathSteps)>> pathText_{pathSteps};
const auto path = x3::rule<struct PathRule, BindingPath>{"a C variable after '@'"} = pathText_;

// Declarations ---------------------------------------------------------------------------------

const auto sharedRule = x3::rule<struct SharedRule, SharedDecl>{"'shared'"} =
    located[token(Tok::KwShared) > -token(Tok::KwGhost)[mark<&SharedDecl::ghost>] >
            type[set<&SharedDecl::type>] > NameParser("a variable name")[set<&SharedDecl::name>] >>
            -(token(Tok::LBracket) > expression[set<&SharedDecl::arraySize>] >
              token(Tok::RBracket, "']' after the size of the array")) >>
            -(token(Tok::At) > path[append<&SharedDecl::paths>] >>
              *(token(Tok::Comma) > path[append<&SharedDecl::paths>])) >>
            -(token(Tok::Assign) > expression[set<&SharedDecl::initial>]) >>
            -(token(Tok::KwGuarded) > token(Tok::KwBy, "'by' after 'guarded'") >
              NameParser("the name of a mutex")[set<&SharedDecl::guardedBy>]) >
            semicolon("';' after the shared variable")];

const auto constRule = x3::rule<struct ConstRule, ConstDecl>{"'const'"} =
    located[token(Tok::KwConst) > NameParser("a name for the constant")[set<&ConstDecl::name>] >
            token(Tok::Assign, "'=' and the value of the constant") >
            expression[set<&ConstDecl::value>] > semicolon("';' after the constant")];

const auto defineRule = x3::rule<struct DefineRule, DefineDecl>{"'define'"} =
    located[token(Tok::KwDefine) > NameParser("a name for the definition")[set<&DefineDecl::name>] >
            token(Tok::Assign, "'=' and the expression that is defined") >
            expression[set<&DefineDecl::value>] > semicolon("';' after the definition")];

const auto relyRule = x3::rule<struct RelyRule, RelyDecl>{"'rely'"} =
    located[token(Tok::KwRely) > expression[set<&RelyDecl::condition>] >
            semicolon("';' after the rely")];

const auto assertRule = x3::rule<struct AssertRule, AssertDecl>{"'assert'"} =
    located[token(Tok::KwAssert) > expression[set<&AssertDecl::condition>] >
            semicolon("';' after the assertion")];

const auto localRule = x3::rule<struct LocalRule, ContractLocal>{"'local'"} =
    located[token(Tok::KwLocal) > type[set<&ContractLocal::type>] >
            NameParser("a variable name")[set<&ContractLocal::name>] >>
            -(token(Tok::Assign) > expression[set<&ContractLocal::initial>]) >
            semicolon("';' after the local")];

// Edges ----------------------------------------------------------------------------------------

template <ActionKind kind>
constexpr auto setAction = [](auto &context) { x3::_val(context).kind = kind; };

constexpr NameParser threadName{"a thread name"};
constexpr NameParser mutexName{"the name of a mutex"};
constexpr NameParser condName{"the name of a condition variable"};

const auto asId = token(Tok::KwAs) > expression[set<&ActionRef::id>];

const auto actionRule = x3::rule<struct ActionRule, ActionRef>{"an action after 'do'"} = located
    [(token(Tok::KwFork)[setAction<ActionKind::Fork>] > threadName[set<&ActionRef::target>] >>
      -asId) |
     (token(Tok::KwJoin)[setAction<ActionKind::Join>] >
      (asId |
       (x3::eps > (NameParser("a thread name, or 'as' and a thread id")[set<&ActionRef::target>] >>
                   -asId)))) |
     (token(Tok::KwLock)[setAction<ActionKind::Lock>] > mutexName[set<&ActionRef::target>]) |
     (token(Tok::KwUnlock)[setAction<ActionKind::Unlock>] > mutexName[set<&ActionRef::target>]) |
     (token(Tok::KwWait)[setAction<ActionKind::Wait>] > condName[set<&ActionRef::target>] >
      token(Tok::KwWith, "'with' and the mutex that is released") >
      mutexName[set<&ActionRef::mutex>]) |
     (token(Tok::KwSignal)[setAction<ActionKind::Signal>] > condName[set<&ActionRef::target>]) |
     (token(Tok::KwBroadcast)[setAction<ActionKind::Broadcast>] >
      condName[set<&ActionRef::target>]) |
     (token(Tok::KwCall)[setAction<ActionKind::Call>] >
      CNameParser("the name of a C function")[set<&ActionRef::target>])];

const auto edgeRule = x3::rule<struct EdgeRule, EdgeDecl>{"an edge"} =
    located[token(Tok::Arrow) >
            NameParser("the target state of the edge")[set<&EdgeDecl::target>] >>
            -(token(Tok::Colon) > expression[set<&EdgeDecl::condition>]) >>
            -(token(Tok::KwDo) > Part<ActionRef>("an action after 'do'")[set<&EdgeDecl::action>]) >
            semicolon("';' after the edge")];

// States ---------------------------------------------------------------------------------------

bool isSystemItemStart(Tok kind) {
  switch (kind) {
  case Tok::KwShared:
  case Tok::KwEnum:
  case Tok::KwConst:
  case Tok::KwDefine:
  case Tok::KwInitially:
  case Tok::KwInvariant:
  case Tok::KwNever:
  case Tok::KwThread:
  case Tok::KwHandler:
  case Tok::KwEnvironment:
  case Tok::KwRun:
    return true;
  default:
    return false;
  }
}
bool isStateStart(Tok kind) {
  return kind == Tok::KwInitial || kind == Tok::KwState || kind == Tok::KwFinal ||
         kind == Tok::KwLocal;
}
bool ends(TokenIt token) { return token->kind == Tok::RBrace || token->kind == Tok::End; }
/// Tokens that are neither a member here nor a sign that the closing brace is missing.
bool strayInSystem(TokenIt token) { return !ends(token); }
bool strayInThread(TokenIt token) { return !ends(token) && !isSystemItemStart(token->kind); }
bool strayInState(TokenIt token) { return strayInThread(token) && !isStateStart(token->kind); }

constexpr auto addMember = [](auto &context) {
  x3::_val(context).members.push_back(std::move(x3::_attr(context)));
};
constexpr auto setVariant = [](auto &context) {
  x3::_val(context) = std::move(x3::_attr(context));
};

struct StateMemberRule : Recovering<Sync::InState> {};
const auto stateMember = x3::rule<StateMemberRule, StateMember>{"an edge or an assertion"} =
    part<RelyDecl>[setVariant] | part<AssertDecl>[setVariant] | part<EdgeDecl>[setVariant] |
    (LookAhead{strayInState} > Missing("an edge ('->'), 'assert', 'rely' or '}'"));

const auto stateBody =
    (token(Tok::LBrace)[mark<&StateDecl::hasBody>] > *part<StateMember>[addMember] >
     token(Tok::RBrace, "'}' at the end of the state"));

const auto stateRule = x3::rule<struct StateRule, StateDecl>{"a state"} =
    located[(token(Tok::KwState) |
             (token(Tok::KwInitial)[mark<&StateDecl::initial>] >>
              -token(Tok::KwFinal)[mark<&StateDecl::final>]) |
             token(Tok::KwFinal)[mark<&StateDecl::final>]) >
            NameParser("a state name")[set<&StateDecl::name>] >>
            (token(Tok::Semicolon) | stateBody |
             (x3::eps > Missing("'{' or ';' after the name of the state")))];

// Threads --------------------------------------------------------------------------------------

struct ThreadMemberRule : Recovering<Sync::InThread> {};
const auto threadMember = x3::rule<ThreadMemberRule, ThreadMember>{"a state"} =
    part<ContractLocal>[setVariant] | part<RelyDecl>[setVariant] | part<AssertDecl>[setVariant] |
    part<StateDecl>[setVariant] |
    (LookAhead{strayInThread} > Missing("a state, 'local', 'rely', 'assert' or '}'"));

constexpr auto setFile = [](auto &context) {
  std::string_view quoted = stateOf(context).text(x3::_attr(context));
  x3::_val(context).file = std::string(quoted.substr(1, quoted.size() - 2));
};
const auto functionRule = x3::rule<struct FunctionRule, FunctionRef>{"the name of a C function"} =
    -(token(Tok::String)[setFile] > token(Tok::Colon, "':' after the file name")) >>
    CNameParser("the name of a C function")[set<&FunctionRef::function>];

template <ThreadKind kind>
constexpr auto setThreadKind = [](auto &context) { x3::_val(context).kind = kind; };

const auto forFunction = -(token(Tok::KwFor) > functionRule[set<&ContractThread::function>]);
const auto threadBody = token(Tok::LBrace, "'{' and the states")[mark<&ContractThread::hasBody>] >
                        *part<ThreadMember>[addMember] >
                        token(Tok::RBrace, "'}' at the end of the thread");

const auto threadRule = x3::rule<struct ThreadRule, ContractThread>{"a thread"} =
    located[(token(Tok::KwThread)[setThreadKind<ThreadKind::Thread>] >
             NameParser("a thread name")[set<&ContractThread::name>] > forFunction >
             (token(Tok::Semicolon) | threadBody |
              (x3::eps > Missing("'{' or ';' after the head of the thread")))) |
            (token(Tok::KwHandler)[setThreadKind<ThreadKind::Handler>] >
             NameParser("a handler name")[set<&ContractThread::name>] > forFunction > threadBody) |
            (token(Tok::KwEnvironment)[setThreadKind<ThreadKind::Environment>] >
             NameParser("an environment name")[set<&ContractThread::name>] > threadBody)];

// The system -----------------------------------------------------------------------------------

struct SystemItemRule : Recovering<Sync::Item> {};
const auto item = x3::rule<SystemItemRule, SystemItem>{"an item"} =
    part<SharedDecl>[setVariant] | part<EnumDecl>[setVariant] | part<ConstDecl>[setVariant] |
    part<DefineDecl>[setVariant] | part<InitiallyItem>[setVariant] |
    part<InvariantItem>[setVariant] | part<NeverItem>[setVariant] |
    part<ContractThread>[setVariant] | part<RunItem>[setVariant] |
    (LookAhead{strayInSystem} > Missing("an item of the system or '}'"));

struct HeaderRule : Recovering<Sync::Header> {};
const auto header = x3::rule<HeaderRule, Name>{"a system"} =
    x3::eps > token(Tok::KwSystem, "'system NAME {'") >
    NameParser("a name for the system")[([](auto &context) {
      x3::_val(context) = std::move(x3::_attr(context));
    })] > token(Tok::LBrace, "'{' after the name of the system");

const auto systemRule = x3::rule<struct SystemRule, Contract>{"a system"} =
    located[header[set<&Contract::name>] > *part<SystemItem>[append<&Contract::items>] >
            token(Tok::RBrace, "'}' at the end of the system")];

struct FileRule : Recovering<Sync::Item> {};
const auto contractFile = x3::rule<FileRule, Contract>{"a contract"} =
    systemRule[setVariant] > token(Tok::End, "the end of the file after the system");

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, SharedDecl &result) {
  return runGrammar(sharedRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ConstDecl &result) {
  return runGrammar(constRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, DefineDecl &result) {
  return runGrammar(defineRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, RelyDecl &result) {
  return runGrammar(relyRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, AssertDecl &result) {
  return runGrammar(assertRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ContractLocal &result) {
  return runGrammar(localRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, EdgeDecl &result) {
  return runGrammar(edgeRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, StateDecl &result) {
  return runGrammar(stateRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ContractThread &result) {
  return runGrammar(threadRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ActionRef &result) {
  return runGrammar(actionRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, StateMember &result) {
  return runGrammar(stateMember, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ThreadMember &result) {
  return runGrammar(threadMember, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, SystemItem &result) {
  return runGrammar(item, first, last, state, result);
}

void parseContractTokens(ParseState &state, Contract &contract) {
  TokenIt first = state.begin();
  runGrammar(contractFile, first, state.end(), state, contract);
}

} // namespace understudy::specs::syntax

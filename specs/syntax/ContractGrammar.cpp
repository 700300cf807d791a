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
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ObjectDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ClaimItem &result);
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

// Declarations ---------------------------------------------------------------------------------

constexpr Part<BindingPath> path{"a C variable after '@'"};

template <DisciplineKind kind>
constexpr auto setDiscipline = [](auto &context) { x3::_val(context).kind = kind; };

const auto discipline = x3::rule<struct DisciplineRule, DisciplineRef>{"'guarded'"} =
    (token(Tok::KwGuarded)[setDiscipline<DisciplineKind::GuardedBy>] >
     token(Tok::KwBy, "'by' after 'guarded'") >
     NameParser("the name of a mutex or a section")[set<&DisciplineRef::by>]) |
    (token(Tok::KwWritten)[setDiscipline<DisciplineKind::WrittenUnder>] >
     token(Tok::KwUnder, "'under' after 'written'") >
     NameParser("the name of a mutex or a section")[set<&DisciplineRef::by>]) |
    (token(Tok::KwOwned)[setDiscipline<DisciplineKind::OwnedBy>] >
     token(Tok::KwBy, "'by' after 'owned'") > NameParser("a thread name")[set<&DisciplineRef::by>]);

// The parts behind the name stand in any order, each of them once.

bool hasPaths(const SharedDecl &item) { return !item.paths.empty(); }
bool hasInitial(const SharedDecl &item) { return item.initial != nullptr; }
template <auto Has>
constexpr auto onlyOnce = [](auto &context) {
  TokenIt sign = x3::_attr(context);
  ParseState &state = stateOf(context);
  if (Has(x3::_val(context)))
    state.error(state.range(sign, sign + 1),
                "'" + std::string(state.text(sign)) + "' stands here for the second time",
                sign->kind == Tok::At ? "several paths are separated by ','"
                                      : "a variable has one initial value");
};
constexpr auto onlyOneDiscipline = [](auto &context) {
  SharedDecl &item = x3::_val(context);
  if (item.discipline)
    stateOf(context).error(x3::_attr(context).by.range,
                           "'" + item.name.text + "' has a discipline already",
                           "write one of guarded by, written under and owned by");
  item.discipline = std::move(x3::_attr(context));
};

bool isRecursive(TokenIt token) {
  return token->kind == Tok::KwRecursive &&
         (token[1].kind == Tok::KwSection || token[1].kind == Tok::KwMutex);
}
constexpr TokenIf recursiveWord{isRecursive, "'recursive'"};

const auto sharedRule = x3::rule<struct SharedRule, SharedDecl>{"'shared'"} =
    located[token(Tok::KwShared) > -token(Tok::KwGhost)[mark<&SharedDecl::ghost>] >
            -recursiveWord[mark<&SharedDecl::recursive>] > type[set<&SharedDecl::type>] >
            NameParser("a variable name")[set<&SharedDecl::name>] >>
            -(token(Tok::LBracket) > expression[set<&SharedDecl::arraySize>] >
              token(Tok::RBracket, "']' after the size of the array")) >>
            *((token(Tok::At)[onlyOnce<hasPaths>] > path[append<&SharedDecl::paths>] >>
               *(token(Tok::Comma) > path[append<&SharedDecl::paths>])) |
              (token(Tok::Assign)[onlyOnce<hasInitial>] > expression[set<&SharedDecl::initial>]) |
              discipline[onlyOneDiscipline]) > semicolon("';' after the shared variable")];

const auto constRule = x3::rule<struct ConstRule, ConstDecl>{"'const'"} =
    located[token(Tok::KwConst) > NameParser("a name for the constant")[set<&ConstDecl::name>] >
            token(Tok::Assign, "'=' and the value of the constant") >
            expression[set<&ConstDecl::value>] > semicolon("';' after the constant")];

constexpr NameParser parameter{"a name for the parameter of the definition"};
const auto defineRule = x3::rule<struct DefineRule, DefineDecl>{"'define'"} =
    located[token(Tok::KwDefine) >
            NameParser("a name for the definition")[set<&DefineDecl::name>] >>
            -(token(Tok::LParen) > parameter[append<&DefineDecl::parameters>] >>
              *(token(Tok::Comma) > parameter[append<&DefineDecl::parameters>]) >
              token(Tok::RParen, "',' or ')' after a parameter of the definition")) >
            token(Tok::Assign, "'=' and the expression that is defined") >
            expression[set<&DefineDecl::value>] > semicolon("';' after the definition")];

struct TagParser : x3::parser<TagParser> {
  using attribute_type = std::string;
  [[maybe_unused]] static bool const has_attribute = true;

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &attr) const {
    std::string_view text = stateOf(context).text(first);
    if (first->kind != Tok::Name || (text != "struct" && text != "union"))
      return false;
    x3::traits::move_to(std::string(text), attr);
    ++first;
    return true;
  }
};

const auto objectRule = x3::rule<struct ObjectRule, ObjectDecl>{"'object'"} =
    located[token(Tok::KwObject) > NameParser("a name for the object")[set<&ObjectDecl::name>] >
            token(Tok::Colon, "':' and the C type of the object") >
            -TagParser{}[set<&ObjectDecl::tag>] >
            CNameParser("the C type of the object")[set<&ObjectDecl::type>] >
            semicolon("';' after the object")];

const auto claimRule = x3::rule<struct ClaimRule, ClaimItem>{"'claim'"} =
    located[token(Tok::KwClaim) > expression[set<&ClaimItem::condition>] >
            token(Tok::At, "'@' and where the claim is made") > path[append<&ClaimItem::paths>] >>
            *(token(Tok::Comma) > path[append<&ClaimItem::paths>]) >
            semicolon("';' after the claim")];

const auto relyRule = x3::rule<struct RelyRule, RelyDecl>{"'rely'"} =
    located[token(Tok::KwRely) > expression[set<&RelyDecl::condition>] >
            semicolon("';' after the rely")];

constexpr NameParser exceptState{"the name of a state that is left out"};
const auto assertRule = x3::rule<struct AssertRule, AssertDecl>{"'assert'"} =
    located[token(Tok::KwAssert) > expression[set<&AssertDecl::condition>] >>
            -(token(Tok::KwExcept) > exceptState[append<&AssertDecl::except>] >>
              *(token(Tok::Comma) > exceptState[append<&AssertDecl::except>])) >
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
  case Tok::KwObject:
  case Tok::KwClaim:
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

const auto inside = x3::rule<struct InsideRule, InsideRef>{"'inside'"} =
    token(Tok::KwInside) > NameParser("the name of a section")[set<&InsideRef::section>] >>
    -(token(Tok::KwFor) >
      token(Tok::KwReading, "'reading' after 'for'")[mark<&InsideRef::reading>]);

const auto stateRule = x3::rule<struct StateRule, StateDecl>{"a state"} =
    located[(token(Tok::KwState) |
             (token(Tok::KwInitial)[mark<&StateDecl::initial>] >>
              -token(Tok::KwFinal)[mark<&StateDecl::final>]) |
             token(Tok::KwFinal)[mark<&StateDecl::final>]) >
            NameParser("a state name")[set<&StateDecl::name>] >> -inside[set<&StateDecl::inside>] >>
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

constexpr Part<BindingPath> wrapperArgument{"a path or a C function"};

template <ThreadKind kind>
constexpr auto setThreadKind = [](auto &context) { x3::_val(context).kind = kind; };

const auto wrapper = x3::rule<struct WrapperRule, WrapperRef>{"'via'"} =
    token(Tok::KwVia) >
    CNameParser("the name of a C function after 'via'")[set<&WrapperRef::function>] >
    token(Tok::LParen, "'(' and the arguments of the function") >
    -(wrapperArgument[append<&WrapperRef::arguments>] >>
      *(token(Tok::Comma) > wrapperArgument[append<&WrapperRef::arguments>])) >
    token(Tok::RParen, "',' or ')' after an argument");
const auto forFunction = -(token(Tok::KwFor) > functionRule[set<&ContractThread::function>]) >>
                         -wrapper[set<&ContractThread::via>];
const auto threadBody = token(Tok::LBrace, "'{' and the states")[mark<&ContractThread::hasBody>] >
                        *part<ThreadMember>[addMember] >
                        token(Tok::RBrace, "'}' at the end of the thread");

const auto optionalBody = token(Tok::Semicolon) | threadBody |
                          (x3::eps > Missing("'{' or ';' after the head of the thread"));

const auto threadRule = x3::rule<struct ThreadRule, ContractThread>{"a thread"} =
    located[(token(Tok::KwThread)[setThreadKind<ThreadKind::Thread>] >
             NameParser("a thread name")[set<&ContractThread::name>] > forFunction > optionalBody) |
            (token(Tok::KwHandler)[setThreadKind<ThreadKind::Handler>] >
             NameParser("a handler name")[set<&ContractThread::name>] > forFunction >
             optionalBody) |
            (token(Tok::KwEnvironment)[setThreadKind<ThreadKind::Environment>] >
             NameParser("an environment name")[set<&ContractThread::name>] > threadBody)];

// The system -----------------------------------------------------------------------------------

struct SystemItemRule : Recovering<Sync::Item> {};
const auto item = x3::rule<SystemItemRule, SystemItem>{"an item"} =
    part<SharedDecl>[setVariant] | part<EnumDecl>[setVariant] | part<ConstDecl>[setVariant] |
    part<DefineDecl>[setVariant] | part<InitiallyItem>[setVariant] |
    part<InvariantItem>[setVariant] | part<NeverItem>[setVariant] |
    part<ContractThread>[setVariant] | part<RunItem>[setVariant] | part<ObjectDecl>[setVariant] |
    part<ClaimItem>[setVariant] |
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
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ObjectDecl &result) {
  return runGrammar(objectRule, first, last, state, result);
}
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, ClaimItem &result) {
  return runGrammar(claimRule, first, last, state, result);
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

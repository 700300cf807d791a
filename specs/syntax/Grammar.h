// SPDX-License-Identifier: Apache-2.0
//
// Building blocks of the grammars. Only for their .cpp files, which include X3 before this header:
// no header of this folder includes Spirit.
//
// The grammars run over tokens, not characters, so there is no skipper. Every `>` names what is
// missing in the user's words; the exception travels to the nearest rule whose tag is `Recovering`,
// which reports it and goes on behind the broken part. No alternative starts like another one:
// nothing is parsed twice.
#pragma once

#include "specs/syntax/Operators.h"
#include "specs/syntax/ParseState.h"

#include <memory>
#include <utility>

namespace understudy::specs::syntax {

struct StateTag;

template <typename Context>
ParseState &stateOf(const Context &context) {
  return x3::get<StateTag>(context).get();
}

// One token ------------------------------------------------------------------------------------

/// Matches a token of the kind; its attribute is the token. `what` completes "expected ...".
struct TokenParser : x3::parser<TokenParser> {
  using attribute_type = TokenIt;
  static bool const has_attribute = true;
  Tok kind;
  const char *what;
  constexpr TokenParser(Tok kind_, const char *what_) : kind(kind_), what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &, RContext &, Attribute &attr) const {
    if (first->kind != kind)
      return false;
    x3::traits::move_to(TokenIt(first), attr);
    if (kind != Tok::End)
      ++first;
    return true;
  }
};

/// Matches a token for which `accept(kind)` holds.
template <typename Accept>
struct TokenIf : x3::parser<TokenIf<Accept>> {
  using attribute_type = TokenIt;
  static bool const has_attribute = true;
  Accept accept;
  const char *what;
  constexpr TokenIf(Accept accept_, const char *what_) : accept(accept_), what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &, RContext &, Attribute &attr) const {
    if (first->kind == Tok::End || !accept(first))
      return false;
    x3::traits::move_to(TokenIt(first), attr);
    ++first;
    return true;
  }
};

/// An identifier that is not reserved here; its attribute is a Name.
struct NameParser : x3::parser<NameParser> {
  using attribute_type = Name;
  static bool const has_attribute = true;
  const char *what;
  constexpr explicit NameParser(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &attr) const {
    if (!stateOf(context).isName(first))
      return false;
    x3::traits::move_to(stateOf(context).name(first), attr);
    ++first;
    return true;
  }
};

/// A C identifier: our keywords are ordinary names there.
struct CNameParser : x3::parser<CNameParser> {
  using attribute_type = Name;
  static bool const has_attribute = true;
  const char *what;
  constexpr explicit CNameParser(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &attr) const {
    if (first->kind != Tok::Name && !isKeyword(first->kind))
      return false;
    x3::traits::move_to(stateOf(context).name(first), attr);
    ++first;
    return true;
  }
};

/// Succeeds without consuming anything when `test(first)` holds.
template <typename Test>
struct LookAhead : x3::parser<LookAhead<Test>> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  Test test;
  constexpr explicit LookAhead(Test test_) : test(test_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &, RContext &, Attribute &) const {
    return test(first);
  }
};

/// The same as a token, for expressions.
struct NameTokenParser : x3::parser<NameTokenParser> {
  using attribute_type = TokenIt;
  static bool const has_attribute = true;
  const char *what;
  constexpr explicit NameTokenParser(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &attr) const {
    if (!stateOf(context).isName(first))
      return false;
    x3::traits::move_to(TokenIt(first), attr);
    ++first;
    return true;
  }
};

inline bool isRightParen(TokenIt token) { return token->kind == Tok::RParen; }

/// Never matches: behind `>` it reports that `what` was expected.
struct Missing : x3::parser<Missing> {
  using attribute_type = x3::unused_type;
  static bool const has_attribute = false;
  const char *what;
  constexpr explicit Missing(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &, const TokenIt &, const Context &, RContext &, Attribute &) const {
    return false;
  }
};

constexpr TokenParser token(Tok kind, const char *what = "") { return {kind, what}; }
constexpr TokenParser semicolon(const char *what) { return {Tok::Semicolon, what}; }

// Parts that live in another translation unit --------------------------------------------------

/// Every part that others refer to is a function `parsePart` for its type, in one of the grammars'
/// .cpp files. It returns false without consuming anything when the part does not start at `first`.
/// Recursion goes through these functions too: each starts with a fresh Spirit context, which keeps
/// the number of instantiations, and with it the compile time, linear.
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, Built &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, TypeRef &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, EnumDecl &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, InitiallyItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, InvariantItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, NeverItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, RunItem &result);
bool parsePart(TokenIt &first, TokenIt last, ParseState &state, BindingPath &result);

/// A bound of `int LO..HI`.
bool parseTypeBound(TokenIt &first, TokenIt last, ParseState &state, Built &result);

template <typename T>
struct Part : x3::parser<Part<T>> {
  using attribute_type = T;
  static bool const has_attribute = true;
  const char *what;
  constexpr explicit Part(const char *what_) : what(what_) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &last, const Context &context, RContext &,
             Attribute &attr) const {
    T result;
    if (!parsePart(first, last, stateOf(context), result))
      return false;
    x3::traits::move_to(std::move(result), attr);
    return true;
  }
};

/// A part that is only used where it may be missing.
template <typename T>
inline constexpr Part<T> part{""};
inline constexpr Part<Built> expression{"an expression"};
inline constexpr Part<TypeRef> type{"a type"};

// Directives and actions -----------------------------------------------------------------------

/// Sets `range` of the enclosing rule's value to what the subject matched.
template <typename Subject>
struct Located : x3::unary_parser<Subject, Located<Subject>> {
  using base_type = x3::unary_parser<Subject, Located<Subject>>;
  static bool const is_pass_through_unary = true;
  static bool const handles_container = Subject::handles_container;
  constexpr explicit Located(const Subject &inner) : base_type(inner) {}

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &last, const Context &context, RContext &rcontext,
             Attribute &attr) const {
    TokenIt start = first;
    if (!this->subject.parse(first, last, context, rcontext, attr))
      return false;
    rcontext.range = stateOf(context).range(start, first);
    return true;
  }
};

struct LocatedGenerator {
  template <typename Subject>
  constexpr auto operator[](const Subject &subject) const {
    return Located<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
inline constexpr LocatedGenerator located{};

inline ExprPtr valueOf(Built &&built) { return std::move(built.expr); }
template <typename T>
T &&valueOf(T &&value) {
  return std::forward<T>(value);
}

/// Moves the attribute into a member of the rule's value.
template <auto Member>
inline constexpr auto set =
    [](auto &context) { x3::_val(context).*Member = valueOf(std::move(x3::_attr(context))); };
/// Sets a flag of the rule's value.
template <auto Member>
inline constexpr auto mark = [](auto &context) { x3::_val(context).*Member = true; };
/// Appends the attribute to a member of the rule's value.
template <auto Member>
inline constexpr auto append = [](auto &context) {
  (x3::_val(context).*Member).push_back(valueOf(std::move(x3::_attr(context))));
};

/// The tag of rules that report a syntax error in them and go on behind it.
template <Sync sync>
struct Recovering {
  template <typename Context>
  x3::error_handler_result on_error(TokenIt &first, const TokenIt &,
                                    const x3::expectation_failure<TokenIt> &failure,
                                    const Context &context) {
    ParseState &state = stateOf(context);
    state.syntaxError(failure.where(), failure.which());
    if (state.repair(first, failure.where(), sync))
      return x3::error_handler_result::retry;
    first = state.recover(first, failure.where(), sync);
    return x3::error_handler_result::accept;
  }
};

/// Runs a grammar on the tokens of `state`, with `state` in its context.
template <typename Parser, typename Attribute>
bool runGrammar(const Parser &parser, TokenIt &first, TokenIt last, ParseState &state,
                Attribute &attribute) {
  return x3::parse(first, last, x3::with<StateTag>(std::ref(state))[parser], attribute);
}

} // namespace understudy::specs::syntax

namespace boost::spirit::x3 {

#define UNDERSTUDY_NAMED(TYPE)                                                                     \
  template <>                                                                                      \
  struct get_info<TYPE> {                                                                          \
    using result_type = std::string;                                                               \
    std::string operator()(const TYPE &parser) const { return parser.what; }                       \
  }
UNDERSTUDY_NAMED(understudy::specs::syntax::TokenParser);
UNDERSTUDY_NAMED(understudy::specs::syntax::NameParser);
UNDERSTUDY_NAMED(understudy::specs::syntax::CNameParser);
UNDERSTUDY_NAMED(understudy::specs::syntax::NameTokenParser);
UNDERSTUDY_NAMED(understudy::specs::syntax::Missing);
#undef UNDERSTUDY_NAMED
template <typename Accept>
struct get_info<understudy::specs::syntax::TokenIf<Accept>> {
  using result_type = std::string;
  std::string operator()(const understudy::specs::syntax::TokenIf<Accept> &parser) const {
    return parser.what;
  }
};
template <typename T>
struct get_info<understudy::specs::syntax::Part<T>> {
  using result_type = std::string;
  std::string operator()(const understudy::specs::syntax::Part<T> &parser) const {
    return parser.what;
  }
};
// A compound is missing when its first part is.
template <typename Left, typename Right>
struct get_info<sequence<Left, Right>> {
  using result_type = std::string;
  std::string operator()(const sequence<Left, Right> &parser) const { return what(parser.left); }
};
template <typename Subject, typename Action>
struct get_info<action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const action<Subject, Action> &parser) const {
    return what(parser.subject);
  }
};

} // namespace boost::spirit::x3

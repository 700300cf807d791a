// SPDX-License-Identifier: Apache-2.0
//
// Paths to C objects: `dev->rx.head`, `q->flags & 0x2`, `"file.c":f::count`, `kfree(dev)`. The
// grammar says which tokens belong to a path; a walk over them builds the tree.
#include <boost/spirit/home/x3.hpp>

#include <functional>

namespace understudy::specs::syntax {
namespace x3 = boost::spirit::x3;
} // namespace understudy::specs::syntax

#include "specs/syntax/Grammar.h"

namespace understudy::specs::syntax {

namespace {

bool isWord(TokenIt token) { return token->kind == Tok::Name || isKeyword(token->kind); }

bool isStructOrUnion(const ParseState &state, TokenIt token) {
  std::string_view text = state.text(token);
  return token->kind == Tok::Name && (text == "struct" || text == "union") && isWord(token + 1);
}

/// Reads tokens that the grammar has accepted.
class PathBuilder {
public:
  PathBuilder(const ParseState &state, TokenIt first, TokenIt last)
      : state_(state), at_(first), last_(last) {
    path_.range = state.range(first, last);
  }

  BindingPath run() {
    if (at_->kind == Tok::String) {
      std::string_view quoted = take();
      path_.file = quoted.substr(1, quoted.size() - 2);
      take();
    }
    if (isStructOrUnion(state_, at_)) {
      path_.tag = take();
      path_.text += ' ';
    }
    path_.start = takeName();
    while (at_ != last_)
      step();
    return std::move(path_);
  }

private:
  const ParseState &state_;
  TokenIt at_;
  TokenIt last_;
  BindingPath path_;

  std::string_view take() {
    std::string_view text = state_.text(at_);
    path_.text += text;
    ++at_;
    return text;
  }
  Name takeName() {
    Name name = state_.name(at_);
    take();
    return name;
  }

  void step() {
    switch (at_->kind) {
    case Tok::Colon:
      take();
      take();
      path_.function = std::exchange(path_.start, {});
      path_.start = takeName();
      return;
    case Tok::Arrow:
    case Tok::Dot: {
      PathStepKind kind = at_->kind == Tok::Arrow ? PathStepKind::Arrow : PathStepKind::Dot;
      take();
      path_.steps.push_back({kind, takeName()});
      return;
    }
    case Tok::LBracket:
      take();
      if (at_->kind == Tok::RBracket)
        path_.steps.push_back({PathStepKind::Behind, {}});
      else
        path_.steps.push_back({PathStepKind::Index, takeName()});
      take();
      return;
    case Tok::LParen:
      path_.kind = PathKind::Call;
      take();
      if (at_->kind != Tok::RParen)
        path_.operand = takeName();
      take();
      return;
    default:
      path_.kind = at_->kind == Tok::Ampersand ? PathKind::Bit : PathKind::PointsTo;
      path_.text += ' ';
      take();
      path_.text += ' ';
      path_.operand = takeName();
    }
  }
};

/// Runs the subject, which matches a path, and builds it.
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
    x3::traits::move_to(PathBuilder(stateOf(context), start, first).run(), attr);
    return true;
  }
};

/// `struct` or `union` before the name of a type.
struct TypeTagParser : x3::parser<TypeTagParser> {
  using attribute_type = x3::unused_type;
  [[maybe_unused]] static bool const has_attribute = false;

  template <typename Context, typename RContext, typename Attribute>
  bool parse(TokenIt &first, const TokenIt &, const Context &context, RContext &,
             Attribute &) const {
    if (!isStructOrUnion(stateOf(context), first))
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

const auto call = token(Tok::LParen) > -CNameParser("the name of an object") >
                  token(Tok::RParen, "')' after the object that the function gets");
const auto field = (token(Tok::Arrow) | token(Tok::Dot)) > CNameParser("the name of a C field");
const auto index = token(Tok::LBracket) > -cIndex > token(Tok::RBracket, "']' after the index");
const auto ending = (token(Tok::Ampersand) > cMask) |
                    (token(Tok::Equal) > CNameParser("the name of an object after '=='"));

const auto pathSteps = -(token(Tok::String) > token(Tok::Colon, "':' after the file name")) >>
                       -TypeTagParser{} >> cName >>
                       (call | (-(token(Tok::Colon) >
                                  token(Tok::Colon, "'::' after the name of a function") >
                                  CNameParser("the name of a static variable")) >>
                                *(field | index) >> -ending));
const PathDirective<std::decay_t<decltype(pathSteps)>> pathTree{pathSteps};
const auto path = x3::rule<struct PathRule, BindingPath>{"a C variable after '@'"} = pathTree;

} // namespace

bool parsePart(TokenIt &first, TokenIt last, ParseState &state, BindingPath &result) {
  return runGrammar(path, first, last, state, result);
}

} // namespace understudy::specs::syntax

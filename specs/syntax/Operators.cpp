// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Operators.h"

#include "specs/syntax/Characters.h"

#include <algorithm>

namespace understudy::specs::syntax {

namespace {

Built leaf(ParseState &state, ExprKind kind, TokenIt first, TokenIt last) {
  auto expr = std::make_shared<Expr>();
  expr->kind = kind;
  expr->range = state.range(first, last);
  return {std::move(expr), first, last, 1};
}

/// Keeps trees shallow enough for everyone who walks them recursively.
void limitDepth(ParseState &state, Built &built) {
  if (built.depth <= maxNesting)
    return;
  state.error(built.expr->range,
              "this expression is nested deeper than " + std::to_string(maxNesting));
  built = leaf(state, ExprKind::Number, built.first, built.last);
}

void addOperand(Built &parent, Built operand) {
  parent.depth = std::max(parent.depth, operand.depth + 1);
  parent.expr->operands.push_back(std::move(operand.expr));
}

void addOperator(ParseState &state, Built &parent, TokenIt token) {
  parent.expr->operators.emplace_back(state.text(token));
  parent.expr->operatorRanges.push_back(state.range(token, token + 1));
}

/// The negation of the least number is none itself: the two are one literal.
void takeSign(ParseState &state, Operand &operand) {
  Built &literal = operand.value;
  if (literal.expr->kind != ExprKind::Number || literal.expr->parenthesized)
    return;
  const std::string digits = literal.expr->text;
  const NumberCheck check = checkNumber(digits);
  if (!check.isLeast || literal.first[-1].kind != Tok::Minus)
    return; // the lexer has reported what is too large
  if (operand.prefixes.empty()) {
    state.error(literal.expr->range, check.message, check.hint);
    return;
  }
  literal = leaf(state, ExprKind::Number, operand.prefixes.back(), literal.last);
  literal.expr->text = "-" + digits;
  literal.expr->number = check.value;
  operand.prefixes.pop_back();
}

enum Level { Implication, Conditional, Or, And, Equality, Relation, Sum, Product, Single };

Level levelOf(Tok token) {
  switch (token) {
  case Tok::Implies:
    return Implication;
  case Tok::Question:
    return Conditional;
  case Tok::OrOr:
    return Or;
  case Tok::AndAnd:
    return And;
  case Tok::Equal:
  case Tok::NotEqual:
    return Equality;
  case Tok::Less:
  case Tok::LessEqual:
  case Tok::Greater:
  case Tok::GreaterEqual:
  case Tok::KwIn:
    return Relation;
  case Tok::Plus:
  case Tok::Minus:
    return Sum;
  default:
    return Product;
  }
}

/// One method for each kind of level; `at_` walks over the steps once.
class Resolver {
public:
  Resolver(ParseState &state, Flat flat) : state_(state), flat_(std::move(flat)) {}

  Built run() {
    if (tooLong())
      return leaf(state_, ExprKind::Number, flat_.first.first, flat_.first.last);
    return parse(Implication);
  }

private:
  /// `?:` and `=>` nest to the right: their number is the depth of the tree.
  bool tooLong() {
    uint32_t nested = 0;
    for (const Step &step : flat_.steps)
      if (levelOf(step.token->kind) <= Conditional && ++nested > maxNesting) {
        state_.error(state_.range(step.token, step.token + 1),
                     "more than " + std::to_string(maxNesting) + " '" +
                         std::string(state_.text(step.token)) + "' in one expression");
        return true;
      }
    return false;
  }

  bool at(Level level) const {
    return at_ < flat_.steps.size() && levelOf(flat_.steps[at_].token->kind) == level;
  }

  Built parse(int level) {
    switch (level) {
    case Single:
      return at_ == 0 ? std::move(flat_.first) : std::move(flat_.steps[at_ - 1].operand);
    case Conditional:
      return conditional();
    case Equality:
    case Relation:
      return comparison(static_cast<Level>(level));
    default:
      return chain(static_cast<Level>(level));
    }
  }

  Built startNode(const Built &first, ExprKind kind) {
    Built node;
    node.expr = std::make_shared<Expr>();
    node.expr->kind = kind;
    node.first = first.first;
    return node;
  }
  Built finishNode(Built node, TokenIt last) {
    node.last = last;
    node.expr->range = state_.range(node.first, last);
    limitDepth(state_, node);
    return node;
  }

  Built chain(Level level) {
    Built first = parse(level + 1);
    if (!at(level))
      return first;
    Built node = startNode(first, level == Implication ? ExprKind::Implies : ExprKind::Chain);
    addOperand(node, std::move(first));
    TokenIt last = nullptr;
    uint32_t divisions = 0;
    while (at(level)) {
      TokenIt token = flat_.steps[at_++].token;
      addOperator(state_, node, token);
      if (token->kind == Tok::Slash || token->kind == Tok::Percent)
        if (++divisions == maxNesting + 1)
          state_.error(state_.range(token, token + 1),
                       "more than " + std::to_string(maxNesting) + " divisions in one chain");
      Built operand = parse(level + 1);
      last = operand.last;
      addOperand(node, std::move(operand));
    }
    return finishNode(std::move(node), last);
  }

  Built conditional() {
    Built condition = parse(Or);
    if (!at(Conditional))
      return condition;
    Step &step = flat_.steps[at_++];
    Built node = startNode(condition, ExprKind::Conditional);
    addOperand(node, std::move(condition));
    addOperand(node, std::move(step.inner->first));
    Built otherwise = conditional();
    TokenIt last = otherwise.last;
    addOperand(node, std::move(otherwise));
    return finishNode(std::move(node), last);
  }

  Built comparison(Level level) {
    Built left = parse(level + 1);
    if (!at(level))
      return left;
    Built node = compareWith(level, std::move(left));
    bool reported = false;
    while (at(level)) {
      if (!reported)
        reportChain(flat_.steps[at_].token);
      reported = true;
      node = compareWith(level, std::move(node));
    }
    return node;
  }

  Built compareWith(Level level, Built left) {
    Step &step = flat_.steps[at_++];
    warnAboutNegation(left, step.token);
    bool isIn = step.token->kind == Tok::KwIn;
    Built node = startNode(left, isIn ? ExprKind::In : ExprKind::Compare);
    addOperator(state_, node, step.token);
    addOperand(node, std::move(left));
    if (isIn)
      addOperand(node, std::move(step.inner->first));
    Built right = isIn ? std::move(step.inner->second) : parse(level + 1);
    TokenIt last = right.last;
    addOperand(node, std::move(right));
    return finishNode(std::move(node), last);
  }

  void reportChain(TokenIt token) {
    state_.error(state_.range(token, token + 1), "comparisons do not chain",
                 levelOf(token->kind) == Equality
                     ? "write a == b && b == c, or put one comparison in parentheses"
                     : "write a < b && b < c, or b in LO..HI");
  }

  void warnAboutNegation(const Built &left, TokenIt token) {
    const Expr &expr = *left.expr;
    if (expr.kind != ExprKind::Unary || expr.operators[0] != "!" || expr.parenthesized)
      return;
    std::string op(state_.text(token));
    state_.warning(
        state_.range(left.first, left.last), "'!' applies to the left side of '" + op + "' only",
        "write !(a " + op + " b) to negate the comparison, or (!a) " + op + " b if intended");
  }

  ParseState &state_;
  Flat flat_;
  size_t at_ = 0;
};

} // namespace

bool isArithmetic(Tok token) {
  return token == Tok::Plus || token == Tok::Minus || token == Tok::Star || token == Tok::Slash ||
         token == Tok::Percent;
}

Built makeLiteral(ParseState &state, TokenIt token) {
  bool isNumber = token->kind == Tok::Number;
  Built built = leaf(state, isNumber ? ExprKind::Number : ExprKind::Boolean, token, token + 1);
  if (isNumber) {
    built.expr->text = state.text(token);
    built.expr->number = checkNumber(built.expr->text).value;
  } else {
    built.expr->number = token->kind == Tok::KwTrue ? 1 : 0;
  }
  return built;
}

Built makeName(ParseState &state, NameUse use) {
  TokenIt end = use.last ? use.last : use.name + (use.primed ? 2 : 1);
  ExprKind kind = use.index.expr          ? ExprKind::Index
                  : use.arguments.empty() ? ExprKind::Name
                                          : ExprKind::Apply;
  Built built = leaf(state, kind, use.name, end);
  built.expr->text = state.text(use.name);
  built.expr->textRange = state.range(use.name, use.name + 1);
  built.expr->primed = use.primed;
  if (use.index.expr)
    addOperand(built, std::move(use.index));
  for (Built &argument : use.arguments)
    addOperand(built, std::move(argument));
  limitDepth(state, built);
  return built;
}

Built makeWord(ParseState &state, const WordUse &use) {
  ExprKind kind = use.word->kind == Tok::KwHeld   ? ExprKind::Held
                  : use.word->kind == Tok::KwFree ? ExprKind::Free
                  : use.word->kind == Tok::Hash   ? ExprKind::Count
                                                  : ExprKind::Havoc;
  Built built = leaf(state, kind, use.word, use.last ? use.last : use.name + 1);
  built.expr->text = state.text(use.name);
  built.expr->textRange = state.range(use.name, use.name + 1);
  return built;
}

Built makeRelated(ParseState &state, const RelationUse &use) {
  Built built = leaf(state, ExprKind::Related, use.word, use.last);
  built.expr->text = state.text(use.word);
  built.expr->textRange = state.range(use.word, use.word + 1);
  for (TokenIt name : {use.first, use.second})
    addOperand(
        built,
        makeName(state,
                 {.name = name, .last = nullptr, .primed = false, .index = {}, .arguments = {}}));
  return built;
}

Built applyPrefixes(ParseState &state, Operand operand) {
  takeSign(state, operand);
  Built result = std::move(operand.value);
  if (operand.prefixes.size() > maxNesting) {
    TokenIt first = operand.prefixes.front();
    state.error(state.range(first, first + 1),
                "more than " + std::to_string(maxNesting) + " operators before one operand");
    return result;
  }
  for (size_t i = operand.prefixes.size(); i-- > 0;) {
    TokenIt token = operand.prefixes[i];
    Built node = leaf(state, ExprKind::Unary, token, result.last);
    addOperator(state, node, token);
    addOperand(node, std::move(result));
    limitDepth(state, node);
    result = std::move(node);
  }
  return result;
}

Built resolve(ParseState &state, Flat flat) {
  if (flat.steps.empty())
    return std::move(flat.first);
  return Resolver(state, std::move(flat)).run();
}

} // namespace understudy::specs::syntax

// SPDX-License-Identifier: Apache-2.0
#include "LiteralModel.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::tests::literal {

using namespace specs;
using namespace specs::syntax;
using logic::Unsupported;

bool Type::contains(int64_t value) const {
  return !values || std::find(values->begin(), values->end(), value) != values->end();
}

std::optional<size_t> Model::templateNamed(const std::string &name) const {
  for (size_t i = 0; i < templates.size(); ++i)
    if (templates[i].name == name)
      return i;
  return std::nullopt;
}

std::vector<const Statement *> statementsOf(const Block &block) {
  std::vector<const Statement *> found;
  for (const Statement &statement : block)
    if (!std::holds_alternative<LocalDecl>(statement.node) &&
        !std::holds_alternative<LabelStatement>(statement.node))
      found.push_back(&statement);
  return found;
}

namespace {

class Reader {
public:
  explicit Reader(uint32_t starred) : starred_(starred) {}

  Model read(const ConcFile &file) {
    for (const ConcItem &item : file.items)
      std::visit([&](const auto &it) { add(it); }, item);
    if (!hasRun_)
      model_.run["main"] = 1;
    return std::move(model_);
  }

private:
  int64_t constant(const Expr &expression) { return valueOf(model_, expression, {}); }

  Type typeOf(const TypeRef &type) {
    if (type.isArray)
      throw Unsupported("array");
    switch (type.kind) {
    case TypeKind::Bool:
      return {std::vector<int64_t>{0, 1}};
    case TypeKind::Named:
      return model_.enums.at(type.name);
    case TypeKind::Range: {
      std::vector<int64_t> values;
      for (int64_t i = constant(*type.lower); i <= constant(*type.upper); ++i)
        values.push_back(i);
      return {values};
    }
    default:
      return {};
    }
  }

  void add(const EnumDecl &item) {
    int64_t next = 0;
    Type type{std::vector<int64_t>{}};
    for (const EnumeratorDecl &enumerator : item.enumerators) {
      if (enumerator.value)
        next = constant(*enumerator.value);
      type.values->push_back(next);
      model_.enumerators[enumerator.name.text] = next++;
    }
    model_.enums[item.name.text] = type;
  }
  void add(const GlobalDecl &item) {
    if (item.type.kind == TypeKind::Mutex || item.type.kind == TypeKind::Cond)
      return;
    for (const Declarator &variable : item.variables)
      model_.globals.push_back({variable.name.text, typeOf(item.type), variable.initial.get()});
  }
  void add(const ConcThread &item) {
    Template thread;
    thread.name = item.name.text;
    for (const Parameter &parameter : item.parameters)
      thread.locals.push_back({parameter.name.text, typeOf(parameter.type), nullptr});
    thread.parameters = thread.locals.size();
    for (const Statement &statement : item.body)
      if (const auto *local = std::get_if<LocalDecl>(&statement.node))
        for (const Declarator &variable : local->variables)
          thread.locals.push_back(
              {variable.name.text, typeOf(local->type), variable.initial.get()});
    thread.body = statementsOf(item.body);
    labels(item.body);
    model_.templates.push_back(std::move(thread));
  }
  void add(const RunItem &item) {
    hasRun_ = true;
    for (const RunEntry &entry : item.entries)
      model_.run[entry.thread.text] += entry.unbounded ? starred_
                                       : entry.count ? static_cast<uint32_t>(constant(*entry.count))
                                                     : 1;
  }
  void add(const InitiallyItem &item) { model_.initially.push_back(item.condition.get()); }
  void add(const InvariantItem &item) { model_.invariants.push_back(item.condition.get()); }
  void add(const NeverItem &item) { model_.exclusions.push_back(&item); }

  /// Which statement comes after which labels.
  void labels(const Block &block) {
    std::set<std::string> pending;
    for (const Statement &statement : block) {
      if (const auto *label = std::get_if<LabelStatement>(&statement.node)) {
        pending.insert(label->label.text);
        continue;
      }
      model_.labels[&statement].insert(pending.begin(), pending.end());
      pending.clear();
      if (const auto *branch = std::get_if<IfStatement>(&statement.node)) {
        labels(*branch->yes);
        if (branch->no)
          labels(*branch->no);
      } else if (const auto *loop = std::get_if<WhileStatement>(&statement.node)) {
        labels(*loop->body);
      } else if (const auto *section = std::get_if<AtomicStatement>(&statement.node)) {
        labels(*section->body);
      } else if (std::holds_alternative<GotoStatement>(statement.node)) {
        throw Unsupported("goto");
      }
    }
    if (!pending.empty())
      throw Unsupported("label at the end of a block");
  }

  uint32_t starred_;
  Model model_;
  bool hasRun_ = false;
};

int64_t nameValue(const Model &model, const std::string &name, const Moment &moment) {
  if (moment.self.thread < model.templates.size()) {
    const std::vector<Variable> &locals = model.templates[moment.self.thread].locals;
    for (size_t i = 0; i < moment.self.locals.size(); ++i)
      if (locals[i].name == name)
        return moment.self.locals[i];
  }
  for (size_t i = 0; i < moment.globals.size(); ++i)
    if (model.globals[i].name == name)
      return moment.globals[i];
  const auto enumerator = model.enumerators.find(name);
  if (enumerator == model.enumerators.end())
    throw Unsupported("name " + name);
  return enumerator->second;
}

int64_t combine(const std::string &op, int64_t a, int64_t b) {
  if (op == "+")
    return a + b;
  if (op == "-")
    return a - b;
  if (op == "*")
    return a * b;
  if (op == "/")
    return a / b;
  if (op == "%")
    return a % b;
  throw Unsupported("operator " + op);
}

int64_t compareValues(const std::string &op, int64_t a, int64_t b) {
  if (op == "==")
    return a == b;
  if (op == "!=")
    return a != b;
  if (op == "<")
    return a < b;
  if (op == "<=")
    return a <= b;
  if (op == ">")
    return a > b;
  if (op == ">=")
    return a >= b;
  throw Unsupported("comparison " + op);
}

int64_t chainValue(const Model &model, const Expr &chain, const Moment &moment) {
  int64_t value = valueOf(model, *chain.operands[0], moment);
  for (size_t i = 0; i < chain.operators.size(); ++i) {
    const std::string &op = chain.operators[i];
    const Expr &next = *chain.operands[i + 1];
    if (op == "&&")
      value = value != 0 && valueOf(model, next, moment) != 0;
    else if (op == "||")
      value = value != 0 || valueOf(model, next, moment) != 0;
    else
      value = combine(op, value, valueOf(model, next, moment));
  }
  return value;
}

/// a => b => c is a => (b => c).
int64_t implication(const Model &model, const Expr &expression, const Moment &moment) {
  for (size_t i = 0; i + 1 < expression.operands.size(); ++i)
    if (valueOf(model, *expression.operands[i], moment) == 0)
      return 1;
  return valueOf(model, *expression.operands.back(), moment);
}

bool isFree(const std::string &mutex, const Moment &moment) {
  return !moment.self.held.contains(mutex) &&
         std::none_of(moment.others.begin(), moment.others.end(),
                      [&](const Thread &thread) { return thread.held.contains(mutex); });
}

} // namespace

Model modelOf(const ConcFile &file, uint32_t starred) { return Reader(starred).read(file); }

int64_t valueOf(const Model &model, const Expr &expression, const Moment &moment) {
  const auto operand = [&](size_t i) { return valueOf(model, *expression.operands[i], moment); };
  switch (expression.kind) {
  case ExprKind::Number:
  case ExprKind::Boolean:
    return expression.number;
  case ExprKind::Name:
    return nameValue(model, expression.text, moment);
  case ExprKind::Unary:
    return expression.operators[0] == "!" ? operand(0) == 0 : -operand(0);
  case ExprKind::Chain:
    return chainValue(model, expression, moment);
  case ExprKind::Compare:
    return compareValues(expression.operators[0], operand(0), operand(1));
  case ExprKind::In:
    return operand(1) <= operand(0) && operand(0) <= operand(2);
  case ExprKind::Implies:
    return implication(model, expression, moment);
  case ExprKind::Conditional:
    return operand(0) != 0 ? operand(1) : operand(2);
  case ExprKind::Held:
    return moment.self.held.contains(expression.text);
  case ExprKind::Free:
    return isFree(expression.text, moment);
  default:
    throw Unsupported("expression");
  }
}

} // namespace understudy::tests::literal

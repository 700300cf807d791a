// SPDX-License-Identifier: Apache-2.0
#include "RandomTree.h"

#include "../Support.h"

namespace understudy::tests {

using namespace specs;
using namespace specs::syntax;

namespace {

/// Bindings as the grammar has them, loosest first.
enum Level { Implication, Choice, Or, And, Equality, Relation, Sum, Product, Prefix, Operand };

class Generator {
public:
  explicit Generator(uint64_t seed, bool contract = false) : random_(seed), contract_(contract) {}

  Name name() {
    static const std::vector<std::string> names{"a", "b", "count", "x1", "_y", "pendingIO"};
    return {random_.pick(names), {}};
  }
  /// Any name of a contract: its keywords are reserved only where a part begins.
  Name contractName() {
    static const std::vector<std::string> words{"lock",  "in",      "state",  "free",  "wait",
                                                "claim", "section", "object", "final", "with"};
    return contract_ && random_.oneIn(6) ? Name{random_.pick(words), {}} : name();
  }
  std::optional<Name> maybeName() {
    return random_.oneIn(2) ? std::optional<Name>(name()) : std::nullopt;
  }
  bool chance(size_t n) { return random_.oneIn(n); }
  size_t upTo(size_t most) { return random_.below(most + 1); }
  ExprPtr maybeExpr() { return chance(2) ? expr(2) : nullptr; }

  /// An expression that may stand where operators of `level` and tighter are read.
  ExprPtr expr(int depth, Level level = Implication) {
    Level chosen = depth <= 0 ? Operand : static_cast<Level>(random_.below(Operand + 1));
    auto node = std::make_shared<Expr>(build(chosen, depth));
    bool needed = chosen < level;
    node->parenthesized = needed || chance(12);
    return node;
  }

  TypeRef type(size_t kinds = 6) {
    TypeRef type;
    type.kind = static_cast<TypeKind>(random_.below(kinds));
    if (type.kind == TypeKind::Named)
      type.name = name().text;
    if (type.kind == TypeKind::Range) {
      type.lower = bound(2);
      type.upper = bound(2);
    }
    return type;
  }
  TypeRef concType() {
    TypeRef result = type();
    result.isArray = chance(4);
    if (result.isArray && chance(2))
      result.arraySize = expr(1);
    return result;
  }

  EnumDecl enumDecl() {
    EnumDecl decl{name(), {}, {}};
    for (size_t i = 0; i <= upTo(3); ++i)
      decl.enumerators.push_back({name(), maybeExpr()});
    return decl;
  }
  NeverItem never() { return {{name(), name()}, {name(), name()}, {}}; }
  RunItem run() {
    RunItem item;
    for (size_t i = 0; i <= upTo(3); ++i) {
      RunEntry entry{name(), nullptr, chance(3)};
      if (!entry.unbounded)
        entry.count = maybeExpr();
      item.entries.push_back(entry);
    }
    return item;
  }

private:
  Expr build(Level level, int depth) {
    Expr node;
    auto add = [&](Level operandLevel) { node.operands.push_back(expr(depth - 1, operandLevel)); };
    auto chain = [&](ExprKind kind, const std::vector<std::string> &operators, size_t count) {
      node.kind = kind;
      add(static_cast<Level>(level + 1));
      for (size_t i = 0; i < count; ++i) {
        node.operators.push_back(random_.pick(operators));
        add(static_cast<Level>(level + 1));
      }
    };
    switch (level) {
    case Implication:
      chain(ExprKind::Implies, {"=>"}, 1 + upTo(2));
      break;
    case Choice:
      node.kind = ExprKind::Conditional;
      add(Or);
      add(Implication);
      add(Choice);
      break;
    case Or:
      chain(ExprKind::Chain, {"||"}, 1 + upTo(2));
      break;
    case And:
      chain(ExprKind::Chain, {"&&"}, 1 + upTo(2));
      break;
    case Equality:
      chain(ExprKind::Compare, {"==", "!="}, 1);
      break;
    case Relation:
      if (chance(3)) {
        node.kind = ExprKind::In;
        node.operators = {"in"};
        for (int i = 0; i < 3; ++i)
          add(Sum);
      } else {
        chain(ExprKind::Compare, {"<", "<=", ">", ">="}, 1);
      }
      break;
    case Sum:
      chain(ExprKind::Chain, {"+", "-"}, 1 + upTo(3));
      break;
    case Product:
      chain(ExprKind::Chain, {"*", "/", "%"}, 1 + upTo(3));
      break;
    case Prefix:
      node.kind = ExprKind::Unary;
      node.operators = {chance(2) ? "!" : "-"};
      add(Prefix);
      break;
    case Operand:
      return leaf(depth);
    }
    return node;
  }
  Expr leaf(int depth) {
    Expr node;
    constexpr ExprKind kinds[] = {ExprKind::Number, ExprKind::Boolean, ExprKind::Name,
                                  ExprKind::Index,  ExprKind::Held,    ExprKind::Free,
                                  ExprKind::Havoc,  ExprKind::Apply,   ExprKind::Count};
    node.kind = kinds[random_.below(contract_ ? 9 : 7)];
    if ((node.kind == ExprKind::Index || node.kind == ExprKind::Apply) && depth <= 0)
      node.kind = ExprKind::Name;
    if (node.kind == ExprKind::Number) {
      node.number = random_.between(0, 1000);
      node.text = chance(4) ? "0x1F" : std::to_string(node.number);
      return node;
    }
    node.number = node.kind == ExprKind::Boolean && chance(2) ? 1 : 0;
    if (node.kind == ExprKind::Name)
      node.text = contractName().text;
    else if (node.kind != ExprKind::Boolean)
      node.text = name().text;
    node.primed = (node.kind == ExprKind::Name || node.kind == ExprKind::Index ||
                   node.kind == ExprKind::Apply) &&
                  chance(3);
    if (node.kind == ExprKind::Index || node.kind == ExprKind::Apply)
      node.operands.push_back(expr(depth - 1));
    if (node.kind == ExprKind::Apply && chance(2))
      node.operands.push_back(expr(depth - 1));
    return node;
  }
  /// A bound of a type: numbers and names with arithmetic.
  ExprPtr bound(int depth) {
    auto node = std::make_shared<Expr>();
    if (depth > 0 && chance(3)) {
      node->kind = ExprKind::Chain;
      node->operators = {chance(2) ? "+" : "-"};
      node->operands = {bound(0), bound(0)};
    } else if (chance(2)) {
      node->kind = ExprKind::Name;
      node->text = name().text;
    } else {
      node->number = random_.between(0, 9);
      node->text = std::to_string(node->number);
    }
    return node;
  }

  Random random_;
  bool contract_;
};

class ContractGenerator : Generator {
public:
  explicit ContractGenerator(uint64_t seed) : Generator(seed, true) {}

  Parsed<Contract> run() {
    Parsed<Contract> parsed;
    parsed.tree.name = name();
    for (size_t i = upTo(8); i > 0; --i)
      parsed.tree.items.push_back(item());
    return parsed;
  }

private:
  SystemItem item() {
    switch (upTo(10)) {
    case 9:
      return ObjectDecl{contractName(), chance(2) ? "struct" : "", name(), {}};
    case 10:
      return ClaimItem{expr(3), paths(1 + upTo(1)), {}};
    case 0:
      return shared();
    case 1:
      return enumDecl();
    case 2:
      return ConstDecl{name(), expr(2), {}};
    case 3:
      return DefineDecl{name(), names(upTo(2)), expr(4), {}};
    case 4:
      return InitiallyItem{expr(4), {}};
    case 5:
      return InvariantItem{expr(5), {}};
    case 6:
      return never();
    case 7:
      return Generator::run();
    default:
      return thread();
    }
  }
  SharedDecl shared() {
    SharedDecl decl;
    decl.ghost = chance(4);
    decl.type = type(7);
    decl.recursive = decl.type.kind == TypeKind::Section && chance(2);
    decl.name = contractName();
    decl.arraySize = chance(4) ? expr(1) : nullptr;
    decl.paths = paths(upTo(2));
    decl.initial = maybeExpr();
    if (chance(2))
      decl.discipline = DisciplineRef{static_cast<DisciplineKind>(upTo(2)), contractName()};
    return decl;
  }
  std::vector<Name> names(size_t count) {
    std::vector<Name> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(contractName());
    return result;
  }
  std::vector<BindingPath> paths(size_t count) {
    std::vector<BindingPath> result;
    for (size_t i = 0; i < count; ++i)
      result.push_back(path());
    return result;
  }
  BindingPath path() {
    BindingPath path;
    auto put = [&](const std::string &text) { path.text += text; };
    auto word = [&] {
      Name result = contractName();
      put(result.text);
      return result;
    };
    if (chance(4)) {
      path.file = "f.c";
      put("\"f.c\":");
    }
    if (chance(4)) {
      path.tag = chance(2) ? "struct" : "union";
      put(path.tag + " ");
    }
    path.start = word();
    if (chance(4)) {
      path.kind = PathKind::Call;
      put("(");
      if (chance(2))
        path.operand = word();
      put(")");
      return path;
    }
    if (chance(5)) {
      put("::");
      path.function = path.start;
      path.start = word();
    }
    for (size_t i = upTo(3); i > 0; --i)
      pathStep(path);
    if (chance(3)) {
      path.kind = chance(2) ? PathKind::Bit : PathKind::PointsTo;
      bool bit = path.kind == PathKind::Bit;
      put(bit ? " & " : " == ");
      path.operand = bit ? Name{"0x2", {}} : contractName();
      put(path.operand.text);
    }
    return path;
  }
  void pathStep(BindingPath &path) {
    PathStep step{static_cast<PathStepKind>(upTo(3)), {}};
    constexpr const char *before[] = {"->", ".", "[", "["};
    path.text += before[static_cast<size_t>(step.kind)];
    bool named = step.kind == PathStepKind::Arrow || step.kind == PathStepKind::Dot;
    if (step.kind != PathStepKind::Behind)
      step.name = named ? contractName() : Name{"3", {}};
    path.text += step.name.text + (named ? "" : "]");
    path.steps.push_back(step);
  }
  ActionRef action() {
    ActionRef action;
    action.kind = static_cast<ActionKind>(upTo(7));
    action.target = name();
    if (action.kind == ActionKind::Wait)
      action.mutex = name();
    if (action.kind == ActionKind::Fork || action.kind == ActionKind::Join)
      action.id = maybeExpr();
    if (action.kind == ActionKind::Join && action.id && chance(2))
      action.target.reset();
    return action;
  }
  StateMember stateMember() {
    switch (upTo(3)) {
    case 0:
      return RelyDecl{expr(3), {}};
    case 1:
      return AssertDecl{expr(3), {}, {}};
    default: {
      EdgeDecl edge;
      edge.target = contractName();
      edge.condition = maybeExpr();
      if (chance(2))
        edge.action = action();
      return edge;
    }
    }
  }
  ThreadMember threadMember() {
    switch (upTo(5)) {
    case 0:
      return ContractLocal{type(3), name(), maybeExpr(), {}};
    case 1:
      return RelyDecl{expr(3), {}};
    case 2:
      return AssertDecl{expr(3), names(upTo(2)), {}};
    default: {
      StateDecl state;
      state.initial = chance(3);
      state.final = chance(3);
      state.name = name();
      if (chance(3))
        state.inside = InsideRef{contractName(), chance(2)};
      if (chance(20))
        state.name.text = "aNameThatIsMuchTooLongToAlignTheBracesOfStates";
      state.hasBody = chance(2);
      for (size_t i = state.hasBody ? upTo(4) : 0; i > 0; --i)
        state.members.push_back(stateMember());
      return state;
    }
    }
  }
  ContractThread thread() {
    ContractThread thread;
    thread.kind = static_cast<ThreadKind>(upTo(2));
    thread.name = name();
    thread.hasBody = thread.kind == ThreadKind::Environment || chance(2);
    if (thread.kind != ThreadKind::Environment && chance(2)) {
      thread.function = FunctionRef{std::nullopt, contractName()};
      if (chance(2))
        thread.function->file = "file.c";
    }
    if (thread.kind != ThreadKind::Environment && chance(3))
      thread.via = WrapperRef{contractName(), paths(upTo(2))};
    for (size_t i = thread.hasBody ? upTo(6) : 0; i > 0; --i)
      thread.members.push_back(threadMember());
    return thread;
  }
};

class ConcGenerator : Generator {
public:
  using Generator::Generator;

  Parsed<ConcFile> run() {
    Parsed<ConcFile> parsed;
    for (size_t i = upTo(6); i > 0; --i)
      parsed.tree.items.push_back(item());
    return parsed;
  }

private:
  ConcItem item() {
    switch (upTo(8)) {
    case 0:
      return GlobalDecl{concType(), declarators(), {}};
    case 1:
      return enumDecl();
    case 2:
      return Generator::run();
    case 3:
      return InitiallyItem{expr(4), {}};
    case 4:
      return InvariantItem{expr(4), {}};
    case 5:
      return never();
    default: {
      ConcThread thread{name(), {}, block(3), {}};
      for (size_t i = upTo(2); i > 0; --i)
        thread.parameters.push_back({concType(), name()});
      return thread;
    }
    }
  }
  std::vector<Declarator> declarators() {
    std::vector<Declarator> result;
    for (size_t i = 0; i <= upTo(2); ++i)
      result.push_back({name(), maybeExpr()});
    return result;
  }
  Block block(int depth) {
    Block result;
    for (size_t i = upTo(4); i > 0; --i)
      result.push_back({node(depth), {}, {}});
    return result;
  }
  std::shared_ptr<const Block> sharedBlock(int depth) {
    return std::make_shared<const Block>(block(depth));
  }
  using Node = decltype(Statement::node);
  IfStatement ifStatement(int depth) {
    IfStatement node;
    node.condition = maybeExpr();
    node.yes = sharedBlock(depth - 1);
    node.elseIf = chance(3);
    if (node.elseIf)
      node.no = std::make_shared<const Block>(Block{{ifStatement(depth - 1), {}, {}}});
    else if (chance(2))
      node.no = sharedBlock(depth - 1);
    return node;
  }
  ForkStatement fork() {
    ForkStatement node;
    node.thread = name();
    if (chance(3))
      node.result = name();
    else
      node.id = maybeExpr();
    for (size_t i = upTo(2); i > 0; --i)
      node.arguments.push_back(expr(2));
    return node;
  }
  Node node(int depth) {
    switch (depth > 0 ? upTo(17) : 3 + upTo(14)) {
    case 0:
      return ifStatement(depth);
    case 1:
      return WhileStatement{maybeExpr(), sharedBlock(depth - 1)};
    case 2:
      return AtomicStatement{sharedBlock(depth - 1)};
    case 3:
      return SkipStatement{};
    case 4:
      return HavocStatement{name()};
    case 5:
      return AssumeStatement{expr(3)};
    case 6:
      return AssertStatement{expr(3)};
    case 7:
      return LabelStatement{name()};
    case 8:
      return GotoStatement{name()};
    case 9:
      return ReturnStatement{};
    case 10:
      return fork();
    case 11:
      return JoinStatement{expr(2), std::nullopt};
    case 12:
      return LockStatement{name()};
    case 13:
      return UnlockStatement{name()};
    case 14:
      return WaitStatement{name(), maybeName()};
    case 15:
      return SignalStatement{name()};
    case 16:
      return BroadcastStatement{name()};
    default:
      if (chance(3))
        return LocalDecl{concType(), declarators(), {}};
      return AssignStatement{name(), maybeExpr(), expr(3)};
    }
  }
};

} // namespace

Parsed<Contract> randomContract(uint64_t seed) { return ContractGenerator(seed).run(); }
Parsed<ConcFile> randomConc(uint64_t seed) { return ConcGenerator(seed).run(); }

} // namespace understudy::tests

// SPDX-License-Identifier: Apache-2.0
#include "passes/checker/CheckerState.h"

#include "logic/Error.h"
#include "passes/lower/Arbitrary.h"

#include <llvm/IR/Module.h>

#include <algorithm>

namespace understudy::passes::checker {

CheckerState::CheckerState(llvm::Module &module, const Machine &machine,
                           const memory::Binding &binding, Coverage coverage)
    : module_(module), machine_(machine), binding_(binding), coverage_(coverage),
      builder_(module.getContext()) {
  chooseWidth();
  for (const MachineNode &node : machine.nodes)
    nodes_.push_back(makeGlobal("in." + node.name, builder_.getInt1Ty()));
  withoutObject_ = machine.unseen;
  for (logic::Variable variable : machine.shared)
    if (bound(variable) == nullptr)
      withoutObject_.push_back(variable);
  for (logic::Variable variable : withoutObject_) {
    logic::Sort sort = variable.sort();
    logic::Sort element = sort.isArray() ? sort.element() : sort;
    llvm::Type *type = element.isBool() ? builder_.getInt1Ty() : builder_.getInt64Ty();
    if (sort.isArray())
      type = llvm::ArrayType::get(type, static_cast<uint64_t>(sort.arraySize().value_or(0)));
    unseen_[variable] = makeGlobal("unseen." + variable.name(), type);
    snapshots_[variable] = makeGlobal("before." + variable.name(), type);
  }
  for (const memory::BoundVariable &variable : binding.variables)
    snapshots_[variable.variable()] =
        makeGlobal("before." + variable.variable().name(), variable.global->getValueType());
  for (const compose::Mutex &mutex : machine.program->mutexes)
    held_[mutex.name] = makeGlobal("holds." + mutex.name, builder_.getInt1Ty());
  if (coverage == Coverage::Goals)
    makeGoals();
}

void CheckerState::chooseWidth() {
  auto bitsOf = [this](logic::Variable variable) {
    const memory::BoundVariable *found = bound(variable);
    return found != nullptr ? found->bits : 64u;
  };
  unsigned bits = 33;
  for (const MachineNode &node : machine_.nodes)
    bits = std::max({bits, bitsNeeded(node.assertion, bitsOf), bitsNeeded(node.rely, bitsOf)});
  for (const MachineEdge &edge : machine_.edges)
    bits = std::max({bits, bitsNeeded(edge.match, bitsOf), bitsNeeded(edge.silent, bitsOf)});
  for (const memory::BoundVariable &variable : binding_.variables)
    bits = std::max(bits, variable.bits);
  if (bits > 120)
    throw logic::Unsupported("the numbers in the contract of " + machine_.binding->name +
                                 " are too large",
                             machine_.binding->range);
  wide_ = builder_.getIntNTy(bits < 63 ? 64 : 128);
}

llvm::GlobalVariable *CheckerState::makeGlobal(const std::string &name, llvm::Type *type) {
  return new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage,
                                  llvm::Constant::getNullValue(type), prefix() + name);
}

const memory::BoundVariable *CheckerState::bound(logic::Variable variable) const {
  for (const memory::BoundVariable &candidate : binding_.variables)
    if (candidate.variable() == variable)
      return &candidate;
  return nullptr;
}

llvm::Function *CheckerState::make(const std::string &name, llvm::Type *type,
                                   const std::function<llvm::Value *()> &body) {
  llvm::Function *&function = made_[name];
  if (function != nullptr)
    return function;
  function = llvm::Function::Create(llvm::FunctionType::get(type, false),
                                    llvm::Function::InternalLinkage, prefix() + name, module_);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
  used_.assign(goals_.wanted.size(), nullptr);
  if (llvm::Value *result = body())
    builder_.CreateRet(result);
  else
    builder_.CreateRetVoid();
  return function;
}

// ---------------------------------------------------------------------------------------------
// Reading and writing the shared state.

llvm::GlobalVariable *CheckerState::memoryOf(logic::Variable variable, When when) {
  if (when == When::Snapshot)
    return snapshots_.at(variable);
  const memory::BoundVariable *found = bound(variable);
  return found != nullptr ? found->global : unseen_.at(variable);
}

llvm::Value *CheckerState::widened(const memory::BoundVariable &variable, llvm::Value *value) {
  if (variable.isTruth())
    return builder_.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  return variable.isSigned ? builder_.CreateSExt(value, wide_) : builder_.CreateZExt(value, wide_);
}

Elements CheckerState::read(logic::Variable variable, When when) {
  llvm::GlobalVariable *memory = memoryOf(variable, when);
  llvm::Type *type = memory->getValueType();
  uint64_t count = type->isArrayTy() ? type->getArrayNumElements() : 1;
  llvm::Type *elementType = type->isArrayTy() ? type->getArrayElementType() : type;
  const memory::BoundVariable *found = bound(variable);
  Elements result;
  for (uint64_t i = 0; i < count; ++i) {
    llvm::Value *address =
        type->isArrayTy() ? builder_.CreateConstInBoundsGEP2_64(type, memory, 0, i) : memory;
    llvm::Value *value = builder_.CreateLoad(elementType, address);
    if (found != nullptr)
      value = widened(*found, value);
    else if (!elementType->isIntegerTy(1))
      value = builder_.CreateSExtOrTrunc(value, wide_);
    result.push_back(value);
  }
  return result;
}

ContractCode CheckerState::code(When before, When after) {
  auto known = std::make_shared<std::map<std::pair<logic::Variable, bool>, Elements>>();
  return {builder_, wide_, [this, before, after, known](logic::Variable variable, bool primed) {
            auto [entry, isNew] = known->emplace(std::pair(variable, primed), Elements{});
            if (isNew)
              entry->second = read(variable, primed ? after : before);
            return entry->second;
          }};
}

void CheckerState::takeSnapshot(logic::Variable variable) {
  llvm::GlobalVariable *from = memoryOf(variable, When::Now);
  llvm::GlobalVariable *to = memoryOf(variable, When::Snapshot);
  llvm::Type *type = from->getValueType();
  if (!type->isArrayTy()) {
    builder_.CreateStore(builder_.CreateLoad(type, from), to);
    return;
  }
  for (uint64_t i = 0; i < type->getArrayNumElements(); ++i)
    builder_.CreateStore(builder_.CreateLoad(type->getArrayElementType(),
                                             builder_.CreateConstInBoundsGEP2_64(type, from, 0, i)),
                         builder_.CreateConstInBoundsGEP2_64(type, to, 0, i));
}

void CheckerState::assumeInSort(llvm::Value *value, logic::Sort sort) {
  auto number = [&](int64_t n) {
    return llvm::ConstantInt::get(wide_, static_cast<uint64_t>(n), true);
  };
  llvm::Value *inside = nullptr;
  if (sort.isEnum()) {
    inside = builder_.getFalse();
    for (const logic::Enumerator &e : sort.enumerators())
      inside = builder_.CreateOr(inside, builder_.CreateICmpEQ(value, number(e.value)));
  } else if (sort.kind() == logic::SortKind::Range) {
    inside = builder_.CreateAnd(builder_.CreateICmpSGE(value, number(sort.lower())),
                                builder_.CreateICmpSLE(value, number(sort.upper())));
  }
  if (inside != nullptr)
    lower::assume(builder_, inside);
}

void CheckerState::makeArbitrary(const memory::BoundVariable &variable) {
  llvm::Type *type = variable.global->getValueType();
  for (uint64_t i = 0; i < std::max<uint64_t>(variable.count, 1); ++i) {
    llvm::Type *integer = builder_.getIntNTy(variable.bits);
    llvm::Value *value =
        variable.isBool
            ? builder_.CreateZExt(lower::arbitrary(builder_, builder_.getInt1Ty()), integer)
            : lower::arbitrary(builder_, integer,
                               variable.isSigned ? lower::Sign::Signed : lower::Sign::Unsigned);
    if (!variable.isTruth())
      assumeInSort(widened(variable, value), variable.element());
    builder_.CreateStore(
        value, variable.count > 0 ? builder_.CreateConstInBoundsGEP2_64(type, variable.global, 0, i)
                                  : variable.global);
  }
}

void CheckerState::makeArbitraryUnseen(logic::Variable variable) {
  llvm::GlobalVariable *memory = unseen_.at(variable);
  llvm::Type *type = memory->getValueType();
  logic::Sort sort = variable.sort();
  logic::Sort element = sort.isArray() ? sort.element() : sort;
  uint64_t count = type->isArrayTy() ? type->getArrayNumElements() : 1;
  for (uint64_t i = 0; i < count; ++i) {
    llvm::Value *value =
        lower::arbitrary(builder_, type->isArrayTy() ? type->getArrayElementType() : type);
    if (!element.isBool())
      assumeInSort(builder_.CreateSExtOrTrunc(value, wide_), element);
    builder_.CreateStore(value, type->isArrayTy()
                                    ? builder_.CreateConstInBoundsGEP2_64(type, memory, 0, i)
                                    : memory);
  }
}

// ---------------------------------------------------------------------------------------------
// F.

CheckerState::Bits CheckerState::loadNodes() {
  Bits bits;
  for (llvm::GlobalVariable *node : nodes_)
    bits.push_back(builder_.CreateLoad(builder_.getInt1Ty(), node));
  return bits;
}

void CheckerState::storeNodes(const Bits &bits) {
  for (size_t i = 0; i < bits.size(); ++i)
    builder_.CreateStore(bits[i], nodes_[i]);
}

llvm::Value *CheckerState::any(const Bits &bits) {
  llvm::Value *result = nullptr;
  for (llvm::Value *bit : bits)
    result = result == nullptr ? bit : builder_.CreateOr(result, bit);
  return result != nullptr ? result : builder_.getFalse();
}

/// Silent moves lead forwards in the machine's order, so that one pass is enough; inside a group of
/// nodes on a cycle as many passes as it has nodes.
CheckerState::Bits CheckerState::closed(Bits bits, ContractCode &code) {
  std::vector<std::vector<const MachineEdge *>> into(nodes_.size());
  for (const MachineEdge &edge : machine_.edges)
    if (!edge.silent.isFalse() && edge.source != edge.target)
      into[edge.target].push_back(&edge);
  for (const auto &group : machine_.silentOrder)
    for (size_t pass = 0; pass < group.size(); ++pass)
      for (uint32_t node : group)
        for (const MachineEdge *edge : into[node]) {
          llvm::Value *taken = builder_.CreateAnd(bits[edge->source], code.boolean(edge->silent));
          bits[node] = builder_.CreateOr(bits[node], taken);
          use(goals_.edge(edge->edge), taken);
        }
  return bits;
}

llvm::Value *CheckerState::everywhere(const Bits &bits,
                                      const std::function<Term(const MachineNode &)> &what,
                                      ContractCode &code) {
  llvm::Value *result = nullptr;
  for (size_t i = 0; i < bits.size(); ++i) {
    Term formula = what(machine_.nodes[i]);
    if (formula.isTrue())
      continue;
    llvm::Value *claim = builder_.CreateOr(builder_.CreateNot(bits[i]), code.boolean(formula));
    result = result == nullptr ? claim : builder_.CreateAnd(result, claim);
  }
  return result;
}

// ---------------------------------------------------------------------------------------------
// The functions.

llvm::Function *CheckerState::start() {
  return make("start", builder_.getVoidTy(), [this]() -> llvm::Value * {
    for (const memory::BoundVariable &variable : binding_.variables)
      makeArbitrary(variable);
    for (logic::Variable variable : withoutObject_)
      makeArbitraryUnseen(variable);
    for (const auto &[mutex, holds] : held_)
      builder_.CreateStore(builder_.getFalse(), holds);
    Bits bits;
    for (const MachineNode &node : machine_.nodes)
      bits.push_back(builder_.getInt1(node.initial));
    ContractCode now = code(When::Now, When::Now);
    storeNodes(closed(std::move(bits), now));
    return nullptr;
  });
}

llvm::Function *CheckerState::before() {
  return make("before", builder_.getVoidTy(), [this]() -> llvm::Value * {
    for (logic::Variable variable : machine_.shared)
      takeSnapshot(variable);
    for (logic::Variable variable : machine_.unseen)
      takeSnapshot(variable);
    ContractCode now = code(When::Now, When::Now);
    Bits bits = closed(loadNodes(), now);
    if (llvm::Value *claims =
            everywhere(bits, [](const MachineNode &node) { return node.assertion; }, now))
      lower::assume(builder_, claims);
    storeNodes(bits);
    useStates(bits);
    storeGoals(Earlier::Forget);
    return nullptr;
  });
}

llvm::Function *CheckerState::after(const std::string &action) {
  std::string name = action.empty() ? "after" : "after." + action;
  return make(name, builder_.getInt1Ty(), [this, action] {
    Bits old = loadNodes();
    ContractCode step = code(When::Snapshot, When::Now);
    Bits bits(old.size(), builder_.getFalse());
    if (action.empty()) { // idle moves
      llvm::Value *unchanged = step.boolean(machine_.unchanged);
      for (size_t i = 0; i < old.size(); ++i)
        bits[i] = builder_.CreateAnd(old[i], unchanged);
    }
    for (uint32_t i = 0; i < machine_.edges.size(); ++i) {
      const MachineEdge &edge = machine_.edges[i];
      if (edge.action != action)
        continue;
      llvm::Value *taken = builder_.CreateAnd(old[edge.source], step.boolean(edge.match));
      bits[edge.target] = builder_.CreateOr(bits[edge.target], taken);
      if (coverage_ == Coverage::On)
        reportEdge(i, taken);
      use(goals_.edge(edge.edge), taken);
    }
    llvm::Value *possible = any(bits);
    ContractCode now = code(When::Now, When::Now);
    bits = closed(std::move(bits), now);
    storeNodes(bits);
    useStates(bits);
    storeGoals(Earlier::Keep);
    return possible;
  });
}

llvm::Function *CheckerState::others() {
  return make("others", builder_.getVoidTy(), [this]() -> llvm::Value * {
    for (logic::Variable variable : machine_.shared)
      takeSnapshot(variable);
    for (logic::Variable variable : machine_.unseen)
      takeSnapshot(variable);
    for (const memory::BoundVariable &variable : binding_.variables)
      if (!binding_.neverWritten.contains(variable.variable()))
        makeArbitrary(variable);
    for (logic::Variable variable : withoutObject_)
      if (!binding_.neverWritten.contains(variable))
        makeArbitraryUnseen(variable);
    keepHeld();
    ContractCode move = code(When::Snapshot, When::Now);
    if (llvm::Value *claims =
            everywhere(loadNodes(), [](const MachineNode &node) { return node.rely; }, move))
      lower::assume(builder_, claims);
    return nullptr;
  });
}

llvm::Function *CheckerState::excused() {
  return make("excused", builder_.getInt1Ty(), [this] {
    ContractCode now = code(When::Now, When::Now);
    Bits bits = closed(loadNodes(), now);
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] =
          builder_.CreateAnd(bits[i], builder_.CreateNot(now.boolean(machine_.nodes[i].assertion)));
    return any(bits);
  });
}

llvm::Function *CheckerState::mayEnd() {
  return make("mayEnd", builder_.getInt1Ty(), [this] {
    Bits bits;
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (machine_.nodes[i].final)
        bits.push_back(builder_.CreateLoad(builder_.getInt1Ty(), nodes_[i]));
    return any(bits);
  });
}

llvm::Function *CheckerState::contains(const std::string &state) {
  return make("contains." + state, builder_.getInt1Ty(), [this, state] {
    Bits bits;
    for (uint32_t node : machine_.nodesOf(state))
      bits.push_back(builder_.CreateLoad(builder_.getInt1Ty(), nodes_[node]));
    return any(bits);
  });
}

// ---------------------------------------------------------------------------------------------
// Goals.

void CheckerState::makeGoals() {
  goals_.states = machine_.thread().locations.size();
  goals_.edges = machine_.thread().edges.size();
  for (size_t i = 0; i < goals_.count(); ++i) {
    goals_.wanted.push_back(makeGlobal("wanted." + std::to_string(i), builder_.getInt1Ty()));
    goals_.hit.push_back(makeGlobal("hit." + std::to_string(i), builder_.getInt1Ty()));
  }
}

void CheckerState::use(size_t goal, llvm::Value *condition) {
  if (coverage_ != Coverage::Goals)
    return;
  llvm::Value *&used = used_[goal];
  used = used == nullptr ? condition : builder_.CreateOr(used, condition);
}

void CheckerState::useStates(const Bits &bits) {
  for (size_t i = 0; i < bits.size(); ++i)
    use(goals_.state(machine_.nodes[i].state), bits[i]);
}

void CheckerState::storeGoals(Earlier earlier) {
  bool claiming = !used_.empty() && used_[goals_.claim(0)] != nullptr;
  for (size_t i = 0; i < used_.size(); ++i) {
    bool stepGoal = i < goals_.claim(0);
    llvm::Value *hit = used_[i];
    if (earlier == Earlier::Keep && hit != nullptr)
      hit = builder_.CreateOr(hit, builder_.CreateLoad(builder_.getInt1Ty(), goals_.hit[i]));
    if (hit == nullptr && earlier == Earlier::Forget && stepGoal && !claiming)
      hit = builder_.getFalse();
    if (hit != nullptr)
      builder_.CreateStore(hit, goals_.hit[i]);
  }
}

llvm::Value *CheckerState::anyWanted(size_t begin, size_t end) {
  Bits bits;
  for (size_t i = begin; i < end; ++i)
    bits.push_back(builder_.CreateAnd(builder_.CreateLoad(builder_.getInt1Ty(), goals_.hit[i]),
                                      builder_.CreateLoad(builder_.getInt1Ty(), goals_.wanted[i])));
  return any(bits);
}

llvm::Function *CheckerState::reachesGoal() {
  return make("reachesGoal", builder_.getInt1Ty(),
              [this] { return anyWanted(0, goals_.claim(0)); });
}

llvm::Function *CheckerState::claimsGoal() {
  return make("claimsGoal", builder_.getInt1Ty(), [this] {
    ContractCode now = code(When::Now, When::Now);
    Bits bits = closed(loadNodes(), now);
    used_.assign(used_.size(), nullptr); // only the states count here
    for (size_t i = 0; i < goals_.states; ++i)
      use(goals_.claim(i), builder_.getFalse());
    for (size_t i = 0; i < bits.size(); ++i)
      use(goals_.claim(machine_.nodes[i].state), bits[i]);
    storeGoals(Earlier::Forget);
    return anyWanted(goals_.claim(0), goals_.count());
  });
}

llvm::GlobalVariable *CheckerState::wantedPlace(uint32_t place) {
  llvm::GlobalVariable *&wanted = goals_.places[place];
  if (wanted == nullptr)
    wanted = makeGlobal("place." + std::to_string(place), builder_.getInt1Ty());
  return wanted;
}

void CheckerState::reportEdge(uint32_t number, llvm::Value *taken) {
  auto *type = llvm::FunctionType::get(builder_.getVoidTy(),
                                       {builder_.getInt32Ty(), builder_.getInt1Ty()}, false);
  builder_.CreateCall(module_.getOrInsertFunction("understudy_edge", type),
                      {builder_.getInt32(number), taken});
}

} // namespace understudy::passes::checker

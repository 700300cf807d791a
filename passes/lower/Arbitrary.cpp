// SPDX-License-Identifier: Apache-2.0
#include "passes/lower/Arbitrary.h"

#include "passes/lower/StepForm.h"

#include <llvm/IR/Module.h>

#include <optional>
#include <string>

namespace understudy::passes::lower {

namespace {

llvm::Module &moduleOf(llvm::IRBuilder<> &builder) {
  return *builder.GetInsertBlock()->getModule();
}

/// Makes inputs; `place` if they are guesses.
class Inputs {
public:
  Inputs(llvm::IRBuilder<> &builder, std::optional<uint32_t> place)
      : builder_(builder), place_(place) {}

  llvm::Value *any(llvm::Type *type, Sign sign);

private:
  llvm::IRBuilder<> &builder_;
  std::optional<uint32_t> place_;

  llvm::Value *input(const std::string &kind, llvm::Type *type);
  llvm::Value *integer(llvm::IntegerType *type, Sign sign);
};

/// The id of a place as metadata.
llvm::MDNode *placeNode(llvm::LLVMContext &context, uint32_t place) {
  auto *number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), place);
  return llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number));
}

llvm::Value *Inputs::input(const std::string &kind, llvm::Type *type) {
  llvm::CallInst *call = builder_.CreateCall(
      ownFunction(moduleOf(builder_), names::nondet + kind, llvm::FunctionType::get(type, false)));
  if (place_)
    markGuess(*call, *place_);
  return call;
}

std::string integerKind(unsigned bits, Sign sign) {
  std::string prefix = sign == Sign::Signed ? "" : "u";
  switch (bits) {
  case 1:
    return "bool";
  case 8:
    return prefix + "char";
  case 16:
    return prefix + "short";
  case 32:
    return prefix + "int";
  default:
    return prefix + "long";
  }
}

llvm::Value *Inputs::integer(llvm::IntegerType *type, Sign sign) {
  unsigned bits = type->getBitWidth();
  if (bits > 64) { // a part at a time
    llvm::Value *high = integer(builder_.getIntNTy(bits - 64), sign);
    llvm::Value *low = input(integerKind(64, Sign::Unsigned), builder_.getInt64Ty());
    return builder_.CreateOr(builder_.CreateShl(builder_.CreateZExt(high, type), 64),
                             builder_.CreateZExt(low, type));
  }
  unsigned rounded = bits == 1 ? 1 : bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  llvm::Value *value = input(integerKind(rounded, sign), builder_.getIntNTy(rounded));
  return rounded == bits ? value : builder_.CreateTrunc(value, type);
}

llvm::Value *Inputs::any(llvm::Type *type, Sign sign) {
  if (auto *number = llvm::dyn_cast<llvm::IntegerType>(type))
    return integer(number, sign);
  if (type->isPointerTy())
    return input("pointer", type);
  if (type->isFloatTy())
    return input("float", type);
  if (type->isDoubleTy())
    return input("double", type);
  bool aggregate = type->isStructTy() || type->isArrayTy();
  uint64_t count = type->isStructTy()  ? type->getStructNumElements()
                   : type->isArrayTy() ? type->getArrayNumElements()
                                       : 0;
  if (!aggregate || count > 64)
    return llvm::UndefValue::get(type); // never an integer; whoever needs it is told so
  llvm::Value *value = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    llvm::Type *element =
        type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
    value = builder_.CreateInsertValue(value, any(element, sign), i);
  }
  return value;
}

} // namespace

llvm::Value *arbitrary(llvm::IRBuilder<> &builder, llvm::Type *type, Sign sign) {
  return Inputs(builder, std::nullopt).any(type, sign);
}

void markGuess(llvm::Instruction &instruction, uint32_t place) {
  instruction.setMetadata(names::guess, placeNode(instruction.getContext(), place));
}

llvm::Value *guess(llvm::IRBuilder<> &builder, llvm::Type *type, uint32_t place) {
  return Inputs(builder, place).any(type, Sign::Signed);
}

llvm::FunctionCallee ownFunction(llvm::Module &module, const std::string &name,
                                 llvm::FunctionType *type) {
  llvm::Function *known = module.getFunction(name);
  if (known != nullptr && known->isDeclaration() && known->getFunctionType() == type)
    return known;
  llvm::Function *own = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "", module);
  if (known != nullptr)
    own->takeName(known);
  else
    own->setName(name);
  if (known != nullptr && known->isDeclaration()) {
    known->replaceAllUsesWith(own);
    known->eraseFromParent();
  } else if (known != nullptr) {
    known->setName(name + ".0"); // a number, as the linker tells functions of one name apart
  }
  return own;
}

llvm::CallInst *assume(llvm::IRBuilder<> &builder, llvm::Value *condition) {
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
  return builder.CreateCall(ownFunction(moduleOf(builder), names::assume, type),
                            {builder.CreateZExt(condition, builder.getInt32Ty())});
}

void assumeInside(llvm::IRBuilder<> &builder, llvm::Value *index, uint64_t count, uint32_t place) {
  llvm::Value *limit = llvm::ConstantInt::get(index->getType(), count);
  llvm::CallInst *call = assume(builder, builder.CreateICmpULT(index, limit));
  call->setMetadata(names::inside, placeNode(builder.getContext(), place));
}

std::optional<uint32_t> insideOf(const llvm::Instruction &call) {
  const llvm::MDNode *node = call.getMetadata(names::inside);
  if (node == nullptr)
    return std::nullopt;
  const auto *id = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0));
  return static_cast<uint32_t>(id->getZExtValue());
}

llvm::CallInst *callWithId(llvm::IRBuilder<> &builder, const char *name, uint32_t id) {
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
  return builder.CreateCall(ownFunction(moduleOf(builder), name, type), {builder.getInt32(id)});
}

std::string dependsOn(const Place &guess) {
  return "a violation depends on " + guess.detail +
         (guess.range.known()
              ? ", " + guess.how + " on line " + std::to_string(guess.range.begin.line)
              : "");
}

} // namespace understudy::passes::lower

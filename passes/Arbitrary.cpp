// SPDX-License-Identifier: Apache-2.0
#include "passes/Arbitrary.h"

#include "passes/StepForm.h"

#include <llvm/IR/Module.h>

#include <string>

namespace understudy::passes {

namespace {

llvm::Module &moduleOf(llvm::IRBuilder<> &builder) {
  return *builder.GetInsertBlock()->getModule();
}

llvm::Value *input(llvm::IRBuilder<> &builder, const std::string &kind, llvm::Type *type) {
  auto function = moduleOf(builder).getOrInsertFunction(names::nondet + kind,
                                                        llvm::FunctionType::get(type, false));
  return builder.CreateCall(function);
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

llvm::Value *arbitraryInteger(llvm::IRBuilder<> &builder, llvm::IntegerType *type, Sign sign) {
  unsigned bits = type->getBitWidth();
  if (bits > 64) // a part at a time
    return builder.CreateOr(
        builder.CreateShl(
            builder.CreateZExt(arbitraryInteger(builder, builder.getIntNTy(bits - 64), sign), type),
            64),
        builder.CreateZExt(input(builder, integerKind(64, Sign::Unsigned), builder.getInt64Ty()),
                           type));
  unsigned rounded = bits == 1 ? 1 : bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  llvm::Value *value = input(builder, integerKind(rounded, sign), builder.getIntNTy(rounded));
  return rounded == bits ? value : builder.CreateTrunc(value, type);
}

} // namespace

llvm::Value *arbitrary(llvm::IRBuilder<> &builder, llvm::Type *type, Sign sign) {
  if (auto *integer = llvm::dyn_cast<llvm::IntegerType>(type))
    return arbitraryInteger(builder, integer, sign);
  if (type->isPointerTy())
    return input(builder, "pointer", type);
  if (type->isFloatTy())
    return input(builder, "float", type);
  if (type->isDoubleTy())
    return input(builder, "double", type);
  bool aggregate = type->isStructTy() || type->isArrayTy();
  unsigned count = type->isStructTy()  ? type->getStructNumElements()
                   : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                       : 0;
  if (!aggregate || count > 64)
    return llvm::UndefValue::get(type); // never an integer; whoever needs it is told so
  llvm::Value *value = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    llvm::Type *element =
        type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
    value = builder.CreateInsertValue(value, arbitrary(builder, element, sign), i);
  }
  return value;
}

void assume(llvm::IRBuilder<> &builder, llvm::Value *condition) {
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
  builder.CreateCall(moduleOf(builder).getOrInsertFunction(names::assume, type),
                     {builder.CreateZExt(condition, builder.getInt32Ty())});
}

llvm::CallInst *callWithId(llvm::IRBuilder<> &builder, const char *name, uint32_t id) {
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
  return builder.CreateCall(moduleOf(builder).getOrInsertFunction(name, type),
                            {builder.getInt32(id)});
}

} // namespace understudy::passes

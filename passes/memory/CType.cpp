// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/CType.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace understudy::passes::memory {

namespace {

/// The type of the only member, as deep as it lies; otherwise the type itself.
llvm::Type *unwrapped(llvm::Type *type, const llvm::DataLayout &layout) {
  llvm::Type *inner = type;
  while (inner->isStructTy() && inner->getStructNumElements() == 1)
    inner = inner->getStructElementType(0);
  bool same =
      inner->isIntegerTy() && layout.getTypeAllocSize(inner) == layout.getTypeAllocSize(type);
  return same ? inner : type;
}

llvm::Constant *unwrapped(llvm::Constant *constant) {
  while (constant->getType()->isStructTy())
    constant = constant->getAggregateElement(0u);
  return constant;
}

/// The initialiser of the global as one of the type.
llvm::Constant *startAs(llvm::Type *type, const llvm::GlobalVariable &global) {
  if (!global.hasInitializer())
    return nullptr;
  auto *start = const_cast<llvm::Constant *>(global.getInitializer());
  auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  if (array == nullptr)
    return unwrapped(start);
  std::vector<llvm::Constant *> elements;
  for (unsigned i = 0; i < array->getNumElements(); ++i)
    elements.push_back(unwrapped(start->getAggregateElement(i)));
  return llvm::ConstantArray::get(array, elements);
}

/// A union has one member for LLVM.
bool isNumber(const llvm::DIType *type) {
  const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  return composite == nullptr || composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type;
}

} // namespace

const llvm::DIGlobalVariable *debugInfo(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
  global.getDebugInfo(infos);
  return infos.empty() ? nullptr : infos.front()->getVariable();
}

const llvm::DIType *strippedType(const llvm::DIType *type) {
  while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_typedef:
    case llvm::dwarf::DW_TAG_const_type:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_atomic_type:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return type;
}

const llvm::DIType *elementType(const llvm::GlobalVariable &global) {
  const llvm::DIGlobalVariable *info = debugInfo(global);
  const llvm::DIType *type = strippedType(info != nullptr ? info->getType() : nullptr);
  while (const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type)) {
    bool isWrapping = composite->getTag() == llvm::dwarf::DW_TAG_structure_type &&
                      composite->getElements().size() == 1;
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type)
      type = strippedType(composite->getBaseType());
    else if (isWrapping)
      type =
          strippedType(llvm::cast<llvm::DIDerivedType>(composite->getElements()[0])->getBaseType());
    else
      return type;
  }
  return type;
}

llvm::GlobalVariable &withoutWrapping(llvm::GlobalVariable &global) {
  llvm::Module &module = *global.getParent();
  llvm::Type *type = global.getValueType();
  auto *array = llvm::dyn_cast<llvm::ArrayType>(type);
  llvm::Type *element = array != nullptr ? array->getElementType() : type;
  llvm::Type *inner = unwrapped(element, module.getDataLayout());
  if (inner == element || !isNumber(elementType(global)))
    return global;
  type = array != nullptr ? llvm::ArrayType::get(inner, array->getNumElements()) : inner;
  auto *plain = new llvm::GlobalVariable(module, type, global.isConstant(), global.getLinkage(),
                                         startAs(type, global), "", &global,
                                         global.getThreadLocalMode(), global.getAddressSpace());
  plain->copyAttributesFrom(&global);
  plain->copyMetadata(&global, 0);
  plain->takeName(&global);
  global.replaceAllUsesWith(plain);
  global.eraseFromParent();
  return *plain;
}

} // namespace understudy::passes::memory

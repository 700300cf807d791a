// SPDX-License-Identifier: Apache-2.0
#include "passes/memory/Binding.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "passes/memory/CType.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

namespace understudy::passes::memory {

using logic::Diagnostic;
using logic::Severity;

namespace {

/// `"file.c":function::name`; the file, and the function of a static local, may be missing.
struct ObjectName {
  std::string file;
  std::string function;
  std::string name;
};

std::optional<ObjectName> asObjectName(const specs::syntax::BindingPath &path) {
  if (path.kind != specs::syntax::PathKind::Memory || !path.steps.empty() || !path.tag.empty())
    return std::nullopt;
  return ObjectName{path.file, path.function.text, path.start.text};
}

bool fileMatches(const std::string &file, const llvm::DIFile *actual) {
  if (file.empty())
    return true;
  if (actual == nullptr)
    return false;
  llvm::StringRef name = actual->getFilename();
  return name == file || name.ends_with("/" + file);
}

/// The optimiser has put another object in the place of the variable.
bool isRewritten(const llvm::GlobalVariable &global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
  global.getDebugInfo(infos);
  return llvm::any_of(infos, [](const llvm::DIGlobalVariableExpression *info) {
    return info->getExpression() != nullptr && info->getExpression()->getNumElements() > 0;
  });
}

/// The parts of a name that clang and the linker made: `count.x`, `x.4`, `count.x.4`.
ObjectName withoutDebugInfo(const llvm::GlobalVariable &global) {
  llvm::StringRef name = global.getName();
  if (!global.hasLocalLinkage())
    return {"", "", name.str()};
  auto [rest, number] = name.rsplit('.');
  if (!number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos)
    name = rest;
  auto [function, local] = name.split('.');
  return local.empty() ? ObjectName{"", "", name.str()}
                       : ObjectName{"", function.str(), local.str()};
}

/// What the source calls it; the file is left to `fileMatches`.
ObjectName inSource(const llvm::GlobalVariable &global) {
  const llvm::DIGlobalVariable *info = debugInfo(global);
  if (info == nullptr)
    return withoutDebugInfo(global);
  ObjectName result{"", "", info->getName().str()};
  if (const auto *scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(info->getScope()))
    result.function = scope->getSubprogram()->getName().str();
  return result;
}

/// Without debug information: the compiler says that only 0 and 1 are read, or reads one bit of the
/// eight, as it does for a _Bool where nothing was optimised.
bool isReadAsBool(const llvm::GlobalVariable &global) {
  auto asBool = [](const llvm::User *user) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
    if (load == nullptr || !load->getType()->isIntegerTy(8))
      return false;
    if (const llvm::MDNode *range = load->getMetadata(llvm::LLVMContext::MD_range)) {
      const auto *end = llvm::mdconst::extract<llvm::ConstantInt>(range->getOperand(1));
      return end->equalsInt(2);
    }
    return load->getFunction()->hasOptNone() && load->hasOneUse() &&
           llvm::isa<llvm::TruncInst>(load->user_back()) &&
           load->user_back()->getType()->isIntegerTy(1);
  };
  return llvm::any_of(global.users(), asBool);
}

class Binder {
public:
  Binder(const specs::Compiled &contract, llvm::Module &module, Missing missing)
      : contract_(contract), module_(module), missing_(missing) {}

  Binding run() {
    checkSupported(contract_);
    for (const specs::SharedBinding &shared : contract_.shared)
      if (!shared.ghost)
        bind(shared);
    for (const specs::LockBinding &lock : contract_.locks)
      bind(lock);
    checkOverlap();
    checkEnumerators();
    if (!errors_.empty())
      throw logic::Error(errors_);
    return std::move(result_);
  }

private:
  const specs::Compiled &contract_;
  llvm::Module &module_;
  Missing missing_;
  Binding result_;
  std::vector<Diagnostic> errors_;

  void error(const logic::SourceRange &range, const std::string &message,
             const std::string &hint = {}) {
    errors_.push_back({Severity::Error, range, message, hint});
  }

  void bind(const specs::SharedBinding &shared) {
    std::string name = shared.variable.name();
    auto [object, range] = objectOf("variable '" + name + "'", name, shared.paths, shared.range);
    if (llvm::GlobalVariable *global = only(object, range))
      bindTo(shared, *global, range);
    else if (missing_ == Missing::Elsewhere)
      result_.elsewhere.push_back(&shared);
  }

  void bind(const specs::LockBinding &lock) {
    auto [object, range] = objectOf("lock '" + lock.name + "'", lock.name, lock.paths, lock.range);
    if (llvm::GlobalVariable *global = only(object, range))
      result_.locks.push_back({&lock, global});
  }

  /// What a shared name stands for, and where that is said.
  static std::pair<ObjectName, logic::SourceRange>
  objectOf(const std::string &what, const std::string &name,
           const std::vector<specs::syntax::BindingPath> &paths, const logic::SourceRange &range) {
    if (paths.empty())
      return {{"", "", name}, range};
    if (paths.size() > 1)
      throw logic::Unsupported(what + " has several paths; paths through structs and parameters "
                                      "are not supported yet",
                               paths[1].range);
    auto parsed = asObjectName(paths.front());
    if (!parsed)
      throw logic::Unsupported("the path '" + paths.front().text +
                                   "' leads through a struct, a pointer or a bit, which is not "
                                   "supported yet; only whole globals are",
                               paths.front().range);
    return {*parsed, paths.front().range};
  }

  /// The object of the name; null if there is none or, which is an error, there are several.
  llvm::GlobalVariable *only(const ObjectName &object, const logic::SourceRange &range) {
    std::vector<llvm::GlobalVariable *> found = lookup(object);
    if (found.size() == 1)
      return found.front();
    if (found.size() > 1)
      severalError(object, *found.front(), range);
    else if (missing_ == Missing::Error)
      missingError(object, range);
    return nullptr;
  }

  /// A name without function means the global, if there is one, and a static local otherwise.
  std::vector<llvm::GlobalVariable *> lookup(const ObjectName &object) {
    std::vector<llvm::GlobalVariable *> globals;
    std::vector<llvm::GlobalVariable *> locals;
    for (llvm::GlobalVariable &global : module_.globals()) {
      const llvm::DIGlobalVariable *info = debugInfo(global);
      ObjectName source = inSource(global);
      bool fits = source.name == object.name &&
                  (object.function.empty() || object.function == source.function) &&
                  fileMatches(object.file, info != nullptr ? info->getFile() : nullptr);
      if (fits)
        (source.function.empty() ? globals : locals).push_back(&global);
    }
    for (llvm::GlobalAlias &alias : module_.aliases())
      if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(alias.getAliasee());
          global != nullptr && isAliasOf(alias, object))
        globals.push_back(global);
    return globals.empty() ? locals : globals;
  }

  static bool isAliasOf(const llvm::GlobalAlias &alias, const ObjectName &object) {
    return alias.getName() == object.name && object.file.empty() && object.function.empty();
  }

  void missingError(const ObjectName &object, const logic::SourceRange &range) {
    std::vector<std::string> names;
    for (const llvm::GlobalVariable &global : module_.globals())
      if (!global.hasPrivateLinkage())
        names.push_back(inSource(global).name);
    error(range,
          object.function.empty() ? "the code has no global '" + object.name + "'"
                                  : "the code has no static variable '" + object.name +
                                        "' in a function '" + object.function + "'",
          logic::didYouMean(object.name, names));
  }

  void severalError(const ObjectName &object, const llvm::GlobalVariable &first,
                    const logic::SourceRange &range) {
    std::string function = inSource(first).function;
    if (function.empty())
      error(range, "the code has several globals '" + object.name + "'",
            "choose one: @ \"file.c\":" + object.name);
    else
      error(range, "the code has several static variables '" + object.name + "'",
            object.function.empty()
                ? "choose the function: @ " + function + "::" + object.name
                : "choose the file: @ \"file.c\":" + function + "::" + object.name);
  }

  void bindTo(const specs::SharedBinding &shared, llvm::GlobalVariable &found,
              const logic::SourceRange &range) {
    llvm::GlobalVariable &global = withoutWrapping(found);
    BoundVariable bound;
    bound.shared = &shared;
    bound.global = &global;
    llvm::Type *type = global.getValueType();
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      bound.count = array->getNumElements();
      type = array->getElementType();
    }
    std::string name = "'" + shared.variable.name() + "'";
    if (isRewritten(global)) {
      error(range, name + " was split or shrunk by the optimiser",
            "give the C file, or code compiled without optimisation");
      return;
    }
    if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64) {
      error(range, name + " is bound to an object that is not an integer of at most 64 bits",
            "a contract supports integers, enums, _Bool, structures of one of these, and arrays of "
            "them");
      return;
    }
    logic::Sort sort = shared.variable.sort();
    if (sort.isArray() != (bound.count > 0) ||
        (sort.isArray() && sort.arraySize() != static_cast<int64_t>(bound.count))) {
      error(range, name + " is " + describe(sort.isArray(), sort.arraySize().value_or(0)) +
                       " in the contract and " +
                       describe(bound.count > 0, static_cast<int64_t>(bound.count)) +
                       " in the code");
      return;
    }
    if (global.isThreadLocal()) {
      error(range, name + " is bound to a thread-local object, which threads do not share");
      return;
    }
    bound.bits = type->getIntegerBitWidth();
    bound.function = inSource(global).function;
    readType(bound, elementType(global));
    result_.variables.push_back(bound);
  }

  static std::string describe(bool array, int64_t count) {
    return array ? "an array of " + std::to_string(count) : "a scalar";
  }

  static void readType(BoundVariable &bound, const llvm::DIType *type) {
    if (const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
        composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type)
      type = strippedType(composite->getBaseType());
    const auto *basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
    if (basic == nullptr) {
      bound.isBool = isReadAsBool(*bound.global);
      bound.isSigned = !bound.isBool;
      bound.typeIsKnown = bound.isBool;
      return;
    }
    bound.typeIsKnown = true;
    auto sign = basic->getSignedness();
    bound.isSigned = !sign || *sign == llvm::DIBasicType::Signedness::Signed;
    if (basic->getEncoding() == llvm::dwarf::DW_ATE_boolean) {
      bound.isBool = true;
      bound.isSigned = false;
    }
  }

  void checkOverlap() {
    std::map<const llvm::GlobalVariable *, std::string> names;
    auto check = [&](const llvm::GlobalVariable *global, const std::string &name,
                     const logic::SourceRange &range) {
      auto [first, isNew] = names.emplace(global, name);
      if (!isNew)
        error(range, "'" + name + "' and '" + first->second + "' are the same object in the code");
    };
    for (const BoundVariable &variable : result_.variables)
      check(variable.global, variable.variable().name(), variable.shared->range);
    for (const BoundLock &lock : result_.locks)
      check(lock.global, lock.lock->name, lock.lock->range);
  }

  /// C enumerators of the same name must agree.
  void checkEnumerators() {
    llvm::DebugInfoFinder finder;
    finder.processModule(module_);
    for (const BoundVariable &bound : result_.variables) {
      if (!bound.element().isEnum())
        continue;
      for (const llvm::DIType *type : finder.types())
        if (const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
            composite != nullptr && composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type)
          compareEnum(bound, *composite);
    }
  }

  void compareEnum(const BoundVariable &bound, const llvm::DICompositeType &type) {
    for (const llvm::DINode *node : type.getElements()) {
      const auto *theirs = llvm::dyn_cast<llvm::DIEnumerator>(node);
      if (theirs == nullptr)
        continue;
      for (const logic::Enumerator &ours : bound.element().enumerators())
        if (theirs->getName() == ours.name && theirs->getValue() != ours.value)
          error(bound.shared->range,
                "'" + ours.name + "' is " + std::to_string(ours.value) + " in the contract and " +
                    std::to_string(theirs->getValue().getSExtValue()) + " in the code");
    }
  }
};

} // namespace

logic::Sort BoundVariable::element() const {
  logic::Sort sort = variable().sort();
  return sort.isArray() ? sort.element() : sort;
}

const BoundVariable *Binding::find(const llvm::GlobalVariable *global) const {
  for (const BoundVariable &variable : variables)
    if (variable.global == global)
      return &variable;
  return nullptr;
}

const BoundLock *Binding::findLock(const llvm::GlobalVariable *global) const {
  for (const BoundLock &lock : locks)
    if (lock.global == global)
      return &lock;
  return nullptr;
}

Binding bindVariables(const specs::Compiled &contract, llvm::Module &module, Missing missing) {
  return Binder(contract, module, missing).run();
}

std::string sourceName(const llvm::Function &function) {
  // Which function of another file is meant, an assembler label tells.
  if (const llvm::DISubprogram *info = function.getSubprogram();
      info != nullptr && !function.isDeclaration())
    return info->getName().str();
  // The linker tells static functions of one name apart by numbers.
  llvm::StringRef name = llvm::GlobalValue::dropLLVMManglingEscape(function.getName());
  auto [base, number] = name.rsplit('.');
  bool numbered =
      !number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos;
  return numbered ? base.str() : name.str();
}

llvm::Function *findThreadFunction(const specs::ThreadBinding &thread, llvm::Module &module) {
  std::vector<llvm::Function *> found;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DISubprogram *info = function.getSubprogram();
    if (sourceName(function) == thread.function &&
        fileMatches(thread.file.value_or(""), info != nullptr ? info->getFile() : nullptr))
      found.push_back(&function);
  }
  for (llvm::GlobalAlias &alias : module.aliases())
    if (auto *function = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject());
        function != nullptr && !thread.file && alias.getName() == thread.function &&
        !function->isDeclaration())
      found.push_back(function);
  if (found.size() > 1)
    throw logic::Error(thread.range, "the code has several functions '" + thread.function + "'",
                       "choose one: thread " + thread.name + " for \"file.c\":" + thread.function);
  return found.empty() ? nullptr : found.front();
}

std::string similarFunction(const specs::ThreadBinding &thread, const llvm::Module &module,
                            const std::set<const llvm::Function *> &others) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && !others.contains(&function))
      names.push_back(sourceName(function));
  return logic::didYouMean(thread.function, names);
}

llvm::Function &threadFunction(const specs::ThreadBinding &thread, llvm::Module &module) {
  if (llvm::Function *found = findThreadFunction(thread, module))
    return *found;
  std::string hint = similarFunction(thread, module, {});
  throw logic::Error(
      thread.range, "the code has no function '" + thread.function + "' for thread " + thread.name,
      hint.empty() ? "name its function: thread " + thread.name + " for FUNCTION { ... }" : hint);
}

std::vector<std::optional<logic::Wide>> initialValues(const BoundVariable &variable) {
  if (!variable.global->hasDefinitiveInitializer())
    return {};
  const llvm::Constant *constant = variable.global->getInitializer();
  const llvm::DataLayout &layout = variable.global->getParent()->getDataLayout();
  std::vector<std::optional<logic::Wide>> result;
  for (uint64_t i = 0; i < std::max<uint64_t>(variable.count, 1); ++i) {
    const llvm::Constant *element =
        variable.count > 0 ? constant->getAggregateElement(static_cast<unsigned>(i)) : constant;
    if (element != nullptr)
      element = llvm::ConstantFoldConstant(element, layout);
    const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
    result.emplace_back();
    if (number != nullptr)
      result.back() = variable.isSigned ? logic::Wide{number->getSExtValue()}
                                        : logic::Wide{number->getZExtValue()};
  }
  return result;
}

} // namespace understudy::passes::memory

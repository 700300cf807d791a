// SPDX-License-Identifier: Apache-2.0
//
// Whose address escapes.
//
// The problem: a local is private to its thread only as long as nobody else knows where it is. The
// idea: follow its address through its uses, once, when everything is inlined and before anything
// is rewritten, since rewriting erases the very stores that publish an address. An address escapes
// when it is stored, anywhere, handed to a function whose body is not seen, made a number or handed
// to assembly. Invariant: a pointer that was loaded, returned by such a function or made from a
// number leads to no object whose address does not escape.
// Deviation from a points-to analysis: an address that is stored in another local escapes, too;
// what is only a slot for pointers was promoted to a register before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace llvm {
class AllocaInst;
class CallBase;
class DataLayout;
class Function;
class GlobalValue;
class Instruction;
class Type;
class Use;
class Value;
} // namespace llvm

namespace understudy::passes::memory {

/// Every use of the address of a global or a local, in any function of the module, followed through
/// elements, choices and arguments of functions with a body.
struct AddressUses {
  std::vector<const llvm::Use *> accesses; ///< something is read or written there
  std::vector<const llvm::Use *> escapes;  ///< the address leaves the uses that are followed
  std::set<const llvm::Function *> given;  ///< functions with a body that get it as an argument
};
/// Precondition: locals are promoted, else their slots look like places where addresses escape.
AddressUses usesOf(const llvm::Value &object);
/// Does one of the functions get the address as an argument?
bool isGivenTo(const std::vector<const llvm::Function *> &functions, const AddressUses &uses);
bool addressEscapes(const llvm::GlobalValue &global);

/// Where an instruction writes, if it does; a call of another function does not.
const llvm::Value *writtenBy(const llvm::Instruction &instruction);

enum class Local : uint8_t {
  Followed, ///< private, and every access is one whole element: it stays in the step form
  Loose,    ///< private, but accessed in ways that are not followed: any value at each read
  Escaped,  ///< others may change it at any time: any value at each read
};

/// An integer, or (nested) arrays of one integer type.
struct LocalElements {
  llvm::Type *type = nullptr;
  uint64_t size = 0; ///< in bytes
  uint64_t count = 0;
};
std::optional<LocalElements> elementsOf(const llvm::AllocaInst &local);

/// Whole elements of a followed local.
struct ElementRange {
  const llvm::AllocaInst *local = nullptr;
  uint64_t first = 0;
  uint64_t count = 0;
};
/// What lies from the pointer on for so many bytes; none if it cannot be told, or is no whole
/// number of elements of one local, or more than `maxSetElements`.
std::optional<ElementRange> rangeOf(const llvm::Value &pointer, const llvm::Value &bytes,
                                    const llvm::DataLayout &layout);
inline constexpr uint64_t maxSetElements = 256;

/// Lets each local of numbers whose address escapes be private until then: another local holds its
/// value. Precondition: everything is inlined; the locals are classified afterwards.
void separateBeforeEscape(llvm::Function &function);

/// The locals of a function in which everything is inlined.
class Locals {
public:
  explicit Locals(const llvm::Function &function);

  Local of(const llvm::AllocaInst &local) const { return locals_.at(&local); }

private:
  std::map<const llvm::AllocaInst *, Local> locals_;
};

} // namespace understudy::passes::memory

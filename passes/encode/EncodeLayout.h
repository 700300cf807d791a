// SPDX-License-Identifier: Apache-2.0
//
// The locals of the template: what holds the values that live across cuts and the elements of
// memory objects, and the locals through which values from outside come in.
#pragma once

#include "passes/encode/EncodeCuts.h"
#include "passes/encode/EncodeForms.h"

#include <map>
#include <tuple>

namespace understudy::passes::encode {

using compose::Variable;

/// A local that holds something from one edge to the next.
struct Storage {
  enum class Kind : uint8_t {
    Boolean, ///< i1, a truth value or a pointer's "not null"
    ZeroOne, ///< a bool that stands for the number 0 or 1
    Number,
  };
  Variable variable;
  Kind kind = Kind::Boolean;
  Reading reading = Reading::Signed;
  unsigned bits = 1;
  Wide lower = 0; ///< Number: the values it can have
  Wide upper = 1;
};

/// Where the elements of an object are: slots `first`, `first + 1`, …; one slot for a cell.
struct ObjectLayout {
  const MemoryObject *object = nullptr;
  uint32_t first = 0;
  std::vector<Storage> elements; ///< empty for cells and constants
};

class EncodeLayout {
public:
  EncodeLayout(const EncodeCuts &cuts, const EncodeObjects &objects, const EncodeForms &forms,
               const std::string &name, TermBuilder &terms);

  /// None: the value needs no place, or there is none for its type.
  const Storage *find(const llvm::Value &value) const;
  const ObjectLayout &of(const MemoryObject &object) const { return objects_.at(&object); }
  /// The object and element of a slot.
  std::pair<const ObjectLayout *, uint32_t> slot(uint32_t number) const;

  /// Locals that no other edge looks at: the `ordinal`-th of this kind in an edge.
  Storage input(const llvm::CallBase &call, unsigned ordinal);
  Storage anyBoolean(unsigned ordinal);
  Storage anyNumber(unsigned bits, unsigned ordinal);

  /// "The value is one of the C type": true where the sort says so.
  Term inRange(const Storage &storage, Term value);

  const std::vector<Variable> &locals() const { return locals_; }
  Term initial();
  std::map<std::string, std::vector<Variable>> memory() const;

private:
  std::string scopeName_;
  TermBuilder &terms_;
  std::vector<Variable> locals_;
  std::vector<Term> initial_;
  std::unordered_map<std::string, unsigned> names_; ///< how often asked for
  std::unordered_map<const llvm::Value *, Storage> values_;
  std::map<const MemoryObject *, ObjectLayout> objects_;
  std::vector<const ObjectLayout *> slots_;
  std::vector<std::pair<std::string, const ObjectLayout *>> memory_;
  std::map<std::string, Storage> scratch_;
  std::optional<std::unordered_map<const llvm::Value *, std::string>> sourceNames_;

  struct Shared {
    Storage storage;
    std::unordered_set<CutId> busy; ///< where some value of it lives
  };
  std::map<std::tuple<std::string, Storage::Kind, Reading, unsigned>, std::vector<Shared>> shared_;

  enum class Start : uint8_t { Zero, Open };
  Storage make(Storage storage, const std::string &freshName);
  void start(const Storage &storage, Start start);
  void start(const Storage &storage, const llvm::Constant *value);
  std::string fresh(const std::string &name);
  void placeObject(const MemoryObject &object, const EncodeForms &forms);
  std::string nameOf(const llvm::Value &value);
  void placeValue(const llvm::Value &value, const EncodeForms &forms,
                  const std::vector<CutId> &lifetime);
  Storage share(const Storage &like, const std::string &name, const std::vector<CutId> &lifetime);
  Storage scratch(const std::string &name, const Storage &like);
};

/// Without its variable.
Storage numberStorage(Reading reading, unsigned bits);

} // namespace understudy::passes::encode

// SPDX-License-Identifier: Apache-2.0
//
// Names, types and expressions of Promela.
#pragma once

#include "compose/Program.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace understudy::tools::exports::promela {

/// Names that Promela, the C code made from it and this export do not use otherwise.
class PromelaNames {
public:
  PromelaNames();
  /// `wanted`, or with underscores behind it; not handed out before.
  std::string take(const std::string &wanted);
  /// Hidden variables that hold values for a moment: t0_, t1_, … up to this number.
  static constexpr size_t temporaries = 64;
  static std::string temporary(size_t index);

private:
  std::set<std::string> used_;
};

/// How to write the variables of a program: globals by name, locals as an element of a table that
/// has one entry for each thread.
class PromelaScope {
public:
  PromelaScope(const compose::Program &program, PromelaNames &names);

  /// The table or the global variable.
  const std::string &name(logic::Variable variable) const;
  /// A hidden copy of a global, in which relies find the value before the step.
  const std::string &saved(logic::Variable variable) const { return saved_.at(variable); }
  /// With the index of the thread that `slot` stands for, if it is a local.
  std::string place(logic::Variable variable, const std::string &slot) const;

private:
  std::map<logic::Variable, std::string> names_;
  std::map<logic::Variable, std::string> saved_;
};

/// "bool", "byte", "short" or "int". Throws `logic::Unsupported` if no type holds the values.
std::string promelaType(logic::Sort sort, const std::string &what);

/// The number of elements of an array sort. Throws `logic::Unsupported` for endless arrays.
int64_t promelaSize(logic::Sort sort, const std::string &what);

/// Unbounded integers stay within this distance of 0; the model fails its own check when one
/// leaves.
inline constexpr int64_t promelaFarthest = 100'000'000;

/// Can the term, an integer, have values farther from 0?
bool promelaMayLeave(logic::Term term);

/// The number, also the least one of 32 bits. Throws `logic::Unsupported` if it does not fit.
std::string promelaNumber(int64_t value);

/// Writes terms as Promela expressions. Throws `logic::Unsupported` when a part of the term may not
/// fit in Promela's `int`, which wraps. Locals are those of the thread in `slot`. Primed variables
/// are written like unprimed ones: formulas with primes are evaluated after the step.
class PromelaExpression {
public:
  PromelaExpression(const PromelaScope &scope, std::string slot)
      : scope_(scope), slot_(std::move(slot)) {}

  /// In formulas over a step that has been taken: unprimed variables are in their saved copies.
  void setSaved(std::map<logic::Variable, std::string> saved) { saved_ = std::move(saved); }

  std::string operator()(logic::Term term) const;
  /// The element of an array-valued term.
  std::string element(logic::Term array, const std::string &index) const;

private:
  const PromelaScope &scope_;
  std::string slot_;
  std::map<logic::Variable, std::string> saved_;

  std::string variable(logic::Term term) const;
  std::string joined(logic::Term term, const std::string &separator) const;
  std::string sum(logic::Term term) const;
  std::string equal(logic::Term term) const;
};

/// The text inside a string constant of printf.
std::string promelaString(const std::string &text);

} // namespace understudy::tools::exports::promela

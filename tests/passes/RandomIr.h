// SPDX-License-Identifier: Apache-2.0
//
// Random functions over integers of 1, 8, 16, 32 and 64 bits: every operation that has an exact
// translation, branches, switches, bounded loops, steps, memory, inputs and calls. Constants and
// start values are mostly at the borders of their types. What can be undefined is stored at once,
// so that it matters.
#pragma once

#include "../Support.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace understudy::tests {

struct RandomIr {
  std::string assembly;
  size_t inputs = 0; ///< how many are needed at most
};

enum class RandomInputs : uint8_t { Some, None };

class RandomIrWriter {
public:
  RandomIrWriter(Random &random, std::vector<unsigned> widths, RandomInputs allowed)
      : random_(random), widths_(std::move(widths)), allowed_(allowed) {}
  RandomIr write(unsigned statements);

  /// A number of that width, as LLVM writes it.
  static std::string borderNumber(Random &random, unsigned width);

private:
  using Pool = std::map<unsigned, std::vector<std::string>>;

  Random &random_;
  std::vector<unsigned> widths_;
  RandomInputs allowed_;
  std::ostringstream out_;
  Pool pool_; ///< values at hand, by width
  std::string block_ = "entry";
  unsigned values_ = 0;
  unsigned blocks_ = 0;
  unsigned steps_ = 0;
  unsigned depth_ = 0;
  size_t repeats_ = 1; ///< how often the code at hand runs at most
  size_t inputs_ = 0;
  bool inStep_ = false;
  bool inHelper_ = false;

  void declarations();
  void helper(unsigned width);
  void start();
  unsigned width();
  std::string constant(unsigned width) { return borderNumber(random_, width); }
  std::string operand(unsigned width);
  std::string define(unsigned width, const std::string &text);
  void sink(unsigned width, const std::string &value);
  void label(const std::string &name);

  void statements(unsigned count);
  void statement();
  void operation();
  void binary();
  void division();
  void shift();
  void bitwise();
  void comparison();
  void conversion();
  void intrinsic();
  void overflow();
  void memory();
  void array();
  void input();
  void assume();
  void call();
  void conditional();
  void table();
  void loop();
  void step();
  void failure();
};

} // namespace understudy::tests

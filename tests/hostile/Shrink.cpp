// SPDX-License-Identifier: Apache-2.0
#include "Shrink.h"

#include <stdexcept>

namespace understudy::tests::hostile {
namespace {

size_t sizeOf(const std::vector<Node> &nodes) {
  size_t size = nodes.size();
  for (const Node &node : nodes)
    size += sizeOf(node.body);
  return size;
}

/// Without the statement of that number, in the order of the text; with its body instead, if asked.
bool leaveOut(std::vector<Node> &nodes, size_t &number, bool keepBody) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (number-- == 0) {
      const std::vector<Node> body = nodes[i].body;
      const auto at = nodes.erase(nodes.begin() + static_cast<ptrdiff_t>(i));
      if (keepBody)
        nodes.insert(at, body.begin(), body.end());
      return true;
    }
    if (leaveOut(nodes[i].body, number, keepBody))
      return true;
  }
  return false;
}

Program without(Program program, size_t number, bool keepBody) {
  for (Function &function : program.functions)
    if (leaveOut(function.body, number, keepBody))
      break;
  return program;
}

} // namespace

size_t sizeOf(const Program &program) {
  size_t size = 0;
  for (const Function &function : program.functions)
    size += sizeOf(function.body);
  return size;
}

Program shrunk(Program program, const std::function<bool(const Program &)> &fails,
               size_t attempts) {
  const auto stillFails = [&](const Program &smaller) {
    try {
      return fails(smaller);
    } catch (const std::exception &) {
      return false; // it does not compile
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t number = sizeOf(program); number-- > 0;)
      for (const bool keepBody : {false, true}) {
        const Program smaller = without(program, number, keepBody);
        if (sizeOf(smaller) >= sizeOf(program))
          continue;
        if (attempts-- == 0)
          return program;
        if (stillFails(smaller)) {
          program = smaller;
          changed = true;
          break;
        }
      }
  }
  return program;
}

} // namespace understudy::tests::hostile

// SPDX-License-Identifier: Apache-2.0
#include "RandomServers.h"

#include "Support.h"

#include <vector>

namespace understudy::tests {
namespace {

class ServerWriter {
public:
  explicit ServerWriter(uint64_t seed) : random_(seed) {}

  std::string write() {
    line("global int last = 0;");
    line("global int 0..2 g = 0;");
    line("run listener * 2;");
    hasFunction_ = random_.oneIn(3);
    listener();
    handler();
    if (hasFunction_)
      line("thread function {\n  skip;\n}");
    return text_;
  }

private:
  Random random_;
  std::string text_;
  bool hasFunction_ = false;

  void line(const std::string &content) { text_ += content + "\n"; }

  /// Copies and comparisons only.
  void useId(const std::string &id) {
    const std::vector<std::string> uses{
        "last := " + id + ";",
        "if (last == " + id + ") { g := 1; }",
        "if (last == 0) { last := " + id + "; }",
        "k := " + id + ";",
        "assume last != k || " + id + " != 0;",
        "g := 1;",
        "assert " + id + " == h || last != 0 || g <= 1;",
    };
    line("    " + random_.pick(uses));
  }

  void listener() {
    line("thread listener {");
    line("  local int h = 0, k = 0;");
    // Every round joins what it forked, so there is no end of rounds and of threads.
    const bool forEver = !hasFunction_ && random_.oneIn(3);
    if (forEver)
      line("  while (true) {");
    line("    h := fork handler();");
    for (size_t n = random_.below(3); n > 0; --n)
      useId(random_.oneIn(3) ? "k" : "h");
    line(random_.oneIn(5) ? "    join k;" : "    join h;");
    if (random_.oneIn(2))
      line("    h := 0;");
    if (forEver)
      line("    k := 0;\n  }");
    line("}");
  }

  void handler() {
    line("thread handler {");
    if (hasFunction_) {
      line("  local int f = 0;");
      line("  f := fork function();");
      if (random_.oneIn(2))
        line("  if (last == 0) { last := f; }");
      line("  join f;");
    } else {
      line(random_.oneIn(2) ? "  skip;" : "  if (g == 0) { skip; }");
    }
    line("}");
  }
};

} // namespace

std::string randomServers(uint64_t seed) { return ServerWriter(seed).write(); }

} // namespace understudy::tests

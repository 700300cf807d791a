// SPDX-License-Identifier: Apache-2.0
#include "RandomForks.h"

#include "Support.h"

#include <vector>

namespace understudy::tests {
namespace {

class ForkWriter {
public:
  explicit ForkWriter(uint64_t seed) : random_(seed) {}

  std::string write() {
    line("global int 0..3 g = " + number(2) + ";");
    line("global int n = 0;");
    if (random_.oneIn(2))
      line("global bool b" + std::string(random_.oneIn(3) ? "" : " = false") + ";");
    else
      line("global int 0..1 b = 0;");
    line("global mutex m;");
    templates_ = 1 + random_.below(2);
    main();
    for (size_t i = 0; i < templates_; ++i)
      worker(i);
    if (random_.oneIn(6))
      line("run main, T" + std::to_string(random_.below(templates_)) + ";");
    if (random_.oneIn(6))
      line("invariant " + claim() + ";");
    return text_;
  }

private:
  Random random_;
  std::string text_;
  size_t templates_ = 1;

  void line(const std::string &content) { text_ += content + "\n"; }
  std::string number(size_t bound) { return std::to_string(random_.below(bound)); }
  std::string worker() { return "T" + number(templates_); }
  std::string anyId() { return random_.oneIn(3) ? "n" : random_.oneIn(3) ? "g" : number(2); }
  std::string claim() {
    switch (random_.below(4)) {
    case 0:
      return "g <= " + std::to_string(2 + random_.below(2));
    case 1:
      return "n <= " + std::to_string(2 + random_.below(2));
    case 2:
      return "g <= n + " + std::to_string(1 + random_.below(3));
    default:
      return "g >= 0 || n > " + number(2);
    }
  }

  void data(const std::string &indent) {
    switch (random_.below(6)) {
    case 0:
      return line(indent + "g := " + number(4) + ";");
    case 1:
      return line(indent + "if (g < 3) { g := g + 1; }");
    case 2:
      return line(indent + "atomic { assume g < 3; g := g + 1; }");
    case 3:
      return line(indent + "assert " + claim() + ";");
    case 4:
      return line(indent + "assume g > 0;");
    default:
      return line(indent + "if (g > 0) { g := g - 1; }");
    }
  }

  void fork(const std::string &indent, const std::string &thread, const std::string &id) {
    line(indent + "fork " + id + (id.empty() ? "" : " ") + thread + "();");
  }

  void join(const std::string &indent, const std::string &id) {
    if (random_.oneIn(6))
      line(indent + "join " + worker() + ";");
    else
      line(indent + "join " + id + ";");
  }

  /// Forks in a loop; joins the thread of this round, of the round before, of a wrong id, or none.
  void loop() {
    line("  while (n < " + std::to_string(1 + random_.below(3)) + ") {");
    fork("    ", worker(), random_.oneIn(3) ? anyId() : "n");
    if (random_.oneIn(3))
      data("    ");
    switch (random_.below(5)) {
    case 0:
      break;
    case 1:
      join("    ", "n");
      break;
    case 2:
      line("    if (n > 0) {");
      join("      ", "n - 1");
      line("    }");
      break;
    case 3:
      join("    ", anyId());
      break;
    default:
      line("    if (*) {");
      join("      ", "n");
      line("    }");
    }
    line("    n := n + 1;");
    line("  }");
  }

  void main() {
    line("thread main {");
    const bool fresh = random_.oneIn(3);
    if (fresh)
      line("  local int h = 0;");
    for (size_t i = 0, count = 1 + random_.below(3); i < count; ++i)
      switch (random_.below(fresh ? 5 : 4)) {
      case 0:
        fork("  ", worker(), random_.oneIn(4) ? "" : anyId());
        break;
      case 1:
        join("  ", anyId());
        break;
      case 2:
        data("  ");
        break;
      case 3:
        if (text_.find("while") == std::string::npos)
          loop();
        break;
      default:
        line("  h := fork " + worker() + "();");
        if (random_.oneIn(2))
          line("  join h;");
      }
    line("}");
  }

  void worker(size_t index) {
    line("thread T" + std::to_string(index) + " {");
    if (random_.oneIn(3)) {
      line("  local int 0..2 x" + std::string(random_.oneIn(2) ? " = 0" : "") + ";");
      line(random_.oneIn(2) ? "  assume x == g;" : "  if (x < 2) { x := x + 1; }");
      if (random_.oneIn(2))
        line("  assert x <= " + std::to_string(1 + random_.below(2)) + ";");
    }
    const bool locks = random_.oneIn(4);
    if (locks)
      line("  lock m;");
    for (size_t i = 0, count = 1 + random_.below(2); i < count; ++i)
      data("  ");
    if (locks && !random_.oneIn(6))
      line("  unlock m;");
    if (index + 1 < templates_ && random_.oneIn(2)) {
      const std::string child = "T" + std::to_string(index + 1);
      const std::string id = random_.oneIn(2) ? "7" : anyId();
      fork("  ", child, id);
      if (random_.oneIn(2))
        line("  join " + id + ";");
    }
    line("}");
  }
};

} // namespace

std::string randomForks(uint64_t seed) { return ForkWriter(seed).write(); }

} // namespace understudy::tests

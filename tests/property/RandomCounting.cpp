// SPDX-License-Identifier: Apache-2.0
#include "RandomCounting.h"

#include "Support.h"

#include <string>
#include <vector>

namespace understudy::tests {

namespace {

enum class Kind { Reference, Lock, Semaphore, Reader, Writer };

/// What a thread takes: from resource number `index`.
struct Hold {
  Kind kind = Kind::Lock;
  size_t index = 0;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string run() {
    resources_ = 1 + random_.below(2);
    for (size_t i = 0; i < resources_; ++i)
      kinds_.push_back(random_.pick(std::vector<Kind>{Kind::Reference, Kind::Reference, Kind::Lock,
                                                      Kind::Semaphore, Kind::Reader}));
    faulty_ = random_.oneIn(2);
    std::string text = "system s {\n";
    for (size_t i = 0; i < resources_; ++i)
      text += "  shared int n" + digit(i) + " = " + digit(startOf(kinds_[i])) + ";\n" +
              "  shared bool b" + digit(i) + " = false;\n";
    const size_t templates = 1 + random_.below(3);
    std::string started;
    for (size_t t = 0; t < templates; ++t) {
      text += thread(t);
      started += (t == 0 ? "" : ", ") + std::string("T") + digit(t) + "*";
    }
    if (random_.oneIn(3)) {
      text += thread(templates);
      started += ", T" + digit(templates) + (random_.oneIn(2) ? "" : " * 2");
    }
    return text + claims_ + "  run " + started + ";\n}\n";
  }

private:
  Random random_;
  size_t resources_ = 0;
  std::vector<Kind> kinds_;
  bool faulty_ = false;
  std::string claims_;
  std::vector<std::pair<std::string, Hold>> held_; ///< places and what is held there

  static std::string digit(size_t number) { return std::to_string(number); }
  static size_t startOf(Kind kind) { return kind == Kind::Semaphore ? 2 : 0; }

  bool goesWrong() { return faulty_ && random_.oneIn(8); }

  /// Condition and effect of taking it.
  std::pair<std::string, std::string> taking(const Hold &hold) {
    const std::string n = "n" + digit(hold.index);
    const std::string b = "b" + digit(hold.index);
    const std::string more = n + "' == " + n + " + 1";
    switch (hold.kind) {
    case Kind::Reference:
      return {random_.oneIn(3) ? "!" + b : "", more};
    case Kind::Lock:
      return {"!" + b, b + "'"};
    case Kind::Semaphore:
      return {n + " > 0", n + "' == " + n + " - 1"};
    case Kind::Reader:
      return {"!" + b, more};
    case Kind::Writer:
      return {"!" + b + " && " + n + " == 0", b + "'"};
    }
    return {};
  }

  std::string giving(const Hold &hold) const {
    const std::string n = "n" + digit(hold.index);
    const std::string b = "b" + digit(hold.index);
    switch (hold.kind) {
    case Kind::Reference:
    case Kind::Reader:
      return n + "' == " + n + " - 1";
    case Kind::Semaphore:
      return n + "' == " + n + " + 1";
    case Kind::Lock:
    case Kind::Writer:
      return "!" + b + "'";
    }
    return "";
  }

  std::string claim(const Hold &hold) {
    const std::string n = "n" + digit(hold.index);
    const std::string b = "b" + digit(hold.index);
    if (goesWrong())
      return random_.oneIn(2) ? n + " < 2" : "!" + b;
    switch (hold.kind) {
    case Kind::Reference:
      return n + " > 0";
    case Kind::Reader:
      return n + " > 0 && !" + b;
    case Kind::Semaphore:
      return n + " < 2";
    case Kind::Lock:
      return b;
    case Kind::Writer:
      return b + " && " + n + " == 0";
    }
    return "";
  }

  static bool excludes(const Hold &a, const Hold &b) {
    auto alone = [](Kind kind) { return kind == Kind::Lock || kind == Kind::Writer; };
    auto shares = [](Kind kind) { return kind == Kind::Reader; };
    return a.index == b.index && ((alone(a.kind) && (alone(b.kind) || shares(b.kind))) ||
                                  (shares(a.kind) && alone(b.kind)));
  }

  void exclude(const std::string &place, const Hold &hold) {
    held_.emplace_back(place, hold);
    for (const auto &[other, held] : held_)
      if (excludes(hold, held) && random_.oneIn(2))
        claims_ += "  never " + place + " with " + other + ";\n";
  }

  std::string thread(size_t number) {
    const std::string name = "T" + digit(number);
    std::vector<Hold> holds;
    for (size_t i = 0; i < resources_; ++i)
      if (random_.below(4) > 0)
        holds.push_back(
            {kinds_[i] == Kind::Reader && random_.oneIn(2) ? Kind::Writer : kinds_[i], i});
    std::string text = "  thread " + name + " {\n";
    size_t state = 0;
    auto edge = [&](const std::string &claimed, const std::string &label) {
      text += std::string("    ") + (state == 0 ? "initial" : "state") + " S" + digit(state) +
              " { " + (claimed.empty() ? "" : "assert " + claimed + "; ") + "-> S" +
              digit(state + 1) + (label.empty() ? "" : " : " + label) + "; }\n";
      ++state;
    };
    auto both = [](const std::string &a, const std::string &b) {
      return a.empty() || b.empty() ? a + b : a + " && " + b;
    };
    std::string claimed;
    for (const Hold &hold : holds) {
      auto [condition, effect] = taking(hold);
      if (goesWrong()) { // looks first, and takes later
        edge(claimed, condition);
        condition.clear();
      }
      edge(claimed, goesWrong() ? effect : both(condition, effect));
      exclude(name + ".S" + digit(state), hold);
      claimed = both(claimed, claim(hold));
    }
    if (holds.empty() || random_.oneIn(2))
      edge(claimed, "");
    for (size_t i = holds.size(); i-- > 0;) {
      edge(claimed, goesWrong() ? "" : giving(holds[i]));
      claimed.clear();
    }
    if (random_.oneIn(2))
      return text + "    final S" + digit(state) + ";\n  }\n";
    return text + "    state S" + digit(state) + " { -> S0; }\n  }\n";
  }
};

} // namespace

std::string randomCounting(uint64_t seed) { return Generator(seed).run(); }

} // namespace understudy::tests

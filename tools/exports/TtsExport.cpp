// SPDX-License-Identifier: Apache-2.0
//
// A net as a thread transition system. A transition that moves one thread, with or without others
// following, and a spawn that leaves its thread where it is are lines of the format. Everything
// else becomes a chain of lines through shared states that nothing else uses: first all threads
// that are consumed go to a local state of their own (the last of them takes the passive threads
// along), then those that are produced come from there. Between, nobody else can move, and no
// target is there; a chain that does not get to its end covers nothing. So the same targets can be
// covered. Threads that disappear go to a local state without a way out.
#include "logic/Error.h"
#include "tools/exports/CoverExport.h"

#include <map>
#include <optional>

namespace understudy::tools::exports {

using namespace compose::cover;

namespace {

std::vector<compose::cover::net::LocalState> listed(const compose::cover::net::Threads &threads) {
  std::vector<compose::cover::net::LocalState> result;
  for (const compose::cover::net::Group &group : threads)
    result.insert(result.end(), group.count, group.local);
  return result;
}

class TtsWriter {
public:
  explicit TtsWriter(const compose::cover::net::CoverProblem &problem)
      : problem_(problem), shared_(problem.net.sharedStates), locals_(problem.net.localStates) {}

  std::string run() {
    for (const compose::cover::net::Transition &transition : problem_.net.transitions)
      add(transition);
    std::string target = targetText();
    std::string start = startText();
    return "# understudy cover FILE --init \"" + start + "\" --target \"" + target + "\"\n" +
           names() + std::to_string(shared_) + " " + std::to_string(locals_) + "\n" + lines_;
  }

private:
  const compose::cover::net::CoverProblem &problem_;
  uint32_t shared_;
  uint32_t locals_;
  std::optional<compose::cover::net::LocalState>
      between_; ///< where threads are in the middle of a chain
  std::optional<compose::cover::net::LocalState> gone_;
  std::string lines_;

  compose::cover::net::SharedState freshShared() { return shared_++; }
  compose::cover::net::LocalState between() {
    return between_ ? *between_ : *(between_ = locals_++);
  }
  compose::cover::net::LocalState gone() { return gone_ ? *gone_ : *(gone_ = locals_++); }

  void line(compose::cover::net::SharedState from, compose::cover::net::LocalState l,
            const char *arrow, compose::cover::net::SharedState to,
            compose::cover::net::LocalState m,
            const std::vector<compose::cover::net::Move> &passive = {}) {
    lines_ += std::to_string(from) + " " + std::to_string(l) + " " + arrow + " " +
              std::to_string(to) + " " + std::to_string(m);
    for (const compose::cover::net::Move &move : passive)
      lines_ += " " + std::to_string(move.from) + " ~> " + std::to_string(move.to);
    lines_ += "\n";
  }

  void add(const compose::cover::net::Transition &t) {
    if (!t.signals.empty())
      throw logic::Unsupported(
          "a signal, which wakes one thread if there is one, cannot be expressed in "
          "a thread transition system");
    std::vector<compose::cover::net::LocalState> consumed = listed(t.consumes);
    std::vector<compose::cover::net::LocalState> produced = listed(t.produces);
    if (consumed.empty())
      addWithoutThread(t, produced);
    else if (consumed.size() == 1 && produced.size() == 1)
      line(t.from, consumed[0], "->", t.to, produced[0], t.transfers);
    else if (isSpawn(consumed, produced) && t.transfers.empty())
      line(t.from, consumed[0], "+>", t.to, produced[0] == consumed[0] ? produced[1] : produced[0]);
    else
      addChain(t, consumed, produced);
  }

  static bool isSpawn(const std::vector<compose::cover::net::LocalState> &consumed,
                      const std::vector<compose::cover::net::LocalState> &produced) {
    return consumed.size() == 1 && produced.size() == 2 &&
           (produced[0] == consumed[0] || produced[1] == consumed[0]);
  }

  /// Lines of broadcasts with the same ends fire together, so that each gets ends of its own.
  void addWithoutThread(const compose::cover::net::Transition &t,
                        const std::vector<compose::cover::net::LocalState> &produced) {
    if (!produced.empty())
      throw logic::Unsupported(
          "a step that creates threads and needs none cannot be expressed in a "
          "thread transition system");
    compose::cover::net::SharedState middle = freshShared();
    line(t.from, gone(), "~>", middle, gone());
    if (t.transfers.empty())
      line(middle, gone(), "~>", t.to, gone());
    for (const compose::cover::net::Move &move : t.transfers)
      line(middle, move.from, "~>", t.to, move.to);
  }

  void addChain(const compose::cover::net::Transition &t,
                const std::vector<compose::cover::net::LocalState> &consumed,
                std::vector<compose::cover::net::LocalState> produced) {
    compose::cover::net::SharedState at = t.from;
    for (size_t i = 0; i < consumed.size(); ++i) {
      compose::cover::net::SharedState next = freshShared();
      bool last = i + 1 == consumed.size();
      line(at, consumed[i], "->", next, between(),
           last ? t.transfers : std::vector<compose::cover::net::Move>{});
      at = next;
    }
    // More than were consumed: they are spawned by one that is on its way.
    while (produced.size() > consumed.size()) {
      compose::cover::net::SharedState next = freshShared();
      line(at, between(), "+>", next, produced.back());
      produced.pop_back();
      at = next;
    }
    produced.resize(consumed.size(), produced.size() < consumed.size() ? gone() : 0);
    for (size_t i = 0; i < produced.size(); ++i) {
      compose::cover::net::SharedState next = i + 1 == produced.size() ? t.to : freshShared();
      line(at, between(), "->", next, produced[i]);
      at = next;
    }
  }

  /// One target: a shared state that each of them leads to, if there are several.
  std::string targetText() {
    if (problem_.targets.size() == 1)
      return text(problem_.targets.front());
    compose::cover::net::SharedState wrong = freshShared();
    for (const compose::cover::net::Configuration &target : problem_.targets) {
      if (target.threads.empty())
        addWithoutThread({target.shared, wrong, {}, {}, {}, {}, 0}, {});
      else
        add({target.shared, wrong, target.threads, target.threads, {}, {}, 0});
    }
    return std::to_string(wrong) + "|";
  }

  std::string startText() {
    const auto &starts = problem_.net.starts;
    if (starts.empty())
      throw logic::Unsupported("there is no initial state");
    compose::cover::net::SharedState shared = starts.front().shared;
    if (starts.size() > 1) {
      shared = freshShared();
      for (const compose::cover::net::StartSet &start : starts) {
        if (start.threads != starts.front().threads || start.anyNumber != starts.front().anyNumber)
          throw logic::Unsupported(
              "initial states that differ in their threads cannot be expressed in a thread "
              "transition system");
        addWithoutThread({shared, start.shared, {}, {}, {}, {}, 0}, {});
      }
    }
    std::string open;
    for (compose::cover::net::LocalState local : starts.front().anyNumber)
      open += (open.empty() ? "/" : ",") + std::to_string(local);
    return text({shared, starts.front().threads}) + open;
  }

  static std::string text(const compose::cover::net::Configuration &configuration) {
    std::string list;
    for (compose::cover::net::LocalState local : listed(configuration.threads))
      list += (list.empty() ? "" : ",") + std::to_string(local);
    return std::to_string(configuration.shared) + "|" + list;
  }

  /// What the numbers stand for, if it is known.
  std::string names() const {
    std::string result;
    auto tell = [&](const std::string &kind, const std::vector<std::string> &all) {
      for (size_t i = 0; i < all.size(); ++i)
        result += "# " + kind + " " + std::to_string(i) + ": " + all[i] + "\n";
    };
    tell("shared", problem_.net.sharedNames);
    tell("local", problem_.net.localNames);
    return result;
  }
};

} // namespace

std::string ttsText(const compose::cover::net::CoverProblem &problem) {
  return TtsWriter(problem).run();
}

} // namespace understudy::tools::exports

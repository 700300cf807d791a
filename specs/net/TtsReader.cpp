// SPDX-License-Identifier: Apache-2.0
#include "specs/net/TtsReader.h"

#include "compose/cover/Configurations.h"
#include "specs/net/CoverScanner.h"

#include <algorithm>
#include <map>

namespace understudy::specs::net {

using namespace compose::cover;

namespace {

const char *const lineHint =
    "a line looks like 's l -> s l', 's l -> s l  a ~> b', 's l +> s l' or 's l ~> s l'";

/// The number of a state of which there are `count`.
uint32_t existing(CoverScanner &scanner, uint32_t count, const std::string &kind) {
  scanner.skipBlanks();
  size_t begin = scanner.offset();
  uint32_t value = scanner.number("a " + kind + " state");
  if (value >= count)
    scanner.failAt(begin, "no such " + kind + " state: " + std::to_string(value),
                   count == 0 ? "the model has none"
                              : "states are numbered from 0 to " + std::to_string(count - 1));
  return value;
}

class TtsParser {
public:
  explicit TtsParser(const logic::SourceFilePtr &file) : scanner_(file) {}

  compose::cover::net::TransferNet run() {
    scanner_.skipLines();
    net_.sharedStates = stateNumber("shared");
    net_.localStates = stateNumber("local");
    for (;;) {
      scanner_.skipLines();
      if (scanner_.atEnd())
        break;
      transition();
    }
    for (auto &[ends, number] : broadcasts_)
      sortMoves(net_.transitions[number].transfers);
    return std::move(net_);
  }

private:
  CoverScanner scanner_;
  compose::cover::net::TransferNet net_;
  /// Lines with equal shared states fire together: the transition that stands for them.
  std::map<std::pair<compose::cover::net::SharedState, compose::cover::net::SharedState>, uint32_t>
      broadcasts_;

  static void sortMoves(std::vector<compose::cover::net::Move> &moves) {
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  }

  uint32_t stateNumber(const std::string &kind) {
    constexpr uint32_t most = 10'000'000;
    scanner_.skipLines();
    size_t begin = scanner_.offset();
    uint32_t count = scanner_.number("the number of " + kind + " states");
    if (count > most)
      scanner_.failAt(begin, "too many " + kind + " states", "at most " + std::to_string(most));
    return count;
  }
  compose::cover::net::SharedState shared() {
    return existing(scanner_, net_.sharedStates, "shared");
  }
  compose::cover::net::LocalState local() { return existing(scanner_, net_.localStates, "local"); }

  void transition() {
    uint32_t line = scanner_.line();
    compose::cover::net::SharedState from = shared();
    compose::cover::net::LocalState before = local();
    scanner_.skipBlanks();
    if (scanner_.accept("->")) {
      compose::cover::net::SharedState to = shared();
      compose::cover::net::Transition t{from, to, {{before, 1}}, {{local(), 1}}, {}, {}, line};
      t.transfers = passiveMoves();
      net_.transitions.push_back(std::move(t));
    } else if (scanner_.accept("+>")) {
      compose::cover::net::SharedState to = shared();
      compose::cover::net::Transition t{from, to, {{before, 1}}, {{before, 1}}, {}, {}, line};
      compose::cover::addTo(t.produces, local(), 1);
      t.transfers = passiveMoves();
      net_.transitions.push_back(std::move(t));
    } else if (scanner_.accept("~>")) {
      compose::cover::net::SharedState to = shared();
      broadcast(from, to, {before, local()}, line);
    } else {
      scanner_.expect("->", "'->', '+>' or '~>'", lineHint);
    }
    scanner_.skipBlanks();
    if (!scanner_.atLineEnd())
      scanner_.fail("expected the end of the line", lineHint);
  }

  std::vector<compose::cover::net::Move> passiveMoves() {
    std::vector<compose::cover::net::Move> moves;
    for (scanner_.skipBlanks(); scanner_.atNumber(); scanner_.skipBlanks()) {
      compose::cover::net::LocalState from = local();
      scanner_.expect(
          "~>", "'~>' and the local state to which threads in " + std::to_string(from) + " move",
          lineHint);
      moves.push_back({from, local()});
    }
    sortMoves(moves);
    return moves;
  }

  void broadcast(compose::cover::net::SharedState from, compose::cover::net::SharedState to,
                 compose::cover::net::Move move, uint32_t line) {
    auto [entry, isNew] =
        broadcasts_.try_emplace({from, to}, static_cast<uint32_t>(net_.transitions.size()));
    if (isNew)
      net_.transitions.push_back({from, to, {}, {}, {}, {}, line});
    net_.transitions[entry->second].transfers.push_back(move);
  }
};

/// Targets and starts.
class StateParser {
public:
  StateParser(const logic::SourceFilePtr &file, const compose::cover::net::TransferNet &net)
      : scanner_(file), net_(net) {}

  std::vector<compose::cover::net::Configuration> targets() {
    std::vector<compose::cover::net::Configuration> result;
    for (scanner_.skipLines(); !scanner_.atEnd(); scanner_.skipLines()) {
      compose::cover::net::Configuration target;
      target.shared = shared();
      if (!accept('|', 'B'))
        scanner_.expect("|", "'|'", targetHint);
      target.threads = threads();
      endLine(targetHint);
      result.push_back(std::move(target));
    }
    if (result.empty())
      scanner_.fail("expected a target", targetHint);
    return result;
  }

  compose::cover::net::StartSet start() {
    scanner_.skipLines();
    compose::cover::net::StartSet result;
    result.shared = shared();
    if (accept('|', 'B'))
      result.threads = threads();
    if (accept('/', 'U'))
      for (const compose::cover::net::Group &group : threads())
        result.anyNumber.push_back(group.local);
    endLine(startHint);
    scanner_.skipLines();
    if (!scanner_.atEnd())
      scanner_.fail("expected one initial state only", startHint);
    return result;
  }

private:
  static constexpr const char *targetHint =
      "a target looks like '1|2,2': shared state 1 and two threads in local state 2";
  static constexpr const char *startHint =
      "an initial state looks like '0|3/1,2': shared state 0, one thread in local state 3, and any "
      "number of threads in 1 and in 2";
  CoverScanner scanner_;
  const compose::cover::net::TransferNet &net_;

  bool accept(char sign, char letter) {
    scanner_.skipBlanks();
    return scanner_.accept(std::string_view(&sign, 1)) ||
           scanner_.accept(std::string_view(&letter, 1));
  }

  compose::cover::net::SharedState shared() {
    return existing(scanner_, net_.sharedStates, "shared");
  }

  compose::cover::net::Threads threads() {
    compose::cover::net::Threads result;
    scanner_.skipBlanks();
    if (!scanner_.atNumber())
      return result;
    do
      compose::cover::addTo(result, existing(scanner_, net_.localStates, "local"), 1);
    while (scanner_.skipBlanks(), scanner_.accept(","));
    return result;
  }

  void endLine(const char *hint) {
    scanner_.skipBlanks();
    if (!scanner_.atLineEnd())
      scanner_.fail("expected the end of the line", hint);
  }
};

} // namespace

compose::cover::net::TransferNet readTts(const logic::SourceFilePtr &file) {
  return TtsParser(file).run();
}

std::vector<compose::cover::net::Configuration>
readTargets(const logic::SourceFilePtr &file, const compose::cover::net::TransferNet &net) {
  return StateParser(file, net).targets();
}

compose::cover::net::StartSet readStart(const logic::SourceFilePtr &file,
                                        const compose::cover::net::TransferNet &net) {
  return StateParser(file, net).start();
}

std::vector<compose::cover::net::StartSet>
defaultStarts(const compose::cover::net::TransferNet &net) {
  if (net.sharedStates == 0 || net.localStates == 0)
    return {};
  return {{0, {}, {0}}};
}

} // namespace understudy::specs::net

// SPDX-License-Identifier: Apache-2.0
#include "specs/TtsReader.h"

#include "compose/cover/Configurations.h"
#include "specs/CoverScanner.h"

#include <algorithm>
#include <map>

namespace understudy::specs {

using namespace compose::cover;

namespace {

const char *const lineHint =
    "a line reads 's l -> s l', 's l -> s l  a ~> b', 's l +> s l' or 's l ~> s l'";

class TtsParser {
public:
  explicit TtsParser(const logic::SourceFilePtr &file) : scanner_(file) {}

  TransferNet run() {
    scanner_.skipLines();
    net_.sharedStates = scanner_.number("the number of shared states");
    scanner_.skipLines();
    net_.localStates = scanner_.number("the number of local states");
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
  TransferNet net_;
  /// Lines with equal shared states fire together: the transition that stands for them.
  std::map<std::pair<SharedState, SharedState>, uint32_t> broadcasts_;

  static void sortMoves(std::vector<Move> &moves) {
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  }

  uint32_t state(uint32_t count, const std::string &kind) {
    scanner_.skipBlanks();
    size_t begin = scanner_.offset();
    uint32_t value = scanner_.number("a " + kind + " state");
    if (value >= count)
      scanner_.failAt(begin, "there is no " + kind + " state " + std::to_string(value),
                      count == 0 ? "the file declares none"
                                 : "they are numbered from 0 to " + std::to_string(count - 1));
    return value;
  }
  SharedState shared() { return state(net_.sharedStates, "shared"); }
  LocalState local() { return state(net_.localStates, "local"); }

  void transition() {
    uint32_t line = scanner_.line();
    SharedState from = shared();
    LocalState before = local();
    scanner_.skipBlanks();
    if (scanner_.accept("->")) {
      SharedState to = shared();
      Transition t{from, to, {{before, 1}}, {{local(), 1}}, {}, {}, line};
      t.transfers = passiveMoves();
      net_.transitions.push_back(std::move(t));
    } else if (scanner_.accept("+>")) {
      SharedState to = shared();
      Transition t{from, to, {{before, 1}}, {{before, 1}}, {}, {}, line};
      addTo(t.produces, local(), 1);
      t.transfers = passiveMoves();
      net_.transitions.push_back(std::move(t));
    } else if (scanner_.accept("~>")) {
      SharedState to = shared();
      broadcast(from, to, {before, local()}, line);
    } else {
      scanner_.expect("->", "'->', '+>' or '~>'", lineHint);
    }
    scanner_.skipBlanks();
    if (!scanner_.atLineEnd())
      scanner_.fail("expected the end of the line", lineHint);
  }

  std::vector<Move> passiveMoves() {
    std::vector<Move> moves;
    for (scanner_.skipBlanks(); scanner_.atNumber(); scanner_.skipBlanks()) {
      LocalState from = local();
      scanner_.expect(
          "~>", "'~>' and the local state to which threads in " + std::to_string(from) + " move",
          lineHint);
      moves.push_back({from, local()});
    }
    sortMoves(moves);
    return moves;
  }

  void broadcast(SharedState from, SharedState to, Move move, uint32_t line) {
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
  StateParser(const logic::SourceFilePtr &file, const TransferNet &net)
      : scanner_(file), net_(net) {}

  std::vector<Configuration> targets() {
    std::vector<Configuration> result;
    for (scanner_.skipLines(); !scanner_.atEnd(); scanner_.skipLines()) {
      Configuration target;
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

  StartSet start() {
    scanner_.skipLines();
    StartSet result;
    result.shared = shared();
    if (accept('|', 'B'))
      result.threads = threads();
    if (accept('/', 'U'))
      for (const Group &group : threads())
        result.anyNumber.push_back(group.local);
    endLine(startHint);
    scanner_.skipLines();
    if (!scanner_.atEnd())
      scanner_.fail("expected one initial state only", startHint);
    return result;
  }

private:
  static constexpr const char *targetHint =
      "a target reads '1|2,2': shared state 1 and two threads in local state 2";
  static constexpr const char *startHint =
      "an initial state reads '0|3/1,2': shared state 0, one thread in local state 3, and any "
      "number of threads in 1 and in 2";
  CoverScanner scanner_;
  const TransferNet &net_;

  bool accept(char sign, char letter) {
    scanner_.skipBlanks();
    return scanner_.accept(std::string_view(&sign, 1)) ||
           scanner_.accept(std::string_view(&letter, 1));
  }

  uint32_t state(uint32_t count, const std::string &kind) {
    scanner_.skipBlanks();
    size_t begin = scanner_.offset();
    uint32_t value = scanner_.number("a " + kind + " state");
    if (value >= count)
      scanner_.failAt(begin, "there is no " + kind + " state " + std::to_string(value),
                      "the model has " + std::to_string(count) + " " + kind +
                          (count == 1 ? " state" : " states") + ", numbered from 0");
    return value;
  }
  SharedState shared() { return state(net_.sharedStates, "shared"); }

  Threads threads() {
    Threads result;
    scanner_.skipBlanks();
    if (!scanner_.atNumber())
      return result;
    do
      addTo(result, state(net_.localStates, "local"), 1);
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

TransferNet readTts(const logic::SourceFilePtr &file) { return TtsParser(file).run(); }

std::vector<Configuration> readTargets(const logic::SourceFilePtr &file, const TransferNet &net) {
  return StateParser(file, net).targets();
}

StartSet readStart(const logic::SourceFilePtr &file, const TransferNet &net) {
  return StateParser(file, net).start();
}

std::vector<StartSet> defaultStarts(const TransferNet &net) {
  if (net.sharedStates == 0 || net.localStates == 0)
    return {};
  return {{0, {}, {0}}};
}

} // namespace understudy::specs

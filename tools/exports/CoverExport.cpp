// SPDX-License-Identifier: Apache-2.0
//
// Nets with one place for each shared state, of which exactly one is marked, and one for each local
// state. Where there is not exactly one start, a place leads to each of them.
#include "tools/exports/CoverExport.h"

#include "compose/cover/translate/Translate.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>
#include <map>
#include <set>

namespace understudy::tools::exports {

using namespace compose::cover;

namespace {

std::string sharedPlace(compose::cover::net::SharedState state) {
  return "s" + std::to_string(state);
}
std::string localPlace(compose::cover::net::LocalState state) {
  return "l" + std::to_string(state);
}

void refuseSignals(const compose::cover::net::TransferNet &net, const std::string &format) {
  for (const compose::cover::net::Transition &transition : net.transitions)
    if (!transition.signals.empty())
      throw logic::Unsupported(
          "a signal, which wakes one thread if there is one, cannot be expressed in " + format);
}

/// A step of a net: tokens taken, tokens put.
struct Firing {
  std::map<std::string, uint64_t> takes;
  std::map<std::string, uint64_t> puts;
};

Firing firingOf(const compose::cover::net::Transition &transition) {
  Firing firing;
  ++firing.takes[sharedPlace(transition.from)];
  ++firing.puts[sharedPlace(transition.to)];
  for (const compose::cover::net::Group &group : transition.consumes)
    firing.takes[localPlace(group.local)] += group.count;
  for (const compose::cover::net::Group &group : transition.produces)
    firing.puts[localPlace(group.local)] += group.count;
  return firing;
}

/// The places and steps that lead to the starts. A start with any number of threads in a local
/// state has a step that adds one, as long as the start is not left.
class Beginning {
public:
  explicit Beginning(const compose::cover::net::TransferNet &net) {
    for (size_t i = 0; i < net.starts.size(); ++i) {
      const compose::cover::net::StartSet &start = net.starts[i];
      std::string place = "start" + std::to_string(i + 1);
      places_.push_back(place);
      steps_.push_back({{{"start", 1}}, {{place, 1}}});
      for (compose::cover::net::LocalState local : start.anyNumber)
        steps_.push_back({{{place, 1}}, {{place, 1}, {localPlace(local), 1}}});
      Firing leave{{{place, 1}}, {{sharedPlace(start.shared), 1}}};
      for (const compose::cover::net::Group &group : start.threads)
        leave.puts[localPlace(group.local)] += group.count;
      steps_.push_back(leave);
    }
    places_.emplace_back("start");
  }

  const std::vector<std::string> &places() const { return places_; } ///< "start" is marked
  const std::vector<Firing> &steps() const { return steps_; }

private:
  std::vector<std::string> places_;
  std::vector<Firing> steps_;
};

std::vector<std::string> placesOf(const compose::cover::net::TransferNet &net) {
  std::vector<std::string> result;
  for (compose::cover::net::SharedState s = 0; s < net.sharedStates; ++s)
    result.push_back(sharedPlace(s));
  for (compose::cover::net::LocalState l = 0; l < net.localStates; ++l)
    result.push_back(localPlace(l));
  return result;
}

std::string atLeast(const std::map<std::string, uint64_t> &tokens) {
  return logic::joined(tokens, [](const auto &entry) {
    return entry.first + " >= " + std::to_string(entry.second);
  });
}

std::map<std::string, uint64_t> tokensOf(const compose::cover::net::Configuration &configuration) {
  std::map<std::string, uint64_t> tokens{{sharedPlace(configuration.shared), 1}};
  for (const compose::cover::net::Group &group : configuration.threads)
    tokens[localPlace(group.local)] = group.count;
  return tokens;
}

// ---- mist

/// What a place holds after a rule: the sum of places before, and a number.
struct Sum {
  std::set<std::string> places;
  int64_t number = 0;
};

std::string sumText(const Sum &sum) {
  std::string text;
  for (const std::string &place : sum.places)
    text += (text.empty() ? "" : " + ") + place;
  if (text.empty())
    return std::to_string(sum.number);
  if (sum.number != 0)
    text += (sum.number < 0 ? " - " : " + ") + std::to_string(std::abs(sum.number));
  return text;
}

std::string ruleText(const Firing &firing,
                     const std::vector<compose::cover::net::Move> &transfers) {
  std::map<std::string, Sum> after;
  auto at = [&](const std::string &place) -> Sum & {
    return after.emplace(place, Sum{{place}, 0}).first->second;
  };
  // Those that move are gone before any arrive.
  for (const compose::cover::net::Move &move : transfers)
    if (move.from != move.to)
      at(localPlace(move.from)).places.erase(localPlace(move.from));
  for (const compose::cover::net::Move &move : transfers)
    if (move.from != move.to)
      at(localPlace(move.to)).places.insert(localPlace(move.from));
  auto whereTo = [&](const std::string &place) {
    for (const compose::cover::net::Move &move : transfers)
      if (localPlace(move.from) == place)
        return localPlace(move.to);
    return place;
  };
  for (const auto &[place, count] : firing.takes)
    at(whereTo(place)).number -= static_cast<int64_t>(count);
  for (const auto &[place, count] : firing.puts)
    at(place).number += static_cast<int64_t>(count);
  std::string updates;
  for (const auto &[place, sum] : after)
    if (sum.places != std::set<std::string>{place} || sum.number != 0)
      updates += (updates.empty() ? "" : ",\n    ") + place + "' = " + sumText(sum);
  if (updates.empty()) {
    const std::string &place = firing.takes.begin()->first;
    updates = place + "' = " + place;
  }
  return "  " + atLeast(firing.takes) + " ->\n    " + updates + ";\n";
}

void refuseChoices(const compose::cover::net::Transition &transition) {
  std::set<compose::cover::net::LocalState> sources;
  for (const compose::cover::net::Move &move : transition.transfers)
    if (!sources.insert(move.from).second)
      throw logic::Unsupported("a broadcast after which threads may go to one of several places "
                               "cannot be expressed in mist's format");
}

std::string startText(const compose::cover::net::TransferNet &net,
                      const std::vector<std::string> &places) {
  std::map<std::string, std::string> conditions;
  for (const std::string &place : places)
    conditions[place] = " = 0";
  if (net.starts.size() == 1) {
    const compose::cover::net::StartSet &start = net.starts.front();
    conditions[sharedPlace(start.shared)] = " = 1";
    for (const compose::cover::net::Group &group : start.threads)
      conditions[localPlace(group.local)] = " = " + std::to_string(group.count);
    for (compose::cover::net::LocalState local : start.anyNumber) {
      auto found = std::find_if(
          start.threads.begin(), start.threads.end(),
          [&](const compose::cover::net::Group &group) { return group.local == local; });
      conditions[localPlace(local)] =
          " >= " + std::to_string(found == start.threads.end() ? 0 : found->count);
    }
  } else {
    conditions["start"] = " = 1";
  }
  std::string text;
  for (const std::string &place : places)
    text += (text.empty() ? "  " : ",\n  ") + place + conditions[place];
  return text + "\n";
}

// ---- PNML

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

class PnmlWriter {
public:
  std::string run(const compose::cover::net::CoverProblem &problem) {
    const compose::cover::net::TransferNet &net = problem.net;
    Beginning beginning(net);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n";
    for (const compose::cover::net::Configuration &target : problem.targets)
      text += "<!-- target: " + escaped(atLeast(tokensOf(target))) + " -->\n";
    text += "<net id=\"net\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n"
            "<page id=\"page\">\n";
    for (compose::cover::net::SharedState s = 0; s < net.sharedStates; ++s)
      text += place(sharedPlace(s), s < net.sharedNames.size() ? net.sharedNames[s] : "");
    for (compose::cover::net::LocalState l = 0; l < net.localStates; ++l)
      text += place(localPlace(l), l < net.localNames.size() ? net.localNames[l] : "");
    for (const std::string &name : beginning.places())
      text += place(name, "");
    for (const compose::cover::net::Transition &transition : net.transitions)
      text += step(firingOf(transition));
    for (const Firing &firing : beginning.steps())
      text += step(firing);
    return text + "</page>\n</net>\n</pnml>\n";
  }

private:
  size_t steps_ = 0;
  size_t arcs_ = 0;

  static std::string place(const std::string &id, const std::string &name) {
    return "<place id=\"" + id + "\"><name><text>" + escaped(name.empty() ? id : name) +
           "</text></name>" +
           (id == "start" ? "<initialMarking><text>1</text></initialMarking>" : "") + "</place>\n";
  }

  std::string step(const Firing &firing) {
    std::string id = "t" + std::to_string(++steps_);
    std::string text =
        "<transition id=\"" + id + "\"><name><text>" + id + "</text></name></transition>\n";
    for (const auto &[from, count] : firing.takes)
      text += arc(from, id, count);
    for (const auto &[to, count] : firing.puts)
      text += arc(id, to, count);
    return text;
  }

  std::string arc(const std::string &source, const std::string &target, uint64_t count) {
    return "<arc id=\"a" + std::to_string(++arcs_) + "\" source=\"" + source + "\" target=\"" +
           target + "\">" +
           (count == 1 ? ""
                       : "<inscription><text>" + std::to_string(count) + "</text></inscription>") +
           "</arc>\n";
  }
};

} // namespace

std::string netText(const compose::cover::net::CoverProblem &problem,
                    options::ExportTarget target) {
  switch (target) {
  case options::ExportTarget::Tts:
    return ttsText(problem);
  case options::ExportTarget::Spec:
    return mistText(problem);
  case options::ExportTarget::Pnml:
    return coverPnmlText(problem);
  default:
    throw std::logic_error("no notation for nets");
  }
}

std::string netText(const compose::Program &program, const options::Options &options) {
  if (!options.threads.empty())
    throw logic::Error({}, "a net has any number of threads, but --threads sets a number",
                       "drop --threads");
  compose::cover::translate::TranslateOptions translate;
  translate.singles = compose::cover::translate::TranslateOptions::Singles::AsThreads;
  return netText(compose::cover::translate::ProgramNet(program, translate).problem(), options.to);
}

std::string mistText(const compose::cover::net::CoverProblem &problem) {
  const compose::cover::net::TransferNet &net = problem.net;
  refuseSignals(net, "mist's format");
  std::vector<std::string> places = placesOf(net);
  std::string rules;
  for (const compose::cover::net::Transition &transition : net.transitions) {
    refuseChoices(transition);
    rules += ruleText(firingOf(transition), transition.transfers);
  }
  if (net.starts.size() != 1) {
    Beginning beginning(net);
    places.insert(places.end(), beginning.places().begin(), beginning.places().end());
    for (const Firing &firing : beginning.steps())
      rules += ruleText(firing, {});
  }
  if (problem.targets.empty())
    places.emplace_back("never"); // the format wants a target
  std::string text = "vars\n ";
  for (const std::string &place : places)
    text += " " + place;
  text += "\n\nrules\n" + rules + "\ninit\n" + startText(net, places) + "\ntarget\n";
  for (const compose::cover::net::Configuration &target : problem.targets)
    text += "  " + atLeast(tokensOf(target)) + "\n";
  return problem.targets.empty() ? text + "  never >= 1\n" : text;
}

std::string coverPnmlText(const compose::cover::net::CoverProblem &problem) {
  refuseSignals(problem.net, "a place/transition net");
  for (const compose::cover::net::Transition &transition : problem.net.transitions)
    if (!transition.transfers.empty())
      throw logic::Unsupported(
          "a broadcast, which moves all threads at once, cannot be expressed in a "
          "place/transition net");
  return PnmlWriter().run(problem);
}

} // namespace understudy::tools::exports

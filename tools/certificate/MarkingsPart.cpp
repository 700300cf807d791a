// SPDX-License-Identifier: Apache-2.0
//
// The file of a part whose evidence is the markings of a net.
#include "tools/certificate/Certificate.h"
#include "tools/certificate/CertificateReader.h"

#include <charconv>
#include <sstream>

namespace understudy::tools::certificate {

using compose::proof::NetEvidence;
using compose::tnet::Pid;

namespace {

/// "1.2.1"
Pid readPid(const Reader &pid) {
  const std::string text = pid.text();
  Pid result;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    uint32_t number = 0;
    auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number == 0 || (next != end && *next != '.'))
      pid.refuse("a thread id such as \"1.2.1\"");
    result.push_back(number);
    if (next == end)
      return result;
    at = next + 1;
  }
}

std::vector<Reader> both(const Reader &pair, const std::string &wanted) {
  auto fields = pair.list();
  if (fields.size() != 2)
    pair.refuse(wanted);
  return fields;
}

compose::tnet::Marking readMarking(const Reader &tokens, const Reader &generators) {
  compose::tnet::Marking marking;
  for (const Reader &token : tokens.list()) {
    auto parts = both(token, "a token: place, fields");
    compose::tnet::Token read;
    for (const Reader &field : parts[1].list()) {
      compose::tnet::Field value;
      if (field.json().is_string())
        value.pid = readPid(field);
      else
        value.value = field.number();
      read.push_back(std::move(value));
    }
    marking.tokens[parts[0].index()].insert(std::move(read));
  }
  for (const Reader &generator : generators.list()) {
    auto parts = both(generator, "a generator: thread, number of children");
    marking.generators.emplace(readPid(parts[0]), parts[1].index());
  }
  return marking;
}

} // namespace

std::string markingsText(const NetEvidence &evidence) {
  std::string result;
  for (const auto &listed : evidence.states) {
    report::Json tokens = report::Json::array(), generators = report::Json::array(),
                 moves = report::Json::array();
    for (const auto &[place, held] : listed.marking.tokens)
      for (const compose::tnet::Token &token : held) {
        report::Json fields = report::Json::array();
        for (const compose::tnet::Field &field : token)
          fields.push_back(field.pid.empty() ? report::Json(field.value)
                                             : report::Json(compose::tnet::text(field.pid)));
        tokens.push_back({place, fields});
      }
    for (const auto &[pid, count] : listed.marking.generators)
      generators.push_back({compose::tnet::text(pid), count});
    for (const auto &move : listed.moves) {
      report::Json names = report::Json::array();
      for (const auto &[from, to] : move.names)
        names.push_back({compose::tnet::text(from), compose::tnet::text(to)});
      moves.push_back({move.target, names});
    }
    result += report::Json::array({tokens, generators, moves}).dump() + "\n";
  }
  return result;
}

NetEvidence readMarkings(const std::string &text, const std::string &name) {
  NetEvidence result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string where = name + ":" + std::to_string(result.states.size() + 1);
    report::Json json = parsed(line, where);
    Reader state(json, "'" + where + "'");
    auto fields = state.list();
    if (fields.size() != 3)
      state.refuse("a marking: tokens, generators, moves");
    compose::tnet::NetProof::Listed listed{readMarking(fields[0], fields[1]), {}};
    for (const Reader &move : fields[2].list()) {
      auto parts = both(move, "a move: target, names");
      compose::tnet::NetProof::Move read{parts[0].index(), {}};
      for (const Reader &pair : parts[1].list()) {
        auto names = both(pair, "an id and its name in the target");
        read.names.emplace_back(readPid(names[0]), readPid(names[1]));
      }
      listed.moves.push_back(std::move(read));
    }
    result.states.push_back(std::move(listed));
  }
  return result;
}

} // namespace understudy::tools::certificate

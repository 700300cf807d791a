// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/CoverPart.h"

#include "compose/cover/translate/Translate.h"
#include "logic/Error.h"

#include <charconv>
#include <sstream>

namespace understudy::tools::certificate {

namespace cover = compose::cover;

namespace {

/// Reads one line.
class ElementReader {
public:
  ElementReader(const std::string &line, std::string where)
      : at_(line.data()), end_(line.data() + line.size()), where_(std::move(where)) {}

  compose::cover::net::Configuration read() {
    compose::cover::net::Configuration element{number(), {}};
    expect('|');
    while (at_ != end_) {
      if (!element.threads.empty())
        expect(',');
      compose::cover::net::Group group{number(), 1};
      if (at_ != end_ && *at_ == '*') {
        ++at_;
        group.count = number();
      }
      element.threads.push_back(group);
    }
    return element;
  }

private:
  const char *at_;
  const char *end_;
  std::string where_;

  [[noreturn]] void refuse() const {
    throw logic::Error({}, "'" + where_ + "' is not an element such as 3|1,2*2",
                       "the file is corrupt or was written by another tool");
  }
  void expect(char wanted) {
    if (at_ == end_ || *at_ != wanted)
      refuse();
    ++at_;
  }
  uint32_t number() {
    uint32_t value = 0;
    auto [next, error] = std::from_chars(at_, end_, value);
    if (error != std::errc())
      refuse();
    at_ = next;
    return value;
  }
};

/// Calls `use` with the problem that the part is.
template <typename Use>
auto withProblem(const SubjectPart &part, const Use &use) {
  if (part.net)
    return use(*part.net);
  compose::cover::translate::ProgramNet net(part.program, {});
  return use(net.problem());
}

} // namespace

std::string elementsText(const compose::proof::CoverEvidence &evidence) {
  std::string text;
  for (const compose::cover::net::Configuration &element : evidence.elements) {
    text += std::to_string(element.shared) + "|";
    for (size_t i = 0; i < element.threads.size(); ++i) {
      const compose::cover::net::Group &group = element.threads[i];
      text += (i == 0 ? "" : ",") + std::to_string(group.local);
      if (group.count != 1)
        text += "*" + std::to_string(group.count);
    }
    text += "\n";
  }
  return text;
}

compose::proof::CoverEvidence readElements(const std::string &text, const std::string &name) {
  compose::proof::CoverEvidence result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string where = name + ":" + std::to_string(result.elements.size() + 1);
    result.elements.push_back(ElementReader(line, where).read());
  }
  return result;
}

std::optional<std::string> faultOfElements(const SubjectPart &part,
                                           const compose::proof::CoverEvidence &evidence) {
  return withProblem(
      part, [&](const compose::cover::net::CoverProblem &problem) -> std::optional<std::string> {
        if (problem.net.starts.empty())
          return "there is no initial state";
        return compose::proof::faultOf(problem, {evidence.elements});
      });
}

std::string minimalityText(const SubjectPart &part, const compose::proof::CoverEvidence &evidence) {
  constexpr uint64_t maxConfigurations = 2'000;
  switch (withProblem(part, [&](const compose::cover::net::CoverProblem &problem) {
    return compose::proof::minimalityOf(problem, {evidence.elements}, maxConfigurations);
  })) {
  case compose::proof::Minimality::Minimal:
    return "minimal";
  case compose::proof::Minimality::NotMinimal:
    return "not minimal";
  case compose::proof::Minimality::NotKnown:
    break;
  }
  return "not known whether minimal";
}

} // namespace understudy::tools::certificate

// SPDX-License-Identifier: Apache-2.0
#include "compose/proof/Obligations.h"

#include <algorithm>
#include <chrono>
#include <sstream>

namespace understudy::compose::proof {

using logic::solver::Satisfiability;
using logic::solver::SolverReply;

namespace {

/// A comment ends with its line, so nothing in the text may end the line.
std::string commentOf(const Obligation &obligation) {
  std::string text = obligation.name + ": " + obligation.meaning;
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127)
      c = ' ';
  return "; " + text + "\n";
}

} // namespace

size_t ObligationScript::size() const {
  size_t count = 0;
  for (const ObligationGroup &group : groups)
    count += group.obligations.size();
  return count;
}

std::string smtLibFile(const ObligationScript &script) {
  std::string text = script.preamble;
  for (const ObligationGroup &group : script.groups) {
    text += "\n(push 1)\n" + group.text;
    for (const Obligation &obligation : group.obligations)
      text +=
          "\n" + commentOf(obligation) + "(push 1)\n" + obligation.text + "(check-sat)\n(pop 1)\n";
    text += "(pop 1)\n";
  }
  return text;
}

std::string withoutComments(const std::string &smtLib) {
  std::string result;
  std::istringstream lines(smtLib);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with(";"))
      result += line + "\n";
  return result;
}

Discharge discharge(const ObligationScript &script, const DischargeOptions &options) {
  if (script.size() == 0)
    return {};
  using Clock = std::chrono::steady_clock;
  constexpr double least = 0.001; // 0 would be no limit
  const Clock::time_point begin = Clock::now();
  auto left = [&] {
    double used = std::chrono::duration<double>(Clock::now() - begin).count();
    return options.seconds > 0 ? std::max(options.seconds - used, least) : 0;
  };
  logic::solver::SolverProcess solver(options.solver);
  solver.tell(script.preamble);
  for (const ObligationGroup &group : script.groups) {
    solver.tell("(push 1)\n" + group.text);
    for (const Obligation &obligation : group.obligations) {
      solver.tell("(push 1)\n" + obligation.text);
      SolverReply reply = solver.check(left());
      if (reply.answer == Satisfiability::Sat)
        return {Discharge::Outcome::Fails, obligation, {}};
      if (reply.answer == Satisfiability::Unknown)
        return {Discharge::Outcome::Unknown, obligation, reply.reason};
      solver.tell("(pop 1)\n");
    }
    solver.tell("(pop 1)\n");
  }
  return {};
}

} // namespace understudy::compose::proof

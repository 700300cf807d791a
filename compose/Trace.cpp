// SPDX-License-Identifier: Apache-2.0
#include "compose/Trace.h"

#include <algorithm>
#include <set>

namespace understudy::compose {

const Thread *Configuration::find(uint32_t number) const {
  auto found = std::lower_bound(threads.begin(), threads.end(), number,
                                [](const Thread &t, uint32_t n) { return t.number < n; });
  return found != threads.end() && found->number == number ? &*found : nullptr;
}

std::string threadName(const Program &program, const Thread &thread, const Trace &trace) {
  std::set<uint32_t> siblings;
  auto collect = [&](const Configuration &configuration) {
    for (const Thread &t : configuration.threads)
      if (t.thread == thread.thread)
        siblings.insert(t.number);
  };
  collect(trace.start);
  for (const Step &step : trace.steps)
    collect(step.after);
  const std::string &name = program.templates[thread.thread].name;
  if (siblings.size() <= 1)
    return name;
  auto ordinal = std::distance(siblings.begin(), siblings.find(thread.number)) + 1;
  return name + " #" + std::to_string(ordinal);
}

} // namespace understudy::compose

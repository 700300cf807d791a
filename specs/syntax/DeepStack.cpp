// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/DeepStack.h"

#include "logic/Error.h"

#include <exception>
#include <pthread.h>

namespace understudy::specs::syntax {

namespace {

// Reserved, not used: pages that are never touched cost nothing.
constexpr size_t stackBytes = size_t{256} << 20;

struct Job {
  const std::function<void()> &work;
  std::exception_ptr failure;
};

void *runJob(void *argument) {
  auto *job = static_cast<Job *>(argument);
  try {
    job->work();
  } catch (...) {
    job->failure = std::current_exception();
  }
  return nullptr;
}

} // namespace

void onDeepStack(const std::function<void()> &work) {
  Job job{work, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread{};
  int failed = pthread_create(&thread, &attributes, runJob, &job);
  pthread_attr_destroy(&attributes);
  if (failed != 0)
    throw logic::Error("not enough memory to parse a deeply nested file");
  pthread_join(thread, nullptr);
  if (job.failure)
    std::rethrow_exception(job.failure);
}

} // namespace understudy::specs::syntax

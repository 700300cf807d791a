// SPDX-License-Identifier: Apache-2.0
#include "logic/solver/QueryLog.h"

#include "logic/Log.h"
#include "logic/solver/Queries.h"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <utility>

namespace understudy::logic::solver {

namespace {

namespace fs = std::filesystem;

std::atomic<bool> isWriting = false;
std::mutex mutex; ///< of what follows
fs::path target;
std::map<Topic, uint64_t> numbers;

uint64_t nextNumber(Topic topic) {
  const std::lock_guard lock(mutex);
  return ++numbers[topic];
}

fs::path placeOf(Topic topic, uint64_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%06llu.smt2", static_cast<unsigned long long>(number));
  const std::lock_guard lock(mutex);
  return target / word(topic) / name;
}

/// Nothing that is proved depends on the log: it ends, and the proof goes on.
void giveUp(const fs::path &file) {
  if (isWriting.exchange(false))
    std::cerr << "warning: cannot write '" + file.string() +
                     "': no more questions to the solver are logged\n";
}

bool write(const fs::path &file, const std::string &text, std::ios::openmode mode) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::ofstream out(file, mode);
  if (out << text << std::flush)
    return true;
  giveUp(file);
  return false;
}

std::string script(const Translator &translator,
                   const std::function<z3::expr_vector()> &question) try {
  const z3::expr_vector formulas = question();
  z3::context &context = formulas.ctx();
  z3::expr_vector named(context);
  for (const z3::expr &formula : formulas)
    named.push_back(translator.named(formula));
  named.push_back(context.bool_val(true)); // the question is one formula, the others are assumed
  std::vector<Z3_ast> all;
  for (const z3::expr &formula : named)
    all.push_back(formula);
  return Z3_benchmark_to_smtlib_string(context, "", "", "unknown", "",
                                       static_cast<unsigned>(all.size() - 1), all.data(),
                                       all.back());
} catch (const z3::exception &e) {
  return std::string("; not written: ") + e.msg() + "\n";
}

std::string word(Satisfiability answer) {
  switch (answer) {
  case Satisfiability::Sat:
    return "sat";
  case Satisfiability::Unsat:
    return "unsat";
  case Satisfiability::Unknown:
    break;
  }
  return "unknown";
}

} // namespace

void writeQueries(const std::string &folder) {
  {
    const std::lock_guard lock(mutex);
    target = folder;
  }
  isWriting = true;
}

LoggedQuery::LoggedQuery(const Translator &translator,
                         const std::function<z3::expr_vector()> &formulas) {
  const Topic topic = currentTopic();
  if (!isWriting && !isLogged(topic, level::questions))
    return;
  number_ = nextNumber(topic);
  if (isWriting) {
    const fs::path file = placeOf(topic, number_);
    if (write(file, script(translator, formulas), std::ios::out))
      file_ = file.string();
  }
  begin_ = std::chrono::steady_clock::now();
}

LoggedQuery::~LoggedQuery() { answer("stopped"); }

void LoggedQuery::answer(const std::string &text) {
  const uint64_t number = std::exchange(number_, 0);
  if (number == 0)
    return;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", used.count());
  const std::string line = text + " in " + seconds + " s";
  if (!file_.empty())
    write(file_, "; " + line + "\n", std::ios::app);
  log(level::questions, [&] { return "question " + std::to_string(number) + ": " + line; });
}

void LoggedQuery::answer(Satisfiability answer) { this->answer(word(answer)); }

} // namespace understudy::logic::solver

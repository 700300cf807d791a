// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "RandomExpr.h"

#include <set>
#include <utility>

namespace understudy::tests {

enum class Dialect { Full, Scalar, OneThread };
enum class Ids { Given, Fresh };

struct Parameterised {
  std::string name;
  std::vector<Var> parameters;
};

class ConcWriter {
public:
  ConcWriter(uint64_t seed, Dialect dialect)
      : random_(seed), dialect_(dialect),
        care_(random_.below(10) < 6 ? Care::Careful : Care::Careless), expr_(random_, care_),
        ids_(random_.oneIn(3) && dialect != Dialect::OneThread ? Ids::Fresh : Ids::Given) {}

  std::string write();

private:
  using Lines = std::vector<std::string>;

  void declare();
  Var newVariable(const std::string &name);
  void global(const Var &variable, bool given);
  void thread(size_t index);
  void locals(Lines &lines);
  void block(Lines &lines, size_t count, const std::string &indent);
  void nested(Lines &lines, const std::string &head, const std::string &indent);
  void statement(Lines &lines, const std::string &indent);
  void sequential(Lines &lines, const std::string &indent);
  void plain(Lines &lines, const std::string &indent);
  void assignment(Lines &lines, const std::string &indent);
  void claims(Lines &lines, const std::string &indent);
  void control(Lines &lines, const std::string &indent);
  void atomic(Lines &lines, const std::string &indent);
  void fork(Lines &lines, const std::string &indent);
  void join(Lines &lines, const std::string &indent);
  void locking(Lines &lines, const std::string &indent);
  void signalling(Lines &lines, const std::string &indent);
  void idStatement(Lines &lines, const std::string &indent);
  std::string forkText(size_t target);
  std::string condition();
  void resolveJumps(Lines &lines);
  void start();
  void properties();

  Random random_;
  Dialect dialect_;
  Care care_;
  RandomExpr expr_;
  Ids ids_;
  Lines text_;
  std::vector<Var> globals_;
  std::vector<Var> open_; ///< globals without a value
  std::vector<std::string> idNames_;
  std::vector<std::string> mutexes_;
  std::vector<std::string> conds_;
  std::vector<Parameterised> templates_;
  std::set<size_t> forked_;
  std::vector<std::pair<std::string, std::string>> places_; ///< template, label
  size_t budget_ = 0;
  // Of the thread being written:
  size_t current_ = 0;
  size_t depth_ = 0;
  size_t loops_ = 0;
  size_t forks_ = 0;
  size_t labels_ = 0;
  bool critical_ = false;
};

} // namespace understudy::tests

// SPDX-License-Identifier: Apache-2.0
//
// The statements that concern other threads.
#include "ConcWriter.h"

namespace understudy::tests {

void ConcWriter::atomic(Lines &lines, const std::string &indent) {
  lines.push_back(indent + "atomic {");
  const std::string inner = indent + "  ";
  bool operation = false;
  if (random_.oneIn(2)) {
    lines.push_back(inner + "assume " + expr_.boolean(random_.below(2)) + ";");
  } else if (random_.oneIn(3) && !mutexes_.empty() && care_ == Care::Careless) {
    lines.push_back(inner + "lock " + random_.pick(mutexes_) + ";");
    operation = true;
  } else if (random_.oneIn(4) && ids_ == Ids::Given && dialect_ != Dialect::OneThread) {
    lines.push_back(inner + "join " + std::to_string(random_.below(3)) + ";");
    operation = true;
  }
  const size_t count = 1 + random_.below(2);
  for (size_t i = 0; i < count; ++i)
    plain(lines, inner);
  if (!operation && random_.oneIn(3) && !conds_.empty())
    lines.push_back(inner + (random_.oneIn(2) ? "signal " : "broadcast ") + random_.pick(conds_) +
                    ";");
  if (random_.oneIn(3))
    plain(lines, inner);
  lines.push_back(indent + "}");
}

std::string ConcWriter::forkText(size_t target) {
  std::string arguments;
  for (const Var &parameter : templates_[target].parameters)
    arguments += (arguments.empty() ? "" : ", ") + expr_.valueFor(parameter);
  forked_.insert(target);
  const std::string call = templates_[target].name + "(" + arguments + ");";
  if (ids_ == Ids::Fresh)
    return (random_.oneIn(3) ? "fork " : random_.pick(idNames_) + " := fork ") + call;
  if (random_.oneIn(6))
    return "fork " + call;
  std::vector<std::string> ids = {"0", "1", "2"};
  for (const Var &variable : expr_.scope)
    if (!variable.arraySize && (variable.kind == Kind::Int || variable.kind == Kind::Range))
      ids.push_back(variable.name);
  return "fork " + random_.pick(ids) + " " + call;
}

void ConcWriter::fork(Lines &lines, const std::string &indent) {
  const bool onward = current_ + 1 < templates_.size() && loops_ == 0 && forks_ < 2;
  if (onward && !random_.oneIn(4)) {
    ++forks_;
    const size_t target = current_ + 1 + random_.below(templates_.size() - current_ - 1);
    lines.push_back(indent + forkText(target));
    if (random_.oneIn(3) && ids_ == Ids::Given)
      lines.push_back(indent + "join " + templates_[target].name + ";");
    return;
  }
  const size_t target = random_.below(templates_.size());
  if (target == 0 && templates_.size() > 1 && !random_.oneIn(4))
    return assignment(lines, indent);
  const std::string text = forkText(target);
  if (random_.oneIn(200)) {
    lines.push_back(indent + text);
    return;
  }
  lines.push_back(indent + "atomic {");
  lines.push_back(indent + "  assume spawned < " + std::to_string(1 + random_.below(2)) + ";");
  lines.push_back(indent + "  spawned := spawned + 1;");
  lines.push_back(indent + "  " + text);
  lines.push_back(indent + "}");
}

void ConcWriter::join(Lines &lines, const std::string &indent) {
  if (random_.oneIn(2)) {
    lines.push_back(indent + "join " + random_.pick(templates_).name + ";");
    return;
  }
  std::vector<std::string> ids = {"0", "1", "2"};
  if (ids_ == Ids::Fresh)
    ids.insert(ids.end(), idNames_.begin(), idNames_.end());
  else
    for (const Var &variable : expr_.scope)
      if (!variable.arraySize && (variable.kind == Kind::Int || variable.kind == Kind::Range))
        ids.push_back(variable.name + (random_.oneIn(4) ? " + 1" : ""));
  lines.push_back(indent + "join " + random_.pick(ids) + ";");
}

void ConcWriter::idStatement(Lines &lines, const std::string &indent) {
  const std::string &a = random_.pick(idNames_);
  const std::string &b = random_.pick(idNames_);
  switch (random_.below(5)) {
  case 0:
    lines.push_back(indent + a + " := " + b + ";");
    return;
  case 1:
    lines.push_back(indent + a + " := " + std::to_string(random_.below(2)) + ";");
    return;
  case 2:
    if (care_ == Care::Careless || random_.oneIn(4)) {
      lines.push_back(indent + "assert " + a + (random_.oneIn(2) ? " == " : " != ") + b + ";");
      return;
    }
    [[fallthrough]];
  case 3:
    nested(lines, "if (" + a + (random_.oneIn(2) ? " == 1)" : " != " + b + ")"), indent);
    return;
  default:
    lines.push_back(indent + "join " + a + ";");
  }
}

void ConcWriter::locking(Lines &lines, const std::string &indent) {
  const std::string &mutex = random_.pick(mutexes_);
  if (care_ == Care::Careless && random_.oneIn(2)) {
    lines.push_back(indent + (random_.oneIn(2) ? "lock " : "unlock ") + mutex + ";");
    return;
  }
  if (critical_)
    return assignment(lines, indent);
  critical_ = true;
  lines.push_back(indent + "lock " + mutex + ";");
  if (!conds_.empty() && random_.oneIn(3))
    lines.push_back(indent + "wait " + random_.pick(conds_) + " with " + mutex + ";");
  block(lines, 1 + random_.below(2), indent);
  lines.push_back(indent + "unlock " + mutex + ";");
  critical_ = false;
}

void ConcWriter::signalling(Lines &lines, const std::string &indent) {
  const std::string &cond = random_.pick(conds_);
  switch (random_.below(6)) {
  case 0:
    lines.push_back(indent + "wait " + cond + ";");
    return;
  case 1:
    if (care_ == Care::Careless && !mutexes_.empty()) {
      lines.push_back(indent + "wait " + cond + " with " + random_.pick(mutexes_) + ";");
      return;
    }
    [[fallthrough]];
  case 2:
  case 3:
    lines.push_back(indent + "signal " + cond + ";");
    return;
  default:
    lines.push_back(indent + "broadcast " + cond + ";");
  }
}

} // namespace understudy::tests

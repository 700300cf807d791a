// SPDX-License-Identifier: Apache-2.0
//
// A program is written from the top: what it has (variables, mutexes, templates), then the bodies.
// Template k forks only templates after it, or any template under a counter, so that most programs
// have finitely many threads. A thread that forks jumps only forwards, for the same reason.
#include "RandomConc.h"

#include "ConcWriter.h"

namespace understudy::tests {

Var ConcWriter::newVariable(const std::string &name) {
  Var variable;
  variable.name = name;
  switch (random_.below(6)) {
  case 0:
  case 1:
    variable.kind = Kind::Bool;
    break;
  case 2:
  case 3:
    variable.kind = Kind::Range;
    variable.lower = random_.oneIn(6) ? -1 : 0;
    variable.upper = random_.between(1, 2);
    break;
  case 4:
    variable.kind = Kind::Int;
    variable.upper = 2;
    break;
  default:
    variable.kind = Kind::Enum;
  }
  return variable;
}

void ConcWriter::global(const Var &variable, bool given) {
  std::string line = "global " + variable.type();
  if (variable.arraySize)
    line += variable.kind == Kind::Int ? "[]" : "[" + std::to_string(*variable.arraySize) + "]";
  line += " " + variable.name;
  text_.push_back(line + (given ? " = " + expr_.constantFor(variable) : "") + ";");
  globals_.push_back(variable);
  if (!given)
    open_.push_back(variable);
}

void ConcWriter::declare() {
  expr_.enumerators = {"idle", "busy"};
  if (random_.oneIn(2))
    expr_.enumerators.push_back("gone");
  std::string names;
  for (const std::string &name : expr_.enumerators)
    names += (names.empty() ? "" : ", ") + name;
  text_.push_back("enum Mode { " + names + (random_.oneIn(3) ? " = 4" : "") + " }");
  const size_t count = 1 + random_.below(3);
  for (size_t i = 0; i < count; ++i) {
    Var variable = newVariable("g" + std::to_string(i));
    if (dialect_ != Dialect::Scalar && random_.oneIn(5))
      variable.arraySize = 2;
    global(variable, variable.kind == Kind::Int || !random_.oneIn(4));
  }
  for (size_t i = 0; ids_ == Ids::Fresh && i < 1 + random_.below(2); ++i) {
    idNames_.push_back("h" + std::to_string(i));
    text_.push_back("global int " + idNames_.back() + " = " + std::to_string(random_.below(2)) +
                    ";");
  }
  if (dialect_ == Dialect::OneThread) {
    templates_.push_back({"main", {}});
    return;
  }
  text_.push_back("global int spawned = 0;");
  if (random_.oneIn(2))
    mutexes_.push_back("m");
  if (!mutexes_.empty() && random_.oneIn(3))
    mutexes_.push_back("n");
  if (random_.oneIn(3))
    conds_.push_back("c");
  if (!conds_.empty() && random_.oneIn(4))
    conds_.push_back("d");
  for (const std::string &mutex : mutexes_)
    text_.push_back("global mutex " + mutex + ";");
  for (const std::string &cond : conds_)
    text_.push_back("global cond " + cond + ";");
  const size_t templates = 1 + random_.below(3);
  for (size_t i = 0; i < templates; ++i) {
    templates_.push_back({i == 0 ? "main" : "T" + std::to_string(i), {}});
    if (i > 0 && random_.oneIn(3))
      templates_.back().parameters.push_back(newVariable("p" + std::to_string(i)));
  }
}

std::string ConcWriter::condition() {
  return random_.oneIn(4) ? "*" : expr_.boolean(random_.below(2));
}

void ConcWriter::block(Lines &lines, size_t count, const std::string &indent) {
  const size_t before = lines.size();
  for (size_t i = 0; i < count && budget_ > 0; ++i)
    statement(lines, indent);
  if (lines.size() == before)
    lines.push_back(indent + "skip;");
}

void ConcWriter::nested(Lines &lines, const std::string &head, const std::string &indent) {
  ++depth_;
  lines.push_back(indent + head + " {");
  block(lines, 1 + random_.below(2), indent + "  ");
  lines.push_back(indent + "}");
  --depth_;
}

void ConcWriter::assignment(Lines &lines, const std::string &indent) {
  std::vector<Var> targets;
  for (const Var &variable : expr_.scope)
    targets.push_back(variable);
  if (targets.empty()) {
    lines.push_back(indent + "skip;");
    return;
  }
  const Var &target = random_.pick(targets);
  if (loops_ == 0 && target.kind == Kind::Int && !target.arraySize && random_.oneIn(2)) {
    lines.push_back(indent + target.name + " := " + target.name + " + 1;");
    return;
  }
  if (random_.oneIn(8) && target.kind != Kind::Int && !target.arraySize) {
    lines.push_back(indent + "havoc " + target.name + ";");
    return;
  }
  lines.push_back(indent + expr_.use(target) + " := " + expr_.valueFor(target) + ";");
}

void ConcWriter::claims(Lines &lines, const std::string &indent) {
  if (random_.oneIn(3))
    lines.push_back(indent + "assume " + expr_.boolean(random_.below(2)) + ";");
  else
    lines.push_back(indent + "assert " + expr_.weakClaim() + ";");
}

void ConcWriter::plain(Lines &lines, const std::string &indent) {
  switch (random_.below(6)) {
  case 0:
    lines.push_back(indent + "assert " + expr_.weakClaim() + ";");
    break;
  case 1:
    lines.push_back(indent + "if (" + condition() + ") {");
    assignment(lines, indent + "  ");
    lines.push_back(indent + "} else {");
    assignment(lines, indent + "  ");
    lines.push_back(indent + "}");
    break;
  default:
    assignment(lines, indent);
  }
}

void ConcWriter::control(Lines &lines, const std::string &indent) {
  switch (random_.below(9)) {
  case 0:
  case 1:
  case 2:
    nested(lines, "if (" + condition() + ")", indent);
    if (random_.oneIn(2)) {
      lines.back() = indent + "} else {";
      ++depth_;
      block(lines, 1, indent + "  ");
      --depth_;
      lines.push_back(indent + "}");
    }
    return;
  case 3:
  case 4:
    ++loops_;
    nested(lines, "while (" + condition() + ")", indent);
    --loops_;
    return;
  case 5:
  case 6:
    lines.push_back(indent + "L" + std::to_string(labels_) + ":");
    places_.emplace_back(templates_[current_].name, "L" + std::to_string(labels_++));
    assignment(lines, indent);
    return;
  case 7:
    if (dialect_ != Dialect::Scalar && !critical_)
      lines.push_back(indent + "goto @;");
    else
      lines.push_back(indent + "skip;");
    return;
  default:
    lines.push_back(indent + (critical_ || random_.oneIn(2) ? "skip;" : "return;"));
  }
}

void ConcWriter::statement(Lines &lines, const std::string &indent) {
  --budget_;
  if (dialect_ == Dialect::OneThread)
    return sequential(lines, indent);
  switch (random_.below(20)) {
  case 0:
  case 1:
    return claims(lines, indent);
  case 2:
  case 3:
  case 4:
    return depth_ < 2 ? control(lines, indent) : assignment(lines, indent);
  case 5:
  case 6:
    return atomic(lines, indent);
  case 7:
  case 8:
  case 9:
    return fork(lines, indent);
  case 10:
    return join(lines, indent);
  case 11:
  case 12:
    return mutexes_.empty() ? assignment(lines, indent) : locking(lines, indent);
  case 13:
  case 14:
    return conds_.empty() ? assignment(lines, indent) : signalling(lines, indent);
  case 15:
    return idNames_.empty() || depth_ > 1 ? assignment(lines, indent) : idStatement(lines, indent);
  default:
    return assignment(lines, indent);
  }
}

void ConcWriter::sequential(Lines &lines, const std::string &indent) {
  switch (random_.below(10)) {
  case 0:
  case 1:
    return claims(lines, indent);
  case 2:
  case 3:
  case 4:
    return depth_ < 3 ? control(lines, indent) : assignment(lines, indent);
  case 5:
    return atomic(lines, indent);
  default:
    return assignment(lines, indent);
  }
}

void ConcWriter::locals(Lines &lines) {
  const size_t count = random_.below(3) / 2 + (random_.oneIn(4) ? 1 : 0);
  for (size_t i = 0; i < count; ++i) {
    Var local = newVariable("l" + std::to_string(i));
    if (dialect_ != Dialect::Scalar && random_.oneIn(6))
      local.arraySize = 2;
    std::string line =
        "  local " + local.type() + (local.arraySize ? "[2]" : "") + " " + local.name;
    const bool given = local.kind == Kind::Int || random_.oneIn(2);
    if (given)
      line += " = " + (random_.oneIn(3) && !local.arraySize && local.kind != Kind::Int
                           ? expr_.valueFor(local)
                           : expr_.constantFor(local));
    lines.push_back(line + ";");
    expr_.scope.push_back(local);
  }
}

/// Every `goto @` gets a label of this thread: any, or a later one if the thread forks.
void ConcWriter::resolveJumps(Lines &lines) {
  bool forks = false;
  for (const std::string &line : lines)
    forks = forks || line.find("fork ") != std::string::npos;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t at = lines[i].find("goto @;");
    if (at == std::string::npos)
      continue;
    std::vector<std::string> labels;
    for (size_t j = forks ? i : 0; j < lines.size(); ++j)
      if (lines[j].ends_with(":"))
        labels.push_back(
            lines[j].substr(lines[j].find('L'), lines[j].size() - 1 - lines[j].find('L')));
    lines[i] =
        lines[i].substr(0, at) + (labels.empty() ? "skip;" : "goto " + random_.pick(labels) + ";");
  }
}

void ConcWriter::thread(size_t index) {
  current_ = index;
  depth_ = loops_ = forks_ = labels_ = 0;
  critical_ = false;
  expr_.scope = globals_;
  std::string parameters;
  for (const Var &parameter : templates_[index].parameters) {
    parameters += (parameters.empty() ? "" : ", ") + parameter.type() + " " + parameter.name;
    expr_.scope.push_back(parameter);
  }
  Lines lines;
  locals(lines);
  const bool alone = dialect_ == Dialect::OneThread;
  budget_ = alone ? 14 : 5;
  block(lines, (alone ? 4 : 2) + random_.below(alone ? 6 : 3), "  ");
  resolveJumps(lines);
  text_.push_back("thread " + templates_[index].name +
                  (parameters.empty() && random_.oneIn(2) ? "" : "(" + parameters + ")") + " {");
  text_.insert(text_.end(), lines.begin(), lines.end());
  text_.push_back("}");
}

void ConcWriter::start() {
  std::string run;
  for (size_t i = 1; i < templates_.size(); ++i)
    if (templates_[i].parameters.empty() && random_.oneIn(forked_.contains(i) ? 6 : 2))
      run += ", " + templates_[i].name + (random_.oneIn(4) ? " * 2" : random_.oneIn(4) ? "*" : "");
  if (!run.empty() || random_.oneIn(3))
    text_.push_back("run main" + std::string(random_.oneIn(6) ? " * 2" : "") + run + ";");
}

void ConcWriter::properties() {
  expr_.scope = globals_;
  if (dialect_ != Dialect::OneThread && random_.oneIn(5))
    text_.push_back("invariant " + expr_.weakClaim() + ";");
  if (places_.size() > 1 && random_.oneIn(care_ == Care::Careless ? 2 : 4)) {
    const auto &first = random_.pick(places_);
    const auto &second = random_.pick(places_);
    text_.push_back("never " + first.first + "." + first.second + " with " + second.first + "." +
                    second.second + ";");
  }
  expr_.scope = open_;
  if (!open_.empty() && random_.oneIn(2))
    text_.push_back("initially " + expr_.boolean(0) + " || " + expr_.boolean(1) + ";");
}

std::string ConcWriter::write() {
  declare();
  for (size_t i = 0; i < templates_.size(); ++i)
    thread(i);
  if (dialect_ != Dialect::OneThread)
    start();
  properties();
  std::string all;
  for (const std::string &line : text_)
    all += line + "\n";
  return all;
}

std::string randomConc(uint64_t seed) { return ConcWriter(seed, Dialect::Full).write(); }

std::string randomScalarConc(uint64_t seed) { return ConcWriter(seed, Dialect::Scalar).write(); }

std::string randomOneThreadConc(uint64_t seed) {
  return ConcWriter(seed, Dialect::OneThread).write();
}

} // namespace understudy::tests

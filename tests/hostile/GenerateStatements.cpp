// SPDX-License-Identifier: Apache-2.0
#include "Generator.h"

namespace understudy::tests::hostile {

void Generator::block(Nodes &out, size_t statements, size_t depth) {
  for (size_t i = 0; i < statements; ++i)
    statement(out, depth);
}

Node Generator::nested(const std::string &head, size_t statements, size_t depth) {
  Node node{head, {}, true};
  block(node.body, statements, depth);
  return node;
}

namespace {

template <typename Rows>
size_t weightOf(const Rows &rows) {
  size_t sum = 0;
  for (const auto &row : rows)
    sum += row.weight;
  return sum;
}

} // namespace

/// A program uses a few features only, so that one does not hide what is wrong with another.
void Generator::chooseFeatures() {
  static const std::vector<Feature> always = {{&Generator::store, 3},
                                              {&Generator::assignLocal, 2},
                                              {&Generator::observe, 2},
                                              {&Generator::branch, 3}};
  static const std::vector<Feature> perhaps = {{&Generator::storeThroughPointer, 2},
                                               {&Generator::update, 3},
                                               {&Generator::publish, 3},
                                               {&Generator::foreign, 2},
                                               {&Generator::redirect, 2},
                                               {&Generator::callBack, 3},
                                               {&Generator::structures, 3},
                                               {&Generator::arrays, 2},
                                               {&Generator::callHelper, 2},
                                               {&Generator::claim, 1},
                                               {&Generator::section, 1},
                                               {&Generator::odd, 2},
                                               {&Generator::loop, 2},
                                               {&Generator::choose, 1},
                                               {&Generator::jump, 1},
                                               {&Generator::end, 1}};
  features_ = always;
  for (const Feature &feature : perhaps)
    if (random_.oneIn(4))
      features_.push_back(feature);
  for (size_t kind = 0; kind < leafKinds; ++kind)
    if (random_.oneIn(4))
      leaves_.push_back(kind);
}

void Generator::statement(Nodes &out, size_t depth) {
  size_t at = random_.below(weightOf(features_));
  for (const Feature &feature : features_) {
    if (at < feature.weight)
      return (this->*feature.make)(out, depth);
    at -= feature.weight;
  }
}

void Generator::store(Nodes &out, size_t /*depth*/) {
  const size_t variable = anyShared();
  line(out, place(variable) + " = " + fitting(variable) + ";");
}

void Generator::storeThroughPointer(Nodes &out, size_t /*depth*/) {
  const size_t variable = anyShared();
  const std::string pointer = fresh("q");
  Node node{"", {}, true};
  line(node.body,
       "__typeof__(" + name(variable) + ") *" + pointer + " = &" + place(variable) + ";");
  if (random_.oneIn(3)) {
    line(node.body, "__typeof__(" + pointer + ") *" + pointer + "p = &" + pointer + ";");
    line(node.body, "**" + pointer + "p = " + fitting(variable) + ";");
  } else {
    line(node.body, "*" + pointer + " = " + fitting(variable) + ";");
  }
  out.push_back(node);
}

/// Reads and writes one variable.
void Generator::update(Nodes &out, size_t depth) {
  const size_t variable = anyShared();
  if (!counts(variable))
    return store(out, depth);
  const std::string x = place(variable);
  const std::string to = anyInt();
  const bool isAtomic = program_.shared[variable].atomic;
  const std::string exchange = isAtomic ? "atomic_exchange(&" : "__atomic_exchange_n(&";
  const std::string order = isAtomic ? ")" : ", 5)";
  switch (random_.below(6)) {
  case 0:
    return line(out, "if (" + x + " < " + std::to_string(program_.shared[variable].upper) + ") " +
                         x + "++;");
  case 1:
    return line(out, x + " " + (random_.oneIn(2) ? "+= 1" : "-= 1") + ";");
  case 2:
    return line(out, to + " = (int)" + exchange + x + ", " + fitting(variable) + order + ";");
  case 3:
    return line(out, to + " = (int)" +
                         (isAtomic ? "atomic_fetch_add(&" : "__sync_fetch_and_add(&") + x +
                         ", 1);");
  case 4:
    return line(out, to + " = (int)" +
                         (isAtomic ? "atomic_fetch_sub(&" : "__sync_sub_and_fetch(&") + x +
                         ", 1);");
  default:
    if (!isAtomic)
      return line(out, to + " = __sync_bool_compare_and_swap(&" + x + ", " + constantOf(variable) +
                           ", " + fitting(variable) + ");");
    Node node{"", {}, true};
    const std::string expected = fresh("e");
    std::string type = program_.types[variable].name;
    type = type.substr(type.rfind(' ') + 1);
    line(node.body, type + " " + expected + " = " + constantOf(variable) + ";");
    line(node.body, to + " = atomic_compare_exchange_strong(&" + x + ", &" + expected + ", " +
                        fitting(variable) + ");");
    out.push_back(node);
  }
}

void Generator::assignLocal(Nodes &out, size_t /*depth*/) {
  if (random_.oneIn(3))
    return line(out, "*" + anyPointer() + " = " + value() + " & 7;");
  line(out, anyInt() + " = " + value() + " & 7;");
}

void Generator::branch(Nodes &out, size_t depth) {
  if (depth == 0)
    return observe(out, depth);
  out.push_back(nested("if (" + condition() + ")", 1 + random_.below(2), depth - 1));
  if (random_.oneIn(2))
    out.push_back(nested("else", 1 + random_.below(2), depth - 1));
}

void Generator::loop(Nodes &out, size_t depth) {
  if (depth-- == 0)
    return assignLocal(out, depth);
  const std::string i = fresh("i");
  const std::string rounds = std::to_string(1 + random_.below(3));
  switch (random_.below(4)) {
  case 0:
    out.push_back(nested("for (int " + i + " = 0; " + i + " < " + rounds + "; " + i + "++)",
                         1 + random_.below(2), depth));
    return;
  case 1:
    out.push_back(nested("for (int " + i + " = 0; " + i + " < " + rounds + " && " + condition() +
                             "; ++" + i + ")",
                         1 + random_.below(2), depth));
    return;
  case 2: {
    Node node =
        nested("while ((int)" + name(anyShared()) + " == " + leaf() + ")", random_.below(2), depth);
    if (random_.oneIn(2))
      line(node.body, "if (" + condition() + ") break;");
    out.push_back(node);
    return;
  }
  default: {
    Node node{"", {}, true};
    line(node.body, "int " + i + " = " + rounds + ";");
    node.body.push_back(nested("do", 1 + random_.below(2), depth));
    line(node.body, "while (--" + i + " > 0);");
    out.push_back(node);
  }
  }
}

void Generator::choose(Nodes &out, size_t depth) {
  if (depth-- == 0)
    return assignLocal(out, depth);
  Node node{"switch (" + value() + " & 3)", {}, true};
  const size_t cases = 2 + random_.below(2);
  for (size_t i = 0; i < cases; ++i) {
    line(node.body, (i ? "case " + std::to_string(i) : std::string("default")) + ":;");
    block(node.body, 1, depth);
    if (!random_.oneIn(3))
      line(node.body, "break;");
  }
  out.push_back(node);
}

void Generator::jump(Nodes &out, size_t depth) {
  if (depth-- == 0)
    return assignLocal(out, depth);
  const std::string label = fresh("out");
  line(out, "if (" + condition() + ") goto " + label + ";");
  block(out, 1 + random_.below(2), depth);
  line(out, label + ":;");
}

void Generator::claim(Nodes &out, size_t /*depth*/) {
  if (scope_.isThread && random_.oneIn(4))
    return line(out, "UNDERSTUDY_AT(M" + std::to_string(markers_++) + ");");
  if (random_.oneIn(6))
    return line(out, "__VERIFIER_assume(" + condition() + ");");
  line(out, "assert(" + condition() + ");");
}

void Generator::section(Nodes &out, size_t depth) {
  line(out, "__VERIFIER_atomic_begin();");
  const size_t count = 1 + random_.below(2);
  for (size_t i = 0; i < count; ++i)
    random_.oneIn(3) ? assignLocal(out, depth) : store(out, depth);
  line(out, "__VERIFIER_atomic_end();");
}

/// Leaves the function, or the program.
void Generator::end(Nodes &out, size_t depth) {
  if (!scope_.isThread)
    return store(out, depth);
  static const std::vector<std::string> ends = {"return;", "return;", "abort();",
                                                "pthread_exit(0);"};
  line(out, "if (" + condition() + ") " + random_.pick(ends));
}

} // namespace understudy::tests::hostile

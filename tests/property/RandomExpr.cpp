// SPDX-License-Identifier: Apache-2.0
#include "RandomExpr.h"

namespace understudy::tests {

std::string Var::type() const {
  switch (kind) {
  case Kind::Bool:
    return "bool";
  case Kind::Range:
    return "int " + std::to_string(lower) + ".." + std::to_string(upper);
  case Kind::Int:
    return "int";
  case Kind::Enum:
    return "Mode";
  }
  return {};
}

std::vector<Var> RandomExpr::ofKind(Kind kind, Kind other) const {
  std::vector<Var> found;
  for (const Var &variable : scope)
    if (variable.kind == kind || variable.kind == other)
      found.push_back(variable);
  return found;
}

std::string RandomExpr::number(int64_t lower, int64_t upper) {
  return std::to_string(random_.between(lower, upper));
}

std::string RandomExpr::indexFor(const Var &array) {
  const int64_t last = *array.arraySize - 1;
  std::vector<std::string> fitting, any;
  for (const Var &variable : scope) {
    if (variable.arraySize || (variable.kind != Kind::Range && variable.kind != Kind::Int))
      continue;
    any.push_back(variable.name);
    if (variable.kind == Kind::Range && variable.lower >= 0 && variable.upper <= last)
      fitting.push_back(variable.name);
  }
  if (!any.empty() && (care_ == Care::Careless ? random_.oneIn(3) : random_.oneIn(30)))
    return random_.pick(any) + (random_.oneIn(3) ? " + 1" : "");
  if (!fitting.empty() && !random_.oneIn(3))
    return random_.pick(fitting);
  return number(0, last);
}

std::string RandomExpr::use(const Var &variable) {
  return variable.arraySize ? variable.name + "[" + indexFor(variable) + "]" : variable.name;
}

std::string RandomExpr::integer(size_t depth) {
  const std::vector<Var> integers = ofKind(Kind::Range, Kind::Int);
  if (depth == 0 || integers.empty())
    return integers.empty() || random_.oneIn(3) ? number(0, 2) : use(random_.pick(integers));
  switch (random_.below(8)) {
  case 0:
    return integer(depth - 1) + " + " + integer(0);
  case 1:
    return integer(depth - 1) + " - " + integer(0);
  case 2:
    return number(2, 3) + " * " + use(random_.pick(integers));
  case 3:
    return "(" + integer(depth - 1) + ") / " + number(1, 2);
  case 4:
    return "(" + integer(depth - 1) + ") % " + number(2, 3);
  case 5:
    return "(" + boolean(depth - 1) + " ? " + integer(0) + " : " + integer(depth - 1) + ")";
  case 6:
    return "-" + use(random_.pick(integers));
  default:
    return integer(0);
  }
}

std::string RandomExpr::enumValue() {
  const std::vector<Var> modes = ofKind(Kind::Enum, Kind::Enum);
  return modes.empty() || random_.oneIn(2) ? random_.pick(enumerators) : use(random_.pick(modes));
}

std::string RandomExpr::comparison(size_t depth) {
  static const std::vector<std::string> operators = {"==", "!=", "<", "<=", ">", ">="};
  const std::vector<Var> modes = ofKind(Kind::Enum, Kind::Enum);
  if (!modes.empty() && random_.oneIn(3))
    return use(random_.pick(modes)) + " " + random_.pick(operators) + " " + enumValue();
  if (random_.oneIn(6))
    return integer(depth) + " in " + number(0, 1) + ".." + number(1, 2);
  return integer(depth) + " " + random_.pick(operators) + " " + integer(0);
}

std::string RandomExpr::boolean(size_t depth) {
  const std::vector<Var> flags = ofKind(Kind::Bool, Kind::Bool);
  if (depth == 0) {
    if (random_.oneIn(20))
      return random_.oneIn(2) ? "true" : "false";
    if (flags.empty() || random_.oneIn(2))
      return comparison(0);
    return (random_.oneIn(2) ? "!" : "") + use(random_.pick(flags));
  }
  switch (random_.below(7)) {
  case 0:
    return "(" + boolean(depth - 1) + " && " + boolean(0) + ")";
  case 1:
    return "(" + boolean(0) + " || " + boolean(depth - 1) + ")";
  case 2:
    return "!(" + boolean(depth - 1) + ")";
  case 3:
    return "(" + boolean(0) + " => " + boolean(depth - 1) + ")";
  case 4:
    return "(" + boolean(0) + " ? " + boolean(depth - 1) + " : " + boolean(0) + ")";
  case 5:
    return comparison(depth);
  default:
    return boolean(0);
  }
}

std::string RandomExpr::weakClaim() {
  if (care_ == Care::Careless)
    return boolean(1);
  std::vector<Var> bounded;
  for (const Var &variable : scope)
    if (variable.kind == Kind::Range || variable.kind == Kind::Int)
      bounded.push_back(variable);
  if (!bounded.empty() && random_.oneIn(2)) {
    const Var &variable = random_.pick(bounded);
    return use(variable) + " in " + std::to_string(variable.lower) + ".." +
           std::to_string(variable.upper);
  }
  return boolean(0) + " || " + boolean(1) + " || " + boolean(0);
}

std::string RandomExpr::constantFor(const Var &variable) {
  switch (variable.kind) {
  case Kind::Bool:
    return random_.oneIn(2) ? "true" : "false";
  case Kind::Enum:
    return random_.pick(enumerators);
  default:
    return number(variable.lower, variable.upper);
  }
}

std::string RandomExpr::inRange(int64_t lower, int64_t upper) {
  std::vector<Var> fitting, other;
  for (const Var &variable : ofKind(Kind::Range, Kind::Int))
    (variable.lower >= lower && variable.upper <= upper && variable.kind == Kind::Range ? fitting
                                                                                        : other)
        .push_back(variable);
  if (!fitting.empty() && random_.oneIn(2)) {
    const std::string name = use(random_.pick(fitting));
    switch (random_.below(3)) {
    case 0:
      return name;
    case 1:
      return name + " < " + std::to_string(upper) + " ? " + name + " + 1 : " + number(lower, upper);
    default:
      return name + " > " + std::to_string(lower) + " ? " + name + " - 1 : " + number(lower, upper);
    }
  }
  if (!other.empty() && random_.oneIn(2)) {
    const std::string name = use(random_.pick(other));
    return name + " in " + std::to_string(lower) + ".." + std::to_string(upper) + " ? " + name +
           " : " + number(lower, upper);
  }
  return number(lower, upper);
}

std::string RandomExpr::valueFor(const Var &variable) {
  switch (variable.kind) {
  case Kind::Bool:
    return boolean(random_.below(2));
  case Kind::Enum:
    return enumValue();
  case Kind::Int:
    return inRange(variable.lower, variable.upper);
  case Kind::Range:
    break;
  }
  return care_ == Care::Careless && random_.oneIn(2) ? integer(1)
                                                     : inRange(variable.lower, variable.upper);
}

} // namespace understudy::tests

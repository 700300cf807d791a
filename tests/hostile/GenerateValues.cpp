// SPDX-License-Identifier: Apache-2.0
#include "Generator.h"

namespace understudy::tests::hostile {

bool Generator::counts(size_t variable) const {
  return program_.shared[variable].type == ContractType::Range && !program_.types[variable].isBool;
}

std::string Generator::constantOf(size_t variable) {
  const SharedVariable &shared = program_.shared[variable];
  return std::to_string(random_.pick(valuesOf(shared.type, shared.lower, shared.upper)));
}

std::string Generator::place(size_t variable) {
  const SharedVariable &shared = program_.shared[variable];
  if (shared.elements == 0 || random_.oneIn(2))
    return name(variable);
  return "@" + shared.array() + "[" + value() + " & 1]";
}

std::string Generator::fitting(size_t variable) {
  const SharedVariable &shared = program_.shared[variable];
  if (random_.oneIn(25))
    return value();
  if (random_.oneIn(2))
    return constantOf(variable);
  if (shared.type == ContractType::Bool)
    return random_.oneIn(2) ? value() : condition();
  if (shared.type == ContractType::Enum || random_.oneIn(2))
    return "(" + condition() + " ? " + constantOf(variable) + " : " + constantOf(variable) + ")";
  const std::string number = std::to_string(shared.upper - shared.lower + 1);
  return "((int)((unsigned)" + value() + " % " + number + ") + " + std::to_string(shared.lower) +
         ")";
}

std::string Generator::leaf() {
  static const std::vector<std::string> numbers = {"0", "1", "2", "3", "-1", "7", "255", "256"};
  if (random_.oneIn(4))
    return random_.pick(numbers);
  if (leaves_.empty() || !random_.oneIn(3))
    return anyInt();
  switch (random_.pick(leaves_)) {
  case 0:
  case 1:
    return "(int)" + place(anyShared());
  case 2:
    return "@g0";
  case 3:
    return "@vol";
  case 4:
    return "*" + anyPointer();
  case 5:
    return scope_.structs.empty()
               ? "@gs.a"
               : random_.pick(scope_.structs) + (random_.oneIn(2) ? ".a" : ".in.b");
  default:
    return scope_.arrays.empty() ? "@garr[1]"
                                 : random_.pick(scope_.arrays) + "[" + anyInt() + " & 3]";
  }
}

std::string Generator::value(size_t depth) {
  if (depth == 0 || random_.oneIn(2))
    return leaf();
  const std::string first = value(depth - 1);
  switch (random_.below(16)) {
  case 0:
    return "(" + first + " + " + value(depth - 1) + ")";
  case 1:
    return "(" + first + " - " + value(depth - 1) + ")";
  case 2:
    return "(" + first + " & " + value(depth - 1) + ")";
  case 3:
    return "(" + first + " | " + leaf() + ")";
  case 4:
    return "(" + first + " ^ " + leaf() + ")";
  case 5:
    return "((" + first + " & 3) << 1)";
  case 6:
    return "(" + first + " >> 1)";
  case 7:
    return "(int)(unsigned char)" + first;
  case 8:
    return "(int)(signed char)" + first;
  case 9:
    return "(int)(short)" + first;
  case 10:
    return "(int)((long long)" + first + " % 5)";
  case 11:
    return "(" + condition() + " ? " + first + " : " + leaf() + ")";
  case 12:
    return "(" + leaf() + ", " + first + ")";
  case 13:
    return "(int)((unsigned)" + first + " / 3u)";
  case 14:
    return "~" + first;
  default:
    return condition();
  }
}

std::string Generator::condition() {
  static const std::vector<std::string> relations = {" == ", " != ", " < ", " >= "};
  switch (random_.below(10)) {
  case 0:
    return "(" + leaf() + " && " + leaf() + ")";
  case 1:
    return "(" + leaf() + " || " + leaf() + ")";
  case 2:
    return "!" + leaf();
  case 3:
    return "((unsigned)" + leaf() + " < 3u)";
  case 4:
    return "(" + leaf() + " & 1)";
  default:
    return "(" + leaf() + random_.pick(relations) + leaf() + ")";
  }
}

} // namespace understudy::tests::hostile

// SPDX-License-Identifier: Apache-2.0
#include "compose/tnet/Net.h"

namespace understudy::compose::tnet {

std::string word(Relation relation) {
  constexpr const char *words[] = {"parent", "ancestor", "next", "elder"};
  return words[static_cast<size_t>(relation)];
}

std::string text(Relations relations) {
  std::string result;
  for (Relation relation : allRelations)
    if (relations.has(relation))
      result += (result.empty() ? "" : ", ") + word(relation);
  return result.empty() ? "none" : result;
}

} // namespace understudy::compose::tnet

// SPDX-License-Identifier: Apache-2.0
#include "RandomOdd.h"

#include "Support.h"

#include <algorithm>
#include <map>

namespace understudy::tests {
namespace {

/// Conditions over array, index, counter, ghost, bool and far, the number near the limits.
const std::vector<std::string> conditions = {"",
                                             "",
                                             "array'[index] == 1",
                                             "array'[index] != array[index]",
                                             "array'[0] > array[1]",
                                             "array'[index] == array[0] && index' == 1",
                                             "array[index] == 0 && flag'",
                                             "index < 2 && array'[index] == 0",
                                             "index' == index + 1",
                                             "ghost' == counter",
                                             "ghost' == index && flag'",
                                             "ghost' == array[index]",
                                             "index' != index && ghost' == index",
                                             "counter < 2 && counter' == counter + 1",
                                             "flag && !flag'",
                                             "flag' == !flag && index' == counter",
                                             "far' == -2147483648",
                                             "far == -2147483648 && far' == 2147483647",
                                             "unread' == 1",
                                             "havoc flag && array'[0] == 2"};

const std::vector<std::string> actions = {"",
                                          "",
                                          "",
                                          "fork Other",
                                          "fork Other as array[index]",
                                          "fork Other as -3",
                                          "join Other",
                                          "join Other as array[index]",
                                          "join as -3",
                                          "join as index",
                                          "join Other as 2147483647"};

const std::vector<std::string> claims = {"true",
                                         "ghost == 0",
                                         "array[0] == 0",
                                         "array[index] < 2",
                                         "far != 2147483647",
                                         "index <= 1",
                                         "!flag || counter == 0",
                                         "far == 0 || far < 0"};

/// What exports call things of their own, and what SPIN does.
const std::vector<std::string> names = {"t0_", "old_index", "end_absent",   "at0_S",  "depth",
                                        "max", "slot",      "me",           "chosen", "stopped",
                                        "FAR", "Main_at",   "old_chosen_a", "trail",  "element"};

std::string renamed(std::string text, const std::map<std::string, std::string> &to) {
  std::string result;
  std::string word;
  text += '\n';
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    auto found = to.find(word);
    result += (found == to.end() ? word : found->second) + c;
    word.clear();
  }
  return result;
}

class OddWriter {
public:
  explicit OddWriter(uint64_t seed) : random_(seed) {}

  std::string write() {
    std::string text =
        "system odd {\n"
        "  shared int 0..2 array[2] = " +
        std::to_string(random_.below(2)) +
        ";\n  shared int -1..2 index = " + std::to_string(random_.between(-1, 2)) +
        ";\n  shared ghost int 0..1 ghost = 0;\n  shared int counter = " +
        std::to_string(random_.below(3)) + ";\n  shared bool flag" +
        (random_.oneIn(3) ? "" : " = false") +
        ";\n  shared int -2147483648..2147483647 far = 0;\n  shared int unread = 0;\n";
    text += thread("Main") + thread("Other");
    text += random_.oneIn(3) ? "  run Main, Other;\n" : "  run Main;\n";
    return renamed(text + "}\n", clashes());
  }

private:
  Random random_;

  std::map<std::string, std::string> clashes() {
    std::map<std::string, std::string> result;
    std::vector<std::string> free = names;
    for (const char *old : {"array", "index", "counter", "flag", "unread", "Other"})
      if (random_.oneIn(2)) {
        const size_t at = random_.below(free.size());
        result[old] = free[at];
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(at));
      }
    return result;
  }

  std::string edge(const std::string &target, bool mayFork) {
    std::string condition = random_.pick(conditions);
    std::string action = random_.pick(actions);
    if (action.starts_with("fork") && !mayFork)
      action.clear();
    return "      -> " + target + (condition.empty() ? "" : " : " + condition) +
           (action.empty() ? "" : " do " + action) + ";\n";
  }

  std::string thread(const std::string &name) {
    const bool main = name == "Main";
    std::string text = "  thread " + name + " {\n    initial S {\n";
    text += edge("T", main) + (random_.oneIn(2) ? edge("D", main) : "");
    text += "    }\n    state T {\n      assert " + random_.pick(claims) + ";\n";
    text += edge("D", main) + (random_.oneIn(2) ? edge("D", main) : "");
    if (main) // a thread that is neither run nor forked is an error
      text += "      -> D : counter > 5 do fork Other;\n";
    return text + "    }\n    final D;\n  }\n";
  }
};

} // namespace

std::string randomOddContract(uint64_t seed) { return OddWriter(seed).write(); }

} // namespace understudy::tests

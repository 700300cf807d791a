// SPDX-License-Identifier: Apache-2.0
//
// Messages for wrong inputs, compared with what stands beside them in tests/golden/errors.
// UNDERSTUDY_UPDATE_GOLDEN=1 rewrites the expectations; read every one of them before committing.
#include "logic/Render.h"
#include "specs/syntax/Parse.h"
#include "specs/tnet/CompileNet.h"
#include "tests/Support.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace understudy;

namespace {

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> inputsIn(const std::string &folder) {
  std::vector<std::filesystem::path> inputs;
  auto root = std::filesystem::path(tests::sourceFolder()) / "tests/golden/errors" / folder;
  for (const auto &entry : std::filesystem::directory_iterator(root))
    if (auto extension = entry.path().extension();
        extension == ".contract" || extension == ".conc" || extension == ".tnet")
      inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

logic::SourceFilePtr read(const std::filesystem::path &input) {
  return std::make_shared<logic::SourceFile>(input.filename().string(), contentOf(input));
}

/// The messages of a file that is parsed only.
std::string syntaxMessages(const std::filesystem::path &input) {
  logic::SourceFilePtr file = read(input);
  try {
    return logic::render(input.extension() == ".conc"
                             ? specs::syntax::parseConc(file).warnings
                             : specs::syntax::parseContract(file).warnings);
  } catch (const logic::Error &error) {
    return logic::render(error.diagnostics());
  }
}

void compare(const std::filesystem::path &input, const std::string &messages) {
  std::filesystem::path expected = input.string() + ".expected";
  const char *update = std::getenv("UNDERSTUDY_UPDATE_GOLDEN");
  if (update && std::string(update) == "1")
    std::ofstream(expected, std::ios::binary) << messages;
  INFO(input.filename().string());
  CHECK(messages == contentOf(expected));
}

} // namespace

TEST_CASE("messages about nets") {
  auto inputs = inputsIn("nets");
  CHECK(inputs.size() >= 5);
  for (const auto &input : inputs) {
    std::string messages;
    try {
      specs::tnet::compileNet(specs::syntax::parseNet(read(input)).tree, {});
    } catch (const logic::Error &error) {
      messages = logic::render(error.diagnostics());
    }
    CHECK_FALSE(messages.empty());
    compare(input, messages);
  }
}

TEST_CASE("messages about syntax errors") {
  auto inputs = inputsIn("syntax");
  CHECK(inputs.size() >= 45);
  for (const auto &input : inputs)
    compare(input, syntaxMessages(input));
}

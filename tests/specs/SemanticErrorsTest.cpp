// SPDX-License-Identifier: Apache-2.0
//
// Golden error messages of the checkers: every file of tests/golden/errors/semantic is parsed and
// compiled, and what is reported must be exactly the text beside it. UNDERSTUDY_UPDATE_GOLDEN=1
// writes the texts anew; read them before committing.
#include "logic/Render.h"
#include "tests/Support.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace understudy;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string reportOf(const fs::path &path) {
  std::string text = contentOf(path);
  auto file = tests::sourceOf(path.filename().string(), text);
  try {
    bool conc = path.extension() == ".conc";
    specs::Compiled compiled = conc ? specs::compile(specs::syntax::parseConc(file).tree, {})
                                    : specs::compile(specs::syntax::parseContract(file).tree, {});
    return logic::render(compiled.warnings);
  } catch (const logic::Error &error) {
    return logic::render(error.diagnostics());
  }
}

} // namespace

TEST_CASE("golden semantic errors", "[specs]") {
  const fs::path folder = fs::path(tests::sourceFolder()) / "tests/golden/errors/semantic";
  std::vector<fs::path> inputs;
  for (const auto &entry : fs::directory_iterator(folder))
    if (entry.path().extension() != ".expected")
      inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  CHECK(inputs.size() >= 45);
  const char *update = std::getenv("UNDERSTUDY_UPDATE_GOLDEN");
  for (const fs::path &input : inputs) {
    INFO(input.filename().string());
    fs::path expected = input;
    expected += ".expected";
    std::string report = reportOf(input);
    if (update && std::string(update) == "1")
      std::ofstream(expected, std::ios::binary) << report;
    CHECK(report == contentOf(expected));
  }
}

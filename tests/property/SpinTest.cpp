// SPDX-License-Identifier: Apache-2.0
//
// Random programs exported to Promela: SPIN must give the verdict that the explicit engine gives.
#include "RandomConc.h"
#include "RandomContract.h"
#include "RandomOdd.h"
#include "Support.h"
#include "compose/exploration/Explicit.h"
#include "logic/Error.h"
#include "specs/Compile.h"
#include "tools/exports/promela/PromelaExport.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

namespace understudy::tests {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("understudy-spin-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

bool present(const std::string &tool) {
  return std::system(("command -v " + tool + " > /dev/null").c_str()) == 0;
}

/// SPIN's word on the model: does some assertion fail? None: it did not finish, with its output.
std::optional<bool> spinFindsError(const Folder &folder, const std::string &model,
                                   std::string &output) {
  std::ofstream(folder.path / "model.pml") << model;
  const std::string command = "cd '" + folder.path.string() +
                              "' && rm -f pan* && spin -a model.pml > out 2>&1 && "
                              "gcc -O0 -w -DSAFETY -o pan pan.c >> out 2>&1 && "
                              "./pan -E -m200000 >> out 2>&1";
  const int code = std::system(command.c_str());
  std::ifstream in(folder.path / "out");
  std::ostringstream text;
  text << in.rdbuf();
  output = text.str();
  if (code != 0 || output.find("max search depth too small") != std::string::npos)
    return std::nullopt;
  if (output.find("errors: 0") != std::string::npos)
    return false;
  if (output.find("assertion violated") != std::string::npos)
    return true;
  return std::nullopt;
}

specs::Compiled compiled(const std::string &text, bool isContract) {
  auto file = std::make_shared<logic::SourceFile>("random", text);
  if (isContract)
    return specs::compile(specs::syntax::parseContract(file).tree, {specs::SpuriousWakeups::On});
  return specs::compile(specs::syntax::parseConc(file).tree, {specs::SpuriousWakeups::Off});
}

/// At most so many threads of a template are alive by forking, in a run that matters.
uint32_t poolFor(const compose::Verdict &verdict) {
  if (verdict.width)
    return *verdict.width;
  uint32_t most = 1;
  for (const compose::Step &step : verdict.trace->steps)
    most = std::max(most, static_cast<uint32_t>(step.after.threads.size()));
  return most;
}

} // namespace

TEST_CASE("SPIN agrees on exported random models") {
  if (!present("spin") || !present("gcc")) {
    WARN("skipped: spin or gcc is not installed");
    return;
  }
  Folder folder;
  const size_t wanted = runs(2000);
  size_t compared = 0;
  size_t unsafe = 0;
  size_t refused = 0;
  for (size_t i = 0; compared < wanted && i < wanted * 6; ++i) {
    const uint64_t seed = seedOf(i);
    const bool isContract = i % 4 != 0;
    const std::string text = i % 2 == 0 ? (isContract ? randomContract(seed) : randomConc(seed))
                                        : randomOddContract(seed);
    INFO("seed " << seed << "\n" << text);
    std::string model;
    compose::Verdict verdict;
    try {
      const specs::Compiled result = compiled(text, isContract);
      compose::exploration::ExplicitOptions options;
      options.maxStates = 5000;
      tools::exports::promela::PromelaOptions promela;
      for (const compose::Start &start : result.program.starts)
        if (start.unbounded)
          options.counts[start.thread] = promela.counts[start.thread] = 2;
      verdict = compose::exploration::verifyExplicit(result.program, options);
      if (verdict.answer == compose::Answer::Unknown)
        continue;
      for (compose::TemplateId t = 0; t < result.program.templates.size(); ++t)
        promela.pools[t] = poolFor(verdict);
      model = tools::exports::promela::promelaText(result.program, promela);
    } catch (const logic::Error &) {
      continue; // the checker's business
    } catch (const logic::Unsupported &) {
      ++refused;
      continue;
    }
    std::string output;
    auto error = spinFindsError(folder, model, output);
    INFO(output);
    REQUIRE(error.has_value());
    CHECK(*error == (verdict.answer == compose::Answer::Unsafe));
    ++compared;
    unsafe += *error ? 1 : 0;
  }
  std::cout << "spin: " << compared << " models compared, " << unsafe << " unsafe; " << refused
            << " not expressible in Promela\n";
  CHECK(compared == wanted);
  CHECK(unsafe * 5 >= compared);
  CHECK(refused <= compared);
}

} // namespace understudy::tests

// SPDX-License-Identifier: Apache-2.0
#include "ToolVerdict.h"

#include "logic/Error.h"
#include "tests/Support.h"

#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>

namespace understudy::tests {
namespace {

/// Limits are counts, so that answers do not depend on the machine.
constexpr uint64_t resources = 40'000'000;

std::filesystem::path freshFolder() {
  std::random_device device;
  const auto folder = std::filesystem::temp_directory_path() /
                      ("understudy-conform-" + std::to_string(device()) + std::to_string(device()));
  std::filesystem::create_directory(folder);
  return folder;
}

std::string storyText(const passes::ThreadConformance &thread) {
  std::string text = thread.thread + ": " + passes::word(thread.answer);
  if (!thread.reason.empty())
    text += " (" + thread.reason + ")";
  if (thread.story) {
    text += " " + passes::word(thread.story->kind) + ": " + thread.story->sentence + "\n";
    for (const passes::ConformStep &step : thread.story->steps) {
      text += "  " + step.range.text() + " " + step.text + " {";
      for (const std::string &state : step.states)
        text += " " + state;
      text += " }\n";
    }
  }
  return text + "\n";
}

/// The C file as LLVM IR.
std::filesystem::path optimised(const std::filesystem::path &source, Input input) {
  const char *chosen = std::getenv("UNDERSTUDY_CLANG");
  auto result = std::filesystem::path(source).replace_extension(".bc");
  const std::string level = std::to_string(static_cast<int>(input) - static_cast<int>(Input::O0));
  const std::string command = std::string(chosen ? chosen : "clang-19") +
                              " -w -g -emit-llvm -c -DSHARED=volatile -O" + level + " -I '" +
                              sourceFolder() + "/include' -o '" + result.string() + "' '" +
                              source.string() + "'";
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("clang failed: " + command);
  return result;
}

} // namespace

Batch::Batch(const std::vector<FiniteSystem> &systems, Input input) : folder_(freshFolder()) {
  const auto path = folder_ / "batch.c";
  {
    std::ofstream file(path);
    file << cHeader();
    for (const FiniteSystem &system : systems)
      file << codeText(system);
  }
  passes::read::CodeOptions options;
  options.files = {(input == Input::C ? path : optimised(path, input)).string()};
  code_.emplace(passes::read::readCode(options));
}

Batch::~Batch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

specs::Compiled compiledContract(const FiniteSystem &system) {
  const auto file =
      std::make_shared<const logic::SourceFile>("random.contract", contractText(system));
  return specs::compile(specs::syntax::parseContract(file).tree, {});
}

ToolAnswer toolVerdict(const Batch &batch, const FiniteSystem &system) {
  ToolAnswer answer;
  answer.threads.assign(system.parts.size(), passes::ConformAnswer::Unknown);
  try {
    passes::ConformOptions options;
    options.engine.resources = resources;
    options.vacuity = passes::VacuityReport::Off;
    const auto result = passes::conform(batch.code(), compiledContract(system), options);
    if (result.start)
      answer.why += "start values: " + result.start->sentence + "\n";
    for (size_t i = 0; i < result.threads.size(); ++i) {
      answer.threads.at(i) = result.threads[i].answer;
      answer.why += storyText(result.threads[i]);
    }
  } catch (const logic::Error &error) {
    answer.why += std::string("refused: ") + error.what() + "\n";
  }
  return answer;
}

} // namespace understudy::tests

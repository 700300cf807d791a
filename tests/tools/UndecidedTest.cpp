// SPDX-License-Identifier: Apache-2.0
//
// What each command prints when it meets something that is not supported.
#include "logic/Error.h"
#include "tools/command/Run.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

using namespace understudy;
using namespace understudy::tools;
using options::CommandName;

namespace {

/// What the commands print goes here as long as it exists.
class Captured {
public:
  Captured() : out_(std::cout.rdbuf(text_.rdbuf())), err_(std::cerr.rdbuf(notes_.rdbuf())) {}
  ~Captured() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  Captured(const Captured &) = delete;
  Captured &operator=(const Captured &) = delete;
  std::string text() const { return text_.str(); }
  std::string notes() const { return notes_.str(); }

private:
  std::ostringstream text_, notes_;
  std::streambuf *out_;
  std::streambuf *err_;
};

std::string printed(const options::Options &options) {
  Captured captured;
  CHECK(command::undecided(options, logic::Unsupported("no such thing")) == 3);
  return captured.text();
}

class ModelFile {
public:
  ModelFile()
      : path_((std::filesystem::temp_directory_path() /
               ("understudy-" + std::to_string(::getpid()) + ".tts"))
                  .string()) {
    std::ofstream(path_) << "1 1\n";
  }
  ~ModelFile() { ::unlink(path_.c_str()); }
  ModelFile(const ModelFile &) = delete;
  ModelFile &operator=(const ModelFile &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace

TEST_CASE("undecided: every command keeps to its format") {
  const ModelFile model;
  for (CommandName name : {CommandName::Check, CommandName::Conform, CommandName::Compose,
                           CommandName::Verify, CommandName::Cover, CommandName::Validate}) {
    INFO(options::word(name));
    options::Options options;
    options.command = name;
    options.file = model.path();
    CHECK(printed(options) == "verdict: unknown (no such thing)\n");
    options.format = options::OutputFormat::Json;
    const auto json = nlohmann::json::parse(printed(options));
    CHECK(json["command"] == options::word(name));
    CHECK(json["verdict"] == "unknown");
    CHECK(json["reason"] == "no such thing");
    CHECK(json["exitCode"] == 3);
  }
}

TEST_CASE("undecided: commands without a verdict print none") {
  for (CommandName name : {CommandName::Fmt, CommandName::Export}) {
    options::Options options;
    options.command = name;
    CHECK(printed(options).empty());
  }
}

TEST_CASE("undecided: the note does not say twice that something is not supported") {
  options::Options options;
  options.command = CommandName::Export;
  const std::pair<const char *, const char *> rows[] = {
      {"CONC has no rely", "note: unsupported: CONC has no rely\n"},
      {"semaphores are not supported", "note: semaphores are not supported\n"},
      {"the program has more than 5 states", "note: the program has more than 5 states\n"},
      {"time limit", "note: time limit\n"},
      {"out of memory", "note: out of memory\n"}};
  for (const auto &[reason, note] : rows) {
    Captured captured;
    CHECK(command::undecided(options, logic::Unsupported(reason)) == 3);
    CHECK(captured.notes() == note);
  }
}

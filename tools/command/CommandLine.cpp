// SPDX-License-Identifier: Apache-2.0
#include "tools/command/CommandLine.h"

#include "logic/Error.h"
#include "logic/Words.h"
#include "tools/Files.h"
#include "tools/command/CheckCommand.h"
#include "tools/command/ComposeCommand.h"
#include "tools/command/ConformCommand.h"
#include "tools/command/CoverCommand.h"
#include "tools/command/ExportCommand.h"
#include "tools/command/FmtCommand.h"
#include "tools/command/ValidateCommand.h"
#include "tools/command/VerifyCommand.h"
#include "tools/options/RawOptions.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace understudy::tools::command {

namespace {

/// The parser and the places it writes to.
class CommandLine {
public:
  CommandLine()
      : app_("Understudy checks that the threads of a C program play the parts "
             "written for them.",
             "understudy") {
    app_.set_version_flag("--version", "understudy " UNDERSTUDY_VERSION);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer("Examples:\n"
                "  understudy check bluetooth.contract bluetooth.c --threads PnpAdd=3\n"
                "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
                "  understudy verify tickets.conc\n"
                "  understudy check --help\n\n"
                "Exit codes: 0 proven, 1 violation, 2 bad usage or input, 3 unknown, 4 internal "
                "error.");
    addCommands();
  }

  options::Command parse(int argc, char **argv) {
    refuseUnknownCommand(argc, argv);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ExtrasError &) {
      refuseExtras();
    } catch (const CLI::Success &) {
      throw;
    } catch (const CLI::ParseError &error) {
      throw logic::Error({}, error.what(), helpHint());
    }
    if (fmt_->parsed())
      return options::readFmt(rawFmt_);
    if (compose_->parsed())
      return options::readCompose(rawRun_);
    if (conform_->parsed())
      return options::readConform(rawRun_);
    if (check_->parsed())
      return options::readCheck(rawRun_);
    if (verify_->parsed())
      return options::readVerify(rawRun_);
    if (cover_->parsed())
      return options::readCover(rawCover_);
    if (validate_->parsed())
      return options::readValidate(rawValidate_);
    return options::readExport(rawExport_);
  }

  int showHelp(const CLI::Success &request) { return app_.exit(request, std::cout, std::cerr); }

private:
  CLI::App app_;
  CLI::App *check_ = nullptr, *conform_ = nullptr, *compose_ = nullptr, *verify_ = nullptr,
           *cover_ = nullptr, *fmt_ = nullptr, *export_ = nullptr, *validate_ = nullptr;
  options::RawFmt rawFmt_;
  options::RawRun rawRun_;
  options::RawCover rawCover_;
  options::RawExport rawExport_;
  options::RawValidate rawValidate_;

  void addCommands() {
    using options::CommandName;
    auto add = [this](options::CommandName name, const std::string &what) {
      return app_.add_subcommand(options::word(name), what);
    };
    check_ =
        add(CommandName::Check, "Check C code: every thread conforms, and together they are safe");
    options::addCheckOptions(*check_, rawRun_);
    conform_ = add(CommandName::Conform, "Check that threads of C code conform to their contracts");
    options::addConformOptions(*conform_, rawRun_);
    compose_ = add(CommandName::Compose, "Check that contracts, run together, are safe");
    options::addComposeOptions(*compose_, rawRun_);
    verify_ = add(CommandName::Verify, "Check that a CONC program is safe");
    options::addVerifyOptions(*verify_, rawRun_);
    cover_ =
        add(CommandName::Cover, "Check that no run of a thread transition system covers a target");
    options::addCoverOptions(*cover_, rawCover_);
    validate_ =
        add(CommandName::Validate, "Check a certificate, with nothing of the engine that wrote it");
    options::addValidateOptions(*validate_, rawValidate_);
    fmt_ = add(CommandName::Fmt, "Print a contract or CONC file in the canonical layout");
    options::addFmtOptions(*fmt_, rawFmt_);
    export_ = add(CommandName::Export, "Write a file in another notation");
    options::addExportOptions(*export_, rawExport_);
  }

  std::vector<std::string> commandNames() const {
    std::vector<std::string> names;
    for (const CLI::App *command : app_.get_subcommands({}))
      names.push_back(command->get_name());
    return names;
  }

  void refuseUnknownCommand(int argc, char **argv) const {
    if (argc < 2)
      throw logic::Error({}, "no command given", "try 'understudy --help'");
    std::string first = argv[1];
    auto names = commandNames();
    if (first.starts_with("-") || std::find(names.begin(), names.end(), first) != names.end())
      return;
    throw logic::Error({}, "unknown command '" + first + "'",
                       logic::suggestion(first, names, "commands"));
  }

  const CLI::App &chosen() const {
    auto subcommands = app_.get_subcommands();
    return subcommands.empty() ? app_ : *subcommands.front();
  }

  std::string helpHint() const {
    const CLI::App &command = chosen();
    return "try 'understudy " + (&command == &app_ ? "" : command.get_name() + " ") + "--help'";
  }

  void refuseCode(const std::string &path) const {
    if (compose_->parsed() && languageOf(path) == Language::C)
      throw logic::Error({}, "compose takes a contract alone, and '" + path + "' is code",
                         "try 'understudy check " + rawRun_.file + " " + path + "'");
  }

  [[noreturn]] void refuseExtras() const {
    std::vector<std::string> options;
    for (const CLI::Option *option : chosen().get_options())
      for (const std::string &name : option->get_lnames())
        options.push_back("--" + name);
    for (const std::string &extra : app_.remaining(true)) {
      if (extra.starts_with("-") && extra != "--")
        throw logic::Error({}, "unknown option '" + extra + "'",
                           logic::suggestion(extra.substr(0, extra.find('=')), options, "options"));
      refuseCode(extra);
      throw logic::Error({}, "unexpected argument '" + extra + "'", helpHint());
    }
    throw logic::Error({}, "unexpected arguments", helpHint());
  }
};

} // namespace

int runCommandLine(int argc, char **argv) {
  struct Runner {
    int operator()(const options::FmtOptions &options) const { return runFmt(options); }
    int operator()(const options::ComposeOptions &options) const { return runCompose(options); }
    int operator()(const options::ConformOptions &options) const { return runConform(options); }
    int operator()(const options::CheckOptions &options) const { return runCheck(options); }
    int operator()(const options::VerifyOptions &options) const { return runVerify(options); }
    int operator()(const options::CoverOptions &options) const { return runCover(options); }
    int operator()(const options::ExportOptions &options) const { return runExport(options); }
    int operator()(const options::ValidateOptions &options) const { return runValidate(options); }
  };
  CommandLine commandLine;
  try {
    return std::visit(Runner{}, commandLine.parse(argc, argv));
  } catch (const CLI::Success &request) {
    return commandLine.showHelp(request);
  }
}

} // namespace understudy::tools::command

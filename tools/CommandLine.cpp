// SPDX-License-Identifier: Apache-2.0
#include "tools/CommandLine.h"

#include "logic/Error.h"
#include "tools/Arguments.h"
#include "tools/ComposeCommand.h"
#include "tools/ExitCode.h"
#include "tools/ExportCommand.h"
#include "tools/FmtCommand.h"
#include "tools/Suggest.h"
#include "tools/VerifyCommand.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace understudy::tools {

namespace {

/// The options as CLI11 fills them in, before their values are read.
struct RawRun {
  std::string file, format = "text", engine = "auto", spurious, symmetry = "on";
  std::string maxStates, timeout, memory;
  std::vector<std::string> threads, outputs;
  bool deadlock = false, strict = false, quiet = false, verbose = false;
};

struct RawFmt {
  std::vector<std::string> files;
  bool check = false, inPlace = false;
};

struct RawExport {
  std::string file, target, output, spurious;
  std::vector<std::string> threads;
};

CLI::Option *addRepeatable(CLI::App &app, const std::string &name, std::vector<std::string> &values,
                           const std::string &help) {
  return app.add_option(name, values, help)->allow_extra_args(false)->take_all();
}

/// The type name lists the words already.
CLI::Validator oneOf(const std::vector<std::string> &words) {
  return CLI::IsMember(words).description("");
}

void addThreads(CLI::App &app, std::vector<std::string> &threads, const std::string &help) {
  addRepeatable(app, "--threads", threads, help)->type_name("T=N");
}

void addSpurious(CLI::App &app, std::string &spurious) {
  app.add_option("--spurious", spurious,
                 "Condition variables may wake up without a signal (contracts: on; CONC: off)")
      ->check(oneOf({"on", "off"}))
      ->type_name("on|off");
}

void addRunOptions(CLI::App &app, RawRun &raw, const std::string &kind) {
  app.add_option("file", raw.file, "The " + kind + " file")->required()->type_name("FILE");
  addThreads(app, raw.threads, "Run N threads T, where the file says any number (T*)");
  app.add_flag("--deadlock", raw.deadlock, "Also search for states in which no thread can move");
  app.add_option("--engine", raw.engine, "The method (auto picks; today that is explicit)")
      ->check(oneOf({"auto", "explicit"}))
      ->type_name("auto|explicit");
  addSpurious(app, raw.spurious);
  app.add_option("--symmetry", raw.symmetry,
                 "Treat threads of one kind as interchangeable (default on)")
      ->check(oneOf({"on", "off"}))
      ->type_name("on|off");
  app.add_flag("--strict", raw.strict, "Answer unknown when the proof rests on assumptions");
  app.add_option("--max-states", raw.maxStates, "Give up after this many states")->type_name("N");
  app.add_option("--timeout", raw.timeout, "Give up after this time")->type_name("SECONDS");
  app.add_option("--memory", raw.memory, "Give up beyond this memory")->type_name("MB");
  app.add_option("--format", raw.format, "What standard output shows")
      ->check(oneOf({"text", "json"}))
      ->type_name("text|json");
  addRepeatable(app, "-o", raw.outputs, "Also write a file; kinds: text, json, trace")
      ->type_name("KIND=FILE");
  auto *quiet = app.add_flag("--quiet", raw.quiet, "Print the verdict only");
  app.add_flag("--verbose", raw.verbose, "Print time and memory too")->excludes(quiet);
}

Switch switchOf(bool on) { return on ? Switch::On : Switch::Off; }

std::optional<Switch> switchOf(const std::string &text) {
  if (text.empty())
    return std::nullopt;
  return switchOf(text == "on");
}

RunOptions read(const RawRun &raw) {
  RunOptions options;
  options.file = raw.file;
  options.threads = parseThreads(raw.threads);
  options.deadlock = switchOf(raw.deadlock);
  options.symmetry = switchOf(raw.symmetry == "on");
  options.strict = switchOf(raw.strict);
  options.spurious = switchOf(raw.spurious);
  options.format = raw.format == "json" ? OutputFormat::Json : OutputFormat::Text;
  options.outputs = parseOutputs(raw.outputs);
  if (!raw.maxStates.empty())
    options.maxStates = parseCount("--max-states", raw.maxStates, 1, 1'000'000'000'000);
  if (!raw.memory.empty())
    options.memoryMegabytes = parseCount("--memory", raw.memory, 1, 1'000'000'000);
  if (!raw.timeout.empty())
    options.timeoutSeconds = parseSeconds("--timeout", raw.timeout);
  if (raw.quiet || raw.verbose)
    options.verbosity = raw.quiet ? Verbosity::Quiet : Verbosity::Verbose;
  return options;
}

FmtOptions read(const RawFmt &raw) {
  using Mode = FmtOptions::Mode;
  return {raw.files, raw.check ? Mode::Check : raw.inPlace ? Mode::InPlace : Mode::Print};
}

ExportOptions read(const RawExport &raw) {
  using Target = ExportOptions::Target;
  static const std::map<std::string, Target> targets{
      {"dot", Target::Dot}, {"conc", Target::Conc}, {"promela", Target::Promela}};
  ExportOptions options;
  options.file = raw.file;
  options.target = targets.at(raw.target);
  if (!raw.output.empty())
    options.output = raw.output;
  options.threads = parseThreads(raw.threads);
  options.spurious = switchOf(raw.spurious);
  return options;
}

/// The parser and the places it writes to.
class CommandLine {
public:
  CommandLine() : app_("Understudy checks multithreaded protocols.", "understudy") {
    app_.set_version_flag("--version", "understudy " UNDERSTUDY_VERSION);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer("Examples:\n"
                "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
                "  understudy verify tickets.conc\n"
                "  understudy compose --help\n\n"
                "Exit codes: 0 proven, 1 violation, 2 bad usage or input, 3 unknown, 4 internal "
                "error.");
    addFmt();
    addCompose();
    addVerify();
    addExport();
  }

  Command parse(int argc, char **argv) {
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
      return read(rawFmt_);
    if (compose_->parsed())
      return ComposeOptions{read(rawRun_)};
    if (verify_->parsed())
      return VerifyOptions{read(rawRun_), switchOf(expect_)};
    return read(rawExport_);
  }

  int showHelp(const CLI::Success &request) { return app_.exit(request, std::cout, std::cerr); }

private:
  CLI::App app_;
  CLI::App *fmt_ = nullptr, *compose_ = nullptr, *verify_ = nullptr, *export_ = nullptr;
  RawFmt rawFmt_;
  RawRun rawRun_;
  RawExport rawExport_;
  bool expect_ = false;

  void addFmt() {
    fmt_ = app_.add_subcommand("fmt", "Print a contract or CONC file in the canonical layout");
    fmt_->add_option("files", rawFmt_.files, "Contract or CONC files")
        ->required()
        ->type_name("FILE");
    auto *check = fmt_->add_flag("--check", rawFmt_.check,
                                 "Print nothing; exit 1 if a file is not in canonical layout");
    fmt_->add_flag("-i,--in-place", rawFmt_.inPlace, "Rewrite the files")->excludes(check);
    fmt_->footer("Examples:\n"
                 "  understudy fmt bluetooth.contract\n"
                 "  understudy fmt --check *.contract      # in a CI job\n"
                 "  understudy fmt -i tickets.conc");
  }

  void addCompose() {
    compose_ = app_.add_subcommand("compose", "Check that contracts, run together, are safe");
    addRunOptions(*compose_, rawRun_, "contract");
    compose_->footer("Examples:\n"
                     "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
                     "  understudy compose queue.contract --deadlock\n"
                     "  understudy compose racy.contract --threads PnpAdd=2 -o json=result.json");
  }

  void addVerify() {
    verify_ = app_.add_subcommand("verify", "Check that a CONC program is safe");
    addRunOptions(*verify_, rawRun_, "CONC");
    verify_->add_flag("--expect", expect_, "Compare with the file's first line, // expect: …");
    verify_->footer("Examples:\n"
                    "  understudy verify tickets.conc\n"
                    "  understudy verify tickets.conc --expect\n"
                    "  understudy verify pool.conc --deadlock --max-states 1000000");
  }

  void addExport() {
    export_ = app_.add_subcommand("export", "Write a file in another notation");
    export_->add_option("file", rawExport_.file, "A contract or CONC file")
        ->required()
        ->type_name("FILE");
    export_->add_option("--to", rawExport_.target, "The notation")
        ->required()
        ->check(oneOf({"dot", "conc", "promela"}))
        ->type_name("dot|conc|promela");
    export_->add_option("-o", rawExport_.output, "Write here instead of to standard output")
        ->type_name("FILE");
    addThreads(*export_, rawExport_.threads,
               "Run N threads T, where the file says any number (T*); for Promela also the most "
               "threads T that are alive together, where T is forked");
    addSpurious(*export_, rawExport_.spurious);
    export_->footer("Examples:\n"
                    "  understudy export bluetooth.contract --to dot | dot -Tsvg > bluetooth.svg\n"
                    "  understudy export bluetooth.contract --to conc -o bluetooth.conc\n"
                    "  understudy export tickets.conc --to promela --threads Buyer=3 -o t.pml");
  }

  std::vector<std::string> commandNames() const {
    return {fmt_->get_name(), compose_->get_name(), verify_->get_name(), export_->get_name()};
  }

  void refuseUnknownCommand(int argc, char **argv) const {
    if (argc < 2)
      throw logic::Error({}, "no command given", "try 'understudy --help'");
    std::string first = argv[1];
    auto names = commandNames();
    if (first.starts_with("-") || std::find(names.begin(), names.end(), first) != names.end())
      return;
    throw logic::Error({}, "unknown command '" + first + "'", suggestion(first, names, "commands"));
  }

  const CLI::App &chosen() const {
    auto subcommands = app_.get_subcommands();
    return subcommands.empty() ? app_ : *subcommands.front();
  }

  std::string helpHint() const {
    const CLI::App &command = chosen();
    return "try 'understudy " + (&command == &app_ ? "" : command.get_name() + " ") + "--help'";
  }

  [[noreturn]] void refuseExtras() const {
    std::vector<std::string> options;
    for (const CLI::Option *option : chosen().get_options())
      for (const std::string &name : option->get_lnames())
        options.push_back("--" + name);
    for (const std::string &extra : app_.remaining(true)) {
      if (extra.starts_with("-") && extra != "--")
        throw logic::Error({}, "unknown option '" + extra + "'",
                           suggestion(extra.substr(0, extra.find('=')), options, "options"));
      throw logic::Error({}, "unexpected argument '" + extra + "'", helpHint());
    }
    throw logic::Error({}, "unexpected arguments", helpHint());
  }
};

} // namespace

int runCommandLine(int argc, char **argv) {
  struct Runner {
    int operator()(const FmtOptions &options) const { return runFmt(options); }
    int operator()(const ComposeOptions &options) const { return runCompose(options); }
    int operator()(const VerifyOptions &options) const { return runVerify(options); }
    int operator()(const ExportOptions &options) const { return runExport(options); }
  };
  CommandLine commandLine;
  try {
    return std::visit(Runner{}, commandLine.parse(argc, argv));
  } catch (const CLI::Success &request) {
    return commandLine.showHelp(request);
  }
}

} // namespace understudy::tools

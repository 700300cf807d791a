// SPDX-License-Identifier: Apache-2.0
#include "tools/command/CommandLine.h"

#include "logic/Error.h"
#include "logic/Log.h"
#include "logic/Words.h"
#include "logic/solver/Queries.h"
#include "tools/Files.h"
#include "tools/command/Commands.h"
#include "tools/command/Run.h"
#include "tools/options/Declare.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace understudy::tools::command {

namespace {

using options::CommandName;

struct Command {
  CommandName name;
  const char *what;
  const char *footer;
  int (*run)(const options::Options &options);
};

constexpr Command commands[] = {
    {CommandName::Check,
     "Check C code: each thread conforms to its contract, and together they are safe",
     "Examples:\n"
     "  understudy check bluetooth.contract bluetooth.c --threads PnpAdd=3\n"
     "  understudy check uart.contract uart.c ring.c --clang-arg=-DDEBUG\n"
     "  understudy check uart.contract uart.bc --overflow check -o json=result.json\n\n"
     "First each thread of the code is checked against its contract, then the contracts "
     "together.",
     runCheck},
    {CommandName::Conform, "Check that each thread of C code conforms to its contract",
     "Examples:\n"
     "  understudy conform bluetooth.contract bluetooth.c\n"
     "  understudy conform bluetooth.contract bluetooth.c --thread PnpAdd\n"
     "  understudy conform uart.contract uart.c ring.c --clang-arg=-DDEBUG --clang-arg=-Iinclude\n"
     "  understudy conform uart.contract uart.ll -o checker=checker.ll\n\n"
     "Conformance counts only if the composition is safe: 'check' proves both.",
     runConform},
    {CommandName::Compose, "Check that the contracts together are safe",
     "Examples:\n"
     "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
     "  understudy compose queue.contract --deadlock\n"
     "  understudy compose racy.contract --threads PnpAdd=2 -o json=result.json",
     runCompose},
    {CommandName::Verify, "Check that a CONC program is safe",
     "Examples:\n"
     "  understudy verify tickets.conc\n"
     "  understudy verify tickets.conc --expect\n"
     "  understudy verify pool.conc --deadlock --max-states 1000000",
     runVerify},
    {CommandName::Cover, "Check that no run of a thread transition system covers a target",
     "Examples:\n"
     "  understudy cover peterson.tts --target \"4|5\"\n"
     "  understudy cover pool.tts --init \"0|3/1\"     # the target is in pool.prop\n"
     "  understudy cover kanban.spec --timeout 60",
     runCover},
    {CommandName::Explore,
     "Explore a process net, whose threads create threads, up to the names of their ids",
     "Examples:\n"
     "  understudy explore server.tnet --set k=2 --set m=3\n"
     "  understudy explore server.tnet --relations parent,next -o dot=server.dot\n"
     "  understudy explore server.tnet --no-equivalence --depth 10",
     runExplore},
    {CommandName::Validate, "Check a certificate, independently of the engine that wrote it",
     "Examples:\n"
     "  understudy compose bluetooth.contract --threads PnpAdd=3 --certificate proof\n"
     "  understudy validate proof\n"
     "  understudy validate proof --solver cvc5\n"
     "  understudy validate sum.conc --outline annotated.conc",
     runValidate},
    {CommandName::Fmt, "Print a contract, CONC file or process net in canonical layout",
     "Examples:\n"
     "  understudy fmt bluetooth.contract\n"
     "  understudy fmt --check *.contract      # in a CI job\n"
     "  understudy fmt -i tickets.conc",
     runFmt},
    {CommandName::Export, "Convert a file to another format",
     "Examples:\n"
     "  understudy export bluetooth.contract --to dot | dot -Tsvg > bluetooth.svg\n"
     "  understudy export bluetooth.contract --to conc -o bluetooth.conc\n"
     "  understudy export tickets.conc --to promela --threads Buyer=3 -o t.pml\n"
     "  understudy export pool.conc --to pnml --width 2 -o pool.pnml",
     runExport},
};

options::Options defaultsOf(CommandName command) {
  options::Options options;
  if (command == CommandName::Validate) { // no certificate, however it was made, keeps it busy
    options.timeoutSeconds = 600;
    options.memoryMegabytes = 4096;
  }
  return options;
}

void beginLog(const options::Options &options) {
  for (const auto &[topic, level] : options.log)
    logic::setLogLevel(topic, level);
  if (options.queries) {
    makeEmptyFolder(*options.queries);
    logic::solver::writeQueries(*options.queries);
  }
}

/// The parser and the places it writes to.
class CommandLine {
public:
  CommandLine()
      : app_("Understudy proves that the threads of a C program conform to their contracts "
             "and are safe together.",
             "understudy") {
    app_.set_version_flag("--version", "understudy " UNDERSTUDY_VERSION);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer("Examples:\n"
                "  understudy check bluetooth.contract bluetooth.c --threads PnpAdd=3\n"
                "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
                "  understudy verify tickets.conc\n"
                "  understudy check --help\n\n"
                "Exit codes: 0 proved, 1 violation, 2 bad usage or input, 3 unknown, 4 internal "
                "error.");
    for (const Command &command : commands) {
      CLI::App *parser = app_.add_subcommand(options::word(command.name), command.what);
      parser->footer(command.footer);
      auto given = std::make_unique<options::Options>(defaultsOf(command.name));
      auto read = options::declare(*parser, command.name, *given);
      entries_.push_back({&command, parser, std::move(given), std::move(read)});
    }
  }

  int run(int argc, char **argv) {
    refuseUnknownCommand(argc, argv);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success &request) {
      return app_.exit(request, std::cout, std::cerr);
    } catch (const CLI::ExtrasError &) {
      refuseExtras();
    } catch (const CLI::RequiredError &error) {
      const std::string what = error.what(); // "files is required"
      throw logic::Error(
          {}, what.starts_with("-") ? what : "no " + what.substr(0, what.find(' ')) + " given",
          helpHint());
    } catch (const CLI::ParseError &error) {
      throw logic::Error({}, error.what(), helpHint());
    }
    const Entry &entry = *chosen();
    entry.read();
    beginLog(*entry.options);
    try {
      return entry.command->run(*entry.options);
    } catch (const logic::Unsupported &reason) {
      return undecided(*entry.options, reason);
    } catch (const std::bad_alloc &) {
      return undecided(*entry.options, logic::Unsupported("out of memory"));
    }
  }

private:
  struct Entry {
    const Command *command;
    CLI::App *parser;
    std::unique_ptr<options::Options> options; ///< a place that stays
    std::function<void()> read;
  };

  CLI::App app_;
  std::vector<Entry> entries_;

  void refuseUnknownCommand(int argc, char **argv) const {
    if (argc < 2)
      throw logic::Error({}, "no command given", "try 'understudy --help'");
    std::string first = argv[1];
    std::vector<std::string> names;
    for (const Command &command : commands)
      names.push_back(options::word(command.name));
    if (std::find(names.begin(), names.end(), first) != names.end())
      return;
    if (first.starts_with("-"))
      return refuseUnknownOption(first, app_);
    throw logic::Error({}, "unknown command '" + first + "'",
                       logic::suggestion(first, names, "commands"));
  }

  const Entry *chosen() const {
    for (const Entry &entry : entries_)
      if (entry.parser->parsed())
        return &entry;
    return nullptr;
  }

  std::string helpHint() const {
    const Entry *entry = chosen();
    return "try 'understudy " + (entry ? entry->parser->get_name() + " " : "") + "--help'";
  }

  static std::vector<std::string> optionsOf(const CLI::App &parser) {
    std::vector<std::string> names;
    for (const CLI::Option *option : parser.get_options()) {
      for (const std::string &name : option->get_lnames())
        names.push_back("--" + name);
      for (const std::string &name : option->get_snames())
        names.push_back("-" + name);
    }
    return names;
  }

  static bool has(const std::vector<std::string> &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Another command may have the option; or its name is misspelt.
  std::string hintFor(const std::string &option, const CLI::App &parser) const {
    const Entry *entry = chosen();
    if (entry && entry->command->name == CommandName::Check && option == "--deadlock")
      return "try 'understudy compose " +
             entry->parser->get_option("files")->as<std::vector<std::string>>().front() +
             " --deadlock'";
    std::vector<std::string> owners;
    for (const Entry &other : entries_)
      if (has(optionsOf(*other.parser), option))
        owners.push_back(other.parser->get_name());
    if (!owners.empty())
      return option + " is an option of " + logic::joined(owners);
    const std::string meant = logic::didYouMean(option, optionsOf(parser));
    return meant.empty() ? helpHint() : meant;
  }

  void refuseUnknownOption(const std::string &given, const CLI::App &parser) const {
    const std::string option = given.substr(0, given.find('='));
    if (!has(optionsOf(parser), option))
      throw logic::Error({}, "unknown option '" + given + "'", hintFor(option, parser));
  }

  [[noreturn]] void refuseExtras() const {
    const Entry *entry = chosen();
    for (const std::string &extra : app_.remaining(true)) {
      if (extra.starts_with("-") && extra != "--")
        refuseUnknownOption(extra, entry ? *entry->parser : app_);
      if (entry && entry->command->name == CommandName::Compose && languageOf(extra) == Language::C)
        throw logic::Error({}, "compose takes only a contract, but '" + extra + "' is code",
                           "try 'understudy check " +
                               entry->parser->get_option("file")->as<std::string>() + " " + extra +
                               "'");
      throw logic::Error({}, "unexpected argument '" + extra + "'", helpHint());
    }
    throw logic::Error({}, "unexpected arguments", helpHint());
  }
};

} // namespace

int runCommandLine(int argc, char **argv) { return CommandLine().run(argc, argv); }

} // namespace understudy::tools::command

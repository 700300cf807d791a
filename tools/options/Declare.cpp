// SPDX-License-Identifier: Apache-2.0
//
// Every option, once. Values are read when all arguments are known, so that --help works beside
// values that make no sense.
#include "tools/options/Declare.h"

#include "compose/portfolio/Engine.h"
#include "logic/Error.h"
#include "logic/Words.h"
#include "tools/certificate/CertificateFolder.h"
#include "tools/options/Arguments.h"
#include "tools/options/ClaimTable.h"
#include "tools/options/Outputs.h"
#include "tools/options/Words.h"

#include <algorithm>
#include <memory>
#include <sstream>

namespace understudy::tools::options {

namespace {

using Texts = std::vector<std::string>;
using Search = compose::cover::CoverOptions;
using compose::EngineName;

/// The value of --engine that leaves the choice to the tool.
const std::string automatic = "auto";

std::optional<EngineName> engineNamed(const std::string &text) {
  for (const compose::portfolio::Engine &engine : compose::portfolio::engines())
    if (text == compose::word(engine.name))
      return engine.name;
  return std::nullopt;
}

/// "explicit for fixed numbers of threads, count for any, …"
std::string engineHelp() {
  return logic::joined(compose::portfolio::engines(), [](const compose::portfolio::Engine &engine) {
    return compose::word(engine.name) + " " + std::string(engine.help);
  });
}

class Declarer {
public:
  Declarer(CLI::App &app, CommandName command) : app_(app), command_(command) {}

  /// A flag that gives the place this value.
  template <typename Value>
  CLI::Option *flag(const Declared &option, Value &place, Value value) {
    if (!option.isOf(command_))
      return nullptr;
    auto given = std::make_shared<bool>(false);
    readers_.push_back([given, &place, value] {
      if (*given)
        place = value;
    });
    return app_.add_flag(option.name, *given, option.help);
  }

  void operator()(const Declared &option, Switch &place) { flag(option, place, Switch::On); }

  void operator()(const Declared &option, ThreadNumbers &place) {
    several(option, [&place, option](const Texts &texts) {
      place = parseThreads(option.name, texts, option.range);
    });
  }
  void operator()(const Declared &option, LogLevels &place) {
    several(option, [&place, option](const Texts &texts) {
      place = parseLog(option.name, texts, option.range);
    });
  }
  void operator()(const Declared &option, ConstantValues &place) {
    several(option,
            [&place, option](const Texts &texts) { place = parseConstants(option.name, texts); });
  }
  void operator()(const Declared &option, std::optional<compose::tnet::Relations> &place) {
    one(option, "",
        [&place, option](const std::string &text) { place = parseRelations(option.name, text); });
  }
  void operator()(const Declared &option, Texts &place) {
    several(option, [&place](const Texts &texts) { place = texts; });
  }
  void operator()(const Declared &option, std::vector<OutputFile> &place) {
    const OutputKinds kinds = outputKinds(command_);
    Declared listed = option;
    listed.help +=
        "; KIND is one of " + logic::joined(kinds, [](const auto &kind) { return kind.second; });
    several(listed, [&place, kinds](const Texts &texts) { place = parseOutputs(texts, kinds); });
  }
  void operator()(const Declared &option, std::optional<std::string> &place) {
    one(option, "", [&place](const std::string &text) { place = text; });
  }
  void operator()(const Declared &option, double &place) {
    one(option, place > 0 ? defaultText(place) : "none",
        [&place, option](const std::string &text) { place = parseSeconds(option.name, text); });
  }
  template <typename Value>
    requires std::is_enum_v<Value>
  void operator()(const Declared &option, Value &place) {
    choice<Value>(option, wordOf(place), place);
  }
  template <typename Value>
    requires std::is_enum_v<Value>
  void operator()(const Declared &option, std::optional<Value> &place) {
    choice<Value>(option, "", place);
  }
  template <std::unsigned_integral Number>
  void operator()(const Declared &option, Number &place) {
    count<Number>(option, std::to_string(place), place);
  }
  template <std::unsigned_integral Number>
  void operator()(const Declared &option, std::optional<Number> &place) {
    count<Number>(option, place ? std::to_string(*place) : "", place);
  }

  /// One that has no default.
  template <typename Value>
  void required(const Declared &option, Value &place) {
    if (CLI::Option *added = choice<Value>(option, "", place))
      added->required();
  }

  /// One of these words.
  CLI::Option *oneOf(const Declared &option, const Texts &words, const std::string &usual,
                     std::function<void(const std::string &)> read) {
    Declared shaped = option;
    for (const std::string &word : words)
      shaped.shape += (shaped.shape.empty() ? "" : "|") + word;
    return one(shaped, usual, [option, words, read = std::move(read)](const std::string &text) {
      if (std::find(words.begin(), words.end(), text) == words.end())
        throw logic::Error({}, "invalid value '" + text + "' for " + option.name,
                           logic::suggestion(text, words, "values"));
      read(text);
    });
  }

  /// The two cannot be given together.
  void notBoth(const CLI::Option *one, const CLI::Option *other) {
    if (one && other)
      readers_.push_back([one, other] {
        if (one->count() > 0 && other->count() > 0)
          throw logic::Error({}, other->get_name() + " cannot be combined with " + one->get_name(),
                             "leave one of the two out");
      });
  }

  /// A file or folder, without the name of an option.
  void positional(const Declared &option, std::string &first) {
    if (CLI::Option *added = one(option, "", [&first](const std::string &text) { first = text; }))
      added->required();
  }
  void positional(const Declared &option, std::string &first, Texts &others) {
    if (CLI::Option *added = several(option, [&](const Texts &texts) {
          first = texts.front();
          others.assign(texts.begin() + 1, texts.end());
        }))
      added->required()->allow_extra_args(true);
  }

  std::function<void()> reader() {
    return [readers = std::move(readers_)] {
      for (const auto &read : readers)
        read();
    };
  }

private:
  CLI::App &app_;
  CommandName command_;
  std::vector<std::function<void()>> readers_;

  static std::string defaultText(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
  }

  CLI::Option *several(const Declared &option, std::function<void(const Texts &)> read) {
    if (!option.isOf(command_))
      return nullptr;
    auto given = std::make_shared<Texts>();
    readers_.push_back([given, read = std::move(read)] {
      if (!given->empty())
        read(*given);
    });
    return app_.add_option(option.name, *given, option.help)
        ->type_name(option.shape)
        ->allow_extra_args(false)
        ->take_all();
  }

  CLI::Option *one(const Declared &option, const std::string &usual,
                   std::function<void(const std::string &)> read) {
    if (!option.isOf(command_))
      return nullptr;
    auto given = std::make_shared<std::string>();
    const std::string help = option.help + (usual.empty() ? "" : " (default " + usual + ")");
    CLI::Option *added = app_.add_option(option.name, *given, help)->type_name(option.shape);
    readers_.push_back([given, added, read = std::move(read)] {
      if (added->count() > 0)
        read(*given);
    });
    return added;
  }

  template <typename Value, typename Place>
  CLI::Option *choice(const Declared &option, const std::string &usual, Place &place) {
    Texts all;
    for (const auto &[value, word] : words<Value>())
      all.push_back(word);
    return oneOf(option, all, usual,
                 [&place](const std::string &text) { place = valueOf<Value>(text).value(); });
  }

  template <typename Number, typename Place>
  void count(const Declared &option, const std::string &usual, Place &place) {
    one(option, usual, [&place, option](const std::string &text) {
      place = static_cast<Number>(parseCount(option.name, text, option.range));
    });
  }
};

using enum CommandName;
const std::vector<CommandName> proving{Check, Conform, Compose, Verify, Cover, Explore};
const std::vector<CommandName> solving{Check, Conform, Compose, Verify, Cover};
const std::vector<CommandName> running{Check, Conform, Compose, Verify};
const std::vector<CommandName> exploring{Check, Compose, Verify};
const std::vector<CommandName> storing{Check, Compose, Verify, Explore};
const std::vector<CommandName> writing{Check, Conform, Compose, Verify, Explore};
const std::vector<CommandName> answering{Check, Conform, Compose, Verify, Cover, Explore, Validate};
const std::vector<CommandName> limited{Check, Conform, Compose,  Verify,
                                       Cover, Explore, Validate, Export};

void declareFiles(Declarer &declarer, Options &options) {
  declarer.positional(
      {"files", {Check, Conform}, "The contract, then the C code (.c, .ll, .bc)", "FILE"},
      options.file, options.files);
  declarer.positional({"files", {Fmt}, "Contracts, CONC files or process nets (.tnet)", "FILE"},
                      options.file, options.files);
  declarer.positional({"file", {Compose}, "The contract file", "FILE"}, options.file);
  declarer.positional({"file", {Verify}, "The CONC file", "FILE"}, options.file);
  declarer.positional({"file",
                       {Cover},
                       "A thread transition system (.tts), a mist net (.spec), or a program "
                       "with finite data (.conc, .contract)",
                       "MODEL"},
                      options.file);
  declarer.positional(
      {"file", {Explore}, "A process net (.tnet): its threads create threads", "NET"},
      options.file);
  declarer.positional(
      {"file", {Export}, "A contract, CONC file or Petri net (.tts, .spec)", "FILE"}, options.file);
  declarer.positional({"folder",
                       {Validate},
                       "The folder written by --certificate; with --outline, the program",
                       "DIR"},
                      options.file);
}

void declareEngines(Declarer &declarer, Options &options) {
  Texts names{automatic};
  for (const compose::portfolio::Engine &engine : compose::portfolio::engines())
    names.push_back(compose::word(engine.name));
  declarer.oneOf({"--engine", exploring, "The engine: " + engineHelp()}, names, automatic,
                 [&options](const std::string &text) { options.engine = engineNamed(text); });
  declarer({"--algorithm", exploring,
            "How refine finds the thread width: 1 safety first, 2 width first, 3 both together "
            "(default 1, then 3 if undecided)"},
           options.algorithm);
  declarer({"--max-width",
            exploring,
            "Maximum thread width (threads of one kind alive at once) for refine (default " +
                std::to_string(compose::refine::RefineOptions{}.maxWidth) + ")",
            "N",
            {1, 1000}},
           options.maxWidth);
  declarer.oneOf({"--symmetry", exploring, "Treat threads of one kind as interchangeable"},
                 {"on", "off"}, wordOf(options.symmetry), [&options](const std::string &text) {
                   options.symmetry = valueOf<Switch>(text).value();
                 });
  declarer({"--algorithm", {Cover}, "Backward search algorithm"}, options.cover.algorithm);
  declarer.flag({"--no-oracle", {Cover}, "Do not search forward at the same time"},
                options.cover.oracle, Search::Oracle::Off);
  declarer.flag({"--no-prepass", {Cover}, "Skip the pre-pass that drops irrelevant transitions"},
                options.cover.prePass, Search::PrePass::Off);
  declarer(
      {"--widen-threads", {Cover}, "Maximum threads in a widening candidate", "N", {0, 1'000'000}},
      options.cover.widenThreads);
}

void declareLimits(Declarer &declarer, Options &options) {
  declarer({"--strict", running, "Answer unknown if the proof depends on assumptions"},
           options.strict);
  declarer({"--max-states", storing, "State limit", "N", {1, 1'000'000'000'000}},
           options.maxStates);
  declarer({"--timeout", limited, "Time limit", "SECONDS"}, options.timeoutSeconds);
  const std::string memory = "Memory limit";
  declarer({"--memory",
            limited,
            options.memoryMegabytes ? memory : memory + " (default none)",
            "MB",
            {1, 1'000'000'000}},
           options.memoryMegabytes);
}

void declareOutputs(Declarer &declarer, Options &options) {
  declarer({"--certificate", proving,
            "Write a certificate into this folder, for 'understudy validate'; without a proof, an "
            "old one there is removed",
            "DIR"},
           options.certificate);
  declarer({"--annotate", exploring,
            "Print the source with its proof: an assertion at each location, and ghosts"},
           options.annotate);
  declarer({"--format", answering, "Format of standard output"}, options.format);
  declarer({"-o", writing, "Also write a file", "KIND=FILE"}, options.outputs);
  declarer.flag({"--full-trace", proving, "Print every step and value of a counterexample"},
                options.trace, TraceLength::Full);
  CLI::Option *quiet = declarer.flag({"--quiet", answering, "Print only the verdict"},
                                     options.verbosity, Verbosity::Quiet);
  declarer.notBoth(quiet, declarer.flag({"--verbose", answering,
                                         "Also print time, memory and other details (not with "
                                         "--quiet)"},
                                        options.verbosity, Verbosity::Verbose));
}

/// For those who look into what the tool does.
void declareLog(Declarer &declarer, Options &options) {
  declarer({"--log",
            solving,
            "Print what happens to standard error: 1 phases, 2 decisions, 3 questions to the "
            "solver; TOPIC is all, " +
                logic::joined(
                    logic::topics(), [](const auto &topic) { return topic.second; }, " or "),
            "TOPIC=LEVEL",
            {0, logic::level::questions}},
           options.log);
  declarer({"--log-queries", solving,
            "Write every question to the solver into this folder, as SMT-LIB with answer and time",
            "DIR"},
           options.queries);
}

/// Of one command each.
void declareOwn(Declarer &declarer, Options &options) {
  declarer({"--overflow",
            {Compose},
            "Only useful for 'check': contract integers are unbounded, and wrap is refused"},
           options.overflow);
  declarer(
      {"--expect", {Verify}, "Compare the verdict with the first line of the file, // expect: …"},
      options.expect);
  declarer.flag({"--no-equivalence",
                 {Explore},
                 "Treat markings that differ only in thread ids as different states; needs --depth "
                 "or --max-states"},
                options.equivalence, Switch::Off);
  declarer({"--depth", {Explore}, "Maximum number of steps", "N", {0, 1'000'000'000}},
           options.depth);
  declarer({"--solver", {Validate}, "The SMT solver"}, options.solver);
  declarer({"--outline",
            {Validate},
            "Check this proof outline of a program (.conc, .contract), as --annotate prints it",
            "FILE"},
           options.outline);
  CLI::Option *check = declarer.flag(
      {"--check",
       {Fmt},
       "List files that are not in canonical layout, and exit with 1 if there are any"},
      options.fmtMode, FmtMode::Check);
  declarer.notBoth(check,
                   declarer.flag({"-i,--in-place", {Fmt}, "Rewrite the files (not with --check)"},
                                 options.fmtMode, FmtMode::InPlace));
  declarer.required({"--to", {Export}, "Output format"}, options.to);
  declarer({"-o", {Export}, "Write to this file instead of standard output", "FILE"},
           options.output);
  declarer({"--width",
            {Export},
            "For pnml and dot: the Petri net with at most N threads of one kind alive at once",
            "N",
            {1, 1000}},
           options.width);
  declarer({"--annotated",
            {Export},
            "For conc: prove the program and add the proof, ghosts as globals and assertions as "
            "statements"},
           options.annotated);
}

/// The other commands write several kinds of files; export writes one, which --to names.
void refuseKindOfExport(const Options &options) {
  const std::string given = options.output.value_or("");
  const std::string kind = given.substr(0, given.find('='));
  if (kind != given && (valueOf<ExportTarget>(kind) || valueOf<OutputKind>(kind)))
    throw logic::Error({}, "invalid value '" + given + "' for -o",
                       "export writes one file, in the format of --to: write -o " +
                           given.substr(kind.size() + 1));
}

} // namespace

std::function<void()> declare(CLI::App &app, CommandName command, Options &options) {
  Declarer declarer(app, command);
  declareFiles(declarer, options);
  visitClaim(options, declarer);
  declareEngines(declarer, options);
  declareLimits(declarer, options);
  declareOutputs(declarer, options);
  declareLog(declarer, options);
  declareOwn(declarer, options);
  return [read = declarer.reader(), &options, command] {
    options.command = command;
    read();
    for (const OutputFile &output : options.outputs)
      if (output.kind == OutputKind::Annotated)
        options.annotate = Switch::On;
    refuseKindOfExport(options);
    if (options.certificate)
      certificate::requireCertificatePlace(*options.certificate);
    refuseOverwriting(options);
  };
}

} // namespace understudy::tools::options

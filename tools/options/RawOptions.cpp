// SPDX-License-Identifier: Apache-2.0
#include "tools/options/RawOptions.h"

#include "compose/portfolio/Engine.h"
#include "tools/certificate/CertificateFolder.h"
#include "tools/options/Arguments.h"

#include <map>
#include <optional>

namespace understudy::tools::options {

namespace {

OutputKinds resultKinds() {
  return {{"json", OutputKind::Json}, {"text", OutputKind::Text}, {"trace", OutputKind::Trace}};
}

OutputKinds codeKinds() {
  OutputKinds kinds = resultKinds();
  kinds.emplace("checker", OutputKind::Checker);
  return kinds;
}

CLI::Option *addRepeatable(CLI::App &app, const std::string &name, std::vector<std::string> &values,
                           const std::string &help) {
  return app.add_option(name, values, help)->allow_extra_args(false)->take_all();
}

void addFile(CLI::App &app, RawRun &raw, const std::string &kind) {
  app.add_option("file", raw.file, "The " + kind + " file")->required()->type_name("FILE");
}

void addFiles(CLI::App &app, RawRun &raw) {
  app.add_option("files", raw.files, "The contract, then its C code (.c, .ll, .bc)")
      ->required()
      ->type_name("FILE");
}

void addThreads(CLI::App &app, std::vector<std::string> &threads, const std::string &help) {
  addRepeatable(app, "--threads", threads, help)->type_name("T=N");
}

void addRunThreads(CLI::App &app, RawRun &raw) {
  addThreads(app, raw.threads, "Run N threads T, where the file says any number (T*)");
}

void addEngine(CLI::App &app, RawRun &raw) {
  std::vector<std::string> names{automatic};
  std::string shown = automatic, help;
  for (const compose::portfolio::Engine &engine : compose::portfolio::engines()) {
    const std::string name = compose::word(engine.name);
    names.push_back(name);
    shown += "|" + name;
    help += (help.empty() ? "" : ", ") + name + " " + std::string(engine.help);
  }
  app.add_option("--engine", raw.engine, "The method: " + help + " (auto picks)")
      ->check(oneOf(names))
      ->type_name(shown);
  app.add_option("--algorithm", raw.algorithm,
                 "How refine finds the thread width: safety first, width first, or both together "
                 "(default 1, and 3 for what it leaves open)")
      ->check(oneOf({"1", "2", "3"}))
      ->type_name("1|2|3");
  app.add_option("--max-width", raw.maxWidth,
                 "The most threads of one kind alive together that refine tries (default 8)")
      ->type_name("N");
}

void addSpurious(CLI::App &app, std::string &spurious) {
  app.add_option("--spurious", spurious,
                 "Condition variables may wake up without a signal (contracts: on; CONC: off)")
      ->check(oneOf({"on", "off"}))
      ->type_name("on|off");
}

void addSymmetry(CLI::App &app, RawRun &raw) {
  app.add_option("--symmetry", raw.symmetry,
                 "Treat threads of one kind as interchangeable (default on)")
      ->check(oneOf({"on", "off"}))
      ->type_name("on|off");
}

void addOverflow(CLI::App &app, RawRun &raw, const std::string &help) {
  app.add_option("--overflow", raw.overflow, help)
      ->check(oneOf({"assume", "check", "wrap"}))
      ->type_name("assume|check|wrap");
}

void addStrict(CLI::App &app, RawRun &raw) {
  app.add_flag("--strict", raw.strict, "Answer unknown when the proof rests on assumptions");
}

void addMaxStates(CLI::App &app, RawRun &raw) {
  app.add_option("--max-states", raw.maxStates, "Give up after this many states")->type_name("N");
}

void addTimeout(CLI::App &app, RawRun &raw, const std::string &help) {
  app.add_option("--timeout", raw.timeout, help)->type_name("SECONDS");
}

void addMemory(CLI::App &app, RawRun &raw) {
  app.add_option("--memory", raw.memory, "Give up beyond this memory")->type_name("MB");
}

void addOutput(CLI::App &app, RawRun &raw, const std::string &kinds) {
  app.add_option("--format", raw.format, "What standard output shows")
      ->check(oneOf({"text", "json"}))
      ->type_name("text|json");
  addRepeatable(app, "-o", raw.outputs, "Also write a file; kinds: " + kinds)
      ->type_name("KIND=FILE");
  app.add_flag("--full-trace", raw.fullTrace, "Print every step and value of a counterexample");
}

void addCertificate(CLI::App &app, RawRun &raw) {
  app.add_option("--certificate", raw.certificate,
                 "Write the proof here, for 'understudy validate'")
      ->type_name("DIR");
}

void addVerbosity(CLI::App &app, RawRun &raw, const std::string &verbose) {
  auto *quiet = app.add_flag("--quiet", raw.quiet, "Print the verdict only");
  app.add_flag("--verbose", raw.verbose, verbose)->excludes(quiet);
}

void addRunOptions(CLI::App &app, RawRun &raw, const std::string &kind) {
  addFile(app, raw, kind);
  addRunThreads(app, raw);
  app.add_flag("--deadlock", raw.deadlock, "Also search for states in which no thread can move");
  addEngine(app, raw);
  addSpurious(app, raw.spurious);
  addSymmetry(app, raw);
  addStrict(app, raw);
  addMaxStates(app, raw);
  addTimeout(app, raw, "Give up after this time");
  addMemory(app, raw);
  addCertificate(app, raw);
  addOutput(app, raw, "text, json, trace");
  addVerbosity(app, raw, "Print time and memory too");
}

void addCodeOptions(CLI::App &app, RawRun &raw) {
  addRepeatable(app, "--clang-arg", raw.clangArgs,
                "Hand this to clang for every .c file, as in --clang-arg=-DDEBUG")
      ->type_name("ARG");
  addRepeatable(app, "--assert-hook", raw.assertHooks,
                "Calls of this function are failed assertions; several times for more")
      ->type_name("NAME");
  addOverflow(app, raw,
              "Stores that leave the C type: assumed away, a violation, or wrapping as in C "
              "(default assume)");
}

Switch switchOf(bool on) { return on ? Switch::On : Switch::Off; }

std::optional<Switch> switchOf(const std::string &text) {
  if (text.empty())
    return std::nullopt;
  return switchOf(text == "on");
}

Overflow overflowOf(const std::string &text) {
  return text == "check" ? Overflow::Check : text == "wrap" ? Overflow::Wrap : Overflow::Assume;
}

std::optional<compose::EngineName> engineOf(const std::string &text) {
  for (const compose::portfolio::Engine &engine : compose::portfolio::engines())
    if (text == compose::word(engine.name))
      return engine.name;
  return std::nullopt;
}

RunOptions readRun(const RawRun &raw, const std::string &file, const OutputKinds &kinds) {
  RunOptions options;
  options.file = file;
  options.threads = parseThreads(raw.threads);
  options.engine = engineOf(raw.engine);
  if (!raw.algorithm.empty())
    options.algorithm = static_cast<uint32_t>(parseCount("--algorithm", raw.algorithm, 1, 3));
  if (!raw.maxWidth.empty())
    options.maxWidth = static_cast<uint32_t>(parseCount("--max-width", raw.maxWidth, 1, 1000));
  options.deadlock = switchOf(raw.deadlock);
  options.symmetry = switchOf(raw.symmetry == "on");
  options.strict = switchOf(raw.strict);
  options.spurious = switchOf(raw.spurious);
  options.format = raw.format == "json" ? OutputFormat::Json : OutputFormat::Text;
  options.outputs = parseOutputs(raw.outputs, kinds);
  if (!raw.maxStates.empty())
    options.maxStates = parseCount("--max-states", raw.maxStates, 1, 1'000'000'000'000);
  if (!raw.memory.empty())
    options.memoryMegabytes = parseCount("--memory", raw.memory, 1, 1'000'000'000);
  if (!raw.timeout.empty())
    options.timeoutSeconds = parseSeconds("--timeout", raw.timeout);
  if (!raw.certificate.empty()) {
    certificate::requireCertificatePlace(raw.certificate);
    options.certificate = raw.certificate;
  }
  if (raw.quiet || raw.verbose)
    options.verbosity = raw.quiet ? Verbosity::Quiet : Verbosity::Verbose;
  options.trace = raw.fullTrace ? TraceLength::Full : TraceLength::Excerpt;
  return options;
}

CodeRunOptions readCodeRun(const RawRun &raw) {
  return {readRun(raw, raw.files.front(), codeKinds()),
          {raw.files.begin() + 1, raw.files.end()},
          raw.clangArgs,
          raw.assertHooks,
          overflowOf(raw.overflow)};
}

} // namespace

CLI::Validator oneOf(const std::vector<std::string> &words) {
  return CLI::IsMember(words).description("");
}

void addFmtOptions(CLI::App &app, RawFmt &raw) {
  app.add_option("files", raw.files, "Contract or CONC files")->required()->type_name("FILE");
  auto *check = app.add_flag("--check", raw.check,
                             "Print nothing; exit 1 if a file is not in canonical layout");
  app.add_flag("-i,--in-place", raw.inPlace, "Rewrite the files")->excludes(check);
  app.footer("Examples:\n"
             "  understudy fmt bluetooth.contract\n"
             "  understudy fmt --check *.contract      # in a CI job\n"
             "  understudy fmt -i tickets.conc");
}

void addComposeOptions(CLI::App &app, RawRun &raw) {
  addRunOptions(app, raw, "contract");
  addOverflow(app, raw, "For 'check'; here contract integers have no limits, and wrap is refused");
  app.footer("Examples:\n"
             "  understudy compose bluetooth.contract --threads PnpAdd=3\n"
             "  understudy compose queue.contract --deadlock\n"
             "  understudy compose racy.contract --threads PnpAdd=2 -o json=result.json");
}

void addConformOptions(CLI::App &app, RawRun &raw) {
  addFiles(app, raw);
  addRepeatable(app, "--thread", raw.onlyThreads, "Check this thread only; several times for more")
      ->type_name("T");
  addCodeOptions(app, raw);
  addSpurious(app, raw.spurious);
  addStrict(app, raw);
  addTimeout(app, raw, "Give up on a thread after this time");
  addCertificate(app, raw);
  addOutput(app, raw, "text, json, trace, checker");
  addVerbosity(app, raw, "Print time, and accesses that need sequential consistency");
  app.footer("Examples:\n"
             "  understudy conform bluetooth.contract bluetooth.c\n"
             "  understudy conform bluetooth.contract bluetooth.c --thread PnpAdd\n"
             "  understudy conform uart.contract uart.c ring.c --clang-arg=-DDEBUG "
             "--clang-arg=-Iinclude\n"
             "  understudy conform uart.contract uart.ll -o checker=checker.ll\n\n"
             "A thread that conforms is right provided the composition is safe: 'check' proves "
             "both.");
}

void addCheckOptions(CLI::App &app, RawRun &raw) {
  addFiles(app, raw);
  addRunThreads(app, raw);
  addCodeOptions(app, raw);
  addEngine(app, raw);
  addSpurious(app, raw.spurious);
  addSymmetry(app, raw);
  addStrict(app, raw);
  addMaxStates(app, raw);
  addTimeout(app, raw, "Give up on a thread, or the composition, after this time");
  addMemory(app, raw);
  addCertificate(app, raw);
  addOutput(app, raw, "text, json, trace, checker");
  addVerbosity(app, raw, "Print time, memory, and accesses that need sequential consistency");
  app.footer("Examples:\n"
             "  understudy check bluetooth.contract bluetooth.c --threads PnpAdd=3\n"
             "  understudy check uart.contract uart.c ring.c --clang-arg=-DDEBUG\n"
             "  understudy check uart.contract uart.bc --overflow check -o json=result.json\n\n"
             "First every thread of the code is checked against its contract, then the contracts "
             "together.");
}

void addVerifyOptions(CLI::App &app, RawRun &raw) {
  addRunOptions(app, raw, "CONC");
  app.add_flag("--expect", raw.expect, "Compare with the file's first line, // expect: …");
  app.footer("Examples:\n"
             "  understudy verify tickets.conc\n"
             "  understudy verify tickets.conc --expect\n"
             "  understudy verify pool.conc --deadlock --max-states 1000000");
}

void addExportOptions(CLI::App &app, RawExport &raw) {
  app.add_option("file", raw.file, "A contract, CONC file or net (.tts, .spec)")
      ->required()
      ->type_name("FILE");
  app.add_option("--to", raw.target, "The notation")
      ->required()
      ->check(oneOf({"dot", "conc", "promela", "tts", "spec", "pnml"}))
      ->type_name("dot|conc|promela|tts|spec|pnml");
  app.add_option("-o", raw.output, "Write here instead of to standard output")->type_name("FILE");
  addThreads(app, raw.threads,
             "Run N threads T, where the file says any number (T*); for Promela also the most "
             "threads T that are alive together, where T is forked");
  app.add_option("--width", raw.width,
                 "PNML and dot: the Petri net with at most N threads of one kind alive together")
      ->type_name("N");
  addSpurious(app, raw.spurious);
  app.add_option("--target", raw.goal,
                 "Of a .tts file: what must not be covered (default: the .prop file)")
      ->type_name("STATE");
  app.add_option("--init", raw.init, "Of a .tts file: the start (default \"0/0\")")
      ->type_name("STATE");
  app.footer("Examples:\n"
             "  understudy export bluetooth.contract --to dot | dot -Tsvg > bluetooth.svg\n"
             "  understudy export bluetooth.contract --to conc -o bluetooth.conc\n"
             "  understudy export tickets.conc --to promela --threads Buyer=3 -o t.pml\n"
             "  understudy export pool.conc --to pnml --width 2 -o pool.pnml");
}

void addValidateOptions(CLI::App &app, RawValidate &raw) {
  app.add_option("folder", raw.folder, "The folder that --certificate wrote")
      ->required()
      ->type_name("DIR");
  app.add_option("--solver", raw.solver, "The program that answers (default z3)")
      ->check(oneOf({"z3", "cvc5"}))
      ->type_name("z3|cvc5");
  app.add_option("--timeout", raw.timeout, "Give up after this time (default 600)")
      ->type_name("SECONDS");
  app.add_option("--memory", raw.memory, "Give up beyond this memory (default 4096)")
      ->type_name("MB");
  app.add_option("--format", raw.format, "What standard output shows")
      ->check(oneOf({"text", "json"}))
      ->type_name("text|json");
  app.add_flag("--quiet", raw.quiet, "Print the verdict only");
  app.footer("Examples:\n"
             "  understudy compose bluetooth.contract --threads PnpAdd=3 --certificate proof\n"
             "  understudy validate proof\n"
             "  understudy validate proof --solver cvc5");
}

FmtOptions readFmt(const RawFmt &raw) {
  using Mode = FmtOptions::Mode;
  return {raw.files, raw.check ? Mode::Check : raw.inPlace ? Mode::InPlace : Mode::Print};
}

ComposeOptions readCompose(const RawRun &raw) {
  return {readRun(raw, raw.file, resultKinds()), overflowOf(raw.overflow)};
}

ConformOptions readConform(const RawRun &raw) { return {readCodeRun(raw), raw.onlyThreads}; }

CheckOptions readCheck(const RawRun &raw) { return {readCodeRun(raw)}; }

VerifyOptions readVerify(const RawRun &raw) {
  return {readRun(raw, raw.file, resultKinds()), switchOf(raw.expect)};
}

ExportOptions readExport(const RawExport &raw) {
  using Target = ExportOptions::Target;
  static const std::map<std::string, Target> targets{
      {"dot", Target::Dot}, {"conc", Target::Conc}, {"promela", Target::Promela},
      {"tts", Target::Tts}, {"spec", Target::Spec}, {"pnml", Target::Pnml}};
  ExportOptions options;
  options.file = raw.file;
  options.target = targets.at(raw.target);
  if (!raw.output.empty())
    options.output = raw.output;
  options.threads = parseThreads(raw.threads);
  if (!raw.width.empty())
    options.width = static_cast<uint32_t>(parseCount("--width", raw.width, 1, 1000));
  options.spurious = switchOf(raw.spurious);
  if (!raw.goal.empty())
    options.goal = raw.goal;
  if (!raw.init.empty())
    options.init = raw.init;
  return options;
}

ValidateOptions readValidate(const RawValidate &raw) {
  ValidateOptions options;
  options.folder = raw.folder;
  options.solver =
      raw.solver == "cvc5" ? logic::solver::SolverProgram::Cvc5 : logic::solver::SolverProgram::Z3;
  options.format = raw.format == "json" ? OutputFormat::Json : OutputFormat::Text;
  if (!raw.timeout.empty())
    options.timeoutSeconds = parseSeconds("--timeout", raw.timeout);
  if (!raw.memory.empty())
    options.memoryMegabytes = parseCount("--memory", raw.memory, 1, 1'000'000'000);
  options.verbosity = raw.quiet ? Verbosity::Quiet : Verbosity::Normal;
  return options;
}

} // namespace understudy::tools::options

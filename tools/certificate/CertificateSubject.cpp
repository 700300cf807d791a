// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/CertificateSubject.h"

#include "compose/proof/ExplicitCheck.h"
#include "logic/Error.h"
#include "tools/Files.h"
#include "tools/command/CodeInputs.h"
#include "tools/command/ConformCommand.h"
#include "tools/command/CoverCommand.h"
#include "tools/command/Run.h"
#include "tools/report/CodeResult.h"

#include <algorithm>

namespace understudy::tools::certificate {

using options::CommandName;

namespace fs = std::filesystem;

namespace {

/// Runs what follows in another folder, so that files have the names that they had.
class InFolder {
public:
  explicit InFolder(const fs::path &folder) : before_(fs::current_path()) {
    std::error_code failed;
    fs::current_path(folder, failed);
    if (failed)
      throw InvalidCertificate("the folder of its command, '" + folder.string() + "', is missing");
  }
  ~InFolder() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  InFolder(const InFolder &) = delete;
  InFolder &operator=(const InFolder &) = delete;

private:
  fs::path before_;
};

void addNew(std::vector<std::string> &list, const std::vector<std::string> &more) {
  for (const std::string &text : more)
    if (std::find(list.begin(), list.end(), text) == list.end())
      list.push_back(text);
}

/// What is compiled must have been compared with its hash.
void requireListed(const Certificate &certificate, const std::string &file) {
  fs::path path = (fs::path(certificate.folder) / file).lexically_normal();
  bool listed =
      std::any_of(certificate.sources.begin(), certificate.sources.end(),
                  [&](const CertificateSource &source) { return fs::path(source.path) == path; });
  if (!listed)
    throw InvalidCertificate("'" + file + "' is not among the sources that were verified");
}

/// Options for clang that choose a meaning of the code. Others could make it load and run things.
bool isHarmless(const std::string &argument) {
  static const std::vector<std::string> words{"-m32",          "-m64",          "-pthread",
                                              "-ansi",         "-fshort-enums", "-funsigned-char",
                                              "-fsigned-char", "-Wall",         "-Wextra"};
  static const std::vector<std::string> beginnings{"-D", "-U", "-I", "-std="};
  return std::find(words.begin(), words.end(), argument) != words.end() ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string &beginning) {
           return argument.starts_with(beginning) && argument.size() > beginning.size();
         });
}

specs::SpuriousWakeups spuriousOf(const Certificate &certificate) {
  return certificate.options.spurious == options::Switch::On ? specs::SpuriousWakeups::On
                                                             : specs::SpuriousWakeups::Off;
}

class SubjectMaker {
public:
  explicit SubjectMaker(const Certificate &certificate) : certificate_(certificate) {}

  CertificateSubject make() {
    requireOwnOptions();
    switch (certificate_.command) {
    case CommandName::Compose:
    case CommandName::Verify:
      addSpecification();
      break;
    case CommandName::Conform:
    case CommandName::Check:
      addCode();
      break;
    case CommandName::Cover:
      addModel();
      break;
    case CommandName::Validate:
    case CommandName::Fmt:
    case CommandName::Export:
      throw InvalidCertificate("'" + options::word(certificate_.command) +
                               "' is no command that proves something");
    }
    return std::move(subject_);
  }

private:
  const Certificate &certificate_;
  CertificateSubject subject_;

  [[noreturn]] void refuseOption(const std::string &name) const {
    throw InvalidCertificate("the option '" + name + "' is none of " +
                             options::word(certificate_.command));
  }

  /// What the command itself would refuse.
  void requireOwnOptions() const {
    const CertificateOptions &options = certificate_.options;
    const bool isConform = certificate_.command == CommandName::Conform;
    const bool readsCode = isConform || certificate_.command == CommandName::Check;
    if (!readsCode && options.overflow != options::Overflow::Assume)
      refuseOption("overflow");
    if (!readsCode && !options.clangArgs.empty())
      refuseOption("clangArguments");
    if (!readsCode && !options.assertHooks.empty())
      refuseOption("assertHooks");
    if (!isConform && !options.onlyThreads.empty())
      refuseOption("onlyThreads");
    if (isConform && !options.threads.empty())
      refuseOption("threads");
    if (readsCode && options.deadlock == options::Switch::On)
      refuseOption("deadlock");
  }

  void addSpecification() {
    if (!certificate_.codeFiles.empty())
      throw InvalidCertificate(options::word(certificate_.command) + " reads no code");
    logic::SourceFilePtr file = readSource(certificate_.file);
    specs::Compiled compiled =
        certificate_.command == CommandName::Verify
            ? specs::compile(specs::syntax::parseConc(file).tree, {spuriousOf(certificate_)})
            : specs::compile(specs::syntax::parseContract(file).tree, {spuriousOf(certificate_)});
    if (!compiled.withoutContract.empty())
      throw InvalidCertificate("thread " + compiled.withoutContract.front() +
                               " has no contract, so that contracts alone decide nothing");
    addComposition(compiled.program);
    subject_.verdict = "safe";
  }

  void addModel() {
    if (!certificate_.codeFiles.empty())
      throw InvalidCertificate("cover reads no code");
    options::CoverOptions options;
    options.file = certificate_.file;
    options.target = certificate_.options.target;
    options.init = certificate_.options.init;
    for (const std::string &file : command::coverFiles(options))
      requireListed(certificate_, file);
    subject_.parts.push_back({compositionPart, {}, command::readCoverModel(options).problem});
    subject_.verdict = "safe";
  }

  void addComposition(const compose::Program &program) {
    try {
      subject_.counts = command::threadCounts(program, certificate_.options.threads);
    } catch (const logic::Error &error) {
      throw InvalidCertificate(error.what());
    }
    subject_.scope = compose::proof::scopeText(program, subject_.counts);
    addNew(subject_.assumptions, program.assumptions);
    subject_.parts.push_back({compositionPart, program});
  }

  void addCode() {
    for (const std::string &argument : certificate_.options.clangArgs)
      if (!isHarmless(argument))
        throw InvalidCertificate("the option '" + argument +
                                 "' for clang is none that a certificate may have");
    options::CodeRunOptions options;
    options.run.file = certificate_.file;
    options.run.spurious = certificate_.options.spurious;
    options.run.verbosity = options::Verbosity::Quiet;
    options.files = certificate_.codeFiles;
    options.clangArgs = certificate_.options.clangArgs;
    options.assertHooks = certificate_.options.assertHooks;
    options.overflow = certificate_.options.overflow;
    for (const std::string &file : passes::read::includedFiles({options.files, options.clangArgs}))
      requireListed(certificate_, file);
    command::System system = command::readSystem(certificate_.command, options);
    bool isCheck = certificate_.command == CommandName::Check;
    addNew(subject_.assumptions, system.contract.program.assumptions);
    addConformance(system);
    subject_.verdict = isCheck ? "safe" : "conforms";
    if (!isCheck)
      return;
    addNew(subject_.assumptions,
           {"it is assumed that the program starts: " + report::runLine(system.contract.program)});
    addComposition(passes::composition(system.code, system.contract,
                                       command::overflowMode(certificate_.options.overflow)));
  }

  void addConformance(const command::System &system) {
    passes::ConformOptions settings;
    settings.threads = certificate_.options.onlyThreads;
    settings.overflow = command::overflowMode(certificate_.options.overflow);
    passes::ConformTasks tasks = passes::conformTasks(system.code, system.contract, settings);
    if (!tasks.startsAgree)
      throw InvalidCertificate("the code starts with other values than the contract says");
    for (passes::ConformTask &task : tasks.threads) {
      addNew(subject_.assumptions, task.assumptions);
      subject_.parts.push_back({conformPart(task.thread), std::move(task.program)});
    }
    addNew(subject_.assumptions, tasks.assumptions);
  }
};

} // namespace

CertificateSubject subjectOf(const Certificate &certificate, const fs::path &sources) {
  requireListed(certificate, certificate.file);
  for (const std::string &file : certificate.codeFiles)
    requireListed(certificate, file);
  InFolder here(sources / certificate.folder);
  return SubjectMaker(certificate).make();
}

} // namespace understudy::tools::certificate

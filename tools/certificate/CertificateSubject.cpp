// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/CertificateSubject.h"

#include "compose/proof/ExplicitCheck.h"
#include "logic/Error.h"
#include "tools/Files.h"
#include "tools/command/CodeInputs.h"
#include "tools/command/CoverCommand.h"
#include "tools/command/ExploreCommand.h"
#include "tools/command/Run.h"
#include "tools/options/ClaimTable.h"
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

class SubjectMaker {
public:
  explicit SubjectMaker(const Certificate &certificate) : certificate_(certificate) {}

  CertificateSubject make() {
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
    case CommandName::Explore:
      addNet();
      break;
    case CommandName::Validate:
    case CommandName::Fmt:
    case CommandName::Export:
      throw InvalidCertificate("'" + options::word(certificate_.command) +
                               "' is not a command that proves something");
    }
    return std::move(subject_);
  }

private:
  const Certificate &certificate_;
  CertificateSubject subject_;

  /// The command itself would refuse others.
  void requireOwnOptions() const {
    options::visitClaim(
        certificate_.options, [&](const options::Declared &option, const auto &value) {
          if (!option.isOf(certificate_.command) && value != std::remove_cvref_t<decltype(value)>{})
            throw InvalidCertificate("option '" + option.key + "' does not apply to " +
                                     options::word(certificate_.command));
        });
  }

  void addSpecification() {
    requireOwnOptions();
    if (!certificate_.codeFiles.empty())
      throw InvalidCertificate(options::word(certificate_.command) + " takes no code");
    logic::SourceFilePtr file = readSource(certificate_.file);
    specs::Compiled compiled =
        certificate_.command == CommandName::Verify
            ? specs::compile(specs::syntax::parseConc(file).tree,
                             command::compileOptions(certificate_.options, Language::Conc))
            : specs::compile(specs::syntax::parseContract(file).tree,
                             command::compileOptions(certificate_.options, Language::Contract));
    if (!compiled.withoutContract.empty())
      throw InvalidCertificate("thread " + compiled.withoutContract.front() +
                               " has no contract: the contracts alone prove nothing");
    addComposition(compiled.program);
    subject_.verdict = "safe";
  }

  void addModel() {
    if (!certificate_.codeFiles.empty())
      throw InvalidCertificate("cover takes no code");
    const std::string &file = certificate_.file;
    const options::Claim &claim = certificate_.options;
    for (const std::string &source : command::coverFiles(file, claim))
      requireListed(certificate_, source);
    subject_.parts.push_back({compositionPart, {}, command::readCoverModel(file, claim).problem});
    subject_.verdict = "safe";
  }

  void addNet() {
    if (!certificate_.codeFiles.empty())
      throw InvalidCertificate("explore takes no code");
    subject_.parts.push_back(
        {compositionPart, {}, {}, command::readThreadNet(certificate_.file, certificate_.options)});
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
    requireOwnOptions();
    for (const std::string &argument : certificate_.options.clangArgs)
      if (!isHarmless(argument))
        throw InvalidCertificate("clang option '" + argument + "' is not allowed in a certificate");
    options::Options options;
    static_cast<options::Claim &>(options) = certificate_.options;
    options.command = certificate_.command;
    options.file = certificate_.file;
    options.files = certificate_.codeFiles;
    options.verbosity = options::Verbosity::Quiet;
    for (const std::string &file : passes::read::includedFiles({options.files, options.clangArgs}))
      requireListed(certificate_, file);
    command::System system = command::readSystem(options);
    bool isCheck = certificate_.command == CommandName::Check;
    addNew(subject_.assumptions, system.contract.program.assumptions);
    system.bound = passes::bind(system.code, system.contract, certificate_.options.overflow);
    addConformance(system);
    subject_.verdict = isCheck ? "safe" : "conforms";
    if (!isCheck)
      return;
    addNew(subject_.assumptions,
           {"the program starts these threads: " + report::runLine(system.contract.program)});
    addComposition(passes::composition(*system.bound));
  }

  void addConformance(const command::System &system) {
    passes::ConformOptions settings;
    settings.threads = certificate_.options.onlyThreads;
    passes::ConformTasks tasks = passes::conformTasks(*system.bound, settings);
    if (!tasks.startsAgree)
      throw InvalidCertificate("the initial values in the code differ from those in the contract");
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

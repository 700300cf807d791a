// SPDX-License-Identifier: Apache-2.0
//
// The validator. The order is from what is cheap and says most to the solver: sources, claim,
// parts, obligations as stored, obligations as answered.
#include "tools/certificate/CertificateCheck.h"

#include "compose/ProgramCopy.h"
#include "compose/proof/CountingCheck.h"
#include "compose/proof/ExplicitCheck.h"
#include "compose/proof/NetCheck.h"
#include "compose/proof/OwickiGriesCheck.h"
#include "compose/proof/SequentialProofCheck.h"
#include "logic/Error.h"
#include "tools/Files.h"
#include "tools/certificate/CertificateFolder.h"
#include "tools/certificate/CoverPart.h"

#include <algorithm>
#include <chrono>

namespace understudy::tools::certificate {

namespace fs = std::filesystem;

using compose::proof::CountingEvidence;
using compose::proof::CoverEvidence;
using compose::proof::EvidenceKind;
using compose::proof::ExplicitEvidence;
using compose::proof::NetEvidence;
using compose::proof::ObligationScript;
using compose::proof::OwickiGriesEvidence;
using compose::proof::SequentialEvidence;

namespace {

/// The evidence has a kind that can speak of the part.
void requireKind(const SubjectPart &part, const compose::proof::Evidence &evidence) {
  bool sequential = std::holds_alternative<SequentialEvidence>(evidence);
  bool cover = std::holds_alternative<CoverEvidence>(evidence);
  bool markings = std::holds_alternative<NetEvidence>(evidence);
  if (sequential == (part.name == compositionPart) || (part.net && !cover) ||
      part.threadNet.has_value() != markings)
    throw InvalidCertificate(part.name + ": evidence of kind " + word(kindOf(evidence)) +
                             " does not fit");
}

std::vector<compose::proof::Obligation> listOf(const ObligationScript &script) {
  std::vector<compose::proof::Obligation> result;
  for (const compose::proof::ObligationGroup &group : script.groups)
    result.insert(result.end(), group.obligations.begin(), group.obligations.end());
  return result;
}

class Validator {
public:
  Validator(const fs::path &folder, const compose::proof::DischargeOptions &options)
      : shown_(folder.string()), folder_(fs::absolute(folder).lexically_normal()),
        options_(options) {}

  Validation run() {
    read();
    try {
      requireUnchanged(certificate_.sources, folder_ / "sources");
      subject_ = subjectOf(certificate_, folder_ / "sources");
      checkClaim();
      checkParts();
      for (size_t i = 0; i < certificate_.parts.size(); ++i)
        if (!checkPart(i))
          break;
    } catch (const InvalidCertificate &invalid) {
      conclude(Validation::Outcome::Invalid, invalid.what());
    } catch (const logic::Unsupported &unsupported) {
      conclude(Validation::Outcome::Unknown, unsupported.what());
    }
    return std::move(result_);
  }

private:
  using Clock = std::chrono::steady_clock;

  std::string shown_; ///< the folder as the user calls it
  fs::path folder_;
  compose::proof::DischargeOptions options_;
  Clock::time_point begin_ = Clock::now();
  Certificate certificate_;
  CertificateSubject subject_;
  Validation result_;

  /// All parts share the time.
  double secondsLeft() const {
    constexpr double least = 0.001; // 0 would be no limit
    double used = std::chrono::duration<double>(Clock::now() - begin_).count();
    return options_.seconds > 0 ? std::max(options_.seconds - used, least) : 0;
  }

  void conclude(Validation::Outcome outcome, const std::string &reason) {
    result_.outcome = outcome;
    result_.reason = reason;
  }

  void read() {
    fs::path envelope = folder_ / "certificate.json";
    if (!fs::is_directory(folder_))
      throw logic::Error({}, "'" + shown_ + "' is not a folder",
                         "a certificate is the folder that --certificate writes");
    if (!fs::is_regular_file(envelope))
      throw logic::Error({},
                         "'" + shown_ +
                             "' is not a certificate: it has no file "
                             "'certificate.json'",
                         {});
    requireReadable((fs::path(shown_) / "certificate.json").string());
    certificate_ = readCertificateJson(readAll(envelope), shown_ + "/certificate.json");
    result_.what = options::word(certificate_.command) + " " + certificate_.file;
    for (const std::string &file : certificate_.codeFiles)
      result_.what += " " + file;
    result_.claim =
        certificate_.verdict + (certificate_.scope.empty() ? "" : " (" + certificate_.scope + ")");
    result_.options = claimText(certificate_);
    result_.assumptions = certificate_.assumptions;
    result_.sources = certificate_.sources.size();
  }

  void checkClaim() const {
    if (certificate_.verdict != subject_.verdict)
      throw InvalidCertificate("it claims '" + certificate_.verdict + "', but " +
                               options::word(certificate_.command) + " proves '" +
                               subject_.verdict + "'");
    if (certificate_.scope != subject_.scope)
      throw InvalidCertificate("it claims '" + certificate_.scope + "', but its options mean '" +
                               subject_.scope + "'");
    for (const std::string &assumption : subject_.assumptions)
      if (std::find(certificate_.assumptions.begin(), certificate_.assumptions.end(), assumption) ==
          certificate_.assumptions.end())
        throw InvalidCertificate("the assumption '" + assumption + "' is missing");
  }

  void checkParts() const {
    for (size_t i = 0; i < subject_.parts.size(); ++i) {
      const std::string &wanted = subject_.parts[i].name;
      if (i >= certificate_.parts.size())
        throw InvalidCertificate("the part '" + wanted + "' is missing");
      if (certificate_.parts[i].name != wanted)
        throw InvalidCertificate("part " + std::to_string(i + 1) + " is '" +
                                 certificate_.parts[i].name + "', but '" + wanted +
                                 "' is expected");
      requireKind(subject_.parts[i], certificate_.parts[i].evidence);
    }
    if (certificate_.parts.size() > subject_.parts.size())
      throw InvalidCertificate("the part '" + certificate_.parts[subject_.parts.size()].name +
                               "' is unexpected");
  }

  /// False: the rest need not be looked at.
  bool checkPart(size_t index) {
    CertificatePart &part = certificate_.parts[index];
    if (std::holds_alternative<ExplicitEvidence>(part.evidence))
      return checkStates(index);
    if (std::holds_alternative<CoverEvidence>(part.evidence))
      return checkElements(index);
    if (std::holds_alternative<NetEvidence>(part.evidence))
      return checkMarkings(index);
    if (part.name == compositionPart && certificate_.options.deadlock == options::Switch::On)
      throw InvalidCertificate(part.name + ": evidence of kind " + word(kindOf(part.evidence)) +
                               " does not rule out deadlock");
    ObligationScript script;
    try {
      script = obligationsOf(subject_, index, part.evidence);
    } catch (const compose::proof::InvalidEvidence &invalid) {
      throw InvalidCertificate(part.name + ": " + invalid.what());
    }
    checkStated(part, script);
    compose::proof::Discharge answer =
        compose::proof::discharge(script, {options_.solver, secondsLeft()});
    std::string where = part.name + ", " + answer.obligation.name;
    switch (answer.outcome) {
    case compose::proof::Discharge::Outcome::Holds:
      result_.parts.push_back({part.name, kindOf(part.evidence), script.size()});
      return true;
    case compose::proof::Discharge::Outcome::Fails:
      conclude(Validation::Outcome::Invalid,
               where + " does not hold: " + answer.obligation.meaning);
      return false;
    case compose::proof::Discharge::Outcome::Unknown:
      conclude(Validation::Outcome::Unknown,
               where + ": " + answer.reason + "; the obligation is: " + answer.obligation.meaning);
      return false;
    }
    return false;
  }

  std::string stored(const CertificatePart &part) const {
    fs::path path = folder_ / proofFile(part);
    if (!fs::is_regular_file(path))
      throw InvalidCertificate("the file '" + proofFile(part) +
                               "' is missing or not a regular file");
    return readAll(path);
  }

  /// What is written down must be what the program needs.
  void checkStated(const CertificatePart &part, const ObligationScript &script) const {
    std::vector<compose::proof::Obligation> needed = listOf(script);
    for (size_t i = 0; i < needed.size(); ++i) {
      if (i >= part.obligations.size() || part.obligations[i].name != needed[i].name)
        throw InvalidCertificate(part.name + ": the obligation '" + needed[i].name +
                                 "' is not listed: " + needed[i].meaning);
      if (part.obligations[i].expected != "unsat")
        throw InvalidCertificate(part.name + ": the obligation '" + needed[i].name +
                                 "' must be unsat, but '" + part.obligations[i].expected +
                                 "' is expected");
    }
    if (part.obligations.size() > needed.size())
      throw InvalidCertificate(part.name + ": the obligation '" +
                               part.obligations[needed.size()].name + "' is unexpected");
    if (compose::proof::withoutComments(stored(part)) !=
        compose::proof::withoutComments(compose::proof::smtLibFile(script)))
      throw InvalidCertificate("the file '" + proofFile(part) +
                               "' does not contain the obligations of " + part.name);
  }

  bool checkStates(size_t index) {
    CertificatePart &part = certificate_.parts[index];
    ExplicitEvidence evidence = readStates(stored(part), proofFile(part));
    requireAll(part, evidence.states.size(), "states");
    auto deadlock = certificate_.options.deadlock == options::Switch::On
                        ? compose::proof::DeadlockClaim::Free
                        : compose::proof::DeadlockClaim::None;
    auto fault = compose::proof::faultOfStates(subject_.parts[index].program, evidence,
                                               subject_.counts, deadlock);
    if (fault)
      throw InvalidCertificate(part.name + ": " + *fault);
    result_.parts.push_back({part.name, EvidenceKind::Explicit, evidence.states.size()});
    return true;
  }

  void requireAll(const CertificatePart &part, size_t count, const std::string &things) const {
    if (count != part.states)
      throw InvalidCertificate("the file '" + proofFile(part) + "' contains " +
                               std::to_string(count) + " " + things + ", but " +
                               std::to_string(part.states) + " are stated");
    if (!part.obligations.empty())
      throw InvalidCertificate(part.name + ": a list of " + things + " has no obligations");
  }

  bool checkMarkings(size_t index) {
    CertificatePart &part = certificate_.parts[index];
    NetEvidence evidence = readMarkings(stored(part), proofFile(part));
    requireAll(part, evidence.states.size(), "markings");
    if (auto fault = compose::proof::faultOfMarkings(*subject_.parts[index].threadNet, evidence))
      throw InvalidCertificate(part.name + ": " + *fault);
    result_.parts.push_back({part.name, EvidenceKind::Net, evidence.states.size()});
    return true;
  }

  bool checkElements(size_t index) {
    CertificatePart &part = certificate_.parts[index];
    if (certificate_.options.deadlock == options::Switch::On)
      throw InvalidCertificate(part.name + ": an uncoverability proof does not rule out deadlock");
    SubjectPart subject = subject_.parts[index];
    subject.program = compose::withNumbers(subject.program, subject_.counts);
    CoverEvidence evidence = readElements(stored(part), proofFile(part));
    requireAll(part, evidence.elements.size(), "elements");
    if (auto fault = faultOfElements(subject, evidence))
      throw InvalidCertificate(part.name + ": " + *fault);
    result_.parts.push_back({part.name, EvidenceKind::Cover, evidence.elements.size(),
                             minimalityText(subject, evidence)});
    return true;
  }
};

} // namespace

ObligationScript obligationsOf(const CertificateSubject &subject, size_t part,
                               const compose::proof::Evidence &evidence) {
  const compose::Program &program = subject.parts[part].program;
  if (const auto *counting = std::get_if<CountingEvidence>(&evidence))
    return compose::proof::countingObligations(compose::withNumbers(program, subject.counts),
                                               *counting);
  if (const auto *sequential = std::get_if<SequentialEvidence>(&evidence))
    return compose::proof::sequentialObligations(program, *sequential);
  if (const auto *annotation = std::get_if<OwickiGriesEvidence>(&evidence))
    return compose::proof::owickiGriesObligations(compose::withNumbers(program, subject.counts),
                                                  *annotation);
  return {};
}

std::string proofFile(const CertificatePart &part) {
  if (std::holds_alternative<CoverEvidence>(part.evidence))
    return part.name + ".cover";
  if (std::holds_alternative<NetEvidence>(part.evidence))
    return part.name + ".markings";
  return part.name +
         (std::holds_alternative<ExplicitEvidence>(part.evidence) ? ".states" : ".smt2");
}

Validation validate(const fs::path &folder, const compose::proof::DischargeOptions &options) {
  return Validator(folder, options).run();
}

} // namespace understudy::tools::certificate

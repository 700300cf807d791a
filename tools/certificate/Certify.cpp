// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/Certify.h"

#include "tools/certificate/CertificateWriter.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

namespace understudy::tools::certificate {

namespace {

constexpr const char *onlyProofs = "only a proof has one";

/// Why a proof of the composition has no evidence.
std::string missing(const compose::Verdict &verdict) {
  if (verdict.engine == "cover")
    return "it is proved by the state equation";
  return verdict.engine == "explicit" ? "too many states"
                                      : "the engine " + verdict.engine + " leaves none";
}

Certificate begin(const std::string &command, const options::RunOptions &options) {
  Certificate certificate;
  certificate.toolVersion = report::toolJson()["version"].get<std::string>();
  certificate.command = command;
  certificate.file = options.file;
  certificate.options.threads = options.threads;
  certificate.options.deadlock = options.deadlock;
  certificate.options.spurious =
      options.spurious.value_or(command == "verify" ? options::Switch::Off : options::Switch::On);
  return certificate;
}

void addComposition(Certificate &certificate, const compose::proof::Evidence &evidence) {
  certificate.parts.push_back({compositionPart, evidence, {}, 0});
}

} // namespace

void certify(report::Result &result, const options::RunOptions &options) {
  if (!options.certificate)
    return;
  if (result.verdict.answer != compose::Answer::Safe) {
    result.certificate = withoutCertificate(*options.certificate, onlyProofs);
    return;
  }
  if (!result.evidence) {
    result.certificate = withoutCertificate(*options.certificate, missing(result.verdict));
    return;
  }
  Certificate certificate = begin(result.command, options);
  certificate.verdict = compose::word(result.verdict.answer);
  certificate.assumptions = result.verdict.assumptions;
  addComposition(certificate, *result.evidence);
  result.certificate = writeCertificate(*options.certificate, std::move(certificate));
}

void certify(report::CodeResult &result, const options::CodeRunOptions &options,
             const std::vector<std::string> &threads) {
  if (!options.run.certificate)
    return;
  if (result.answer != report::CodeAnswer::Safe && result.answer != report::CodeAnswer::Conforms) {
    result.certificate = withoutCertificate(*options.run.certificate, onlyProofs);
    return;
  }
  Certificate certificate = begin(result.command, options.run);
  certificate.codeFiles = options.files;
  certificate.options.overflow = options.overflow;
  certificate.options.clangArgs = options.clangArgs;
  certificate.options.assertHooks = options.assertHooks;
  certificate.options.onlyThreads = threads;
  certificate.verdict = report::word(result.answer);
  certificate.assumptions = result.assumptions;
  for (const passes::ThreadConformance &thread : result.conformance.threads)
    certificate.parts.push_back({conformPart(thread.thread), thread.proof, {}, 0});
  if (result.composition) {
    const report::Result &composition = result.composition->contracts;
    if (!composition.evidence) {
      result.certificate =
          withoutCertificate(*options.run.certificate, missing(composition.verdict));
      return;
    }
    addComposition(certificate, *composition.evidence);
  }
  result.certificate = writeCertificate(*options.run.certificate, std::move(certificate));
}

CertificateNote certify(const options::CoverOptions &options,
                        const compose::cover::CoverAnswer &answer) {
  if (!options.certificate)
    return {};
  if (answer.answer != compose::Answer::Safe)
    return withoutCertificate(*options.certificate, onlyProofs);
  if (!answer.proof)
    return withoutCertificate(*options.certificate, "it is proved by the state equation");
  Certificate certificate;
  certificate.toolVersion = report::toolJson()["version"].get<std::string>();
  certificate.command = "cover";
  certificate.file = options.file;
  certificate.options.target = options.target;
  certificate.options.init = options.init;
  certificate.verdict = compose::word(answer.answer);
  addComposition(certificate, compose::proof::CoverEvidence{answer.proof->uncoverable});
  return writeCertificate(*options.certificate, std::move(certificate));
}

} // namespace understudy::tools::certificate

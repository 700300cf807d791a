// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/Certify.h"

#include "compose/portfolio/Engine.h"
#include "compose/tnet/NetProof.h"
#include "logic/Error.h"
#include "tools/certificate/CertificateWriter.h"
#include "tools/report/JsonParts.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace understudy::tools::certificate {

namespace {

constexpr const char *onlyProofs = "only a proof has one";

/// Why a proof of the composition has no evidence.
std::string missing(const report::Result &result) {
  if (!result.withoutEvidence.empty())
    return result.withoutEvidence;
  return std::string(compose::portfolio::engineOf(result.verdict.engine.value()).withoutEvidence);
}

Certificate begin(const options::Options &options) {
  Certificate certificate;
  certificate.toolVersion = report::toolJson()["version"].get<std::string>();
  certificate.command = options.command;
  certificate.file = options.file;
  certificate.codeFiles = options.files;
  certificate.options = options;
  certificate.options.spurious = options.spurious.value_or(usualSpurious(options.command));
  return certificate;
}

void addComposition(Certificate &certificate, const compose::proof::Evidence &evidence) {
  certificate.parts.push_back({compositionPart, evidence, {}, 0});
}

/// The verdict is known, and is told whatever becomes of the certificate.
template <typename Write>
CertificateNote noted(const Write &write) {
  try {
    return write();
  } catch (const logic::Error &error) {
    return {"", error.what(), true};
  } catch (const std::filesystem::filesystem_error &error) {
    return {"", "cannot write '" + error.path1().string() + "': " + error.code().message(), true};
  }
}

CertificateNote certificateOf(const report::Result &result, const options::Options &options) {
  if (result.verdict.answer != compose::Answer::Safe)
    return withoutCertificate(*options.certificate, onlyProofs);
  if (!result.evidence)
    return withoutCertificate(*options.certificate, missing(result));
  Certificate certificate = begin(options);
  certificate.verdict = compose::word(result.verdict.answer);
  certificate.assumptions = result.verdict.assumptions;
  addComposition(certificate, *result.evidence);
  return writeCertificate(*options.certificate, std::move(certificate));
}

CertificateNote certificateOf(const report::CodeResult &result, const options::Options &options) {
  if (result.answer != report::CodeAnswer::Safe && result.answer != report::CodeAnswer::Conforms)
    return withoutCertificate(*options.certificate, onlyProofs);
  Certificate certificate = begin(options);
  certificate.verdict = report::word(result.answer);
  certificate.assumptions = result.assumptions;
  for (const passes::ThreadConformance &thread : result.conformance.threads)
    certificate.parts.push_back({conformPart(thread.thread), thread.proof, {}, 0});
  if (result.composition) {
    const report::Result &composition = result.composition->contracts;
    if (!composition.evidence)
      return withoutCertificate(*options.certificate, missing(composition));
    addComposition(certificate, *composition.evidence);
  }
  return writeCertificate(*options.certificate, std::move(certificate));
}

CertificateNote certificateOf(const compose::cover::CoverAnswer &answer,
                              const options::Options &options) {
  if (answer.answer != compose::Answer::Safe)
    return withoutCertificate(*options.certificate, onlyProofs);
  if (!answer.proof)
    return withoutCertificate(*options.certificate, "the state equation gives no certificate");
  Certificate certificate = begin(options);
  certificate.verdict = compose::word(answer.answer);
  addComposition(certificate, compose::proof::CoverEvidence{answer.proof->uncoverable});
  return writeCertificate(*options.certificate, std::move(certificate));
}

CertificateNote certificateOf(const compose::tnet::Net &net,
                              const compose::tnet::ExploreResult &result,
                              const options::Options &options, const std::stop_token &stop) {
  if (result.answer(net) != compose::Answer::Safe)
    return withoutCertificate(*options.certificate, onlyProofs);
  compose::tnet::NetProofOptions limits;
  limits.stop = stop;
  std::optional<compose::tnet::NetProof> proof;
  // The states of the proof are those of a search with equivalence, which were counted.
  if (options.equivalence == options::Switch::Off || result.states <= limits.maxStates)
    try {
      proof = compose::tnet::proveNet(net, limits);
    } catch (const logic::Unsupported &reason) {
      return withoutCertificate(*options.certificate, reason.what());
    }
  if (!proof)
    return withoutCertificate(*options.certificate, "it would list more than " +
                                                        std::to_string(limits.maxStates) +
                                                        " states");
  Certificate certificate = begin(options);
  certificate.verdict = compose::word(compose::Answer::Safe);
  addComposition(certificate, *proof);
  return writeCertificate(*options.certificate, std::move(certificate));
}

} // namespace

void certify(report::Result &result, const options::Options &options) {
  if (options.certificate)
    result.certificate = noted([&] { return certificateOf(result, options); });
}

void certify(report::CodeResult &result, const options::Options &options) {
  if (options.certificate)
    result.certificate = noted([&] { return certificateOf(result, options); });
}

CertificateNote certify(const compose::cover::CoverAnswer &answer,
                        const options::Options &options) {
  if (!options.certificate)
    return {};
  return noted([&] { return certificateOf(answer, options); });
}

CertificateNote certify(const compose::tnet::Net &net, const compose::tnet::ExploreResult &result,
                        const options::Options &options, const std::stop_token &stop) {
  if (!options.certificate)
    return {};
  return noted([&] { return certificateOf(net, result, options, stop); });
}

} // namespace understudy::tools::certificate

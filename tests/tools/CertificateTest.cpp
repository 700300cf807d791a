// SPDX-License-Identifier: Apache-2.0
//
// Certificates of counting proofs, from a proof by hand to the validator's verdict; and what
// somebody who forges evidence and obligations alike can achieve: nothing.
#include "tools/certificate/CertificateCheck.h"
#include "tools/certificate/CertificateFolder.h"
#include "tools/certificate/CertificateWriter.h"

#include "logic/Error.h"
#include "tests/specs/CompileSupport.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <unistd.h>

using namespace understudy;
using namespace understudy::tools;
using namespace understudy::tools::certificate;
using namespace understudy::tools::options;
using compose::proof::CountingEvidence;

namespace {

namespace fs = std::filesystem;

class Folder {
public:
  Folder() {
    path_ = fs::temp_directory_path() / ("understudy-certificate-" + std::to_string(::getpid()));
    fs::remove_all(path_);
    fs::create_directory(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  fs::path operator/(const std::string &name) const { return path_ / name; }

private:
  fs::path path_;
};

void write(const fs::path &path, const std::string &text) { std::ofstream(path) << text; }

const std::string tokens = "system tokens {\n"
                           "  shared int tokens = 0;\n"
                           "  thread Main {\n"
                           "    initial Start { -> Ready : tokens' == 1; }\n"
                           "    final Ready;\n"
                           "  }\n"
                           "  thread User {\n"
                           "    initial Idle { -> In : tokens > 0 && tokens' == tokens - 1; }\n"
                           "    state In { assert tokens >= 0; -> Idle : tokens' == tokens + 1; }\n"
                           "  }\n"
                           "  never User.In with User.In;\n"
                           "  run Main, User*;\n"
                           "}\n";

/// The proof: as many tokens as were made are there or taken.
CountingEvidence proof() {
  CountingEvidence evidence;
  evidence.singles = {0};
  evidence.crowds = {{1, 0, {}}, {1, 1, {}}};
  evidence.invariants = {{{0}, "(and (= tokens 0) (= count.User.In 0))"},
                         {{1}, "(and (>= tokens 0) (= (+ tokens count.User.In) 1))"}};
  return evidence;
}

Certificate claim(const fs::path &file, const CountingEvidence &evidence) {
  Certificate certificate;
  certificate.toolVersion = "test";
  certificate.command = options::CommandName::Compose;
  certificate.file = file.string();
  certificate.options.spurious = Switch::On;
  certificate.verdict = "safe";
  certificate.parts.push_back({compositionPart, evidence, {}, 0});
  return certificate;
}

std::string outcome(const fs::path &folder, logic::solver::SolverProgram solver) {
  Validation found = validate(folder, {solver, 60});
  switch (found.outcome) {
  case Validation::Outcome::Valid:
    return "valid";
  case Validation::Outcome::Invalid:
    return found.reason;
  case Validation::Outcome::Unknown:
    return "unknown: " + found.reason;
  }
  return "";
}

/// Both solvers must say the same.
std::string outcome(const fs::path &folder) {
  std::string z3 = outcome(folder, logic::solver::SolverProgram::Z3);
  CHECK(z3 == outcome(folder, logic::solver::SolverProgram::Cvc5));
  return z3;
}

} // namespace

TEST_CASE("a counting certificate, from the proof to the verdict") {
  Folder folder;
  write(folder / "tokens.contract", tokens);
  CertificateNote note =
      writeCertificate(folder / "proof", claim(folder / "tokens.contract", proof()));
  REQUIRE(note.reason.empty());
  CHECK(note.folder == folder / "proof");
  CHECK(outcome(folder / "proof") == "valid");
  Validation found = validate(folder / "proof", {});
  CHECK(found.claim == "safe (for any number of User threads)");
  REQUIRE(found.parts.size() == 1);
  CHECK(found.parts[0].kind == compose::proof::EvidenceKind::Counting);
  CHECK(found.parts[0].obligations == 11);
  CHECK_FALSE(fs::exists((folder / "proof").string() + ".part" + std::to_string(::getpid())));
}

TEST_CASE("forged evidence with obligations to match is refused by the solvers") {
  Folder folder;
  write(folder / "tokens.contract", tokens);
  auto verdict = [&](const CountingEvidence &evidence) {
    CertificateNote note =
        writeCertificate(folder / "proof", claim(folder / "tokens.contract", evidence));
    return note.reason.empty() ? outcome(folder / "proof") : note.reason;
  };
  CountingEvidence forged = proof();
  SECTION("a conjunct is dropped") {
    forged.invariants[1].formula = "(= (+ tokens count.User.In) 1)";
    CHECK(verdict(forged).find("does not hold: 'never User.In with User.In' holds") !=
          std::string::npos);
  }
  SECTION("an invariant is weakened") {
    forged.invariants[0].formula = "(and (>= tokens 0) (= count.User.In 0))";
    CHECK(verdict(forged).find("does not hold: the step") != std::string::npos);
  }
  SECTION("a crowd is removed") {
    forged.crowds.pop_back();
    forged.invariants[0].formula = "(= tokens 0)";
    forged.invariants[1].formula = "(= tokens 1)";
    CHECK(verdict(forged).find("leads to a listed crowd, Main in Ready") != std::string::npos);
  }
  SECTION("a control is missing") {
    forged.invariants.pop_back();
    CHECK(verdict(forged).find("never leads to Main in Ready, which has no invariant") !=
          std::string::npos);
  }
  SECTION("no state at all") {
    forged.invariants[0].formula = "false";
    CHECK(verdict(forged).find("the initial state leads to the invariant for Main in Start") !=
          std::string::npos);
  }
  SECTION("commands in a formula") {
    forged.invariants[0].formula = "true) (assert false";
    CHECK(verdict(forged).find("something follows its end") != std::string::npos);
    CHECK_FALSE(fs::exists(folder / "proof"));
  }
  SECTION("users as if there were one") {
    forged.singles = {0, 1};
    CHECK(verdict(forged).find("any number is started") != std::string::npos);
  }
}

TEST_CASE("a counting certificate does not speak of deadlock, and not of code") {
  Folder folder;
  write(folder / "tokens.contract", tokens);
  Certificate certificate = claim(folder / "tokens.contract", proof());
  certificate.options.deadlock = Switch::On;
  REQUIRE(writeCertificate(folder / "proof", certificate).reason.empty());
  CHECK(outcome(folder / "proof") ==
        "composition: evidence of kind counting does not rule out deadlock");
  certificate = claim(folder / "tokens.contract", proof());
  certificate.parts[0].evidence = compose::proof::SequentialEvidence{};
  CHECK_FALSE(writeCertificate(folder / "other", certificate).reason.empty());
  CHECK_FALSE(fs::exists(folder / "other"));
}

TEST_CASE("a certificate takes its place in one step, and no other folder's") {
  Folder folder;
  write(folder / "tokens.contract", tokens);
  Certificate certificate = claim(folder / "tokens.contract", proof());
  fs::create_directory(folder / "mine");
  write(folder / "mine" / "notes.txt", "keep me");
  CHECK_THROWS_AS(writeCertificate(folder / "mine", certificate), logic::Error);
  CHECK(readAll(folder / "mine" / "notes.txt") == "keep me");
  write(folder / "file", "keep me");
  CHECK_THROWS_AS(writeCertificate(folder / "file", certificate), logic::Error);
  CHECK_THROWS_AS(writeCertificate(folder / "missing" / "proof", certificate), logic::Error);
  fs::create_directory(folder / "empty");
  CHECK(writeCertificate(folder / "empty", certificate).reason.empty());
  write(folder / "empty" / "stale", "of the old one");
  CHECK(writeCertificate(folder / "empty", certificate).reason.empty());
  CHECK_FALSE(fs::exists(folder / "empty" / "stale"));
  CHECK(outcome(folder / "empty") == "valid");
}

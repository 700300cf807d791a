// SPDX-License-Identifier: Apache-2.0
//
// The options of `understudy cover`.
#include "tools/certificate/CertificateFolder.h"
#include "tools/options/Arguments.h"
#include "tools/options/RawOptions.h"

namespace understudy::tools::options {

using Search = compose::cover::CoverOptions;

void addCoverOptions(CLI::App &app, RawCover &raw) {
  app.add_option("file", raw.file,
                 "A thread transition system (.tts), a net of mist's (.spec), or a program with "
                 "finite data "
                 "(.conc, .contract)")
      ->required()
      ->type_name("MODEL");
  app.add_option("--target", raw.target,
                 "What must not be covered, as in \"1|2,2\" (default: the .prop file)")
      ->type_name("STATE");
  app.add_option("--init", raw.init,
                 "The start, as in \"0|3/1\": one thread in 3, any number in 1 (default \"0/0\")")
      ->type_name("STATE");
  app.add_option("--algorithm", raw.algorithm, "The backward search (default lean)")
      ->check(oneOf({"backward", "cat", "lean"}))
      ->type_name("backward|cat|lean");
  app.add_flag("--no-oracle", raw.noOracle, "Without the forward search beside it");
  app.add_flag("--no-prepass", raw.noPrePass, "Without looking for what cannot matter first");
  app.add_option("--widen-threads", raw.widenThreads,
                 "The most threads of a widening candidate (default 1)")
      ->type_name("N");
  app.add_option("--timeout", raw.timeout, "Give up after this time")->type_name("SECONDS");
  app.add_option("--memory", raw.memory, "Give up beyond this memory")->type_name("MB");
  app.add_option("--certificate", raw.certificate,
                 "Write a certificate of the proof into this folder, for 'understudy validate'")
      ->type_name("DIR");
  app.add_option("--format", raw.format, "What standard output shows")
      ->check(oneOf({"text", "json"}))
      ->type_name("text|json");
  app.add_flag("--full-trace", raw.fullTrace, "Print every step of a firing sequence");
  auto *quiet = app.add_flag("--quiet", raw.quiet, "Print the verdict only");
  app.add_flag("--verbose", raw.verbose, "Print time too")->excludes(quiet);
  app.footer("Examples:\n"
             "  understudy cover peterson.tts --target \"4|5\"\n"
             "  understudy cover pool.tts --init \"0|3/1\"     # the target is in pool.prop\n"
             "  understudy cover kanban.spec --timeout 60");
}

CoverOptions readCover(const RawCover &raw) {
  CoverOptions options;
  options.file = raw.file;
  if (!raw.target.empty())
    options.target = raw.target;
  if (!raw.init.empty())
    options.init = raw.init;
  options.engine.algorithm = raw.algorithm == "backward" ? Search::Algorithm::Backward
                             : raw.algorithm == "cat"    ? Search::Algorithm::Cat
                                                         : Search::Algorithm::Lean;
  options.engine.oracle = raw.noOracle ? Search::Oracle::Off : Search::Oracle::On;
  options.engine.prePass = raw.noPrePass ? Search::PrePass::Off : Search::PrePass::On;
  if (!raw.widenThreads.empty())
    options.engine.widenThreads =
        static_cast<uint32_t>(parseCount("--widen-threads", raw.widenThreads, 0, 1'000'000));
  if (!raw.timeout.empty())
    options.engine.maxSeconds = parseSeconds("--timeout", raw.timeout);
  if (!raw.memory.empty())
    options.engine.maxMemoryBytes = parseCount("--memory", raw.memory, 1, 1'000'000'000) << 20;
  if (!raw.certificate.empty()) {
    certificate::requireCertificatePlace(raw.certificate);
    options.certificate = raw.certificate;
  }
  options.format = raw.format == "json" ? OutputFormat::Json : OutputFormat::Text;
  if (raw.quiet || raw.verbose)
    options.verbosity = raw.quiet ? Verbosity::Quiet : Verbosity::Verbose;
  options.trace = raw.fullTrace ? TraceLength::Full : TraceLength::Excerpt;
  return options;
}

} // namespace understudy::tools::options

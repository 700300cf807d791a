// SPDX-License-Identifier: Apache-2.0
//
// abstract.so: the instrumentation and the conformance check as passes of opt and clang.
//   abstract<contract=F;overflow=assume|check|wrap;assert-hook=H;coverage>   adds the checkers
//   abstract-check<contract=F;overflow=…;assert-hook=H;part>   proves, and fails the build
// Under clang, which knows no pass names, the check runs at the start of the pipeline, on a copy.
// The module is then one file of several, which `part` says under opt.
#include "logic/Error.h"
#include "logic/Render.h"
#include "passes/System.h"
#include "passes/checker/CheckerProgram.h"
#include "passes/plugin/PluginReport.h"
#include "specs/syntax/Parse.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Signals.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace understudy::passes::plugin {

namespace {

// LLVM finds options by their static objects.
llvm::cl::opt<std::string> contractOption("abstract-contract",
                                          llvm::cl::desc("contract file for the pass 'abstract'"),
                                          llvm::cl::value_desc("file"));

llvm::cl::list<std::string>
    assertHookOption("abstract-assert-hook",
                     llvm::cl::desc("a call to this function is a failed assertion"),
                     llvm::cl::value_desc("function"), llvm::cl::CommaSeparated);

struct PluginOptions {
  std::string contract;
  std::vector<std::string> assertHooks;
  Extent extent = Extent::Whole;
  OverflowMode overflow = OverflowMode::Assume;
  checker::Coverage coverage = checker::Coverage::Off;
};

/// From the command line and the environment, for tools that know no parameters.
PluginOptions optionsFromOutside() {
  PluginOptions options;
  options.assertHooks.assign(assertHookOption.begin(), assertHookOption.end());
  if (const char *variable = std::getenv("UNDERSTUDY_CONTRACT"))
    options.contract = variable;
  if (!contractOption.empty())
    options.contract = contractOption;
  return options;
}

/// `contract=F;overflow=check`; false after a message.
bool readParameters(llvm::StringRef text, PluginOptions &options) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ';', -1, false);
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    if (key == "contract") {
      options.contract = value.str();
    } else if (key == "overflow" && value == "assume") {
      options.overflow = OverflowMode::Assume;
    } else if (key == "overflow" && value == "check") {
      options.overflow = OverflowMode::Check;
    } else if (key == "overflow" && value == "wrap") {
      options.overflow = OverflowMode::Wrap;
    } else if (key == "assert-hook" && !value.empty()) {
      options.assertHooks.push_back(value.str());
    } else if (part == "part") {
      options.extent = Extent::Part;
    } else if (part == "coverage") {
      options.coverage = checker::Coverage::On;
    } else {
      llvm::errs() << "abstract: unknown parameter '" << part
                   << "'; known parameters are contract=FILE, overflow=assume|check|wrap, "
                      "assert-hook=FUNCTION, part and coverage, separated by ';'\n";
      return false;
    }
  }
  return true;
}

specs::Compiled readContract(const std::string &path) {
  if (path.empty())
    throw logic::Error({}, "no contract given",
                       "use -passes='abstract<contract=FILE>', -abstract-contract=FILE or set "
                       "UNDERSTUDY_CONTRACT");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    throw logic::Error("cannot read contract '" + path + "': " + buffer.getError().message());
  auto file = std::make_shared<logic::SourceFile>(path, (*buffer)->getBuffer().str());
  return specs::compile(specs::syntax::parseContract(file).tree, {});
}

/// opt has its option -load-pass-plugin among LLVM's; clang has not.
bool isOpt() { return llvm::cl::getRegisteredOptions().contains("load-pass-plugin"); }

/// opt exits at once, and would leave an empty output file behind.
void fail(llvm::Module &module, const std::string &failure) {
  if (isOpt())
    llvm::sys::RunInterruptHandlers();
  module.getContext().emitError(failure);
}

/// Runs our code at the border to LLVM: no exception leaves it. Messages look like the compiler's.
template <typename Work>
void atBorder(llvm::Module &module, const Work &work) {
  std::string failure;
  try {
    failure = work();
  } catch (const logic::Error &error) {
    for (const logic::Diagnostic &diagnostic : error.diagnostics())
      llvm::errs() << logic::render(diagnostic);
    failure = "abstract: the contract cannot be checked against this module";
  } catch (const logic::Unsupported &unsupported) {
    llvm::errs() << logic::render(
        {logic::Severity::Error, unsupported.range(), unsupported.what(), {}});
    failure = "abstract: this module cannot be instrumented";
  } catch (const std::exception &defect) {
    failure = std::string("abstract: internal error: ") + defect.what();
  }
  if (!failure.empty())
    fail(module, failure);
}

struct AbstractPass : llvm::PassInfoMixin<AbstractPass> {
  PluginOptions options;

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    atBorder(module, [&]() -> std::string {
      specs::Compiled contract = readContract(options.contract);
      System system(module, contract, options.overflow, options.extent, options.assertHooks);
      checker::instrumentAll(system, options.coverage);
      return "";
    });
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct AbstractCheckPass : llvm::PassInfoMixin<AbstractCheckPass> {
  PluginOptions options;

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    atBorder(module, [&] {
      specs::Compiled contract = readContract(options.contract);
      auto copy = llvm::CloneModule(module);
      System system(*copy, contract, options.overflow, options.extent, options.assertHooks);
      ConformOptions conformOptions;
      conformOptions.overflow = options.overflow;
      conformOptions.vacuity = VacuityReport::Code; // the contract is another question
      return reportToBuild(system, conform(system, conformOptions), options.contract, llvm::errs());
    });
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// A pass of this library was asked for by its name.
bool askedByName = false;

/// Says that a file passes unchecked.
struct NoContractPass : llvm::PassInfoMixin<NoContractPass> {
  static llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    if (!askedByName)
      llvm::errs() << module.getSourceFileName()
                   << ": warning: nothing checked: no contract given (set UNDERSTUDY_CONTRACT, or "
                      "use -mllvm -abstract-contract=FILE)\n";
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// The parameters of `NAME<...>`; none if the text names another pass.
std::optional<llvm::StringRef> parametersOf(llvm::StringRef text, llvm::StringRef name) {
  if (text == name)
    return llvm::StringRef();
  if (text.consume_front(name) && text.consume_front("<") && text.consume_back(">"))
    return text;
  return std::nullopt;
}

template <typename Pass>
bool addPass(llvm::StringRef text, llvm::StringRef name, llvm::ModulePassManager &passes) {
  auto parameters = parametersOf(text, name);
  if (!parameters)
    return false;
  Pass pass;
  pass.options = optionsFromOutside();
  if (!readParameters(*parameters, pass.options))
    return false;
  askedByName = true;
  passes.addPass(std::move(pass));
  return true;
}

/// The compiler asked for the passes, as it does when it generates code.
bool generatesCode = false;

void registerPasses(llvm::PassBuilder &builder) {
  generatesCode = true;
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager &passes,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    return addPass<AbstractPass>(name, "abstract", passes) ||
           addPass<AbstractCheckPass>(name, "abstract-check", passes);
  });
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        AbstractCheckPass pass;
        pass.options = optionsFromOutside();
        if (pass.options.contract.empty()) {
          passes.addPass(NoContractPass());
          return;
        }
        pass.options.extent = Extent::Part;
        passes.addPass(std::move(pass));
      });
}

/// `opt -load abstract.so` alone loads the library but does not look for passes in it: this adds
/// the library's own path to opt's option -load-pass-plugin.
struct LoadedByOpt {
  LoadedByOpt() {
    auto &options = llvm::cl::getRegisteredOptions();
    auto option = options.find("load-pass-plugin");
    Dl_info info{};
    if (option == options.end() || dladdr(&contractOption, &info) == 0 || info.dli_fname == nullptr)
      return;
    path_ = info.dli_fname;
    option->second->addOccurrence(0, "load-pass-plugin", path_);
  }
  std::string path_;
};
const LoadedByOpt loadedByOpt;

/// Says, when the compiler ends, that a file passed unchecked. LLVM's streams are gone by then.
struct WithoutCode {
  ~WithoutCode() {
    if (generatesCode || !loadedByOpt.path_.empty() || optionsFromOutside().contract.empty())
      return;
    std::fputs("warning: nothing checked: conformance is checked when code is generated, and none "
               "was (-fsyntax-only, -E or an error)\n",
               stderr);
  }
};
const WithoutCode withoutCode;

} // namespace

} // namespace understudy::passes::plugin

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "abstract", LLVM_VERSION_STRING,
          understudy::passes::plugin::registerPasses};
}

// SPDX-License-Identifier: Apache-2.0
//
// C, LLVM assembly and bitcode to one linked module. C is compiled by clang-19 without any
// optimisation, so that every access to shared memory in the source is one in the module.
#include "logic/Error.h"
#include "passes/read/Module.h"
#include "passes/read/UserHeader.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace understudy::passes::read {

namespace {

/// A folder that disappears with its owner.
class TemporaryFolder {
public:
  TemporaryFolder() {
    if (llvm::sys::fs::createUniqueDirectory("understudy", path_))
      throw logic::Error("cannot create a temporary folder");
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path_); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string file(const std::string &name) const { return std::string(path_.str()) + "/" + name; }
  std::string path() const { return std::string(path_.str()); }

private:
  llvm::SmallString<128> path_;
};

/// What LLVM says while it reads and links, instead of on standard error.
struct Diagnostics : llvm::DiagnosticHandler {
  explicit Diagnostics(std::string &text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }
  std::string &text_;
};

std::string endingOf(const std::string &path) { return llvm::sys::path::extension(path).str(); }

bool isC(const std::string &path) { return endingOf(path) == ".c" || endingOf(path) == ".i"; }

std::string findClang() {
  if (const char *chosen = std::getenv("UNDERSTUDY_CLANG"))
    return chosen;
  auto found = llvm::sys::findProgramByName("clang-19");
  if (!found)
    throw logic::Error({}, "clang-19 is needed for C files, but is not installed",
                       "install the package clang-19, or give the module as .ll or .bc");
  return *found;
}

std::string contentOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

void writeUserHeader(const TemporaryFolder &folder) {
  std::error_code failed;
  llvm::raw_fd_ostream stream(folder.file("understudy.h"), failed);
  if (failed)
    throw logic::Error("cannot write a temporary file");
  stream << userHeader();
}

/// Runs clang on one C file with these words besides those that all runs share.
void runClang(const std::string &source, const std::vector<std::string> &mode,
              const std::vector<std::string> &extra, const TemporaryFolder &folder) {
  std::string messages = folder.file("messages");
  std::string clang = findClang();
  std::vector<std::string> words{clang, "-g",
                                 // No optimisation; with -O0 C99 inline functions have no body.
                                 "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-w",
                                 "-fno-discard-value-names", "-DUNDERSTUDY", "-I", folder.path()};
  words.insert(words.end(), extra.begin(), extra.end());
  words.insert(words.end(), mode.begin(), mode.end());
  words.push_back(source);
  std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  std::vector<std::optional<llvm::StringRef>> redirects{llvm::StringRef(), llvm::StringRef(),
                                                        llvm::StringRef(messages)};
  std::string failure;
  int code = llvm::sys::ExecuteAndWait(clang, arguments, std::nullopt, redirects, 0, 0, &failure);
  if (code != 0)
    throw logic::Error({},
                       "clang cannot compile '" + source + "'" +
                           (failure.empty() ? "" : ": " + failure) + "\n" + contentOf(messages),
                       "pass options to clang with --clang-arg=OPTION");
}

/// The path of the bitcode.
std::string compile(const std::string &source, const std::vector<std::string> &extra,
                    const TemporaryFolder &folder, size_t number) {
  std::string output = folder.file("module" + std::to_string(number) + ".bc");
  runClang(source, {"-emit-llvm", "-c", "-o", output}, extra, folder);
  return output;
}

/// The files in a rule for `make`: "x.o: x.c \\\n  a\\ b.h", the target left out.
std::vector<std::string> prerequisites(const std::string &rule) {
  std::vector<std::string> result;
  std::string word;
  size_t at = rule.find(": ");
  auto finish = [&] {
    if (!word.empty())
      result.push_back(std::exchange(word, ""));
  };
  for (at = at == std::string::npos ? rule.size() : at + 2; at < rule.size(); ++at) {
    char c = rule[at];
    bool escapes = c == '\\' && at + 1 < rule.size();
    if (escapes && (rule[at + 1] == ' ' || rule[at + 1] == '#'))
      word += rule[++at];
    else if (c == '$' && at + 1 < rule.size() && rule[at + 1] == '$')
      word += rule[++at];
    else if (escapes && rule[at + 1] == '\n')
      ++at, finish();
    else if (c == ' ' || c == '\n')
      finish();
    else
      word += c;
  }
  finish();
  return result;
}

std::unique_ptr<llvm::Module> readModule(const std::string &path, const std::string &shown,
                                         llvm::LLVMContext &context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseIRFile(path, problem, context);
  if (!module && isC(shown))
    throw logic::Error({}, "clang made no LLVM IR of '" + shown + "'",
                       "an option given with --clang-arg may keep it from compiling");
  if (!module)
    throw logic::Error(
        "'" + shown + "' is not readable LLVM IR" +
        (problem.getLineNo() > 0 ? ", line " + std::to_string(problem.getLineNo()) : "") + ": " +
        problem.getMessage().str());
  std::string why;
  llvm::raw_string_ostream stream(why);
  if (llvm::verifyModule(*module, &stream))
    throw logic::Error("'" + shown + "' is not valid LLVM IR: " + why);
  return module;
}

void requireFile(const std::string &path) {
  if (!llvm::sys::fs::exists(path))
    throw logic::Error("'" + path + "' does not exist");
  if (llvm::sys::fs::is_directory(path))
    throw logic::Error("'" + path + "' is a folder");
}

std::string modulePath(const std::string &file, const CodeOptions &options,
                       const TemporaryFolder &folder, size_t number) {
  std::string ending = endingOf(file);
  if (ending == ".ll" || ending == ".bc")
    return file;
  if (isC(file))
    return compile(file, options.clangArgs, folder, number);
  throw logic::Error({}, "'" + file + "' is neither C nor LLVM IR",
                     "code must be a .c, .ll or .bc file");
}

/// Functions of the C library to which the files give a body. Calls of these must stay calls: clang
/// makes an operation of its own of `memset` and the like.
void addOwnLibraryFunctions(const llvm::Module &module, std::set<std::string> &names) {
  const llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  llvm::LibFunc ignored{};
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && library.getLibFunc(function.getName(), ignored))
      names.insert(function.getName().str());
}

class Reader {
public:
  explicit Reader(const CodeOptions &options) : options_(options) { writeUserHeader(folder_); }

  std::unique_ptr<llvm::Module> run(llvm::LLVMContext &context, const std::string &linkErrors) {
    std::vector<std::unique_ptr<llvm::Module>> modules = readAll(context);
    std::set<std::string> own;
    for (const auto &module : modules)
      addOwnLibraryFunctions(*module, own);
    for (const std::string &name : own)
      options_.clangArgs.push_back("-fno-builtin-" + name);
    if (!own.empty() && llvm::any_of(options_.files, isC))
      modules = readAll(context);
    for (size_t i = 1; i < modules.size(); ++i)
      if (llvm::Linker::linkModules(*modules.front(), std::move(modules[i])))
        throw logic::Error("the files do not link: " + linkErrors);
    return std::move(modules.front());
  }

private:
  CodeOptions options_;
  TemporaryFolder folder_;

  std::vector<std::unique_ptr<llvm::Module>> readAll(llvm::LLVMContext &context) {
    std::vector<std::unique_ptr<llvm::Module>> modules;
    for (size_t i = 0; i < options_.files.size(); ++i) {
      const std::string &file = options_.files[i];
      modules.push_back(readModule(modulePath(file, options_, folder_, i), file, context));
      if (isC(file))
        for (llvm::Function &function : *modules.back())
          if (!function.isDeclaration())
            function.addFnAttr(asWritten);
    }
    return modules;
  }
};

} // namespace

Code::Code(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
Code::~Code() = default;
Code::Code(Code &&) noexcept = default;
Code &Code::operator=(Code &&) noexcept = default;

Code readCode(const CodeOptions &options) {
  std::string linkErrors;
  auto code = std::make_unique<Code::Implementation>();
  code->files = options.files;
  code->assertHooks = options.assertHooks;
  code->context = std::make_unique<llvm::LLVMContext>();
  code->context->setDiagnosticHandler(std::make_unique<Diagnostics>(linkErrors));
  for (const std::string &file : options.files)
    requireFile(file);
  if (options.files.empty())
    throw logic::Error("no C or LLVM file given");
  code->module = Reader(options).run(*code->context, linkErrors);
  code->context->setDiagnosticHandler(nullptr);
  return Code(std::move(code));
}

std::vector<std::string> includedFiles(const CodeOptions &options) {
  TemporaryFolder folder;
  writeUserHeader(folder);
  std::set<std::string> result;
  for (const std::string &file : options.files) {
    if (!isC(file))
      continue;
    std::string rule = folder.file("rule");
    runClang(file, {"-MM", "-o", rule}, options.clangArgs, folder);
    for (const std::string &path : prerequisites(contentOf(rule)))
      if (path != file && !path.starts_with(folder.path()))
        result.insert(path);
  }
  return {result.begin(), result.end()};
}

} // namespace understudy::passes::read

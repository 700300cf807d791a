// SPDX-License-Identifier: Apache-2.0
//
// LLVM assembly in, template out.
#pragma once

#include "compose/Program.h"
#include "logic/smtlib/Print.h"
#include "passes/encode/Encode.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace understudy::tests {

/// A global of the module that is a variable of the program; the variable's sort says the rest.
struct TestCell {
  std::string name;
  std::string sort; ///< "int", "bool", "int 0..3", "int[4]"
  passes::encode::Cell::Meaning meaning = passes::encode::Cell::Meaning::Value;
  bool isSigned = true;
  bool isBool = false;
};

class TestEncoding {
public:
  explicit TestEncoding(const std::string &assembly) : context_(new llvm::LLVMContext) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(assembly, problem, *context_);
    if (!module_)
      throw std::runtime_error("bad assembly: " + problem.getMessage().str() + " in\n" + assembly);
    std::string broken;
    llvm::raw_string_ostream out(broken);
    if (llvm::verifyModule(*module_, &out))
      throw std::runtime_error("bad module: " + broken);
    program.pool = std::make_shared<logic::TermPool>();
    program.initial = program.pool->boolean(true);
  }

  logic::Variable addCell(const TestCell &test) {
    passes::encode::Cell cell;
    cell.variable = program.pool->variable("", test.name, sortOf(test.sort));
    cell.meaning = test.meaning;
    cell.isSigned = test.isSigned;
    cell.isBool = test.isBool;
    program.globals.push_back(cell.variable);
    cells_[module_->getGlobalVariable(test.name, true)] = cell;
    return cell.variable;
  }

  /// Encodes @f as the only thread; throws unless the program is well formed.
  const compose::Template &encode() {
    passes::encode::EncodeContext context{program, cells_, places, nullptr};
    encoded = passes::encode::encode(*module_->getFunction("f"), "f", context);
    program.templates = {encoded.thread};
    program.starts = {{0, 1, false}};
    compose::checkWellFormed(program);
    return program.templates.front();
  }

  /// "line 1 -> end: x' == x + 1" for every edge.
  std::vector<std::string> edges() const {
    std::vector<std::string> result;
    const compose::Template &thread = program.templates.front();
    for (const compose::Edge &edge : thread.edges)
      result.push_back(thread.locations[edge.source].name + " -> " +
                       thread.locations[edge.target].name + ": " +
                       logic::smtlib::text(edge.relation));
    return result;
  }

  const llvm::Module &module() const { return *module_; }

  compose::Program program;
  passes::encode::Encoded encoded;
  std::vector<passes::lower::Place> places;

private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
  std::map<const llvm::GlobalVariable *, passes::encode::Cell> cells_;

  logic::Sort sortOf(const std::string &text) {
    logic::TermPool &pool = *program.pool;
    if (text == "bool")
      return pool.boolSort();
    if (text == "bool[4]")
      return pool.arraySort(pool.boolSort(), 4);
    if (text == "int[4]")
      return pool.arraySort(pool.intSort(), 4);
    if (text == "int 0..3")
      return pool.rangeSort(0, 3);
    if (text == "mode")
      return pool.enumSort("mode", {{"idle", 0}, {"busy", 4}, {"gone", 5}});
    return pool.intSort();
  }
};

} // namespace understudy::tests

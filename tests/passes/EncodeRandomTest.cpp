// SPDX-License-Identifier: Apache-2.0
//
// The encoding against LLVM's own meaning of integers: the same random function is run on bits
// (IrEvaluator) and as a template, with the same inputs; outcome and memory must agree.
#include "EncodeSupport.h"
#include "IrEvaluator.h"
#include "RandomIr.h"
#include "TemplateRunner.h"

#include "../Support.h"
#include "compose/Interpreter.h"
#include "logic/Error.h"

#include <catch2/catch.hpp>
#include <llvm/IR/ValueSymbolTable.h>

using namespace understudy;
using namespace understudy::tests;
using logic::Wide;

namespace {

struct TestGlobal {
  const llvm::GlobalVariable *global = nullptr;
  logic::Variable variable;
  bool isSigned = true;
};

Wide numberOf(const llvm::APInt &bits, bool isSigned) {
  return isSigned ? Wide{bits.getSExtValue()} : Wide{bits.getZExtValue()};
}

/// The same bits, whichever way the variable reads them.
bool agree(Wide value, const llvm::APInt &bits) {
  return llvm::APInt(64, static_cast<uint64_t>(value)).trunc(bits.getBitWidth()) == bits;
}

struct RandomRun {
  TestEncoding test;
  std::vector<TestGlobal> globals;

  RandomRun(const std::string &assembly, Random &random) : test(assembly) {
    for (const llvm::GlobalVariable &global : test.module().globals()) {
      if (global.hasInternalLinkage())
        continue;
      bool isBool = global.getValueType()->isIntegerTy(1);
      bool isSigned = !isBool && random.oneIn(2);
      globals.push_back({&global,
                         test.addCell({global.getName().str(), isBool ? "bool" : "int",
                                       isBool ? passes::encode::Cell::Meaning::Truth
                                              : passes::encode::Cell::Meaning::Value,
                                       isSigned, isBool}),
                         isSigned});
    }
  }

  std::vector<llvm::APInt> borderStarts(Random &random) const {
    std::vector<llvm::APInt> starts;
    for (const TestGlobal &g : globals)
      starts.push_back(borderBits(random, g.global->getValueType()->getIntegerBitWidth()));
    return starts;
  }

  /// Returns what the template and the bits agreed on.
  Outcome compareOnce(const std::vector<llvm::APInt> &starts,
                      const std::vector<llvm::APInt> &inputs) {
    IrEvaluator bits(test.module());
    TemplateRunner runner(test.program, test.encoded);
    for (size_t i = 0; i < globals.size(); ++i) {
      bits.memory[globals[i].global] = {starts[i]};
      runner.state[globals[i].variable] = numberOf(starts[i], globals[i].isSigned);
    }
    Outcome expected = bits.run({inputs.begin(), inputs.end()});
    Outcome outcome = runner.run(inputs);
    CHECK(outcome == expected);
    if (expected == Outcome::Returned && outcome == expected)
      compareMemory(bits, runner);
    return expected;
  }

  /// The steps of the reference interpreter from these values of the globals, to the end.
  compose::Configuration interpret(const IrEvaluator::Memory &start) {
    logic::TermPool &pool = *test.program.pool;
    std::vector<logic::Term> equations;
    for (const TestGlobal &g : globals) {
      auto value = static_cast<int64_t>(numberOf(start.at(g.global).front(), g.isSigned));
      equations.push_back(
          pool.equal(pool.var(g.variable), pool.constant(g.variable.sort(), value)));
    }
    test.program.initial = pool.conjunction(equations);
    compose::Interpreter interpreter(test.program);
    auto starts = interpreter.starts();
    REQUIRE(starts.size() == 1);
    compose::Configuration at = starts.front();
    for (auto steps = interpreter.steps(at); !steps.empty(); steps = interpreter.steps(at)) {
      REQUIRE(steps.size() == 1);
      at = steps.front().after;
    }
    return at;
  }

  static llvm::APInt borderBits(Random &random, unsigned width) {
    std::string text = RandomIrWriter::borderNumber(random, width);
    if (width == 1)
      return {1, text == "true" ? 1u : 0u};
    return {width, static_cast<uint64_t>(std::stoll(text)), true};
  }

private:
  void compareMemory(const IrEvaluator &bits, const TemplateRunner &runner) {
    for (const TestGlobal &g : globals) {
      INFO(g.global->getName().str());
      CHECK(static_cast<int64_t>(runner.state.at(g.variable)) ==
            static_cast<int64_t>(numberOf(bits.memory.at(g.global).front(), g.isSigned)));
    }
    for (const auto &[name, elements] : test.encoded.memory) {
      INFO(name);
      const llvm::Value *base = test.module().getGlobalVariable(name, true);
      if (!base)
        base = test.module().getFunction("f")->getValueSymbolTable()->lookup(name);
      const auto &expected = bits.memory.at(base);
      REQUIRE(expected.size() == elements.size());
      for (size_t i = 0; i < elements.size(); ++i)
        CHECK(agree(runner.state.at(elements[i]), expected[i]));
    }
  }
};

void compareRandom(size_t count, const std::vector<unsigned> &widths, unsigned statements) {
  size_t outcomes[3] = {0, 0, 0};
  for (size_t run = 0; run < runs(count); ++run) {
    Random random(seedOf(run));
    RandomIr ir = RandomIrWriter(random, widths, RandomInputs::Some).write(statements);
    INFO("seed " << seedOf(run) << "\n" << ir.assembly);
    RandomRun one(ir.assembly, random);
    one.test.encode();
    for (unsigned start = 0; start < 8; ++start) {
      std::vector<llvm::APInt> inputs;
      for (size_t i = 0; i < ir.inputs; ++i)
        inputs.push_back(RandomRun::borderBits(random, random.pick(widths)).sext(64));
      ++outcomes[static_cast<size_t>(one.compareOnce(one.borderStarts(random), inputs))];
    }
  }
  // Enough of each kind, so that something was compared.
  size_t total = outcomes[0] + outcomes[1] + outcomes[2];
  for (size_t number : outcomes)
    CHECK(number * 20 > total);
}

} // namespace

TEST_CASE("Random functions of all widths mean what their bits do") {
  compareRandom(4000, {1, 8, 16, 32, 64}, 12);
}

TEST_CASE("Random long functions mean what their bits do") {
  compareRandom(600, {1, 8, 16, 32, 64}, 60);
}

TEST_CASE("Random functions of one width and bools mean what their bits do") {
  for (unsigned width : {8u, 16u, 32u, 64u})
    compareRandom(800, {1, width}, 25);
}

TEST_CASE("The reference interpreter runs random functions as their bits do") {
  size_t returned = 0;
  size_t count = runs(1000);
  for (size_t run = 0; run < count; ++run) {
    Random random(seedOf(run));
    RandomIr ir = RandomIrWriter(random, {1, 8, 16, 32}, RandomInputs::None).write(6);
    INFO("seed " << seedOf(run) << "\n" << ir.assembly);
    RandomRun one(ir.assembly, random);
    const compose::Template &thread = one.test.encode();
    IrEvaluator bits(one.test.module());
    IrEvaluator::Memory start = bits.memory;
    Outcome expected = bits.run({});
    compose::Configuration end = one.interpret(start);
    auto kind = thread.locations[end.threads.front().location].kind;
    CHECK((kind == compose::LocationKind::Final) == (expected == Outcome::Returned));
    CHECK((kind == compose::LocationKind::Error) == (expected == Outcome::Failed));
    if (expected != Outcome::Returned)
      continue;
    ++returned;
    for (size_t i = 0; i < one.globals.size(); ++i)
      CHECK(agree(end.globals[i].number(), bits.memory.at(one.globals[i].global).front()));
  }
  CHECK(returned * 3 > count);
}

namespace {

/// All values of a, with a few of b.
void compareAll(const std::string &operation, unsigned resultWidth) {
  std::string type = "i" + std::to_string(resultWidth);
  Random random(1);
  RandomRun one(
      "declare i8 @llvm.abs.i8(i8, i1)\ndeclare {i8, i1} @llvm.smul.with.overflow.i8(i8, i8)\n"
      "declare {i8, i1} @llvm.umul.with.overflow.i8(i8, i8)\n"
      "@a = global i8 0\n@b = global i8 0\n@sink = global " +
          type + " 0\ndefine void @f() {\n  %a = load i8, ptr @a\n" + "  %b = load i8, ptr @b\n  " +
          operation + "\n  store " + type + " %r, ptr @sink\n  ret void\n}\n",
      random);
  INFO(operation);
  one.test.encode();
  bool usesB = operation.find("%b") != std::string::npos;
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b : usesB ? std::vector<unsigned>{0, 1, 2, 127, 128, 129, 254, 255}
                            : std::vector<unsigned>{0}) {
      INFO("a = " << a << ", b = " << b);
      one.compareOnce({{8, a}, {8, b}, {resultWidth, 0}}, {});
    }
}

} // namespace

TEST_CASE("Operations on 8 bits are exact for every operand") {
  for (const char *op : {"add", "sub"})
    for (const char *flags : {"", " nsw", " nuw", " nuw nsw"})
      compareAll(std::string("%r = ") + op + flags + " i8 %a, %b", 8);
  for (const char *op : {"eq", "slt", "sle", "ult", "uge"})
    compareAll(std::string("%r = icmp ") + op + " i8 %a, %b", 1);
  for (int c : {-128, -127, -100, -64, -7, -3, -2, -1, 1, 2, 3, 5, 7, 12, 16, 63, 64, 100, 127}) {
    std::string number = std::to_string(c);
    for (const char *op : {"mul", "mul nsw", "mul nuw", "sdiv", "sdiv exact", "udiv", "udiv exact",
                           "srem", "urem", "and", "or", "xor"})
      compareAll(std::string("%r = ") + op + " i8 %a, " + number, 8);
    for (const char *op : {"s", "u"}) {
      std::string call = std::string("%p = call {i8, i1} @llvm.") + op +
                         "mul.with.overflow.i8(i8 %a, i8 " + number + ")\n  ";
      compareAll(call + "%r = extractvalue {i8, i1} %p, 0", 8);
      compareAll(call + "%r = extractvalue {i8, i1} %p, 1", 1);
    }
  }
  for (unsigned by = 0; by < 8; ++by)
    for (const char *op : {"shl", "shl nsw", "shl nuw", "lshr", "lshr exact", "ashr", "ashr exact"})
      compareAll(std::string("%r = ") + op + " i8 %a, " + std::to_string(by), 8);
  for (unsigned to : {1u, 4u, 7u})
    for (const char *op : {"trunc", "trunc nsw", "trunc nuw"})
      compareAll(std::string("%r = ") + op + " i8 %a to i" + std::to_string(to), to);
  for (const char *op : {"sext", "zext", "zext nneg"})
    compareAll(std::string("%r = ") + op + " i8 %a to i16", 16);
  compareAll("%r = call i8 @llvm.abs.i8(i8 %a, i1 false)", 8);
  compareAll("%r = call i8 @llvm.abs.i8(i8 %a, i1 true)", 8);
}

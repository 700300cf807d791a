// SPDX-License-Identifier: Apache-2.0
//
// The brute-force check on cases whose answer is known from the text: the paper's figures, made
// finite, and the corners of contract-language.md, section 6.
#include "Build.h"
#include "Verdicts.h"

#include <catch2/catch.hpp>

namespace understudy::tests {
namespace {

using namespace build;

std::string verdict(const FiniteSystem &system) {
  const auto found = bruteForce(system);
  return found ? word(found->breach) : "conforms";
}

/// Figures 2 and 3: thread A with g in -1 .. 2; locals stay within 2.
FiniteSystem figureA(int first, const std::optional<Formula> &assertion) {
  const Statement grow = branch(apply(Expr::Op::Less, local(0), constant(2)),
                                {assign(0, apply(Expr::Op::Add, local(0), constant(1)))});
  ContractState start = State("X1").initial().to(1, above(sharedAfter(0), 0));
  start.assertion = assertion;
  return system({range("g", -1, 2)},
                {assign(0, constant(first)),
                 loop(nondet(), {branch(nondet(), {assign(0, read(0))}, {grow})}),
                 store(0, local(0))},
                {start, State("X2").final()});
}

FiniteSystem figureB(const std::optional<Formula> &assertion) {
  const Statement grow = branch(apply(Expr::Op::Less, local(0), constant(2)),
                                {assign(0, apply(Expr::Op::Add, local(0), constant(1)))});
  ContractState end = State("Y2").final();
  end.assertion = assertion;
  return system({range("g", -1, 2)},
                {assign(0, constant(1)), loop(nondet(), {grow}), store(0, local(0)),
                 claim(apply(Expr::Op::Greater, read(0), constant(0)))},
                {State("Y1").initial().to(1, above(sharedAfter(0), 0)), end});
}

/// `x++`, or something in its place, against one edge x' == x + 1. Both states are final.
FiniteSystem increments(Block body, const std::optional<Formula> &rely = std::nullopt) {
  ContractState start = State("Start")
                            .initial()
                            .final()
                            .asserts(below(shared(0), 3))
                            .to(1, same(sharedAfter(0), plus(shared(0), 1)));
  start.rely = rely;
  return system({range("x", 0, 3)}, std::move(body), {start, State("Done").final()});
}

const Formula xStays = same(sharedAfter(0), shared(0));
const Formula xBecomesOne = same(sharedAfter(0), number(1));
const Formula xIsOne = same(shared(0), number(1));

std::vector<SharedVariable> xAndY() { return {range("x", 0, 2), boolean("y")}; }

/// One more thread, that may change the variables at any time.
FiniteSystem besides(FiniteSystem result, std::vector<int> changed) {
  Part part;
  part.contract.name = "Other";
  part.contract.states = {State("S").initial().final().to(0)};
  part.contract.states[0].edges[0].havoc = std::move(changed);
  result.parts.push_back(part);
  return result;
}

/// Variables 0 to 3: pendingIO, stoppingFlag, stoppingEvent, stopped.
FiniteSystem bluetooth(Block entry) {
  Block body = std::move(entry);
  body.push_back(branch(apply(Expr::Op::Greater, local(0), constant(0)), {claim(no(read(3)))}));
  body.push_back(fetchAdd(0, -1));
  body.push_back(branch(no(read(0)), {store(2, constant(1))}));
  const Formula enters = same(sharedAfter(0), plus(shared(0), 1));
  const Formula leaves = same(sharedAfter(0), plus(shared(0), -1));
  FiniteSystem worker = system(
      {range("pendingIO", 0, 3), boolean("stoppingFlag", CType::Int),
       boolean("stoppingEvent", CType::Int), boolean("stopped", CType::Int)},
      std::move(body),
      {State("Start").initial().asserts(below(shared(0), 3)).to(1, enters),
       State("Entered").to(2, negated(shared(1))).to(3, shared(1)),
       State("Working").asserts(negated(shared(3))).to(3),
       State("Leaving").asserts(above(shared(0), 0)).to(4, leaves),
       State("Left").to(6, negated(same(shared(0), number(0)))).to(5, same(shared(0), number(0))),
       State("Last").to(6, sharedAfter(2)), State("Done").final()});
  return besides(std::move(worker), {1, 3}); // the flags of PnpStop
}

} // namespace

TEST_CASE("figures 2 and 3 of Abstract Threads") {
  const Formula positive = above(shared(0), 0);
  CHECK(verdict(figureA(1, positive)) == "conforms");
  CHECK(verdict(figureA(-1, positive)) == "step");
  CHECK(verdict(figureA(1, std::nullopt)) == "step");
  CHECK(verdict(figureB(positive)) == "conforms");
  CHECK(verdict(figureB(std::nullopt)) == "wrong");
}

TEST_CASE("the Bluetooth worker with at most three references") {
  const Statement tests = branch(read(1), {assign(0, constant(-1))}, {assign(0, constant(1))});
  CHECK(verdict(bluetooth({fetchAdd(0, 1), tests})) == "conforms");
  CHECK(verdict(bluetooth({tests, fetchAdd(0, 1)})) == "wrong");
  CHECK(verdict(bluetooth({increment(0), tests})) == "step");
}

TEST_CASE("the lost update") {
  CHECK(verdict(increments({increment(0)})) == "step");
  CHECK(verdict(increments({increment(0)}, xStays)) == "conforms");
  CHECK(verdict(increments({fetchAdd(0, 1)})) == "conforms");
  CHECK(verdict(increments({atomic({increment(0)})})) == "conforms");
  FiniteSystem atomicVariable = increments({increment(0)});
  atomicVariable.shared[0].atomic = true;
  CHECK(verdict(atomicVariable) == "conforms");
  CHECK(verdict(increments({fetchAdd(0, 1), fetchAdd(0, 1)})) == "step");
  CHECK(verdict(increments({})) == "conforms");
}

TEST_CASE("silent moves before a step are taken at the state before it") {
  const auto contract = [](const std::optional<Formula> &guard) {
    ContractState first = State("S").initial().to(1);
    first.edges[0].formula = guard;
    return std::vector<ContractState>{first, State("T").to(2, xBecomesOne), State("Done").final()};
  };
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(std::nullopt))) == "conforms");
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(shared(1)))) == "step");
  // The test of y is a step of its own, at which the contract can move; it stays there.
  CHECK(verdict(system(xAndY(), {assume(read(1)), store(0, constant(1))}, contract(shared(1)))) ==
        "conforms");
}

TEST_CASE("silent moves after a step are taken at the state after it") {
  const auto contract = [](int needed) {
    return std::vector<ContractState>{State("S").initial().to(1, xBecomesOne),
                                      State("T").to(2, same(shared(0), number(needed))),
                                      State("Done").final()};
  };
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(1))) == "conforms");
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(0))) == "return");
}

TEST_CASE("silent cycles and primed edges that change nothing") {
  const FiniteSystem cycle =
      system(xAndY(), {store(0, constant(1))},
             {State("A").initial().to(1, shared(1)), State("B").to(2, sharedAfter(1)),
              State("C").to(0).to(3, xBecomesOne), State("Done").final()});
  CHECK(verdict(cycle) == "step");
  FiniteSystem asserted = cycle;
  asserted.parts[0].contract.states[0].assertion = shared(1);
  CHECK(verdict(asserted) == "conforms");
}

TEST_CASE("a contract that can move silently into failure excuses everything") {
  const auto contract = [](const std::optional<Formula> &guard) {
    ContractState first = State("S").initial().to(1);
    first.edges[0].formula = guard;
    return std::vector<ContractState>{first, State("Bad").final().asserts(truth(false))};
  };
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(std::nullopt))) == "conforms");
  CHECK(verdict(system(xAndY(), {store(0, constant(1))}, contract(shared(1)))) == "step");
  CHECK(verdict(system(xAndY(), {claim(constant(0))}, contract(std::nullopt))) == "conforms");
  CHECK(verdict(system(xAndY(), {claim(constant(0))}, contract(shared(1)))) == "wrong");
}

TEST_CASE("the rely of every state of F closed after the step, and of no other") {
  const Block body = {store(0, constant(1)), assign(0, read(0)),
                      claim(equal(local(0), constant(1)))};
  const ContractState stable = State("B").final().relies(xStays);
  const auto contract = [&](const std::optional<Formula> &guard) {
    ContractState middle = State("A").final().to(2);
    middle.edges[0].formula = guard;
    return std::vector<ContractState>{State("S").initial().to(1, xBecomesOne), middle, stable};
  };
  // B is reached at once: its rely counts.
  CHECK(verdict(system(xAndY(), body, contract(std::nullopt))) == "conforms");
  // B is reached only when y holds, perhaps after others have moved.
  CHECK(verdict(system(xAndY(), body, contract(shared(1)))) == "wrong");
  // The rely of the state that the step leaves does not count.
  CHECK(verdict(system(xAndY(), body,
                       {State("S").initial().relies(xStays).to(1, xBecomesOne),
                        State("A").final()})) == "wrong");
}

TEST_CASE("nothing is relied on at the start, and doing nothing is always allowed") {
  const auto reads = [](int expected) {
    return Block{assign(0, read(0)), claim(equal(local(0), constant(expected)))};
  };
  CHECK(verdict(system(xAndY(), reads(1), {State("S").initial().final().relies(xBecomesOne)})) ==
        "wrong");
  const auto after = [&](Expr condition) {
    return system(xAndY(), {store(0, constant(2)), assign(0, read(0)), claim(std::move(condition))},
                  {State("S").initial().to(1, same(sharedAfter(0), number(2))),
                   State("T").final().relies(xBecomesOne)});
  };
  CHECK(verdict(after(equal(local(0), constant(1)))) == "wrong");
  CHECK(verdict(after(equal(local(0), constant(2)))) == "wrong");
  CHECK(verdict(after(apply(Expr::Op::Greater, local(0), constant(0)))) == "conforms");
}

TEST_CASE("a failing assertion needs a failing contract wherever others may have gone") {
  const auto fails = [](ContractState last) {
    return system(xAndY(), {store(0, constant(1)), claim(constant(0))},
                  {State("S").initial().to(1, xBecomesOne), last});
  };
  CHECK(verdict(fails(State("T").final().asserts(truth(false)))) == "conforms");
  CHECK(verdict(fails(State("T").final().asserts(negated(xIsOne)))) == "wrong");
  CHECK(verdict(fails(State("T").final().asserts(negated(xIsOne)).relies(xStays))) == "conforms");
}

TEST_CASE("once the contract has failed, the code may do anything") {
  const Block body = {store(0, constant(1)), branch(read(1), {store(0, constant(0))})};
  const auto contract = [](const std::optional<Formula> &assertion) {
    ContractState last = State("T").final();
    last.assertion = assertion;
    return std::vector<ContractState>{State("S").initial().to(1, xBecomesOne), last};
  };
  CHECK(verdict(system(xAndY(), body, contract(std::nullopt))) == "step");
  CHECK(verdict(system(xAndY(), body, contract(negated(shared(1))))) == "conforms");
}

TEST_CASE("a step counts although nothing comes after it") {
  const std::vector<ContractState> nothing = {State("S").initial().final()};
  CHECK(verdict(system(xAndY(), {store(0, constant(1)), assume(constant(0))}, nothing)) == "step");
  CHECK(verdict(system(xAndY(), {store(0, constant(1)), loop(constant(1), {})}, nothing)) ==
        "step");
  CHECK(verdict(system(xAndY(), {assume(constant(0)), store(0, constant(1))}, nothing)) ==
        "conforms");
}

TEST_CASE("returns and markers") {
  const auto ends = [](const std::optional<Formula> &guard) {
    ContractState first = State("S").initial().to(1);
    first.edges[0].formula = guard;
    return std::vector<ContractState>{first, State("Done").final()};
  };
  CHECK(verdict(system(xAndY(), {}, ends(std::nullopt))) == "conforms");
  CHECK(verdict(system(xAndY(), {}, ends(shared(1)))) == "return");
  CHECK(verdict(system(xAndY(), {}, {State("S").initial().final()})) == "conforms");
  CHECK(verdict(system(xAndY(), {marker("Done")}, ends(std::nullopt))) == "conforms");
  CHECK(verdict(system(xAndY(), {assume(read(1)), marker("Done")}, ends(shared(1)))) == "conforms");
  CHECK(verdict(system(xAndY(), {marker("Done")}, ends(shared(1)))) == "marker");
  CHECK(verdict(system(xAndY(), {marker("S"), loop(constant(1), {marker("S")})},
                       ends(xBecomesOne))) == "conforms");
}

TEST_CASE("atomic sections excuse nothing") {
  const auto section = [](Block body, const std::optional<Formula> &first) {
    ContractState start = State("S").initial().to(1, xBecomesOne);
    start.assertion = first;
    return system(xAndY(), {atomic(std::move(body))},
                  {start, State("T").final().asserts(truth(false))});
  };
  CHECK(verdict(section({store(0, constant(1)), claim(constant(0))}, std::nullopt)) == "wrong");
  CHECK(verdict(section({store(0, constant(1)), claim(read(1))}, shared(1))) == "conforms");
  CHECK(verdict(section({assume(read(1)), store(0, constant(2))}, negated(shared(1)))) ==
        "conforms");
  CHECK(verdict(section({store(0, constant(2)), store(0, constant(1))}, std::nullopt)) ==
        "conforms");
}

TEST_CASE("stores outside the contract's type") {
  const auto any = [](SharedVariable variable, Block body) {
    FiniteSystem result =
        system({std::move(variable)}, std::move(body), {State("S").initial().final().to(0)});
    result.parts[0].contract.states[0].edges[0].havoc = {0};
    return verdict(result);
  };
  CHECK(any(mode("m"), {store(0, constant(4))}) == "conforms");
  CHECK(any(mode("m"), {store(0, constant(3))}) == "wrong");
  CHECK(any(range("x", 0, 2), {store(0, constant(3))}) == "wrong");
  CHECK(any(range("x", 0, 2, CType::Unsigned), {fetchAdd(0, -1)}) == "wrong");
  CHECK(any(boolean("b", CType::Int), {store(0, constant(3))}) == "conforms");
}

TEST_CASE("weak compare-exchange fails spuriously, a true int is any number but zero") {
  const auto takes = [](Strength strength) {
    return verdict(system(
        {range("x", 0, 2)}, {compareExchange(strength, 0, 0, 1, constant(1)), claim(local(0))},
        {State("S").initial().asserts(same(shared(0), number(0))).to(1, xBecomesOne),
         State("T").final()}));
  };
  CHECK(takes(Strength::Strong) == "conforms");
  CHECK(takes(Strength::Weak) == "wrong");
  const auto isOne = [](CType type) {
    return verdict(system({boolean("b", type)},
                          {assign(0, equal(read(0), constant(1))), claim(local(0))},
                          {State("S").initial().final().asserts(shared(0))}));
  };
  CHECK(isOne(CType::Bool) == "conforms");
  CHECK(isOne(CType::Int) == "wrong");
}

TEST_CASE("what nobody writes stays as it is") {
  const std::vector<ContractState> contract = {State("S").initial().final().to(0, xBecomesOne)};
  const auto of = [&](Block body) { return system(xAndY(), std::move(body), contract); };
  const FiniteSystem twice =
      of({assign(0, read(1)), store(0, constant(1)), claim(equal(read(1), local(0)))});
  CHECK(verdict(twice) == "conforms");
  CHECK(verdict(besides(twice, {1})) == "wrong");
  CHECK(verdict(besides(twice, {0})) == "conforms");
  CHECK(verdict(of({store(1, constant(1))})) == "step");
  const FiniteSystem undone =
      of({atomic({assign(0, read(1)), store(1, no(local(0))), store(1, local(0))})});
  CHECK(verdict(undone) == "wrong");
  CHECK(verdict(besides(undone, {1})) == "conforms");
}

TEST_CASE("contract locals remember") {
  const Block copies = {assign(0, read(0)), store(1, local(0))};
  FiniteSystem remembers =
      system({range("x", 0, 2), range("y", 0, 2)}, copies,
             {State("S").initial().to(1, same(contractLocalAfter(0), shared(0))),
              State("T").to(2, same(sharedAfter(1), contractLocal(0))), State("Done").final()});
  remembers.parts[0].contract.locals.push_back({"kept", ContractType::Range, 0, 2, 0});
  CHECK(verdict(remembers) == "conforms");
  FiniteSystem tooSmall = remembers;
  tooSmall.parts[0].contract.locals[0].upper = 1;
  CHECK(verdict(tooSmall) == "step");
  FiniteSystem forgets = remembers;
  forgets.parts[0].contract.states[0].edges[0].formula = std::nullopt;
  CHECK(verdict(forgets) == "step");
  forgets.parts[0].contract.locals[0].start = std::nullopt;
  CHECK(verdict(forgets) == "conforms");
}

} // namespace understudy::tests

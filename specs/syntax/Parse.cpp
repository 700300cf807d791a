// SPDX-License-Identifier: Apache-2.0
#include "specs/syntax/Parse.h"

#include "specs/syntax/DeepStack.h"
#include "specs/syntax/Expectation.h"
#include "specs/syntax/Grammars.h"

namespace understudy::specs::syntax {

namespace {

/// Deeper files than this are parsed on a stack of their own.
constexpr uint32_t ordinaryNesting = 50;

template <typename Tree>
void parseTokens(ParseState &state, Tree &tree, void (*parse)(ParseState &, Tree &)) {
  uint32_t nesting = state.lexed().nesting;
  if (nesting > maxNesting)
    return; // reported by the lexer
  if (nesting > ordinaryNesting)
    onDeepStack([&] { parse(state, tree); });
  else
    parse(state, tree);
}

} // namespace

Parsed<Contract> parseContract(const logic::SourceFilePtr &file) {
  ParseState state(file, Language::Contract);
  Parsed<Contract> parsed;
  parseTokens(state, parsed.tree, parseContractTokens);
  parsed.warnings = state.finish();
  parsed.tree.file = file;
  parsed.comments = state.takeComments();
  return parsed;
}

Parsed<ConcFile> parseConc(const logic::SourceFilePtr &file) {
  ParseState state(file, Language::Conc);
  Parsed<ConcFile> parsed;
  parseTokens(state, parsed.tree, parseConcTokens);
  parsed.tree.expectation = readExpectation(state);
  parsed.warnings = state.finish();
  parsed.tree.file = file;
  parsed.comments = state.takeComments();
  return parsed;
}

Parsed<NetFile> parseNet(const logic::SourceFilePtr &file) {
  ParseState state(file, Language::Net);
  Parsed<NetFile> parsed;
  parseTokens(state, parsed.tree, parseNetTokens);
  parsed.warnings = state.finish();
  parsed.tree.file = file;
  parsed.comments = state.takeComments();
  return parsed;
}

Parsed<ExprPtr> parseFormula(const logic::SourceFilePtr &file) {
  ParseState state(file, Language::Formula);
  Parsed<ExprPtr> parsed;
  parseTokens(state, parsed.tree, parseFormulaTokens);
  parsed.warnings = state.finish();
  return parsed;
}

} // namespace understudy::specs::syntax

// SPDX-License-Identifier: Apache-2.0
//
// The entries of the grammars. Errors are left in the state.
#pragma once

#include "specs/syntax/ParseState.h"

namespace understudy::specs::syntax {

void parseContractTokens(ParseState &state, Contract &contract);
void parseConcTokens(ParseState &state, ConcFile &program);
void parseNetTokens(ParseState &state, NetFile &net);
void parseFormulaTokens(ParseState &state, ExprPtr &formula);

} // namespace understudy::specs::syntax

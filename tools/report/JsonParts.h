// SPDX-License-Identifier: Apache-2.0
//
// Pieces of JSON that all results are made of; docs/result.schema.json describes them.
#pragma once

#include "tools/report/Report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace understudy::tools::report {

using Json = nlohmann::ordered_json;

Json valueJson(const compose::Value &value, logic::Sort sort);
Json changeJson(logic::Variable variable, const compose::Value &before,
                const compose::Value &after);
Json rangeJson(const compose::SourceRange &range);
Json textOrNull(const std::string &text);
Json numbersJson(const options::ThreadNumbers &numbers);
Json toolJson();

/// Adds the fields from `engine` to `deadlockChecked`.
void addEngineJson(Json &object, const Result &result, options::Verbosity verbosity);
/// The checks that the engine refine made.
Json iterationsJson(const std::vector<compose::refine::RefineIteration> &iterations,
                    options::Verbosity verbosity);
Json storyJson(const Story &story);

/// Indented, with a line break at the end. What is not UTF-8 in names of the user is replaced.
std::string printed(const Json &report);

} // namespace understudy::tools::report

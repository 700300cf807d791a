// SPDX-License-Identifier: Apache-2.0
//
// Syntax trees as compact text without source ranges: two trees are equal up to ranges exactly when
// their texts are.
#pragma once

#include "specs/syntax/Parse.h"

#include <string>

namespace understudy::tests {

enum class MemberOrder {
  AsWritten,
  Canonical ///< as the formatter prints them
};

std::string treeText(const specs::syntax::ExprPtr &expr);
std::string treeText(const specs::syntax::TypeRef &type);
std::string treeText(const specs::syntax::Contract &contract, MemberOrder order);
std::string treeText(const specs::syntax::ConcFile &file);
/// One item, member or statement.
std::string treeText(const specs::syntax::SystemItem &item, MemberOrder order);
std::string treeText(const specs::syntax::Statement &statement);

logic::SourceFilePtr sourceFile(const std::string &text);
specs::syntax::Parsed<specs::syntax::Contract> contractOf(const std::string &text);
specs::syntax::Parsed<specs::syntax::ConcFile> concOf(const std::string &text);

/// The tree text of `EXPR`, parsed as an invariant.
std::string exprText(const std::string &text);
/// The tree text of one item of a system.
std::string itemText(const std::string &text);
/// The tree text of the statements, each in its own parentheses.
std::string statementText(const std::string &text);
/// All messages of a text that does not parse, one in a line: "line:column: message (hint)".
std::string contractErrors(const std::string &text);
std::string concErrors(const std::string &text);

} // namespace understudy::tests

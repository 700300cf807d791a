// SPDX-License-Identifier: Apache-2.0
//
// The words for the values of options, in the order of help texts: on the command line, in
// certificates and in reports.
#pragma once

#include "compose/Verdict.h"
#include "tools/options/Options.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace understudy::tools::options {

template <typename Enum>
using WordList = std::vector<std::pair<Enum, std::string>>;

/// Of each type of values that has words.
template <typename Enum>
WordList<Enum> words();

template <>
inline WordList<Switch> words() {
  return {{Switch::On, "on"}, {Switch::Off, "off"}};
}
template <>
inline WordList<OutputFormat> words() {
  return {{OutputFormat::Text, "text"}, {OutputFormat::Json, "json"}};
}
template <>
inline WordList<Overflow> words() {
  return {{Overflow::Assume, "assume"}, {Overflow::Check, "check"}, {Overflow::Wrap, "wrap"}};
}
template <>
inline WordList<OutputKind> words() {
  return {{OutputKind::Json, "json"},           {OutputKind::Text, "text"},
          {OutputKind::Trace, "trace"},         {OutputKind::Checker, "checker"},
          {OutputKind::Annotated, "annotated"}, {OutputKind::Dot, "dot"}};
}
template <>
inline WordList<compose::tnet::Relation> words() {
  WordList<compose::tnet::Relation> all;
  for (compose::tnet::Relation relation : compose::tnet::allRelations)
    all.emplace_back(relation, word(relation));
  return all;
}
template <>
inline WordList<ExportTarget> words() {
  return {{ExportTarget::Dot, "dot"},         {ExportTarget::Conc, "conc"},
          {ExportTarget::Promela, "promela"}, {ExportTarget::Tts, "tts"},
          {ExportTarget::Spec, "spec"},       {ExportTarget::Pnml, "pnml"}};
}
template <>
inline WordList<logic::solver::SolverProgram> words() {
  using logic::solver::SolverProgram;
  return {{SolverProgram::Z3, word(SolverProgram::Z3)},
          {SolverProgram::Cvc5, word(SolverProgram::Cvc5)}};
}
template <>
inline WordList<compose::refine::Algorithm> words() {
  using compose::refine::Algorithm;
  return {{Algorithm::SafetyFirst, "1"}, {Algorithm::BoundFirst, "2"}, {Algorithm::Together, "3"}};
}
template <>
inline WordList<compose::cover::CoverOptions::Algorithm> words() {
  using Algorithm = compose::cover::CoverOptions::Algorithm;
  return {{Algorithm::Backward, "backward"}, {Algorithm::Cat, "cat"}, {Algorithm::Lean, "lean"}};
}

/// The word of a value.
template <typename Enum>
std::string wordOf(Enum value) {
  for (const auto &[known, word] : words<Enum>())
    if (known == value)
      return word;
  throw std::logic_error("a value without a word");
}

/// The value of a word.
template <typename Enum>
std::optional<Enum> valueOf(const std::string &text) {
  for (const auto &[value, word] : words<Enum>())
    if (word == text)
      return value;
  return std::nullopt;
}

/// "a|b|c"
template <typename Enum>
std::string alternatives() {
  std::string all;
  for (const auto &[value, word] : words<Enum>())
    all += (all.empty() ? "" : "|") + word;
  return all;
}

} // namespace understudy::tools::options

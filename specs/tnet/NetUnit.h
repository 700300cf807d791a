// SPDX-License-Identifier: Apache-2.0
//
// A net on its way: its declarations, checked, and its patterns.
#pragma once

#include "compose/tnet/Net.h"
#include "specs/check/Unit.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace understudy::specs::tnet {

struct NetUnit {
  check::Unit unit; ///< of the constants and enums
  compose::tnet::Net net;
  std::map<std::string, compose::tnet::PlaceId> places;
  std::map<std::string, logic::SourceRange> placeRanges;
  std::set<std::string> broken;                     ///< places whose declaration was reported
  std::optional<compose::tnet::Relations> declared; ///< by the file or the options
  compose::tnet::Relations used;

  logic::TermPool &pool() { return unit.pool(); }
  syntax::Reporter &reporter() { return unit.reporter; }
  /// Reports an unknown name.
  const compose::tnet::Place *place(const syntax::Name &name, compose::tnet::PlaceId &id);
};

/// One transition or question: its variables and arcs.
class PatternBuilder {
public:
  enum class For : uint8_t { Transition, Question };
  PatternBuilder(NetUnit &net, const std::string &name, For use);

  /// All that stands left of '->', then the condition; may be null.
  compose::tnet::Pattern takes(const std::vector<syntax::NetToken> &tokens,
                               const syntax::ExprPtr &guard);
  /// All that stands right of it.
  void gives(const std::vector<syntax::NetToken> &tokens, compose::tnet::Transition &transition);
  /// Reports threads that enter and are not heard of again.
  void finish();

private:
  struct Deferred {
    size_t arc = 0, field = 0;
    const syntax::Expr *expr = nullptr;
    logic::Sort sort;
  };
  NetUnit &net_;
  std::string name_;
  For use_;
  check::Scope scope_;
  compose::tnet::Pattern pattern_;
  std::vector<syntax::Name> entering_;
  std::map<std::string, logic::SourceRange> leaving_; ///< or ending
  std::set<std::string> created_;
  std::set<std::string> mentioned_; ///< as threads right of '->'
  size_t errors_;                   ///< of the file before this
  std::vector<Deferred> deferred_;
  uint32_t anonymous_ = 0;

  void takeToken(const syntax::NetToken &token);
  void enter(const syntax::NetToken &token);
  logic::Term pidField(const syntax::NetField &field);
  logic::Term dataField(const syntax::NetField &field, size_t index, logic::Sort sort);
  /// A thread that stands where none may is reported once: from here on it counts as entering.
  void excuse(const syntax::Name &name);
  void excuse(const syntax::NetToken &token);
  void refuseNew(const syntax::NetField &field);
  void checkDeferred();
  logic::Term related(const syntax::Expr &expr);
  std::optional<logic::Variable> pidNamed(const syntax::Expr &expr);
  void declareNew(const syntax::NetToken &token);
  void giveToken(const syntax::NetToken &token, compose::tnet::Transition &transition);
  bool newFits(const syntax::NetToken &token, const compose::tnet::Place &place, size_t field);
  std::optional<int64_t> countOf(const syntax::NetToken &token);
  logic::Term leave(const syntax::NetToken &token);
  logic::Term knownPid(const syntax::NetField &field);
  void end(const syntax::NetToken &token, compose::tnet::Transition &transition);
  bool enters(const std::string &name) const;
  bool fits(const syntax::NetToken &token, const compose::tnet::Place &place);
  logic::Variable declare(const syntax::Name &name, logic::Sort sort);
  check::ExprChecker checker();      ///< of fields
  check::ExprChecker guardChecker(); ///< relations of ids, too
};

} // namespace understudy::specs::tnet

// SPDX-License-Identifier: Apache-2.0
//
// Where in a file the comments of a proof outline stand. A location of a thread has an *anchor*,
// where its statement or state begins, or the brace that ends the thread. An assertion stands
// before the anchor it belongs to, an update behind the step it belongs to and before the next
// anchor. Writer and reader share these rules, so that what is written is read as it was meant.
#pragma once

#include "compose/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace understudy::tools::outline {

using compose::EdgeId;
using compose::LocationId;
using compose::TemplateId;
using logic::Position;

struct Anchor {
  Position at;
  TemplateId thread = 0;
  LocationId location = 0;
};

/// A location without an anchor of its own, between the halves of a wait, has a label at the anchor
/// of its statement.
struct HiddenPlace {
  std::string label; ///< "woken"; unique at its anchor
  LocationId location = 0;
};

class OutlinePlaces {
public:
  OutlinePlaces(const compose::Program &program, const logic::SourceFile &file);

  const std::vector<Anchor> &anchors() const { return anchors_; } ///< in file order
  /// Of the location itself, or of the statement that it is a part of; null: the file has none.
  const Anchor *anchorOf(TemplateId thread, LocationId location) const;
  std::vector<HiddenPlace> hiddenAt(const Anchor &anchor) const;
  std::string labelAt(TemplateId thread, LocationId location) const; ///< empty: it is not hidden

  /// The anchor that an assertion at this position is said of; null if there is none in the thread.
  const Anchor *behind(Position position) const;
  /// Does a brace close between the two, comments left out?
  bool closesBetween(Position from, Position to) const;
  /// The thread that begins behind the position.
  std::optional<TemplateId> threadBehind(Position position) const;
  /// Steps that an update at this position may belong to: those of one statement, or of one edge of
  /// a contract.
  std::vector<EdgeId> stepsBefore(Position position, TemplateId thread) const;
  std::optional<TemplateId> threadAround(Position position) const;

  /// The steps that share the position of an update with this one, in the program's order.
  std::vector<EdgeId> alternatives(TemplateId thread, EdgeId edge) const;
  /// What tells the step from its alternatives: "when x > 0", "case 2"; empty if it has none.
  std::string caseOf(TemplateId thread, EdgeId edge) const;
  /// Before this position the update is written; none: behind the line `updateLine`.
  std::optional<Position> updateBefore(TemplateId thread, EdgeId edge) const;
  uint32_t updateLine(TemplateId thread, EdgeId edge) const;

  /// A name for the location that editing the file does not change: its label, or "statement 3".
  std::string nameOf(TemplateId thread, LocationId location) const;

private:
  const compose::Program &program_;
  const logic::SourceFile &file_;
  std::vector<Anchor> anchors_;
  std::vector<std::vector<std::optional<size_t>>> anchorOf_; ///< thread, location -> anchor

  void findAnchors();
  bool standsHere(const compose::SourceRange &range) const;
  std::optional<Position> endOf(TemplateId thread, EdgeId edge) const;
};

} // namespace understudy::tools::outline

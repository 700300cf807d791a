// SPDX-License-Identifier: Apache-2.0
//
// Which comment belongs to which part of a file. Decided before members are reordered.
#pragma once

#include "specs/syntax/Syntax.h"

#include <limits>
#include <string>
#include <vector>

namespace understudy::specs::format {

using logic::SourceRange;

/// A comment or member, and whether an empty line stood before it.
struct OwnLine {
  const syntax::Comment *comment = nullptr;
  bool blankBefore = false;
};

/// The comments of one part.
struct Notes {
  std::vector<OwnLine> before;                ///< on lines of their own
  std::vector<const syntax::Comment *> after; ///< at the end of its last line
  bool blankBefore = false;                   ///< an empty line before the part itself
};

/// The comments in a list of parts, and around it.
struct ListNotes {
  std::vector<const syntax::Comment *> head; ///< behind the opening brace
  std::vector<Notes> parts;
  std::vector<OwnLine> tail; ///< before the closing brace

  bool any() const;
};

/// Behind every position of a file.
inline constexpr logic::Position endOfFile{std::numeric_limits<uint32_t>::max(), 1};

struct PartRange {
  enum class Inside : uint8_t {
    Moves, ///< comments inside go to the end of the part
    Nested ///< comments inside are distributed by whoever prints the part
  };
  SourceRange range;
  Inside inside = Inside::Moves;
};

class CommentMap {
public:
  explicit CommentMap(const std::vector<syntax::Comment> &comments) : comments_(comments) {}

  /// Distributes the comments that begin in [from, to) over the parts, which are in file order.
  ListNotes distribute(logic::Position from, logic::Position to,
                       const std::vector<PartRange> &parts) const;
  /// The same for a range of the file.
  ListNotes distribute(const SourceRange &range, const std::vector<PartRange> &parts) const {
    return distribute(range.begin, range.end, parts);
  }

private:
  const std::vector<syntax::Comment> &comments_;
};

bool isLineComment(const syntax::Comment &comment);

/// After `notes` were put in printing order: comments that cannot share a line move to lines of
/// their own, so that reading the output again finds every comment where it is printed.
void settle(ListNotes &notes);
/// Of the comments that shall stand at the end of one line, those that cannot move to `before`.
void settle(std::vector<const syntax::Comment *> &after, std::vector<OwnLine> &before);

} // namespace understudy::specs::format

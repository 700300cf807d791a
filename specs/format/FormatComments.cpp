// SPDX-License-Identifier: Apache-2.0
#include "specs/format/FormatComments.h"

#include <algorithm>

namespace understudy::specs::format {

namespace {

using logic::Position;

/// Walks over comments and parts together, in file order.
class Distributor {
public:
  Distributor(const std::vector<PartRange> &parts) : parts_(parts) {
    notes_.parts.resize(parts.size());
  }

  void add(const syntax::Comment &comment) {
    enterPartsBefore(comment.range.begin);
    if (next_ > 0 && comment.range.begin < parts_[next_ - 1].range.end) {
      if (parts_[next_ - 1].inside == PartRange::Inside::Moves)
        notes_.parts[next_ - 1].after.push_back(&comment);
      return;
    }
    bool sharesLine = lastComment_ && lastComment_->range.end.line == comment.range.begin.line;
    bool ownLine = sharesLine ? lastOwnLine_ : comment.ownLine;
    if (ownLine)
      ownLines_.push_back({&comment, blankBefore(comment.range.begin)});
    else
      (next_ == 0 ? notes_.head : notes_.parts[next_ - 1].after).push_back(&comment);
    lastComment_ = &comment;
    lastOwnLine_ = ownLine;
    passed(comment.range.end);
  }

  ListNotes finish() {
    while (next_ < parts_.size())
      enterPart();
    notes_.tail = std::move(ownLines_);
    return std::move(notes_);
  }

private:
  void enterPartsBefore(Position position) {
    while (next_ < parts_.size() && parts_[next_].range.begin <= position)
      enterPart();
  }
  void enterPart() {
    const SourceRange &range = parts_[next_].range;
    notes_.parts[next_].before = std::move(ownLines_);
    ownLines_.clear();
    notes_.parts[next_].blankBefore = blankBefore(range.begin);
    lastComment_ = nullptr;
    passed(range.end);
    ++next_;
  }
  bool blankBefore(Position position) const {
    return lastLine_ != 0 && position.line > lastLine_ + 1;
  }
  void passed(Position end) { lastLine_ = std::max(lastLine_, end.line); }

  const std::vector<PartRange> &parts_;
  ListNotes notes_;
  std::vector<OwnLine> ownLines_;
  const syntax::Comment *lastComment_ = nullptr; ///< since the last part
  bool lastOwnLine_ = false;
  size_t next_ = 0; ///< the first part not yet entered
  uint32_t lastLine_ = 0;
};

} // namespace

bool ListNotes::any() const {
  return !head.empty() || !tail.empty() ||
         std::any_of(parts.begin(), parts.end(), [](const Notes &notes) {
           return !notes.before.empty() || !notes.after.empty();
         });
}

ListNotes CommentMap::distribute(Position from, Position to,
                                 const std::vector<PartRange> &parts) const {
  Distributor distributor(parts);
  auto first = std::lower_bound(comments_.begin(), comments_.end(), from,
                                [](const syntax::Comment &comment, Position position) {
                                  return comment.range.begin < position;
                                });
  for (auto comment = first; comment != comments_.end() && comment->range.begin < to; ++comment)
    distributor.add(*comment);
  return distributor.finish();
}

bool isLineComment(const syntax::Comment &comment) { return comment.text.starts_with("//"); }

void settle(std::vector<const syntax::Comment *> &after, std::vector<OwnLine> &before) {
  std::vector<const syntax::Comment *> kept;
  for (size_t i = 0; i < after.size(); ++i) {
    if (i + 1 < after.size() && isLineComment(*after[i]))
      before.push_back({after[i], false});
    else
      kept.push_back(after[i]);
  }
  after = std::move(kept);
}

void settle(ListNotes &notes) {
  for (Notes &part : notes.parts)
    settle(part.after, part.before);
  auto firstLine =
      std::find_if(notes.head.begin(), notes.head.end(),
                   [](const syntax::Comment *comment) { return isLineComment(*comment); });
  if (firstLine == notes.head.end())
    return;
  std::vector<OwnLine> moved;
  for (auto comment = firstLine + 1; comment != notes.head.end(); ++comment)
    moved.push_back({*comment, false});
  notes.head.erase(firstLine + 1, notes.head.end());
  std::vector<OwnLine> &next = notes.parts.empty() ? notes.tail : notes.parts.front().before;
  next.insert(next.begin(), moved.begin(), moved.end());
  std::sort(next.begin(), next.end(), [](const OwnLine &a, const OwnLine &b) {
    return a.comment->range.begin < b.comment->range.begin;
  });
}

} // namespace understudy::specs::format

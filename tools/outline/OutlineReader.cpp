// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlineReader.h"

#include "logic/Error.h"
#include "tools/outline/OutlineFormula.h"
#include "tools/outline/OutlinePlaces.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace understudy::tools::outline {

using compose::LocationKind;
using compose::Program;
using compose::proof::OwickiGries;
using compose::proof::SlotStep;
using specs::syntax::Comment;

namespace {

using Numbers = std::vector<uint32_t>;
constexpr uint32_t mostSlots = 10'000;

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The comment without its signs; none if it goes over several lines.
std::optional<Piece> pieceOf(const Comment &comment) {
  if (comment.range.begin.line != comment.range.end.line)
    return std::nullopt;
  const Piece whole{comment.text, comment.range};
  const size_t tail = comment.text.starts_with("/*") ? 2 : 0;
  return whole.part(2, comment.text.size() - 2 - tail);
}

bool startsWithWord(const Piece &piece, const std::string &word) {
  return piece.text.starts_with(word) &&
         (piece.text.size() == word.size() || !isNamePart(piece.text[word.size()]));
}

std::optional<uint32_t> numberIn(const std::string &text) {
  uint32_t number = 0;
  const char *end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || number == 0 || number > mostSlots)
    return std::nullopt;
  return number;
}

/// "at most 2 threads T at a time": the number and the name.
std::optional<std::pair<Piece, Piece>> slotsLine(const Piece &piece) {
  if (!startsWithWord(piece, "at most"))
    return std::nullopt;
  const Piece rest = piece.part(7);
  const size_t word = rest.text.find(" threads ");
  if (word == std::string::npos)
    return std::nullopt;
  const Piece tail = rest.part(word + 9);
  const size_t end = tail.text.find_first_of(" ,");
  return std::pair(rest.part(0, word), tail.part(0, end));
}

/// How many slots the threads have: as many as are started, at least one, and what is said.
std::vector<uint32_t> slotCounts(const Program &program, const std::vector<Piece> &pieces) {
  std::vector<uint32_t> counts(program.templates.size());
  for (const compose::Start &start : program.starts)
    counts[start.thread] += start.count;
  for (uint32_t &count : counts)
    count = std::max(count, 1u);
  for (const Piece &piece : pieces)
    if (const auto line = slotsLine(piece)) {
      const auto thread = program.templateNamed(line->second.text);
      if (!thread)
        throw logic::Error(line->second.range, "unknown thread '" + line->second.text + "'");
      const auto number = numberIn(line->first.text);
      if (!number)
        throw logic::Error(line->first.range,
                           "expected a number of threads from 1 to " + std::to_string(mostSlots));
      counts[*thread] = std::max(counts[*thread], *number);
    }
  return counts;
}

class OutlineReader {
public:
  OutlineReader(const Program &program, const logic::SourceFilePtr &file, std::vector<Piece> pieces)
      : program_(program), pieces_(std::move(pieces)),
        model_(program, slotCounts(program, pieces_)), places_(program, *file), words_(program),
        formulas_(program, model_, words_) {
    annotation().slots.assign(program.templates.size(), 0);
    for (Slot slot : model_.slots())
      ++annotation().slots[slot.thread];
  }

  Outline read() {
    for (const Piece &piece : pieces_)
      if (startsWithWord(piece, "ghost") && piece.text.find(":=") == std::string::npos)
        readGhost(piece.part(5));
    for (const Piece &piece : pieces_)
      readPiece(piece);
    formulas_.throwIfFailed();
    fill();
    return std::move(result_);
  }

private:
  const Program &program_;
  std::vector<Piece> pieces_;
  compose::proof::SlotModel model_;
  OutlinePlaces places_;
  OutlineWords words_;
  OutlineFormula formulas_;
  Outline result_;
  std::vector<Term> invariants_;
  std::map<std::pair<Slot, std::optional<LocationId>>, Term> assertions_;
  std::set<std::pair<TemplateId, std::optional<LocationId>>> said_; ///< places with a comment

  OwickiGries &annotation() { return result_.annotation; }

  void readPiece(const Piece &piece) {
    if (startsWithWord(piece, "for any number of threads"))
      formulas_.report(piece.range, "this proof is about any number of threads",
                       "only proofs of refine, about threads in slots, can be read back");
    else if (startsWithWord(piece, "invariant"))
      readInvariant(piece.part(9));
    else if (piece.text.starts_with("not running:"))
      readAbsent(piece.part(12));
    else
      readAtPlace(piece);
  }

  void readInvariant(const Piece &piece) {
    ++result_.written;
    if (const Term formula = formulas_.condition(piece, std::nullopt))
      invariants_.push_back(formula);
  }

  // ---- ghosts

  /// `int phase = 0`
  void readGhost(const Piece &piece) {
    const bool isInt = startsWithWord(piece, "int");
    const size_t equals = piece.text.find('=');
    if ((!isInt && !startsWithWord(piece, "bool")) || equals == std::string::npos)
      return formulas_.report(piece.range, "expected a ghost, 'int NAME = VALUE' or 'bool NAME = "
                                           "VALUE', or an update, 'NAME := VALUE'");
    const size_t type = isInt ? 3 : 4;
    const Piece name = piece.part(type, equals - type);
    if (name.text.empty() || std::isdigit(static_cast<unsigned char>(name.text[0])) != 0 ||
        !std::all_of(name.text.begin(), name.text.end(), isNamePart))
      return formulas_.report(name.range, "expected the name of a ghost");
    logic::TermPool &pool = *program_.pool;
    const logic::Sort sort = isInt ? pool.intSort() : pool.boolSort();
    const Variable ghost = pool.variable("", name.text, sort);
    const Term initial = formulas_.constant(piece.part(equals + 1), sort);
    formulas_.declare(ghost, name);
    if (initial)
      annotation().ghosts.push_back({ghost, initial});
  }

  // ---- assertions

  void readAbsent(const Piece &piece) {
    const auto thread = places_.threadBehind(piece.range.begin);
    if (!thread)
      return formulas_.report(piece.range, "no thread follows that this could be said of");
    readAssertion(piece, *thread, std::nullopt);
  }

  /// `{ E }`, `woken: { E }`, `slot 1: { E }`, `ghost x := E`, or a comment of another kind.
  void readAtPlace(const Piece &piece) {
    const size_t brace = piece.text.find('{');
    const bool hasSlots = startsWithWord(piece, "slot") || startsWithWord(piece, "slots");
    const size_t colon = piece.text.find(": ");
    if (const auto update = updateIn(piece, hasSlots))
      return readUpdate(piece, *update);
    if (brace == 0 || hasSlots)
      return readHere(piece, "");
    // What else ends in braces after a colon is said of a place within the statement.
    if (colon != std::string::npos && brace != std::string::npos && colon < brace &&
        piece.text.ends_with("}"))
      readHere(piece.part(colon + 1), piece.text.substr(0, colon));
  }

  void readHere(const Piece &piece, const std::string &label) {
    const Anchor *anchor = places_.behind(piece.range.begin);
    if (!anchor)
      return formulas_.report(piece.range, "no statement of a thread follows this assertion",
                              "an assertion stands before the statement where it holds");
    if (places_.closesBetween(piece.range.end, anchor->at))
      return formulas_.report(piece.range,
                              "expected a statement after this assertion, found a closing brace",
                              "what holds at the end of a block is said before the statement that "
                              "comes next: of a loop, before the loop");
    if (label.empty())
      return readAssertion(piece, anchor->thread, anchor->location);
    for (const HiddenPlace &hidden : places_.hiddenAt(*anchor))
      if (hidden.label == label)
        return readAssertion(piece, anchor->thread, hidden.location);
    formulas_.report(piece.range, "the statement that follows has no place '" + label + "'");
  }

  /// The slots at the front, "slots 1, 3:", and what follows; none after a report.
  std::optional<std::pair<Numbers, Piece>> slotsOf(const Piece &piece, TemplateId thread) {
    Numbers all;
    for (uint32_t number = 1; number <= annotation().slots[thread]; ++number)
      all.push_back(number);
    if (!startsWithWord(piece, "slot") && !startsWithWord(piece, "slots"))
      return std::pair(all, piece);
    const size_t colon = piece.text.find(':');
    const size_t word = startsWithWord(piece, "slot") ? 4 : 5;
    Numbers numbers;
    for (size_t at = word; colon != std::string::npos && at < colon;) {
      const size_t comma = std::min(piece.text.find(',', at), colon);
      const Piece one = piece.part(at, comma - at);
      const auto number = numberIn(one.text);
      if (!number || *number > all.size()) {
        formulas_.report(one.range,
                         "expected a slot of " + program_.templates[thread].name + ", 1 to " +
                             std::to_string(all.size()),
                         "more slots are declared at the top, as in '// at most 2 threads " +
                             program_.templates[thread].name + " at a time'");
        return std::nullopt;
      }
      numbers.push_back(*number);
      at = comma + 1;
    }
    if (numbers.empty()) {
      formulas_.report(piece.range, "expected 'slot 1:' or 'slots 1, 2:'");
      return std::nullopt;
    }
    return std::pair(numbers, piece.part(colon + 1));
  }

  void readAssertion(const Piece &piece, TemplateId thread, std::optional<LocationId> location) {
    const auto found = slotsOf(piece, thread);
    if (!found)
      return;
    const auto &[numbers, body] = *found;
    if (!body.text.starts_with("{") || !body.text.ends_with("}") || body.text.size() < 2) {
      auto end = body.range;
      end.begin = end.end;
      return body.text.starts_with("{")
                 ? formulas_.report(end, "expected '}' at the end of the assertion")
                 : formulas_.report(body.range, "expected an assertion in braces");
    }
    ++result_.written;
    said_.insert({thread, location});
    for (uint32_t number : numbers) {
      const Slot slot{thread, number};
      const Term formula = formulas_.condition(body.part(1, body.text.size() - 2), slot);
      if (!formula)
        return; // reported once
      if (!assertions_.emplace(std::pair(slot, location), formula).second)
        return formulas_.report(piece.range, "there are two assertions for one place");
      result_.assertions.emplace(std::pair(slot, location), piece.range);
    }
  }

  // ---- updates

  /// What stands behind `ghost`, if the piece is an update.
  static std::optional<Piece> updateIn(const Piece &piece, bool hasSlots) {
    const size_t colon = piece.text.find(':');
    const Piece rest = hasSlots && colon != std::string::npos ? piece.part(colon + 1) : piece;
    if (!startsWithWord(rest, "ghost") || rest.text.find(":=") == std::string::npos)
      return std::nullopt;
    return rest.part(5);
  }

  struct Condition {
    std::string which;                                     ///< "when x > 0", "case 2"
    std::optional<std::vector<OwickiGries::Other>> others; ///< none: whoever they are
  };

  void readUpdate(const Piece &piece, const Piece &body) {
    const auto thread = places_.threadAround(piece.range.begin);
    const auto steps =
        thread ? places_.stepsBefore(piece.range.begin, *thread) : std::vector<EdgeId>{};
    if (steps.empty())
      return formulas_.report(piece.range, "no statement of a thread precedes this update",
                              "an update stands behind the statement that it goes with");
    const auto slots = slotsOf(piece, *thread);
    const size_t conditions =
        std::min({body.text.find(" (with "), body.text.find(" (when "), body.text.find(" (case ")});
    const auto condition = conditions == std::string::npos
                               ? Condition{}
                               : readCondition(body.part(conditions), *thread, steps);
    if (!slots || !condition)
      return;
    for (uint32_t number : slots->first) {
      const auto assign = readAssignments(body.part(0, conditions), Slot{*thread, number});
      if (assign.empty())
        return;
      for (EdgeId edge : steps)
        if (condition->which.empty() || condition->which == places_.caseOf(*thread, edge))
          addUpdate(piece, {*thread, number}, edge, *condition, assign);
    }
  }

  std::optional<Condition> readCondition(const Piece &piece, TemplateId thread,
                                         const std::vector<EdgeId> &steps) {
    Condition result;
    Piece rest = piece;
    if (rest.text.starts_with("(with ")) {
      const size_t close = rest.text.find(')');
      if (close == std::string::npos) {
        formulas_.report(rest.range, "expected ')' at the end of '(with …'");
        return std::nullopt;
      }
      result.others = readOthers(rest.part(6, close - 6));
      if (!result.others)
        return std::nullopt;
      rest = rest.part(close + 1);
    }
    if (rest.text.empty())
      return result;
    if (rest.text.size() > 2)
      result.which = rest.text.substr(1, rest.text.size() - 2);
    std::vector<std::string> known;
    for (EdgeId edge : steps)
      known.push_back(places_.caseOf(thread, edge));
    if (rest.text.ends_with(")") &&
        std::find(known.begin(), known.end(), result.which) != known.end())
      return result;
    std::string hint = "the statement has only one";
    for (size_t i = 0; known.size() > 1 && i < known.size(); ++i)
      hint = (i == 0 ? "its cases are " : hint + ", ") + "(" + known[i] + ")";
    formulas_.report(rest.range, "the statement before has no such case", hint);
    return std::nullopt;
  }

  /// "w#1 at end, w#2 at end", "nobody".
  std::optional<std::vector<OwickiGries::Other>> readOthers(const Piece &piece) {
    std::vector<OwickiGries::Other> result;
    if (piece.text == "nobody")
      return result;
    for (size_t at = 0; at < piece.text.size();) {
      const size_t comma = std::min(piece.text.find(',', at), piece.text.size());
      const Piece one = piece.part(at, comma - at);
      const size_t word = one.text.find(" at ");
      const auto slot = words_.slotNamed(one.text.substr(0, word));
      std::optional<LocationId> location;
      if (slot && word != std::string::npos)
        for (LocationId l = 0; l < program_.templates[slot->thread].locations.size(); ++l)
          if (places_.nameOf(slot->thread, l) == one.text.substr(word + 4))
            location = l;
      if (!location) {
        formulas_.report(one.range, "expected a thread and its place, such as 'T#1 at end'");
        return std::nullopt;
      }
      result.push_back({*slot, *location});
      at = comma + 1;
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  /// Nothing after a report.
  std::vector<std::pair<Variable, Term>> readAssignments(const Piece &piece, Slot mover) {
    std::vector<std::pair<Variable, Term>> result;
    for (size_t at = 0; at < piece.text.size();) {
      const size_t end = std::min(piece.text.find(';', at), piece.text.size());
      const Piece one = piece.part(at, end - at);
      const size_t becomes = one.text.find(":=");
      if (becomes == std::string::npos) {
        formulas_.report(one.range, "expected 'NAME := VALUE'");
        return {};
      }
      const auto *ghost = formulas_.ghost(one.part(0, becomes));
      if (!ghost)
        return {};
      const Term value = formulas_.value(one.part(becomes + 2), ghost->variable.sort(), mover);
      if (!value)
        return {};
      for (const auto &[other, unused] : result)
        if (other == ghost->variable) {
          formulas_.report(one.range, "'" + ghost->name + "' is assigned twice");
          return {};
        }
      result.emplace_back(ghost->variable, value);
      at = end + 1;
    }
    return result;
  }

  void addUpdate(const Piece &piece, Slot mover, EdgeId edge, const Condition &condition,
                 const std::vector<std::pair<Variable, Term>> &assign) {
    bool found = false;
    for (const SlotStep &step : model_.steps()) {
      if (step.kind != SlotStep::Kind::Taken || step.edge != edge ||
          model_.slots()[step.moves[0].slot] != mover)
        continue;
      const auto others = model_.othersOf(step);
      if (condition.others && *condition.others != others)
        continue;
      found = true;
      for (const OwickiGries::Update &update : annotation().updates)
        if (update.mover == mover && update.edge == edge && update.others == others)
          return formulas_.report(piece.range, "there are two updates for one step",
                                  "write one, 'x := 1; y := 2'");
      annotation().updates.push_back({mover, edge, others, assign});
    }
    if (!found && condition.others)
      formulas_.report(piece.range, "the statement before never concerns these threads");
  }

  // ---- what is not said

  void fill() {
    logic::TermPool &pool = *program_.pool;
    const Term always = pool.conjunction(invariants_);
    for (Slot slot : model_.slots()) {
      const auto &locations = program_.templates[slot.thread].locations;
      for (LocationId l = 0; l <= locations.size(); ++l) {
        const bool absent = l == locations.size();
        if (!absent && locations[l].kind == LocationKind::Error)
          continue;
        const std::optional<LocationId> place = absent ? std::nullopt : std::optional(l);
        const auto own = assertions_.find({slot, place});
        const Term formula = own != assertions_.end()
                                 ? own->second
                                 : pool.boolean(!said_.contains({slot.thread, place}));
        annotation().assertions.push_back(
            {slot, place, absent ? formula : pool.conjunction({formula, always})});
      }
    }
  }
};

} // namespace

Outline readOutline(const Program &program, const logic::SourceFilePtr &file,
                    const std::vector<Comment> &comments) {
  std::vector<Piece> pieces;
  for (const Comment &comment : comments)
    if (auto piece = pieceOf(comment))
      pieces.push_back(std::move(*piece));
  return OutlineReader(program, file, std::move(pieces)).read();
}

} // namespace understudy::tools::outline

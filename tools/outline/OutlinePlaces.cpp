// SPDX-License-Identifier: Apache-2.0
#include "tools/outline/OutlinePlaces.h"

#include <algorithm>
#include <tuple>

namespace understudy::tools::outline {

using compose::Edge;
using compose::Location;
using compose::LocationKind;
using compose::Template;

namespace {

constexpr size_t longestCase = 40;

/// Where `state`, `initial` and `final` before the name of a contract's state begin.
Position withKeywords(std::string_view line, Position name) {
  size_t begin = name.column - 1;
  for (bool found = true; found;) {
    found = false;
    const size_t end = line.find_last_not_of(" \t", begin - 1);
    for (std::string_view word : {"state", "initial", "final"})
      if (begin > 0 && end != std::string_view::npos && line.substr(0, end + 1).ends_with(word)) {
        begin = end + 1 - word.size();
        found = true;
        break;
      }
  }
  return {name.line, static_cast<uint32_t>(begin) + 1};
}

/// The brace that ends the thread, for the end of a CONC thread.
Position anchorPosition(const compose::Program &program, const Template &thread,
                        const Location &location) {
  if (program.origin == compose::Origin::Contract)
    return withKeywords(location.range.file->line(location.range.begin.line), location.range.begin);
  const bool isEnd = location.kind == LocationKind::Final &&
                     location.range.begin == thread.range.begin &&
                     location.range.end == thread.range.end;
  if (!isEnd)
    return location.range.begin;
  return {location.range.end.line, std::max(location.range.end.column, 2u) - 1};
}

/// "woken" of "line 3 (woken)".
std::string labelOf(const Location &location) {
  const size_t open = location.name.rfind(" (");
  return open == std::string::npos || !location.name.ends_with(")")
             ? location.name
             : location.name.substr(open + 2, location.name.size() - open - 3);
}

} // namespace

OutlinePlaces::OutlinePlaces(const compose::Program &program, const logic::SourceFile &file)
    : program_(program), file_(file) {
  for (TemplateId id = 0; id < program.templates.size(); ++id) {
    const Template &thread = program.templates[id];
    for (LocationId l = 0; l < thread.locations.size(); ++l) {
      const Location &location = thread.locations[l];
      if (standsHere(location.range) && !location.hidden && location.kind != LocationKind::Error)
        anchors_.push_back({anchorPosition(program, thread, location), id, l});
    }
  }
  std::sort(anchors_.begin(), anchors_.end(), [](const Anchor &a, const Anchor &b) {
    return std::tie(a.at, a.thread, a.location) < std::tie(b.at, b.thread, b.location);
  });
  findAnchors();
}

bool OutlinePlaces::standsHere(const compose::SourceRange &range) const {
  return range.known() && range.file->name() == file_.name();
}

/// A hidden location belongs to the last anchor before it, or at it.
void OutlinePlaces::findAnchors() {
  for (const Template &thread : program_.templates)
    anchorOf_.emplace_back(thread.locations.size());
  for (size_t i = 0; i < anchors_.size(); ++i)
    anchorOf_[anchors_[i].thread][anchors_[i].location] = i;
  for (TemplateId id = 0; id < program_.templates.size(); ++id)
    for (LocationId l = 0; l < program_.templates[id].locations.size(); ++l) {
      const Location &location = program_.templates[id].locations[l];
      if (!location.hidden || !standsHere(location.range))
        continue;
      for (size_t i = 0; i < anchors_.size() && anchors_[i].at <= location.range.begin; ++i)
        if (anchors_[i].thread == id)
          anchorOf_[id][l] = i;
    }
}

const Anchor *OutlinePlaces::anchorOf(TemplateId thread, LocationId location) const {
  const auto found = anchorOf_[thread][location];
  return found ? &anchors_[*found] : nullptr;
}

std::string OutlinePlaces::labelAt(TemplateId thread, LocationId location) const {
  if (const Anchor *anchor = anchorOf(thread, location))
    for (const HiddenPlace &hidden : hiddenAt(*anchor))
      if (hidden.location == location)
        return hidden.label;
  return "";
}

std::vector<HiddenPlace> OutlinePlaces::hiddenAt(const Anchor &anchor) const {
  std::vector<HiddenPlace> result;
  const Template &thread = program_.templates[anchor.thread];
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    if (!thread.locations[l].hidden)
      continue;
    const auto own = anchorOf_[anchor.thread][l];
    if (!own || anchors_[*own].location != anchor.location)
      continue;
    const std::string label = labelOf(thread.locations[l]);
    const auto before = std::count_if(result.begin(), result.end(), [&](const HiddenPlace &other) {
      return labelOf(thread.locations[other.location]) == label;
    });
    result.push_back({before == 0 ? label : label + " " + std::to_string(before + 1), l});
  }
  return result;
}

std::optional<TemplateId> OutlinePlaces::threadAround(Position position) const {
  for (TemplateId id = 0; id < program_.templates.size(); ++id) {
    const auto &range = program_.templates[id].range;
    if (standsHere(range) && range.begin <= position && position < range.end)
      return id;
  }
  return std::nullopt;
}

std::optional<TemplateId> OutlinePlaces::threadBehind(Position position) const {
  std::optional<TemplateId> found;
  for (TemplateId id = 0; id < program_.templates.size(); ++id) {
    const auto &range = program_.templates[id].range;
    if (standsHere(range) && position < range.begin &&
        (!found || range.begin < program_.templates[*found].range.begin))
      found = id;
  }
  return found;
}

const Anchor *OutlinePlaces::behind(Position position) const {
  const auto thread = threadAround(position);
  for (const Anchor &anchor : anchors_)
    if (thread == anchor.thread && position < anchor.at)
      return &anchor;
  return nullptr;
}

bool OutlinePlaces::closesBetween(Position from, Position to) const {
  bool inComment = false;
  for (uint32_t number = from.line; number <= to.line; ++number) {
    std::string_view line = file_.line(number);
    line = line.substr(0, number == to.line ? to.column - 1 : line.size());
    for (size_t i = number == from.line ? from.column - 1 : 0; i < line.size(); ++i) {
      const std::string_view sign = line.substr(i, 2);
      if (!inComment && sign == "//")
        break;
      if (!inComment && line[i] == '}')
        return true;
      if (sign == (inComment ? "*/" : "/*")) {
        inComment = !inComment;
        ++i;
      }
    }
  }
  return false;
}

/// Where the step is complete in the text: behind its range, or where its statement begins if that
/// holds other statements.
std::optional<Position> OutlinePlaces::endOf(TemplateId thread, EdgeId id) const {
  const Edge &edge = program_.templates[thread].edges[id];
  const auto anchor = anchorOf_[thread][edge.source];
  if (!anchor || edge.failure || !standsHere(edge.range))
    return std::nullopt;
  const bool holdsOthers =
      *anchor + 1 < anchors_.size() && anchors_[*anchor + 1].at < edge.range.end;
  return holdsOthers ? anchors_[*anchor].at : edge.range.end;
}

std::vector<EdgeId> OutlinePlaces::alternatives(TemplateId thread, EdgeId id) const {
  const Template &type = program_.templates[thread];
  std::vector<EdgeId> result;
  const auto end = endOf(thread, id);
  for (EdgeId other = 0; end && other < type.edges.size(); ++other)
    if (endOf(thread, other) == end &&
        anchorOf_[thread][type.edges[other].source] == anchorOf_[thread][type.edges[id].source])
      result.push_back(other);
  return result;
}

std::vector<EdgeId> OutlinePlaces::stepsBefore(Position position, TemplateId thread) const {
  const Anchor *last = nullptr;
  for (const Anchor &anchor : anchors_)
    if (anchor.thread == thread && anchor.at < position)
      last = &anchor;
  if (!last)
    return {};
  const Template &type = program_.templates[thread];
  std::optional<EdgeId> best;
  for (EdgeId id = 0; id < type.edges.size(); ++id) {
    const auto anchor = anchorOf_[thread][type.edges[id].source];
    const auto end = endOf(thread, id);
    if (anchor && end && anchors_[*anchor].location == last->location && *end <= position &&
        (!best || endOf(thread, *best) < end))
      best = id;
  }
  return best ? alternatives(thread, *best) : std::vector<EdgeId>{};
}

std::string OutlinePlaces::caseOf(TemplateId thread, EdgeId edge) const {
  const Template &type = program_.templates[thread];
  const std::vector<EdgeId> all = alternatives(thread, edge);
  if (all.size() < 2)
    return "";
  const std::string &text = type.edges[edge].text;
  const auto alike = std::count_if(all.begin(), all.end(),
                                   [&](EdgeId other) { return type.edges[other].text == text; });
  if (alike == 1 && text.size() <= longestCase)
    return "when " + text;
  return "case " + std::to_string(std::find(all.begin(), all.end(), edge) - all.begin() + 1);
}

std::optional<Position> OutlinePlaces::updateBefore(TemplateId thread, EdgeId edge) const {
  const auto end = endOf(thread, edge);
  const auto own = anchorOf_[thread][program_.templates[thread].edges[edge].source];
  std::optional<Position> next;
  auto offer = [&](Position other) {
    if (end && *end <= other && other != anchors_[*own].at && (!next || other < *next))
      next = other;
  };
  for (const Anchor &anchor : anchors_)
    offer(anchor.at);
  for (const Edge &other : program_.templates[thread].edges)
    if (!other.failure && standsHere(other.range))
      offer(other.range.begin);
  const bool holdsOthers = end && *end == anchors_[*own].at;
  if (!next || (next->line != end->line && !holdsOthers))
    return std::nullopt;
  return next;
}

uint32_t OutlinePlaces::updateLine(TemplateId thread, EdgeId edge) const {
  const auto end = endOf(thread, edge);
  return end ? end->line : 0;
}

std::string OutlinePlaces::nameOf(TemplateId thread, LocationId location) const {
  const Location &wanted = program_.templates[thread].locations[location];
  const bool named = !wanted.hidden && !wanted.name.starts_with("line ");
  if (named)
    return wanted.name;
  size_t number = 0;
  const auto own = anchorOf_[thread][location];
  for (size_t i = 0; own && i <= *own; ++i)
    number += anchors_[i].thread == thread ? 1 : 0;
  std::string name = "statement " + std::to_string(number);
  if (wanted.hidden)
    name += " " + labelAt(thread, location);
  return name;
}

} // namespace understudy::tools::outline

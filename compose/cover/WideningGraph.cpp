// SPDX-License-Identifier: Apache-2.0
//
// Pruning (Algorithm 2). The trees of coverable roots go; a vertex of such a tree with an edge into
// a tree that stays is a conflict, and it stays with its subtree, in the other tree.
//
// Invariant: for a vertex that is expanded and not gone, every cover predecessor is minimal, or
// waits (over one or more dominators, each smaller than the one before) for a minimal vertex, or is
// above the vertex itself. So when nothing is left to expand, the minimal vertices are closed under
// predecessors.
//
// Deviation: the paper drops a predecessor that is above some vertex of the tree in which it was
// found (Definition 5). When that tree is pruned and the successor is rescued by a conflict, the
// predecessor would be missing; here it waits instead, and only what is above its own successor is
// dropped.
#include "compose/cover/WideningGraph.h"

#include <algorithm>
#include <utility>

namespace understudy::compose::cover {

std::optional<uint32_t> WideningGraph::find(const net::Configuration &configuration) const {
  auto found = byConfiguration_.find(configuration);
  return found == byConfiguration_.end() ? std::nullopt : std::optional(found->second);
}

uint32_t WideningGraph::add(net::Configuration configuration) {
  uint32_t vertex = size();
  vertices_.push_back({});
  vertices_.back().configuration = std::move(configuration);
  vertices_.back().root = vertex;
  byConfiguration_.emplace(vertices_.back().configuration, vertex);
  members_[vertex].push_back(vertex);
  return vertex;
}

uint32_t WideningGraph::add(net::Configuration configuration, Edge successor) {
  uint32_t vertex = size();
  vertices_.push_back({});
  vertices_.back().configuration = std::move(configuration);
  vertices_.back().depth = vertices_[successor.vertex].depth + 1;
  byConfiguration_.emplace(vertices_.back().configuration, vertex);
  moveTo(vertex, vertices_[successor.vertex].root);
  link(vertex, successor);
  return vertex;
}

void WideningGraph::link(uint32_t predecessor, Edge successor) {
  vertices_[predecessor].successors.push_back(successor);
  vertices_[successor.vertex].predecessors.push_back(predecessor);
}

void WideningGraph::moveTo(uint32_t vertex, uint32_t root) {
  vertices_[vertex].root = root;
  members_[root].push_back(vertex);
}

void WideningGraph::wait(uint32_t vertex, uint32_t dominator) {
  vertices_[vertex].state = State::Waiting;
  vertices_[dominator].waiting.push_back(vertex);
}

void WideningGraph::makeMinimal(uint32_t vertex) {
  const net::Configuration &configuration = vertices_[vertex].configuration;
  for (uint32_t larger : minimal_.allAbove(configuration)) {
    minimal_.erase(larger);
    wait(larger, vertex);
  }
  vertices_[vertex].state = State::Minimal;
  minimal_.insert(vertex, configuration);
}

void WideningGraph::makeRoot(uint32_t vertex) {
  uint32_t old = vertices_[vertex].root;
  if (old == vertex)
    return;
  std::vector<uint32_t> stack{vertex};
  moveTo(vertex, vertex);
  while (!stack.empty()) {
    uint32_t at = stack.back();
    stack.pop_back();
    for (uint32_t predecessor : vertices_[at].predecessors)
      if (!isGone(predecessor) && vertices_[predecessor].root == old && predecessor != old) {
        moveTo(predecessor, vertex);
        stack.push_back(predecessor);
      }
  }
}

std::vector<uint32_t> WideningGraph::membersOf(const std::vector<uint32_t> &roots) {
  std::vector<uint32_t> result;
  for (uint32_t root : roots) {
    for (uint32_t member : members_[root])
      if (!isGone(member) && vertices_[member].root == root)
        result.push_back(member);
    members_.erase(root);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// Targets and conflicts first, then what leads to them.
void WideningGraph::rescue(const std::vector<uint32_t> &members) {
  std::vector<uint32_t> stack;
  auto keep = [&](uint32_t vertex, uint32_t root) {
    fate_[vertex] = Fate::Stays;
    moveTo(vertex, root);
    stack.push_back(vertex);
  };
  for (uint32_t member : members) {
    if (fate_[member] != Fate::Undecided)
      continue;
    if (vertices_[member].isTarget) {
      keep(member, member);
      continue;
    }
    for (const Edge &edge : vertices_[member].successors)
      if (!isGone(edge.vertex) && fate_[edge.vertex] == Fate::Stays) {
        keep(member, vertices_[edge.vertex].root);
        break;
      }
  }
  while (!stack.empty()) {
    uint32_t at = stack.back();
    stack.pop_back();
    for (uint32_t predecessor : vertices_[at].predecessors)
      if (!isGone(predecessor) && fate_[predecessor] == Fate::Undecided)
        keep(predecessor, vertices_[at].root);
  }
}

void WideningGraph::remove(uint32_t number, std::vector<uint32_t> &revived) {
  Vertex &vertex = vertices_[number];
  if (vertex.state == State::Minimal)
    minimal_.erase(number);
  vertex.state = State::Gone;
  byConfiguration_.erase(vertex.configuration);
  revived.insert(revived.end(), vertex.waiting.begin(), vertex.waiting.end());
  vertex.configuration.threads = {};
  vertex.successors = {};
  vertex.predecessors = {};
  vertex.waiting = {};
}

std::vector<uint32_t> WideningGraph::prune(const std::vector<uint32_t> &roots,
                                           const std::vector<uint32_t> &doomed) {
  std::vector<uint32_t> members = membersOf(roots);
  fate_.resize(vertices_.size(), Fate::Stays);
  for (uint32_t member : members)
    fate_[member] = Fate::Undecided;
  for (uint32_t vertex : doomed)
    fate_[vertex] = Fate::Doomed;
  rescue(members);
  std::vector<uint32_t> revived;
  for (const auto *list : {&doomed, &std::as_const(members)})
    for (uint32_t vertex : *list) {
      if (fate_[vertex] != Fate::Stays && !isGone(vertex))
        remove(vertex, revived);
      fate_[vertex] = Fate::Stays;
    }
  std::sort(revived.begin(), revived.end());
  revived.erase(std::unique(revived.begin(), revived.end()), revived.end());
  std::erase_if(revived, [&](uint32_t v) { return vertices_[v].state != State::Waiting; });
  return revived;
}

bool WideningGraph::isNeeded(uint32_t root) const {
  const Vertex &vertex = vertices_[root];
  auto elsewhere = [&](uint32_t other) { return !isGone(other) && vertices_[other].root != root; };
  return vertex.isTarget || std::any_of(vertex.waiting.begin(), vertex.waiting.end(), elsewhere) ||
         std::any_of(vertex.successors.begin(), vertex.successors.end(),
                     [&](const Edge &edge) { return elsewhere(edge.vertex); });
}

} // namespace understudy::compose::cover

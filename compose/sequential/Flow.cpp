// SPDX-License-Identifier: Apache-2.0
#include "compose/sequential/Flow.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace understudy::compose::sequential {

namespace {

using logic::Op;
using logic::Sort;
using Bits = std::vector<bool>;

/// Does every value of the term lie in the sort?
bool fits(Term value, Sort sort, logic::BoundsTable &bounds) {
  if (sort.isBool() || sort.kind() == logic::SortKind::Int)
    return true;
  if (value.op() == Op::Variable && value.sort() == sort)
    return true;
  if (sort.isEnum()) {
    const auto values = sort.values();
    return value.isConstant() &&
           std::find(values->begin(), values->end(), value.value()) != values->end();
  }
  if (sort.kind() != logic::SortKind::Range)
    return false;
  logic::Bounds range = bounds.of(value);
  return range.lower && range.upper && *range.lower >= sort.lower() && *range.upper <= sort.upper();
}

enum class Direction { Forwards, Backwards };

/// The nodes that edges lead to from `start`, through nodes that `enters` allows.
template <typename Enters>
std::unordered_set<NodeId> search(const Flow &flow, NodeId start, Direction direction,
                                  Enters enters) {
  std::unordered_set<NodeId> seen;
  std::vector<NodeId> work{start};
  while (!work.empty()) {
    NodeId node = work.back();
    work.pop_back();
    bool forwards = direction == Direction::Forwards;
    for (uint32_t e : forwards ? flow.out[node] : flow.in[node]) {
      NodeId next = forwards ? flow.edges[e].target : flow.edges[e].source;
      if (enters(next) && seen.insert(next).second)
        work.push_back(next);
    }
  }
  return seen;
}

class FlowBuilder {
public:
  FlowBuilder(const Program &program, FlowDetail detail, FlowTables &tables,
              const std::vector<EdgeRole> &roles)
      : flow_{program, program.starts.at(0).thread, {}, {}, {}, {}, {}, {}, {}, {}, {}},
        type_(program.templates[flow_.thread]), detail_(detail), roles_(roles), tables_(tables) {}

  Flow build() {
    flow_.variables = flow_.program.globals;
    flow_.variables.insert(flow_.variables.end(), type_.locals.begin(), type_.locals.end());
    for (VariableIndex i = 0; i < flow_.variables.size(); ++i)
      flow_.indexOf[flow_.variables[i]] = i;
    flow_.out.resize(type_.locations.size() + firstLocation);
    flow_.in.resize(flow_.out.size());
    addEdges();
    prune();
    findCuts();
    applyRoles();
    findLive();
    return std::move(flow_);
  }

private:
  Flow flow_;
  const Template &type_;
  FlowDetail detail_;
  const std::vector<EdgeRole> &roles_;
  FlowTables &tables_;

  void addEdges() {
    Term start = flow_.pool().conjunction({flow_.program.initial, type_.initial});
    std::vector<LocationId> initials = type_.initials;
    std::sort(initials.begin(), initials.end());
    initials.erase(std::unique(initials.begin(), initials.end()), initials.end());
    for (LocationId initial : initials)
      addEdge(entryNode, firstLocation + initial, start, {}, std::nullopt);
    for (EdgeId id = 0; id < type_.edges.size(); ++id) {
      const Edge &edge = type_.edges[id];
      bool fails = type_.locations[edge.target].kind == LocationKind::Error;
      addEdge(firstLocation + edge.source, fails ? errorNode : firstLocation + edge.target,
              edge.relation, edge.modified, id);
    }
  }

  void addEdge(NodeId source, NodeId target, Term relation, const std::vector<Variable> &modified,
               std::optional<EdgeId> origin) {
    // Both details drop the same edges, so that they have the same cuts.
    Term simple = tables_.simplify(relation);
    if (simple.isFalse())
      return;
    if (detail_ == FlowDetail::Needed)
      relation = simple;
    FlowEdge edge{source, target, {}, {}, origin};
    for (Variable v : modified)
      edge.modified.push_back(flow_.indexOf.at(v));
    std::map<VariableIndex, size_t> primes;
    for (const Term &formula : logic::conjunctsOf(relation)) {
      if (formula.isTrue())
        continue;
      Conjunct conjunct{formula, {}, {}, {}, false};
      for (const logic::VariableUse &use : tables_.variables.of(formula)) {
        VariableIndex index = flow_.indexOf.at(use.variable);
        if (use.primed)
          ++primes[index];
        else
          conjunct.reads.push_back(index);
      }
      readAssignment(conjunct);
      edge.conjuncts.push_back(std::move(conjunct));
    }
    for (Conjunct &conjunct : edge.conjuncts)
      if (conjunct.target && primes[*conjunct.target] > 1)
        conjunct.target.reset();
    auto id = static_cast<uint32_t>(flow_.edges.size());
    flow_.edges.push_back(std::move(edge));
    flow_.out[source].push_back(id);
    flow_.in[target].push_back(id);
  }

  void readAssignment(Conjunct &conjunct) {
    Term f = conjunct.formula;
    logic::TermPool &pool = flow_.pool();
    auto assign = [&](Term target, Term value) {
      if (target.op() != Op::Variable || !target.primed() || value.hasPrimes())
        return;
      conjunct.target = flow_.indexOf.at(target.variable());
      conjunct.value = value;
      conjunct.total = fits(value, target.sort(), tables_.bounds);
    };
    if (f.op() == Op::Variable)
      assign(f, pool.boolean(true));
    else if (f.op() == Op::Not)
      assign(f.operand(0), pool.boolean(false));
    else if (f.op() == Op::Equal) {
      assign(f.operand(0), f.operand(1));
      if (!conjunct.target)
        assign(f.operand(1), f.operand(0));
    }
  }

  void prune() {
    auto everywhere = [](NodeId) { return true; };
    auto fromEntry = search(flow_, entryNode, Direction::Forwards, everywhere);
    auto toError = search(flow_, errorNode, Direction::Backwards, everywhere);
    fromEntry.insert(entryNode);
    toError.insert(errorNode);
    auto keeps = [&](uint32_t e) {
      const FlowEdge &edge = flow_.edges[e];
      return fromEntry.contains(edge.source) && toError.contains(edge.target);
    };
    for (auto *lists : {&flow_.out, &flow_.in})
      for (auto &list : *lists)
        std::erase_if(list, [&](uint32_t e) { return !keeps(e); });
  }

  /// Depth-first: the targets of edges back into the current path are cuts, the rank is the reverse
  /// of the order in which nodes are left.
  void findCuts() {
    enum class Mark : uint8_t { New, Open, Done };
    std::vector<Mark> marks(flow_.nodes(), Mark::New);
    flow_.cut.assign(flow_.nodes(), false);
    flow_.rank.assign(flow_.nodes(), 0);
    flow_.cut[entryNode] = flow_.cut[errorNode] = true;
    auto next = static_cast<uint32_t>(flow_.nodes());
    std::vector<std::pair<NodeId, size_t>> path{{entryNode, 0}};
    marks[entryNode] = Mark::Open;
    while (!path.empty()) {
      auto &[node, position] = path.back();
      if (position == flow_.out[node].size()) {
        marks[node] = Mark::Done;
        flow_.rank[node] = --next;
        path.pop_back();
        continue;
      }
      NodeId target = flow_.edges[flow_.out[node][position++]].target;
      if (marks[target] == Mark::Open)
        flow_.cut[target] = true;
      if (marks[target] != Mark::New)
        continue;
      marks[target] = Mark::Open;
      path.emplace_back(target, 0);
    }
  }

  void applyRoles() {
    if (roles_.empty())
      return;
    auto roleOf = [&](const FlowEdge &edge) {
      return edge.origin ? roles_[*edge.origin] : EdgeRole::Plain;
    };
    for (FlowEdge &edge : flow_.edges)
      if (roleOf(edge) == EdgeRole::Obligation)
        edge.target = errorNode;
    for (auto &list : flow_.out)
      std::erase_if(list, [&](uint32_t e) { return roleOf(flow_.edges[e]) == EdgeRole::Dropped; });
    for (auto &list : flow_.in)
      list.clear();
    for (NodeId node = 0; node < flow_.nodes(); ++node)
      for (uint32_t e : flow_.out[node])
        flow_.in[flow_.edges[e].target].push_back(e);
    if (detail_ == FlowDetail::Needed)
      prune();
  }

  void findLive() {
    flow_.live.resize(flow_.nodes());
    if (detail_ == FlowDetail::All) {
      for (NodeId node = 0; node < flow_.nodes(); ++node)
        for (VariableIndex v = 0; v < flow_.variables.size(); ++v)
          flow_.live[node].push_back(v);
      return;
    }
    std::vector<Bits> live = liveness();
    for (NodeId node = 0; node < flow_.nodes(); ++node)
      for (VariableIndex v = 0; v < flow_.variables.size(); ++v)
        if (live[node][v])
          flow_.live[node].push_back(v);
    for (FlowEdge &edge : flow_.edges)
      std::erase_if(edge.conjuncts,
                    [&](const Conjunct &c) { return isDead(c, live[edge.target]); });
  }

  static bool isDead(const Conjunct &conjunct, const Bits &liveAfter) {
    return conjunct.target && conjunct.total && !liveAfter[*conjunct.target];
  }

  /// The least solution of: a variable is live before an edge if a conjunct that is not dead reads
  /// it, or it is live after the edge and not modified.
  std::vector<Bits> liveness() const {
    std::vector<Bits> live(flow_.nodes(), Bits(flow_.variables.size(), false));
    auto later = [&](NodeId a, NodeId b) {
      return std::pair(flow_.rank[a], a) > std::pair(flow_.rank[b], b);
    };
    std::set<NodeId, decltype(later)> work(later);
    for (NodeId node = 0; node < flow_.nodes(); ++node)
      if (!flow_.out[node].empty())
        work.insert(node);
    while (!work.empty()) {
      NodeId node = *work.begin();
      work.erase(work.begin());
      Bits before = live[node];
      for (uint32_t e : flow_.out[node])
        addNeeds(flow_.edges[e], live[flow_.edges[e].target], before);
      if (before == live[node])
        continue;
      live[node] = std::move(before);
      for (uint32_t e : flow_.in[node])
        work.insert(flow_.edges[e].source);
    }
    return live;
  }

  static void addNeeds(const FlowEdge &edge, const Bits &liveAfter, Bits &before) {
    Bits kept = liveAfter;
    for (VariableIndex v : edge.modified)
      kept[v] = false;
    for (size_t v = 0; v < kept.size(); ++v)
      if (kept[v])
        before[v] = true;
    for (const Conjunct &conjunct : edge.conjuncts)
      if (!isDead(conjunct, liveAfter))
        for (VariableIndex v : conjunct.reads)
          before[v] = true;
  }
};

std::vector<NodeId> byRank(const Flow &flow, const std::unordered_set<NodeId> &nodes) {
  std::vector<NodeId> result(nodes.begin(), nodes.end());
  std::sort(result.begin(), result.end(),
            [&](NodeId a, NodeId b) { return flow.rank[a] < flow.rank[b]; });
  return result;
}

} // namespace

Flow makeFlow(const Program &program, FlowDetail detail, FlowTables &tables,
              const std::vector<EdgeRole> &roles) {
  return FlowBuilder(program, detail, tables, roles).build();
}

std::vector<NodeId> nodesAfter(const Flow &flow, NodeId source) {
  auto isInner = [&](NodeId node) { return !flow.cut[node]; };
  return byRank(flow, search(flow, source, Direction::Forwards, isInner));
}

std::vector<NodeId> nodesBetween(const Flow &flow, NodeId source, NodeId target) {
  std::vector<NodeId> after = nodesAfter(flow, source);
  std::unordered_set<NodeId> before; // edges lead to higher ranks: the last nodes are known first
  std::for_each(after.rbegin(), after.rend(), [&](NodeId node) {
    for (uint32_t e : flow.out[node])
      if (NodeId next = flow.edges[e].target; next == target || before.contains(next))
        before.insert(node);
  });
  std::erase_if(after, [&](NodeId node) { return !before.contains(node); });
  return after;
}

std::vector<NodeId> nextCuts(const Flow &flow, NodeId source) {
  std::vector<NodeId> inner = nodesAfter(flow, source);
  inner.push_back(source);
  std::vector<NodeId> result;
  for (NodeId node : inner)
    for (uint32_t e : flow.out[node])
      if (flow.cut[flow.edges[e].target])
        result.push_back(flow.edges[e].target);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<NodeId> stretchHeads(const Flow &flow) {
  constexpr size_t longest = 6;
  std::vector<NodeId> nodes;
  for (NodeId node = firstLocation; node < flow.nodes(); ++node)
    if (!flow.out[node].empty())
      nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end(),
            [&](NodeId a, NodeId b) { return flow.rank[a] < flow.rank[b]; });
  std::vector<size_t> length(flow.nodes(), 0); // of the chain since the last head
  std::vector<NodeId> result;
  for (NodeId node : nodes) {
    if (flow.in[node].size() == 1)
      length[node] = length[flow.edges[flow.in[node][0]].source] + 1;
    if (flow.cut[node] || flow.in[node].size() > 1 || length[node] == longest) {
      length[node] = 0;
      result.push_back(node);
    }
  }
  return result;
}

Flow withCuts(Flow flow, const std::vector<NodeId> &nodes) {
  for (NodeId node : nodes)
    flow.cut[node] = true;
  return flow;
}

} // namespace understudy::compose::sequential

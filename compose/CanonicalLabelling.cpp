// SPDX-License-Identifier: Apache-2.0
#include "compose/CanonicalLabelling.h"

#include "compose/Mix.h"

#include <algorithm>
#include <map>

namespace understudy::compose {

namespace {

constexpr uint32_t nobody = ~uint32_t{0};
constexpr uint64_t apart = 0x8cb92ba72f3d8dd7ull; ///< the colour of an atom that is told apart

} // namespace

/// Atoms that share facts and are not yet told apart. Equal keys mean, in a tree, equal components;
/// in others the text decides.
struct CanonicalLabelling::Component {
  Atoms atoms;
  Facts facts;
  size_t links = 0; ///< a tree has one less than atoms
  uint64_t key = 0;
  Atoms order{};
  std::vector<uint64_t> text{};

  bool isTree() const { return links + 1 == atoms.size(); }
};

void CanonicalLabelling::begin(uint32_t atoms) {
  words_.clear();
  wordEnds_.clear();
  labels_.clear();
  ends_.clear();
  members_.clear();
  colour_.assign(atoms, 0);
  next_.assign(atoms, 0);
  group_.assign(atoms, nobody);
}

void CanonicalLabelling::fact(std::span<const uint64_t> label, std::span<const uint32_t> atoms) {
  if (atoms.empty())
    return;
  uint64_t hash = label.size();
  for (uint64_t word : label)
    hash = mixed(hash, word);
  labels_.push_back(hash);
  words_.insert(words_.end(), label.begin(), label.end());
  wordEnds_.push_back(static_cast<uint32_t>(words_.size()));
  members_.insert(members_.end(), atoms.begin(), atoms.end());
  ends_.push_back(static_cast<uint32_t>(members_.size()));
}

std::span<const uint32_t> CanonicalLabelling::membersOf(uint32_t fact) const {
  uint32_t begin = fact == 0 ? 0 : ends_[fact - 1];
  return {members_.data() + begin, ends_[fact] - begin};
}

std::span<const uint64_t> CanonicalLabelling::labelOf(uint32_t fact) const {
  uint32_t begin = fact == 0 ? 0 : wordEnds_[fact - 1];
  return {words_.data() + begin, wordEnds_[fact] - begin};
}

bool CanonicalLabelling::separateLabels() {
  Facts sorted = facts_;
  std::sort(sorted.begin(), sorted.end(), [this](uint32_t a, uint32_t b) {
    return labels_[a] != labels_[b] ? labels_[a] < labels_[b]
                                    : std::ranges::lexicographical_compare(labelOf(a), labelOf(b));
  });
  bool separated = false;
  uint64_t before = 0, others = 0; // the hash of the fact before, and labels with it so far
  for (size_t i = 0; i < sorted.size(); ++i) {
    const uint64_t hash = labels_[sorted[i]];
    if (i == 0 || hash != before)
      others = 0;
    else if (!std::ranges::equal(labelOf(sorted[i - 1]), labelOf(sorted[i])))
      ++others;
    before = hash;
    for (uint64_t n = 0; n < others; ++n)
      labels_[sorted[i]] = mix(labels_[sorted[i]] + 1);
    separated = separated || others != 0;
  }
  return separated;
}

size_t CanonicalLabelling::colours(const Atoms &atoms) {
  sorted_.clear();
  for (uint32_t atom : atoms)
    sorted_.push_back(colour_[atom]);
  std::sort(sorted_.begin(), sorted_.end());
  return static_cast<size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
}

void CanonicalLabelling::refine(const Atoms &atoms, const Facts &facts) {
  size_t before = 0;
  for (size_t now = colours(atoms); now != before && now < atoms.size(); now = colours(atoms)) {
    before = now;
    work_ += facts.size();
    for (uint32_t atom : atoms)
      next_[atom] = mix(colour_[atom]);
    for (uint32_t f : facts) {
      uint64_t hash = labels_[f];
      for (uint32_t atom : membersOf(f))
        hash = mixed(hash, colour_[atom]);
      uint64_t position = 0;
      for (uint32_t atom : membersOf(f))
        next_[atom] += mix(hash + ++position);
    }
    for (uint32_t atom : atoms)
      colour_[atom] = next_[atom];
  }
}

const std::vector<uint32_t> &CanonicalLabelling::run() {
  work_ = 0;
  complete_ = true;
  atoms_.resize(colour_.size());
  facts_.resize(labels_.size());
  for (uint32_t i = 0; i < atoms_.size(); ++i)
    atoms_[i] = i;
  for (uint32_t i = 0; i < facts_.size(); ++i)
    facts_[i] = i;
  refine(atoms_, facts_);
  if (colours(atoms_) < atoms_.size() && separateLabels()) {
    colour_.assign(colour_.size(), 0);
    refine(atoms_, facts_);
  }
  order_ = arranged(atoms_, facts_);
  return order_;
}

CanonicalLabelling::Atoms CanonicalLabelling::arranged(Atoms atoms, const Facts &facts) {
  auto lighter = [this](uint32_t a, uint32_t b) { return colour_[a] < colour_[b]; };
  std::sort(atoms.begin(), atoms.end(), lighter);
  auto alone = [&](size_t i) {
    return (i == 0 || colour_[atoms[i - 1]] != colour_[atoms[i]]) &&
           (i + 1 == atoms.size() || colour_[atoms[i + 1]] != colour_[atoms[i]]);
  };
  Atoms order, open;
  for (size_t i = 0; i < atoms.size(); ++i)
    (alone(i) ? order : open).push_back(atoms[i]);
  if (open.empty())
    return order;
  std::vector<Component> components = componentsOf(open, facts);
  for (Component &component : components)
    label(component);
  std::sort(components.begin(), components.end(), [](const Component &a, const Component &b) {
    return a.key != b.key ? a.key < b.key : a.text < b.text;
  });
  for (const Component &component : components)
    order.insert(order.end(), component.order.begin(), component.order.end());
  return order;
}

uint32_t CanonicalLabelling::root(uint32_t atom) {
  while (group_[atom] != atom)
    atom = group_[atom] = group_[group_[atom]];
  return atom;
}

std::vector<CanonicalLabelling::Component> CanonicalLabelling::componentsOf(const Atoms &open,
                                                                            const Facts &facts) {
  for (uint32_t atom : open)
    group_[atom] = atom;
  // An open member of each fact, and how many more it has.
  std::vector<std::pair<uint32_t, uint32_t>> of(facts.size(), {nobody, 0});
  for (size_t i = 0; i < facts.size(); ++i) {
    auto members = membersOf(facts[i]);
    for (size_t at = 0; at < members.size(); ++at) {
      uint32_t atom = members[at];
      if (group_[atom] == nobody ||
          std::find(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(at), atom) !=
              members.begin() + static_cast<std::ptrdiff_t>(at))
        continue;
      if (of[i].first == nobody) {
        of[i].first = atom;
        continue;
      }
      ++of[i].second;
      group_[root(atom)] = root(of[i].first);
    }
  }
  std::vector<Component> components;
  std::map<uint32_t, size_t> known;
  auto at = [&](uint32_t atom) -> Component & {
    auto [entry, isNew] = known.try_emplace(root(atom), components.size());
    if (isNew)
      components.emplace_back();
    return components[entry->second];
  };
  for (uint32_t atom : open) {
    Component &component = at(atom);
    component.atoms.push_back(atom);
    component.key += mix(colour_[atom]);
  }
  for (size_t i = 0; i < facts.size(); ++i)
    if (of[i].first != nobody) {
      Component &component = at(of[i].first);
      component.facts.push_back(facts[i]);
      component.links += of[i].second;
    }
  for (uint32_t atom : open)
    group_[atom] = nobody;
  return components;
}

/// Of the classes with several atoms the smallest, and of those the one with the least colour;
/// empty if there is none. The atoms are sorted by colour.
CanonicalLabelling::Atoms CanonicalLabelling::smallestClass(const Atoms &atoms) const {
  size_t best = 0, size = 0;
  for (size_t from = 0, to = 0; from < atoms.size(); from = to) {
    while (to < atoms.size() && colour_[atoms[to]] == colour_[atoms[from]])
      ++to;
    if (to - from > 1 && (size == 0 || to - from < size)) {
      best = from;
      size = to - from;
    }
  }
  auto first = atoms.begin() + static_cast<std::ptrdiff_t>(best);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

void CanonicalLabelling::label(Component &component) {
  const Atoms candidates = smallestClass(component.atoms);
  if (candidates.empty()) { // its atoms are alike with atoms of other components only
    component.order = component.atoms;
    if (!component.isTree())
      component.text = textOf(component.order, component.facts);
    return;
  }
  std::vector<uint64_t> colours;
  for (uint32_t atom : component.atoms)
    colours.push_back(colour_[atom]);
  for (uint32_t candidate : candidates) {
    colour_[candidate] = mix(colour_[candidate] ^ apart);
    refine(component.atoms, component.facts);
    Atoms order = arranged(component.atoms, component.facts);
    std::vector<uint64_t> text;
    for (size_t i = 0; i < component.atoms.size(); ++i)
      colour_[component.atoms[i]] = colours[i];
    if (!component.isTree())
      text = textOf(order, component.facts);
    if (component.order.empty() || text < component.text) {
      component.order = std::move(order);
      component.text = std::move(text);
    }
    if (component.isTree())
      return;
    if (work_ > maxWork) {
      complete_ = false;
      return;
    }
  }
}

/// The facts with positions for the atoms of the component, and colours for the others.
std::vector<uint64_t> CanonicalLabelling::textOf(const Atoms &order, const Facts &facts) {
  std::vector<std::vector<uint64_t>> lines;
  for (uint32_t i = 0; i < order.size(); ++i)
    group_[order[i]] = i;
  for (uint32_t f : facts) {
    std::vector<uint64_t> line{labels_[f]};
    for (uint32_t atom : membersOf(f)) {
      line.push_back(group_[atom] == nobody);
      line.push_back(group_[atom] == nobody ? colour_[atom] : group_[atom]);
    }
    lines.push_back(std::move(line));
  }
  for (uint32_t atom : order)
    group_[atom] = nobody;
  std::sort(lines.begin(), lines.end());
  std::vector<uint64_t> text;
  for (uint32_t atom : order)
    text.push_back(colour_[atom]);
  for (const auto &line : lines)
    text.insert(text.end(), line.begin(), line.end());
  return text;
}

} // namespace understudy::compose

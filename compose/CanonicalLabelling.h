// SPDX-License-Identifier: Apache-2.0
//
// Given atoms without names and facts about them, an order of the atoms that depends on the facts
// alone: two structures that differ only in the names of their atoms are written alike once their
// atoms are taken in this order.
//
// Idea: colour refinement. A colour is a hash of what is known of an atom; in every round it takes
// in the colours of the atoms that share a fact with it, until the number of colours stays. Most
// structures of threads then have a colour for each atom, and the order is that of the colours.
// What is left falls into components (atoms without a colour of their own that share facts), each
// of which is labelled apart. In a component that is a tree all atoms of one colour are images of
// each other, so one of them may be told apart and the rest refined again; in others every atom of
// the smallest colour class is tried, and the least way to write the component wins.
//
// Labels are hashed, too, but atoms are called alike only after the labels themselves were
// compared: those of one hash get one of their own each. Any order is sound for a search: equal
// texts are equal structures up to names. A collision of colours and the limit on work can only
// make two texts differ that could have been equal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace understudy::compose {

class CanonicalLabelling {
public:
  /// Forgets everything; atoms are 0 .. atoms - 1.
  void begin(uint32_t atoms);
  /// Facts form a multiset: one that is told twice counts twice. A label is a sequence.
  void fact(std::span<const uint64_t> label, std::span<const uint32_t> atoms);

  /// The atoms in canonical order. Valid until the next `begin`.
  const std::vector<uint32_t> &run();
  /// False: the last run reached the limit on work, so its order may depend on the names.
  bool complete() const { return complete_; }

private:
  struct Component;
  using Atoms = std::vector<uint32_t>;
  using Facts = std::vector<uint32_t>;
  static constexpr uint64_t maxWork = 1'000'000; ///< facts looked at

  std::vector<uint64_t> words_;    ///< of the labels
  std::vector<uint32_t> wordEnds_; ///< of the labels, in `words_`
  std::vector<uint64_t> labels_;   ///< hashes
  std::vector<uint32_t> ends_;     ///< of the facts, in `members_`
  std::vector<uint32_t> members_;
  std::vector<uint64_t> colour_; ///< by atom
  std::vector<uint64_t> next_;   ///< scratch: colours
  std::vector<uint64_t> sorted_; ///< scratch: colours
  std::vector<uint32_t> group_;  ///< scratch: union-find
  Atoms atoms_;
  Facts facts_;
  Atoms order_;
  uint64_t work_ = 0;
  bool complete_ = true;

  std::span<const uint32_t> membersOf(uint32_t fact) const;
  std::span<const uint64_t> labelOf(uint32_t fact) const;
  /// Gives labels of one hash different ones; false if there are none.
  bool separateLabels();
  size_t colours(const Atoms &atoms);
  void refine(const Atoms &atoms, const Facts &facts);
  /// The atoms in order, given stable colours.
  Atoms arranged(Atoms atoms, const Facts &facts);
  std::vector<Component> componentsOf(const Atoms &open, const Facts &facts);
  uint32_t root(uint32_t atom);
  void label(Component &component);
  Atoms smallestClass(const Atoms &atoms) const;
  std::vector<uint64_t> textOf(const Atoms &order, const Facts &facts);
};

} // namespace understudy::compose

// SPDX-License-Identifier: Apache-2.0
//
// Thread nets (t-nets): coloured nets whose tokens belong to threads, which create threads. After
// Klaudel, Koutny, Pelz, Pommereau, "Towards efficient verification of systems with dynamic process
// creation", section 3. Data only; `Literal.h` is the meaning, `Explore.h` the search.
//
// What the paper leaves open is decided so: arcs are multisets, so that a transition that takes two
// tokens which its binding makes equal needs two; a thread that ends gives its generator token
// away, whether it spawned or not; a token that does not fit the type of its place blocks the
// transition.
#pragma once

#include "logic/Source.h"
#include "logic/Term.h"

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::compose::tnet {

using logic::Term;
using logic::Variable;

using PlaceId = uint32_t;

/// Of thread ids; equality is always there.
enum class Relation : uint8_t {
  Parent,   ///< the first spawned the second
  Ancestor, ///< the transitive closure of Parent
  Next,     ///< siblings, the second spawned immediately after the first
  Elder,    ///< siblings, the second spawned after the first
};
inline constexpr Relation allRelations[] = {Relation::Parent, Relation::Ancestor, Relation::Next,
                                            Relation::Elder};
/// "parent", "ancestor", "next", "elder": as in files.
std::string word(Relation relation);

class Relations {
public:
  void add(Relation relation) { bits_ |= bit(relation); }
  bool has(Relation relation) const { return (bits_ & bit(relation)) != 0; }
  bool includes(Relations other) const { return (other.bits_ & ~bits_) == 0; }
  bool operator==(const Relations &) const = default;

private:
  unsigned bits_ = 0;
  static unsigned bit(Relation relation) { return 1u << static_cast<unsigned>(relation); }
};

/// "parent, next", or "none".
std::string text(Relations relations);

struct Column {
  bool isPid = false;
  logic::Sort sort{}; ///< of data
};

/// The first column holds the id of the thread that owns the token.
struct Place {
  std::string name;
  bool isControl = false; ///< every thread has exactly one token in these
  bool isFinal = false;   ///< threads may rest here
  std::vector<Column> columns;
};

/// Tokens taken from a place or put there. A field of a pid column is a variable.
struct Arc {
  PlaceId place = 0;
  std::vector<Term> fields;
};

/// `answer`, of sort Bool, stands in the guard for the relation of two variables.
struct Asked {
  Relation relation = Relation::Parent;
  Variable first, second;
  Variable answer;
};

/// What must be there: tokens that match, and a condition. Variables get their values from the
/// tokens; a variable that occurs twice has one value.
struct Pattern {
  std::vector<Variable> pids;
  std::vector<Variable> data;
  std::vector<Arc> takes;
  std::vector<Asked> asked;
  Term guard; ///< over data, answers, and equations of pids (which have the sort `Net::pidSort`)
};

struct Spawn {
  Variable child;
  Variable parent; ///< a thread that the transition takes a control-flow token of
};

struct Transition {
  std::string name;
  Pattern pattern;
  std::vector<Spawn> spawns; ///< in the order in which the children get their ids
  std::vector<Variable> ends;
  std::vector<Arc> gives;
  logic::SourceRange range;
};

struct Question {
  enum class Kind : uint8_t { Reach, Never };
  Kind kind = Kind::Reach;
  std::string name;
  Pattern pattern;
  logic::SourceRange range;
};

struct Net {
  logic::TermPoolPtr pool;
  logic::Sort pidSort;
  std::vector<Place> places;
  std::vector<Transition> transitions;
  std::vector<Question> questions;
  PlaceId start = 0;
  Relations relations; ///< that tell states apart; all that guards ask for are among them
};

} // namespace understudy::compose::tnet

// SPDX-License-Identifier: Apache-2.0
//
// What a certificate says in favour of a program, as it is read from a file: formulas are SMT-LIB
// text and nothing in it is believed. Data only; the checks compute what must hold from the
// program.
#pragma once

#include "compose/Reached.h"
#include "compose/cover/net/TransferNet.h"
#include "compose/proof/CountingProof.h"
#include "compose/proof/OwickiGries.h"
#include "compose/sequential/Sequential.h"
#include "compose/tnet/NetProof.h"

#include <string>
#include <variant>
#include <vector>

namespace understudy::compose::proof {

/// `CountingProof` with formulas as text, over the symbols of its parameters (`smtSymbol`).
struct CountingEvidence {
  struct At {
    std::vector<LocationId> control;
    std::string formula;
  };
  struct Group {
    TemplateId thread = 0;
    LocationId location = 0;
    std::vector<logic::Value> locals;
  };
  std::vector<TemplateId> singles;
  std::vector<Group> crowds; ///< their counts are named by `countVariables`
  std::vector<At> invariants;
};

/// `SequentialResult::invariants`: over the globals and locals of the thread.
struct SequentialEvidence {
  struct At {
    LocationId location = 0;
    std::string formula;
  };
  std::vector<At> invariants;
};

using ExplicitEvidence = ReachedStates;

/// `cover::CoverProof`, about the net that the program is (`cover::ProgramNet`) or a net in a file.
struct CoverEvidence {
  std::vector<cover::net::Configuration> elements;
};

/// Of a net with dynamic process creation.
using NetEvidence = tnet::NetProof;

/// `OwickiGries` with formulas as text, over the symbols of variables and ghosts (`smtSymbol`).
struct OwickiGriesEvidence {
  struct Ghost {
    std::string name;
    std::string sort; ///< "Int" or "Bool"
    std::string initial;
  };
  struct At {
    Slot slot;
    std::optional<LocationId> location;
    std::string formula;
  };
  struct Update {
    Slot mover;
    EdgeId edge = 0;
    std::vector<OwickiGries::Other> others;
    std::vector<std::pair<std::string, std::string>> assign;
  };
  std::vector<uint32_t> slots;
  std::vector<Ghost> ghosts;
  std::vector<At> assertions;
  std::vector<Update> updates;
};

using Evidence = std::variant<CountingEvidence, SequentialEvidence, ExplicitEvidence, CoverEvidence,
                              OwickiGriesEvidence, NetEvidence>;

/// In the order of `Evidence`.
enum class EvidenceKind : uint8_t { Counting, Sequential, Explicit, Cover, OwickiGries, Net };

EvidenceKind kindOf(const Evidence &evidence);
inline constexpr EvidenceKind evidenceKinds[] = {
    EvidenceKind::Counting, EvidenceKind::Sequential,  EvidenceKind::Explicit,
    EvidenceKind::Cover,    EvidenceKind::OwickiGries, EvidenceKind::Net};

/// As in certificates: "counting", "sequential", "explicit", "cover", "owicki-gries", "net".
std::string word(EvidenceKind kind);

/// The counts of the crowds, in their order: of sort Int, named after what they count.
/// Precondition: templates and locations exist.
std::vector<Variable> countVariables(const Program &program,
                                     const std::vector<CountingEvidence::Group> &crowds);

CountingEvidence evidenceOf(const Program &program, const CountingProof &proof);
/// Locations out of reach get the invariant `false`.
SequentialEvidence evidenceOf(const sequential::SequentialResult &proof);

} // namespace understudy::compose::proof

// SPDX-License-Identifier: Apache-2.0
//
// Problem: a proof by interleavings is exponential in the program; the annotation should be as
// small as the argument. Idea: keep of each law what is needed (`Needed`), join places and markings
// that do not differ in it (`Empire`), tell each thread what it must know (`Focus`), give each
// thread a ghost of its own (`phases`), and then make values of ghosts one, and forget ghosts,
// wherever the annotation stays valid. Invariant: every annotation that is kept was checked as a
// whole; merging has no theorem behind it. What the paper calls naive is the baseline that is never
// exceeded.
#include "compose/empire/Annotate.h"

#include "compose/empire/Empire.h"
#include "compose/empire/Focus.h"
#include "compose/empire/GhostStates.h"
#include "compose/empire/Needed.h"
#include "compose/empire/Sizes.h"
#include "compose/empire/Validity.h"
#include "logic/Error.h"

#include <algorithm>

namespace understudy::compose::empire {

namespace {

using proof::OwickiGries;

class Annotator {
public:
  Annotator(const Program &program, const petri::PetriProgram &petri, Budget &budget,
            const AnnotateOptions &options)
      : program_(program), petri_(petri), budget_(budget), options_(options),
        validity_(program, budget, options.maxTriples, options.maxQueries) {
    for (const petri::TransitionMeaning &transition : petri.transitions)
      labels_.push_back(&transition.label);
  }

  Annotated run(const std::vector<refine::InvariantDomain> &domains) {
    using Effort = AnnotateOptions::Effort;
    const double begin = budget_.seconds();
    budget_.report("annotation");
    Configurations configurations =
        configurationsOf(petri_.net, domains, options_.maxConfigurations, budget_);
    AnnotateStatistics &statistics = result_.statistics;
    statistics.places = petri_.net.places;
    statistics.transitions = petri_.net.transitions.size();
    statistics.markings = configurations.markings();
    statistics.configurations = configurations.all.size();
    statistics.naiveSize = naiveSize(petri_.net, configurations);
    if (options_.effort == Effort::Naive)
      take(annotationOf(program_, naive(program_, petri_, configurations)).value());
    else if (options_.effort == Effort::Saturated)
      saturate(configurations);
    else
      reduce(std::move(configurations));
    statistics.queries = validity_.queries();
    statistics.seconds = budget_.seconds() - begin;
    return std::move(result_);
  }

private:
  const Program &program_;
  const petri::PetriProgram &petri_;
  Budget &budget_;
  const AnnotateOptions &options_;
  Validity validity_;
  std::vector<const petri::Label *> labels_;
  Annotated result_;

  void take(OwickiGries annotation) {
    result_.statistics.size = sizeOf(annotation);
    result_.statistics.ghosts = annotation.ghosts.size();
    result_.statistics.updates = annotation.updates.size();
    proof::OwickiGriesCheck(program_, annotation).each([&](const proof::TripleGroup &group) {
      result_.statistics.obligations += group.triples.size();
      return true;
    });
    result_.annotation = std::move(annotation);
  }

  bool carries(PlaceId place) const { return isSlotPlace(petri_.places[place]); }

  /// The paper's construction, without a focus.
  void saturate(const Configurations &configurations) {
    const auto laws = lawsOf(configurations);
    const Empire empire =
        empireOf(petri_.net, configurations, *laws, Growth::Saturated, options_.maxStates, budget_);
    result_.statistics.states = empire.states.size();
    const Focus focus = trivialFocus(empire, [&](PlaceId place) { return carries(place); });
    take(
        annotationOf(program_, imperial(program_, petri_, empire, focus, configurations.predicates))
            .value());
  }

  void reduce(Configurations configurations) {
    std::optional<OwickiGries> baseline;
    try {
      if (result_.statistics.markings <= options_.maxNaive)
        baseline = annotationOf(program_, naive(program_, petri_, configurations));
    } catch (const logic::Unsupported &) {
      // Threads that choose where they begin have no naive annotation.
    }
    Cores cores(labels_, configurations.predicates, *program_.pool, budget_);
    keepNeeded(configurations, cores, budget_);
    const auto laws = neededLaws(configurations, cores, budget_);
    const Empire empire =
        empireOf(petri_.net, configurations, *laws, Growth::Saturated, options_.maxStates, budget_);
    result_.statistics.states = empire.states.size();
    budget_.report("annotation, " + std::to_string(empire.states.size()) + " ghost states");
    std::optional<GhostStates> best;
    std::optional<OwickiGries> smallest;
    for (Preference preference : {Preference::First, Preference::Last}) {
      const Focus focus = focusOf(
          petri_.net, empire, cores, preference, [&](PlaceId place) { return carries(place); },
          budget_);
      for (auto *make : {&phases, &imperial}) {
        GhostStates states = make(program_, petri_, empire, focus, configurations.predicates);
        auto annotation = annotationOf(program_, states);
        if (annotation && (!smallest || sizeOf(*annotation) < sizeOf(*smallest))) {
          best = std::move(states);
          smallest = std::move(annotation);
        }
      }
    }
    if (options_.effort == AnnotateOptions::Effort::Merged)
      smallest = merge(std::move(*best), std::move(*smallest));
    if (baseline && (!smallest || sizeOf(*baseline) < sizeOf(*smallest)) &&
        validity_.holds(*baseline))
      smallest = std::move(baseline);
    if (!smallest)
      throw logic::Unsupported("the annotation that was made is not valid");
    take(std::move(*smallest));
  }

  /// The change is kept if the annotation is valid and not larger.
  bool tryChange(GhostStates &states, OwickiGries &annotation, GhostStates changed) {
    if (!validity_.hasLeft())
      return false;
    auto made = annotationOf(program_, changed);
    if (!made || sizeOf(*made) > sizeOf(annotation) || !validity_.holds(*made))
      return false;
    states = std::move(changed);
    annotation = std::move(*made);
    return true;
  }

  /// None: not even the first one is valid.
  std::optional<OwickiGries> merge(GhostStates states, OwickiGries annotation) {
    GhostStates loose = states;
    for (const auto &[place, cases] : states.at)
      loose.loose.insert(place);
    const bool allLoose = tryChange(states, annotation, loose);
    if (!allLoose && !validity_.holds(annotation)) {
      states.complement = loose.complement = GhostStates::Complement::Unused;
      auto exact = annotationOf(program_, states);
      if (!exact || !validity_.holds(*exact))
        return std::nullopt;
      annotation = std::move(*exact);
    }
    forgetGhosts(states, annotation);
    mergeValues(states, annotation);
    if (!allLoose)
      for (const auto &[place, cases] : loose.at) {
        GhostStates changed = states;
        changed.loose.insert(place);
        tryChange(states, annotation, std::move(changed));
      }
    forgetGhosts(states, annotation);
    return annotation;
  }

  void forgetGhosts(GhostStates &states, OwickiGries &annotation) {
    for (size_t ghost = 0; ghost < states.ghosts.size(); ++ghost) {
      GhostStates changed = states;
      for (auto &values : changed.values)
        values[ghost] = 0;
      if (valuesOf(states, ghost).size() > 1)
        tryChange(states, annotation, std::move(changed));
    }
  }

  void mergeValues(GhostStates &states, OwickiGries &annotation) {
    for (size_t ghost = 0; ghost < states.ghosts.size(); ++ghost) {
      const std::set<uint32_t> values = valuesOf(states, ghost);
      for (uint32_t keep : values)
        for (uint32_t drop : values) {
          const std::set<uint32_t> now = valuesOf(states, ghost);
          if (keep < drop && now.contains(keep) && now.contains(drop) && now.size() > 2)
            tryChange(states, annotation, merged(states, ghost, keep, drop));
        }
    }
  }
};

} // namespace

Annotated annotate(const Program &program, const petri::PetriProgram &petri,
                   const std::vector<refine::InvariantDomain> &domains, Budget &budget,
                   const AnnotateOptions &options) {
  try {
    return Annotator(program, petri, budget, options).run(domains);
  } catch (const proof::InvalidEvidence &fault) {
    throw logic::Unsupported(std::string("the annotation does not fit the program: ") +
                             fault.what());
  }
}

} // namespace understudy::compose::empire

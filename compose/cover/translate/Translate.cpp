// SPDX-License-Identifier: Apache-2.0
//
// The problem: a program with forks, joins, condition variables and claims about two threads is to
// become a net whose targets can be covered exactly if the program goes wrong. The idea (sections
// 2.2 and 2.3 and Figure 5 of the widening paper): a shared state is a valuation of the globals, a
// local state is a template, a location and a valuation of the locals; an edge becomes a transition
// for each shared and local state in which it can be taken.
//
// - fork is a spawn, broadcast moves all that wait, signal moves one that waits or nobody; join
//   consumes a thread that has ended, which the paper does not have;
// - what goes wrong in a step (an error edge, a broken rely) is a target about the configuration
//   before the step; so no state is needed for "has gone wrong";
// - threads that exist exactly once are part of the shared state (as the paper's section 2 says of
//   a constant number of threads). A signal then wakes one of them, or one of the others; only if
//   none of them waits it may find nobody.
//
// Invariant: each transition is a step of the program for each configuration that it is enabled in,
// and each step from a configuration that can be reached is one of them. The states are found on
// the fly by a thread-modular closure (`Closure`), which contains all pairs that occur and more;
// more pairs mean transitions that are never enabled.
#include "compose/cover/translate/Translate.h"

#include "compose/counting/CountingModel.h"
#include "compose/cover/translate/TranslateParts.h"
#include "logic/Error.h"
#include "logic/Words.h"

#include <algorithm>

namespace understudy::compose::cover::translate {

namespace {

std::string valuesText(const std::vector<Variable> &variables, const std::vector<Value> &values) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < variables.size(); ++i)
    parts.push_back(variables[i].name() + " = " + logic::valueText(values[i], variables[i].sort()));
  return logic::joined(parts);
}

std::string threadText(const Program &program, const Thread &thread) {
  const Template &type = program.templates[thread.thread];
  std::string text = type.name + "." + type.locations[thread.location].name;
  if (thread.id)
    text += " #" + std::to_string(*thread.id);
  return thread.locals.empty() ? text : text + " " + valuesText(type.locals, thread.locals);
}

std::vector<TemplateId> followed(const Program &program, TranslateOptions::Singles singles) {
  return singles == TranslateOptions::Singles::InSharedState ? counting::singleTemplates(program)
                                                             : std::vector<TemplateId>{};
}

bool isFinite(logic::Sort sort) {
  if (sort.isArray())
    return sort.arraySize() && isFinite(sort.element());
  return sort.kind() != logic::SortKind::Int;
}

bool areFinite(const std::vector<Variable> &variables) {
  return std::all_of(variables.begin(), variables.end(),
                     [](Variable v) { return isFinite(v.sort()); });
}

TranslateOptions withRoomFor(const Program &program, TranslateOptions options) {
  constexpr uint64_t fewShared = 2'000;
  constexpr uint64_t fewPairs = 20'000;
  if (hasFiniteData(program))
    return options;
  options.maxShared = std::min(options.maxShared, fewShared);
  options.maxPairs = std::min(options.maxPairs, fewPairs);
  return options;
}

} // namespace

void put(net::Threads &threads, net::LocalState local, uint32_t count) {
  auto at = std::lower_bound(
      threads.begin(), threads.end(), local,
      [](const net::Group &g, net::LocalState wanted) { return g.local < wanted; });
  if (at != threads.end() && at->local == local)
    at->count += count;
  else
    threads.insert(at, {local, count});
}

bool hasFiniteData(const Program &program) {
  return areFinite(program.globals) &&
         std::all_of(program.templates.begin(), program.templates.end(),
                     [](const Template &thread) { return areFinite(thread.locals); });
}

ProgramNet::ProgramNet(const Program &program, const TranslateOptions &given)
    : program_(program), model_(std::make_unique<exploration::ExplicitModel>(program)),
      singles_(followed(program, given.singles)), sharedTuples_(1 + singles_.size()) {
  const TranslateOptions options = withRoomFor(program, given);
  Closure closure(*this, options);
  Starts(*this, closure, options).run();
  closure.run();
  Emitter(*this, closure, options).run();
  problem_.net.sharedStates = sharedTuples_.size();
  problem_.net.localStates = static_cast<uint32_t>(locals_.size());
  nameStates();
}

SharedMeaning ProgramNet::shared(net::SharedState state) const {
  auto tuple = sharedTuples_.tuple(state);
  SharedMeaning meaning{static_cast<exploration::GlobalId>(tuple[0]), {}};
  for (size_t i = 1; i < tuple.size(); ++i)
    meaning.singles.push_back(static_cast<exploration::LocalId>(tuple[i]));
  return meaning;
}

net::SharedState ProgramNet::numberOf(const SharedMeaning &meaning) {
  std::vector<int64_t> tuple{meaning.global};
  tuple.insert(tuple.end(), meaning.singles.begin(), meaning.singles.end());
  return sharedTuples_.number(tuple);
}

net::LocalState ProgramNet::numberOf(exploration::LocalId local) {
  auto [entry, isNew] = localNumbers_.emplace(local, static_cast<net::LocalState>(locals_.size()));
  if (isNew)
    locals_.push_back(local);
  return entry->second;
}

void ProgramNet::nameStates() {
  for (net::SharedState s = 0; s < sharedTuples_.size(); ++s) {
    SharedMeaning meaning = shared(s);
    std::string name = valuesText(program_.globals, model_->globalValues(meaning.global));
    for (exploration::LocalId single : meaning.singles)
      name += (name.empty() ? "" : "; ") + threadText(program_, model_->threadOf(single));
    problem_.net.sharedNames.push_back(std::move(name));
  }
  for (exploration::LocalId local : locals_)
    problem_.net.localNames.push_back(threadText(program_, model_->threadOf(local)));
}

// ---- starts

void ProgramNet::Starts::run() {
  for (exploration::GlobalId global : net_.model_->startGlobals())
    addFor(global);
}

bool ProgramNet::Starts::isSingle(TemplateId thread) const {
  return std::find(net_.singles_.begin(), net_.singles_.end(), thread) != net_.singles_.end();
}

std::vector<SharedMeaning> ProgramNet::Starts::withSingles(exploration::GlobalId global) const {
  std::vector<SharedMeaning> all{{global, {}}};
  for (TemplateId single : net_.singles_) {
    std::vector<SharedMeaning> more;
    for (const SharedMeaning &meaning : all)
      for (exploration::LocalId local : net_.model_->startLocals(single, global)) {
        more.push_back(meaning);
        more.back().singles.push_back(local);
      }
    all = std::move(more);
    if (all.size() > options_.maxStarts)
      throw logic::Unsupported("more than " + std::to_string(options_.maxStarts) +
                               " initial configurations");
  }
  return all;
}

void ProgramNet::Starts::addFor(exploration::GlobalId global) {
  std::set<net::Threads> fixed{{}};
  std::set<net::LocalState> any;
  for (const Start &start : net_.program_.starts) {
    if (isSingle(start.thread))
      continue;
    std::vector<exploration::LocalId> locals = net_.model_->startLocals(start.thread, global);
    for (exploration::LocalId local : locals)
      if (start.unbounded)
        any.insert(net_.numberOf(local));
    for (uint32_t i = 0; i < start.count; ++i) {
      std::set<net::Threads> larger;
      for (const net::Threads &threads : fixed)
        for (exploration::LocalId local : locals) {
          net::Threads more = threads;
          put(more, net_.numberOf(local));
          larger.insert(std::move(more));
        }
      fixed = std::move(larger);
      if (fixed.size() > options_.maxStarts)
        throw logic::Unsupported("more than " + std::to_string(options_.maxStarts) +
                                 " initial configurations");
    }
  }
  if (fixed.empty())
    return;
  for (const SharedMeaning &meaning : withSingles(global)) {
    net::SharedState shared = net_.numberOf(meaning);
    closure_.addShared(shared);
    for (const net::Threads &threads : fixed) {
      net_.problem_.net.starts.push_back({shared, threads, {any.begin(), any.end()}});
      for (const net::Group &group : threads)
        closure_.addPair(shared, net_.locals_[group.local]);
    }
    for (net::LocalState local : any)
      closure_.addPair(shared, net_.locals_[local]);
  }
  if (net_.problem_.net.starts.size() > options_.maxStarts)
    throw logic::Unsupported("more than " + std::to_string(options_.maxStarts) +
                             " initial configurations");
}

} // namespace understudy::compose::cover::translate

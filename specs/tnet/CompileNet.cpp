// SPDX-License-Identifier: Apache-2.0
#include "specs/tnet/CompileNet.h"

#include "logic/Words.h"
#include "specs/tnet/NetUnit.h"

#include <algorithm>

namespace understudy::specs::tnet {

using compose::tnet::Place;
using compose::tnet::PlaceId;
using compose::tnet::Relation;

const Place *NetUnit::place(const syntax::Name &name, PlaceId &id) {
  auto found = places.find(name.text);
  if (found != places.end()) {
    id = found->second;
    return broken.contains(name.text) ? nullptr : &net.places[id];
  }
  std::vector<std::string> names;
  for (const auto &[known, number] : places)
    names.push_back(known);
  reporter().error(name.range, "unknown place '" + name.text + "'",
                   logic::didYouMean(name.text, names));
  return nullptr;
}

namespace {

class Compiler {
public:
  Compiler(const syntax::NetFile &file, const NetOptions &options)
      : file_(file), options_(options) {
    unit_.net.pool = unit_.unit.program.pool;
    unit_.net.pidSort = unit_.pool().enumSort(check::pidName, {{"1", 1}});
    unit_.declared = options.relations;
  }

  compose::tnet::Net run() {
    each<syntax::NetConst, syntax::EnumDecl>();
    refuseUnknownSet();
    each<syntax::PlacesItem>();
    each<syntax::StartPlace, syntax::FinalPlaces, syntax::RelationsItem>();
    if (!started_)
      unit_.reporter().error(firstLine(), "the net has no start",
                             "say in which place the first thread begins: 'start PLACE;'");
    each<syntax::TransitionItem, syntax::QuestionItem>();
    unit_.reporter().throwIfFailed();
    unit_.net.relations = unit_.declared.value_or(unit_.used);
    return std::move(unit_.net);
  }

private:
  const syntax::NetFile &file_;
  const NetOptions &options_;
  NetUnit unit_;
  std::set<std::string> constants_;
  std::map<std::string, logic::SourceRange> transitions_, questions_;
  std::optional<logic::SourceRange> started_, related_;

  template <typename... Items>
  void each() {
    for (const syntax::NetItem &item : file_.items)
      std::visit(
          [&](const auto &node) {
            if constexpr ((std::is_same_v<std::decay_t<decltype(node)>, Items> || ...))
              add(node);
          },
          item);
  }

  logic::SourceRange firstLine() const { return {file_.file, {1, 1}, {1, 1}}; }

  void add(const syntax::EnumDecl &item) { check::declareEnum(unit_.unit, item); }

  void add(const syntax::NetConst &item) {
    auto sort = check::resolveType(unit_.unit, item.type);
    for (const syntax::Declarator &constant : item.constants) {
      check::Symbol symbol{.kind = check::SymbolKind::Constant,
                           .name = constant.name.text,
                           .range = constant.name.range};
      constants_.insert(symbol.name);
      if (!constant.initial)
        unit_.reporter().error(constant.name.range,
                               "the constant '" + symbol.name + "' has no value",
                               "write '" + symbol.name + " = 1'");
      else if (sort)
        symbol.term = valueOf(constant, *sort);
      symbol.broken = !symbol.term;
      unit_.unit.scope.declare(symbol, unit_.reporter());
    }
  }

  logic::Term valueOf(const syntax::Declarator &constant, logic::Sort sort) {
    logic::Term value = check::constantValue(unit_.unit, *constant.initial, sort);
    auto given = options_.set.find(constant.name.text);
    if (given == options_.set.end())
      return value;
    if (!sort.isInteger()) {
      unit_.reporter().error({}, "--set cannot change '" + constant.name.text + "'",
                             "it is " + check::sortClass(sort) + ", and --set takes integers");
      return {};
    }
    logic::Term set = unit_.pool().integer(given->second);
    if (check::provablyInSort(set, sort))
      return set;
    unit_.reporter().error(
        {}, "invalid value " + std::to_string(given->second) + " for --set " + constant.name.text,
        "it lies between " + std::to_string(sort.lower()) + " and " + std::to_string(sort.upper()));
    return {};
  }

  void refuseUnknownSet() {
    for (const auto &[name, value] : options_.set)
      if (!constants_.contains(name))
        unit_.reporter().error({}, "the net has no constant '" + name + "' for --set",
                               logic::didYouMean(name, {constants_.begin(), constants_.end()}));
  }

  void add(const syntax::PlacesItem &item) {
    for (const syntax::PlaceDecl &declared : item.places) {
      Place place{declared.name.text, !item.isData, false, {}};
      bool sound = true;
      if (place.isControl)
        place.columns.push_back({true, {}});
      for (const syntax::ColumnDecl &column : declared.columns) {
        if (column.isPid) {
          place.columns.push_back({true, {}});
          continue;
        }
        auto sort = check::resolveType(unit_.unit, column.type);
        sound = sound && sort;
        place.columns.push_back({false, sort.value_or(logic::Sort{})});
      }
      if (item.isData && (declared.columns.empty() || !declared.columns.front().isPid)) {
        sound = false;
        unit_.reporter().error(
            declared.columns.empty() ? declared.range : declared.columns.front().range,
            "a data place begins with a pid column",
            "its first column names the thread that a token belongs to: 'data " + place.name +
                "(pid" + (declared.columns.empty() ? "" : ", …") + ")'");
      }
      declare(declared.name, std::move(place), sound);
    }
  }

  void declare(const syntax::Name &name, Place place, bool sound) {
    if (auto other = unit_.placeRanges.find(name.text); other != unit_.placeRanges.end()) {
      unit_.reporter().error(name.range,
                             "the place '" + name.text + "' is already declared on line " +
                                 std::to_string(other->second.begin.line),
                             "choose another name");
      return;
    }
    unit_.placeRanges.emplace(name.text, name.range);
    unit_.places.emplace(name.text, static_cast<PlaceId>(unit_.net.places.size()));
    if (!sound)
      unit_.broken.insert(name.text);
    unit_.net.places.push_back(std::move(place));
  }

  void add(const syntax::StartPlace &item) {
    if (started_)
      unit_.reporter().error(
          item.range, "a second start",
          "a net begins with one thread in one place; the first start is on line " +
              std::to_string(started_->begin.line));
    else
      started_ = item.range;
    const Place *place = unit_.place(item.place, unit_.net.start);
    if (!place)
      return;
    if (!place->isControl)
      unit_.reporter().error(item.place.range,
                             "a thread cannot start in the data place '" + item.place.text + "'");
    else if (place->columns.size() > 1)
      unit_.reporter().error(item.place.range,
                             "the start '" + item.place.text + "' has columns besides the thread",
                             "start in a place without columns, and let a transition fill them");
  }

  void add(const syntax::FinalPlaces &item) {
    for (const syntax::Name &name : item.places) {
      PlaceId id = 0;
      const Place *place = unit_.place(name, id);
      if (!place)
        continue;
      if (!place->isControl)
        unit_.reporter().error(name.range, "no thread rests in the data place '" + name.text + "'");
      else if (place->isFinal)
        unit_.reporter().error(name.range, "the place '" + name.text + "' is listed twice");
      unit_.net.places[id].isFinal = true;
    }
  }

  void add(const syntax::RelationsItem &item) {
    if (related_)
      unit_.reporter().error(item.range, "relations are listed twice",
                             "the first list is on line " + std::to_string(related_->begin.line));
    else
      related_ = item.range;
    compose::tnet::Relations listed;
    for (const syntax::Name &name : item.relations) {
      std::vector<std::string> words;
      bool known = false;
      for (Relation relation : compose::tnet::allRelations) {
        words.push_back(word(relation));
        if (name.text != words.back())
          continue;
        if (listed.has(relation))
          unit_.reporter().error(name.range, "the relation '" + name.text + "' is listed twice");
        listed.add(relation);
        known = true;
      }
      if (!known)
        unit_.reporter().error(name.range, "unknown relation '" + name.text + "'",
                               logic::suggestion(name.text, words, "relations"));
    }
    if (!options_.relations)
      unit_.declared = listed;
  }

  /// False, with a report, if another one has the name.
  bool isNew(const syntax::Name &name, const std::string &what,
             std::map<std::string, logic::SourceRange> &known) {
    auto [entry, fresh] = known.emplace(name.text, name.range);
    if (!fresh)
      unit_.reporter().error(name.range,
                             "the " + what + " '" + name.text + "' is already declared on line " +
                                 std::to_string(entry->second.begin.line),
                             "choose another name");
    return fresh;
  }

  void add(const syntax::TransitionItem &item) {
    isNew(item.name, "transition", transitions_);
    PatternBuilder builder(unit_, item.name.text, PatternBuilder::For::Transition);
    compose::tnet::Transition transition;
    transition.name = item.name.text;
    transition.range = item.range;
    transition.pattern = builder.takes(item.takes, item.guard);
    builder.gives(item.gives, transition);
    builder.finish();
    unit_.net.transitions.push_back(std::move(transition));
  }

  void add(const syntax::QuestionItem &item) {
    using compose::tnet::Question;
    isNew(item.name, "question", questions_);
    PatternBuilder builder(unit_, item.name.text, PatternBuilder::For::Question);
    unit_.net.questions.push_back({item.never ? Question::Kind::Never : Question::Kind::Reach,
                                   item.name.text, builder.takes(item.tokens, item.guard),
                                   item.range});
  }
};

} // namespace

compose::tnet::Net compileNet(const syntax::NetFile &file, const NetOptions &options) {
  return Compiler(file, options).run();
}

} // namespace understudy::specs::tnet

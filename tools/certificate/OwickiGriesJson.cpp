// SPDX-License-Identifier: Apache-2.0
#include "tools/certificate/OwickiGriesJson.h"

namespace understudy::tools::certificate {

using compose::proof::OwickiGries;
using compose::proof::OwickiGriesEvidence;
using compose::proof::Slot;

namespace {

constexpr uint32_t mostSlots = 1000; ///< of one template

Slot readSlot(const Reader &json) {
  return {json["thread"].index(), json["number"].index(mostSlots)};
}

OwickiGriesEvidence::Update readUpdate(const Reader &json) {
  json.require({"thread", "number", "edge", "others", "assign"});
  OwickiGriesEvidence::Update update{readSlot(json), json["edge"].index(), {}, {}};
  for (const Reader &other : json["others"].list()) {
    other.require({"thread", "number", "location"});
    update.others.push_back({readSlot(other), other["location"].index()});
  }
  if (!json["assign"].json().is_object())
    json["assign"].refuse("an object");
  for (const auto &[ghost, value] : json["assign"].json().items())
    update.assign.emplace_back(ghost, json["assign"][ghost].text());
  return update;
}

} // namespace

report::Json owickiGriesJson(const OwickiGriesEvidence &evidence) {
  report::Json ghosts = report::Json::array(), assertions = report::Json::array(),
               updates = report::Json::array();
  for (const OwickiGriesEvidence::Ghost &ghost : evidence.ghosts)
    ghosts.push_back({{"name", ghost.name}, {"sort", ghost.sort}, {"initial", ghost.initial}});
  for (const OwickiGriesEvidence::At &at : evidence.assertions)
    assertions.push_back({{"thread", at.slot.thread},
                          {"number", at.slot.number},
                          {"location", at.location ? report::Json(*at.location) : report::Json()},
                          {"formula", at.formula}});
  for (const OwickiGriesEvidence::Update &update : evidence.updates) {
    report::Json others = report::Json::array(), assign = report::Json::object();
    for (const OwickiGries::Other &other : update.others)
      others.push_back({{"thread", other.slot.thread},
                        {"number", other.slot.number},
                        {"location", other.location}});
    for (const auto &[ghost, value] : update.assign)
      assign[ghost] = value;
    updates.push_back({{"thread", update.mover.thread},
                       {"number", update.mover.number},
                       {"edge", update.edge},
                       {"others", others},
                       {"assign", assign}});
  }
  return {{"slots", evidence.slots},
          {"ghosts", ghosts},
          {"assertions", assertions},
          {"updates", updates}};
}

OwickiGriesEvidence readOwickiGriesJson(const Reader &proof) {
  proof.require({"slots", "ghosts", "assertions", "updates"});
  OwickiGriesEvidence result;
  for (const Reader &count : proof["slots"].list())
    result.slots.push_back(count.index(mostSlots));
  for (const Reader &ghost : proof["ghosts"].list()) {
    ghost.require({"name", "sort", "initial"});
    result.ghosts.push_back({ghost["name"].text(), ghost["sort"].text(), ghost["initial"].text()});
  }
  for (const Reader &at : proof["assertions"].list()) {
    at.require({"thread", "number", "location", "formula"});
    OwickiGriesEvidence::At read{readSlot(at), std::nullopt, at["formula"].text()};
    if (!at["location"].json().is_null())
      read.location = at["location"].index();
    result.assertions.push_back(std::move(read));
  }
  for (const Reader &update : proof["updates"].list())
    result.updates.push_back(readUpdate(update));
  return result;
}

} // namespace understudy::tools::certificate

// SPDX-License-Identifier: Apache-2.0
#include "tests/compose/tnet/RandomNet.h"

#include "tests/Support.h"

#include <vector>

namespace understudy::tests {
namespace {

using namespace compose::tnet;

class Writer {
public:
  Writer(uint64_t seed, Relations relations) : random_(seed) {
    for (Relation relation : allRelations)
      if (relations.has(relation))
        relations_.push_back(word(relation));
  }

  std::string run() {
    // Values as small as the numbers of places: they must not be taken for each other.
    places_ = {{"begin", ""}};
    for (const char *name : {"a", "b"})
      places_.push_back({name, random_.oneIn(2) ? "int 0..3" : ""});
    places_.push_back({"c", random_.oneIn(2) ? "pid" : ""});
    places_.push_back({"d", random_.oneIn(2) ? "int 0..1" : ""});
    notes_ = {{"x", "pid"}};
    if (random_.oneIn(2))
      notes_.push_back({"y", "pid, pid"});
    std::string text = "place ";
    for (const PlaceText &place : places_)
      text += (place.name == "begin" ? "" : ", ") + place.name + "(" + place.columns + ")";
    text += ";\ndata ";
    for (const PlaceText &place : notes_)
      text += (place.name == "x" ? "" : ", ") + place.name + "(" + place.columns + ")";
    text += ";\nstart begin;\n";
    const PlaceText &a = places_[1], &other = places_[1 + random_.below(2)];
    const PlaceText &last = places_[1 + random_.below(2)];
    text += "transition init: begin(p) -> a(new of p" + filled(a) + "), " + other.name +
            "(new of p" + filled(other) + "), " +
            (random_.oneIn(3) ? "end p" : last.name + "(p" + filled(last) + ")") + ";\n";
    for (size_t n = 3 + random_.below(3); n > 0; --n)
      text += transition("t" + std::to_string(n));
    return text;
  }

private:
  struct PlaceText {
    std::string name, columns;
  };
  Random random_;
  std::vector<std::string> relations_;
  std::vector<PlaceText> places_, notes_;
  std::vector<std::string> pids_, data_;

  std::string transition(const std::string &name) {
    pids_.clear();
    data_.clear();
    std::string takes, gives;
    std::vector<std::string> threads{"p"};
    if (random_.oneIn(2))
      threads.push_back("q");
    for (const std::string &thread : threads) {
      const PlaceText &place = places_[1 + random_.below(places_.size() - 1)];
      takes += (takes.empty() ? "" : ", ") + place.name + "(" + thread + bound(place, thread) + ")";
      pids_.push_back(thread);
    }
    if (random_.oneIn(3)) {
      const PlaceText &note = random_.pick(notes_);
      std::string owner = random_.oneIn(2) ? "p" : "o";
      takes += ", " + note.name + "(" + owner + (note.name == "y" ? ", u" : "") + ")";
      if (owner == "o")
        pids_.push_back("o");
      if (note.name == "y")
        pids_.push_back("u");
    }
    const std::string guard = condition();
    for (size_t n = random_.below(3); n > 0; --n) {
      std::string child = "n" + std::to_string(n);
      const PlaceText &place = places_[1 + random_.below(places_.size() - 1)];
      gives += (gives.empty() ? "" : ", ") + place.name + "(new " + child + " of " +
               random_.pick(threads) + filled(place) + ")";
      if (random_.oneIn(3))
        pids_.push_back(child);
    }
    for (const std::string &thread : threads) {
      const PlaceText &place = places_[1 + random_.below(places_.size() - 1)];
      gives +=
          (gives.empty() ? "" : ", ") +
          (random_.oneIn(3) ? "end " + thread : place.name + "(" + thread + filled(place) + ")");
    }
    if (random_.oneIn(2)) {
      const PlaceText &note = random_.pick(notes_);
      gives += ", " + note.name + "(" + random_.pick(pids_) +
               (note.name == "y" ? ", " + random_.pick(pids_) : "") + ")";
    }
    return "transition " + name + ": " + takes + " -> " + gives + guard + ";\n";
  }

  /// Variables for the columns of a token that is taken.
  std::string bound(const PlaceText &place, const std::string &thread) {
    if (place.columns.empty())
      return "";
    std::vector<std::string> &known = place.columns == "pid" ? pids_ : data_;
    if (!known.empty() && random_.oneIn(3))
      return ", " + random_.pick(known);
    known.push_back((place.columns == "pid" ? "of_" : "v_") + thread);
    return ", " + known.back();
  }

  std::string filled(const PlaceText &place) {
    if (place.columns.empty())
      return "";
    if (place.columns == "pid")
      return ", " + random_.pick(pids_);
    return ", " + (data_.empty() || random_.oneIn(2)
                       ? std::to_string(random_.below(place.columns == "int 0..1" ? 2 : 4))
                       : random_.pick(data_) + " + 1");
  }

  std::string condition() {
    if (pids_.size() < 2 || random_.oneIn(3))
      return "";
    const std::string &first = random_.pick(pids_), &second = random_.pick(pids_);
    std::string text = relations_.empty() || random_.oneIn(4)
                           ? first + " == " + second
                           : random_.pick(relations_) + "(" + first + ", " + second + ")";
    return " when " + (random_.oneIn(2) ? "!(" + text + ")" : text);
  }
};

} // namespace

std::string randomNet(uint64_t seed, Relations relations) { return Writer(seed, relations).run(); }

} // namespace understudy::tests

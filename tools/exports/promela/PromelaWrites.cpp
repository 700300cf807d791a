// SPDX-License-Identifier: Apache-2.0
#include "tools/exports/promela/PromelaWrites.h"

#include "logic/Error.h"

#include <algorithm>

namespace understudy::tools::exports::promela {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::Variable;

namespace {

std::string temporary(size_t index) {
  if (index >= PromelaNames::temporaries)
    throw logic::Unsupported("a step changes too much at once for the Promela export");
  return PromelaNames::temporary(index);
}

std::string anyValue(const std::string &place, Sort sort, const std::string &what) {
  if (sort.isBool())
    return "if :: " + place + " = false :: " + place + " = true fi; ";
  if (sort.isEnum()) {
    std::string text = "if";
    for (const logic::Enumerator &entry : sort.enumerators())
      text += " :: " + place + " = " + promelaNumber(entry.value);
    return text + " fi; ";
  }
  if (sort.kind() == logic::SortKind::Int)
    throw logic::Unsupported("Promela cannot choose an arbitrary integer for '" + what + "'");
  return "select (chosen : " + promelaNumber(sort.lower()) + " .. " + promelaNumber(sort.upper()) +
         "); " + place + " = chosen; ";
}

} // namespace

void PromelaWrites::noteReads(Term term) {
  for (const logic::VariableUse &use : logic::variablesOf(term))
    read_.push_back(use.variable);
}

void PromelaWrites::assign(Variable variable, const std::string &slot, Term value,
                           const std::string &readerSlot) {
  PromelaExpression expression(model_.scope(), readerSlot);
  if (variable.sort().isArray()) {
    assignArray(variable, slot, value, expression);
  } else {
    noteReads(value);
    writes_.push_back({model_.scope().place(variable, slot), "", expression(value),
                       farOf(variable.sort(), value)});
  }
  written_.push_back(variable);
}

void PromelaWrites::assignText(Variable variable, const std::string &slot,
                               const std::string &value) {
  writes_.push_back({model_.scope().place(variable, slot), "", value, Far::Never});
  written_.push_back(variable);
}

PromelaWrites::Far PromelaWrites::farOf(Sort sort, Term value) {
  if (sort.kind() != logic::SortKind::Int || !promelaMayLeave(value))
    return Far::Never;
  if (value.isConstant())
    throw logic::Unsupported("the number " + std::to_string(value.value()) +
                             " is too large for the Promela export of an unbounded integer");
  return Far::Perhaps;
}

void PromelaWrites::assignArray(Variable variable, const std::string &slot, Term value,
                                const PromelaExpression &expression) {
  int64_t size = promelaSize(variable.sort(), variable.name());
  std::string base = variable.scope().empty() ? "" : slot + " * " + std::to_string(size) + " + ";
  // Stores into the array itself touch only what they name; the innermost comes first.
  std::vector<Term> stores;
  Term rest = value;
  for (; rest.op() == Op::Store; rest = rest.operand(0))
    stores.push_back(rest);
  bool itself = rest.op() == Op::Variable && rest.variable() == variable && !rest.primed();
  if (itself) {
    for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
      noteReads(store->operand(1));
      noteReads(store->operand(2));
      writes_.push_back({model_.scope().name(variable), base + expression(store->operand(1)),
                         expression(store->operand(2)),
                         farOf(variable.sort().element(), store->operand(2))});
    }
    return;
  }
  noteReads(value);
  for (int64_t i = 0; i < size; ++i)
    writes_.push_back({model_.scope().name(variable), base + std::to_string(i),
                       expression.element(value, std::to_string(i)),
                       farOf(variable.sort().element(), value)});
}

void PromelaWrites::assignText(const std::string &place, const std::string &value) {
  separate_.push_back({place, "", value, Far::Never});
}

void PromelaWrites::choose(Variable variable, const std::string &slot) {
  if (!variable.sort().isArray()) {
    choices_ += anyValue(model_.scope().place(variable, slot), variable.sort(), variable.name());
    return;
  }
  int64_t size = promelaSize(variable.sort(), variable.name());
  std::string base = variable.scope().empty() ? "" : slot + " * " + std::to_string(size) + " + ";
  for (int64_t i = 0; i < size; ++i)
    choices_ += anyValue(model_.scope().name(variable) + "[" + base + std::to_string(i) + "]",
                         variable.sort().element(), variable.name());
}

bool PromelaWrites::disturbed() const {
  return writes_.size() > 1 && std::any_of(written_.begin(), written_.end(), [&](Variable v) {
           return std::find(read_.begin(), read_.end(), v) != read_.end();
         });
}

std::string PromelaWrites::statements() const {
  std::string before;
  std::string text;
  bool keep = disturbed();
  size_t used = 0;
  auto kept = [&](const std::string &value) {
    if (!keep)
      return value;
    std::string name = temporary(used++);
    before += name + " = " + value + "; ";
    return name;
  };
  for (const Write &write : writes_) {
    std::string index = write.index.empty() ? "" : "[" + kept(write.index) + "]";
    std::string value = kept(write.value);
    text += write.place + index + " = " + value + "; ";
    if (write.far == Far::Perhaps)
      text += "FAR(" + write.place + index + "); ";
  }
  for (const Write &write : separate_)
    before += write.place + " = " + write.value + "; ";
  return before + text + choices_;
}

std::string PromelaWrites::declarations() {
  const std::string most = std::to_string(promelaFarthest);
  std::string text = "hidden short slot;\nhidden int chosen;\n"
                     "#define FAR(x) if :: ((x) > " +
                     most + " || (x) < -" + most +
                     ") -> printf(\"a number is too large for this export\\n\"); "
                     "assert(false) :: else fi\n";
  for (size_t i = 0; i < PromelaNames::temporaries; ++i)
    text += "hidden int " + temporary(i) + ";\n";
  return text;
}

} // namespace understudy::tools::exports::promela

// SPDX-License-Identifier: Apache-2.0
#include "passes/encode/StatedInvariants.h"

#include "logic/Error.h"
#include "specs/check/CheckExpr.h"
#include "specs/syntax/Parse.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>
#include <cctype>

namespace understudy::passes::encode {

using llvm::BasicBlock;
using logic::SourceFilePtr;
using logic::SourceRange;
using logic::Term;

namespace {

constexpr std::string_view marker = "//@";
constexpr std::string_view keyword = "invariant";

std::string_view withoutSpace(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool startsWithWord(std::string_view text, std::string_view word) {
  return text.substr(0, word.size()) == word &&
         (text.size() == word.size() ||
          (!std::isalnum(static_cast<unsigned char>(text[word.size()])) &&
           text[word.size()] != '_'));
}

/// The column at which the word `invariant` begins, if the line is a comment that states one.
std::optional<size_t> keywordAt(std::string_view line) {
  std::string_view comment = withoutSpace(line);
  if (comment.substr(0, marker.size()) != marker)
    return std::nullopt;
  std::string_view rest = withoutSpace(comment.substr(marker.size()));
  if (!startsWithWord(rest, keyword))
    return std::nullopt;
  return static_cast<size_t>(rest.data() - line.data());
}

/// The next line with code on it, after line comments and empty lines.
uint32_t codeAfter(const logic::SourceFile &file, uint32_t line) {
  do
    ++line;
  while (line <= file.lineCount() && (withoutSpace(file.line(line)).empty() ||
                                      withoutSpace(file.line(line)).substr(0, 2) == "//"));
  return line;
}

/// Where the first located instruction of the block is.
const llvm::DILocation *locationOf(const BasicBlock &block) {
  for (const llvm::Instruction &instruction : block)
    if (instruction.getDebugLoc() && instruction.getDebugLoc().getLine() > 0)
      return instruction.getDebugLoc().get();
  return nullptr;
}

/// The values of the locals of the loop's function when the head is entered, by name. The nearest
/// record on the way back to the entry tells; a local without one has none.
class LocalsAt {
public:
  LocalsAt(const BasicBlock &head, const llvm::DominatorTree &tree) : scope_(locationOf(head)) {
    collect(head, *head.getFirstNonPHIIt());
    for (const auto *node = tree.getNode(&head)->getIDom(); node; node = node->getIDom())
      collect(*node->getBlock(), node->getBlock()->back());
  }

  const std::map<std::string, const llvm::Value *> &values() const { return values_; }

private:
  const llvm::DILocation *scope_;
  std::map<std::string, const llvm::Value *> values_;

  /// The records before `last` and at it, backwards.
  void collect(const BasicBlock &block, const llvm::Instruction &last) {
    for (const llvm::Instruction *at = &last; at;
         at = at == &block.front() ? nullptr : at->getPrevNode()) {
      std::vector<llvm::DbgVariableRecord *> records;
      for (llvm::DbgVariableRecord &record : llvm::filterDbgVars(at->getDbgRecordRange()))
        records.push_back(&record);
      for (size_t i = records.size(); i-- > 0;)
        note(*records[i]);
    }
  }

  void note(llvm::DbgVariableRecord &record) {
    const llvm::DILocation *where = record.getDebugLoc().get();
    if (where->getInlinedAt() != scope_->getInlinedAt() ||
        record.getVariable()->getScope()->getSubprogram() != scope_->getScope()->getSubprogram())
      return;
    bool known = !record.isDbgDeclare() && record.getNumVariableLocationOps() == 1;
    values_.emplace(record.getVariable()->getName().str(),
                    known ? record.getVariableLocationOp(0) : nullptr);
  }
};

/// The file with nothing but the comment's `invariant EXPR;` in it, in its place.
SourceFilePtr alone(const logic::SourceRange &expression) {
  std::string text(expression.begin.line - 1, '\n');
  std::string_view line = expression.file->line(expression.begin.line);
  size_t begin = *keywordAt(line);
  std::string_view stated = line.substr(begin, expression.end.column - 1 - begin);
  text += std::string(begin, ' ') + std::string(stated);
  if (stated.back() != ';')
    text += ';';
  return std::make_shared<logic::SourceFile>(expression.file->name(), text + "\n");
}

class Resolver {
public:
  Resolver(const Encoded &encoded, const EncodeContext &context)
      : encoded_(encoded), context_(context), pool_(*context.program.pool) {}

  StatedInvariant resolve(const logic::SourceRange &range, const BasicBlock &head,
                          const llvm::DominatorTree &tree) {
    SourceFilePtr file = alone(range);
    specs::syntax::Parsed<specs::syntax::ConcFile> parsed = specs::syntax::parseConc(file);
    StatedInvariant result{specs::syntax::sourceText(range), range, std::nullopt};
    const auto *item = parsed.tree.items.size() == 1
                           ? std::get_if<specs::syntax::InvariantItem>(&parsed.tree.items[0])
                           : nullptr;
    if (item == nullptr)
      throw logic::Error(range, "expected one expression after 'invariant'");
    specs::syntax::Reporter reporter;
    specs::check::Scope scope;
    declare(scope, reporter, head, tree);
    specs::check::ExprChecker checker(pool_, scope, reporter,
                                      {specs::check::ExprPlace::System, {}});
    specs::check::Checked checked = checker.condition(*item->condition);
    reporter.throwIfFailed();
    auto found = encoded_.heads.find(&head);
    bool speaksOfUnneeded = false;
    for (const logic::VariableUse &use : logic::variablesOf(checked.term))
      speaksOfUnneeded |= use.variable == unneeded();
    if (found != encoded_.heads.end() && !speaksOfUnneeded)
      result.invariant = {found->second.location, checked.term};
    return result;
  }

private:
  const Encoded &encoded_;
  const EncodeContext &context_;
  logic::TermPool &pool_;

  /// Stands for every local that the program does not have.
  logic::Variable unneeded() { return pool_.variable("", "a local without use", pool_.intSort()); }

  void declare(specs::check::Scope &scope, specs::syntax::Reporter &reporter,
               const BasicBlock &head, const llvm::DominatorTree &tree) {
    auto add = [&](const std::string &name, Term meaning) {
      if (scope.find(name) != nullptr)
        return;
      specs::check::Symbol symbol;
      symbol.kind = specs::check::SymbolKind::Definition;
      symbol.name = name;
      symbol.term = meaning;
      scope.declare(std::move(symbol), reporter);
    };
    LocalsAt locals(head, tree);
    for (const auto &[name, value] : locals.values())
      add(name, meaningOf(head, value));
    for (const auto &[global, cell] : context_.cells)
      if (!cell.variable.sort().isArray())
        add(global->getName().str(), pool_.var(cell.variable));
  }

  Term meaningOf(const BasicBlock &head, const llvm::Value *value) {
    if (const auto *constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
        constant && constant->getBitWidth() <= 64)
      return pool_.integer(constant->getSExtValue());
    auto found = encoded_.heads.find(&head);
    if (value != nullptr && found != encoded_.heads.end())
      if (auto known = found->second.values.find(value); known != found->second.values.end())
        return known->second.sort().isBool()
                   ? pool_.ite(known->second, pool_.integer(1), pool_.integer(0))
                   : known->second;
    return pool_.var(unneeded());
  }
};

} // namespace

StatedInvariants::StatedInvariants(const llvm::Function &checker, read::SourceMap &sources) {
  // By function of the source, so that a comment belongs to a loop of the function it is in.
  std::map<const llvm::DISubprogram *, std::map<uint32_t, std::vector<const BasicBlock *>>> loops;
  std::map<const llvm::DISubprogram *, uint32_t> lastLines;
  llvm::DominatorTree tree(const_cast<llvm::Function &>(checker));
  llvm::LoopInfo info(tree);
  for (const BasicBlock &block : checker)
    for (const llvm::Instruction &instruction : block) {
      const llvm::DILocation *location = instruction.getDebugLoc().get();
      if (location == nullptr || location->getLine() == 0)
        continue;
      uint32_t &last = lastLines[location->getScope()->getSubprogram()];
      last = std::max(last, location->getLine());
    }
  for (const BasicBlock &block : checker)
    if (const llvm::DILocation *location = info.isLoopHeader(&block) ? locationOf(block) : nullptr)
      loops[location->getScope()->getSubprogram()][location->getLine()].push_back(&block);
  for (const auto &[function, last] : lastLines)
    if (SourceRange range = sources.range(function); range.known())
      findAbove(range.file, range.begin.line, last, loops[function]);
  std::sort(comments_.begin(), comments_.end(), [](const Comment &a, const Comment &b) {
    return std::pair(a.range.file->name(), a.range.begin) <
           std::pair(b.range.file->name(), b.range.begin);
  });
}

void StatedInvariants::findAbove(const SourceFilePtr &file, uint32_t begin, uint32_t end,
                                 const std::map<uint32_t, std::vector<const BasicBlock *>> &loops) {
  for (uint32_t line = begin; line <= end; ++line) {
    std::string_view text = file->line(line);
    auto keywordColumn = keywordAt(text);
    if (!keywordColumn)
      continue;
    auto column = static_cast<uint32_t>(*keywordColumn + 1);
    size_t length = text.find_last_not_of(" \t\r") + 1;
    SourceRange range{file, {line, column}, {line, static_cast<uint32_t>(length + 1)}};
    uint32_t loop = codeAfter(*file, line);
    std::string_view code = withoutSpace(file->line(loop));
    if (!startsWithWord(code, "while") && !startsWithWord(code, "for") &&
        !startsWithWord(code, "do"))
      throw logic::Error(range, "no loop follows this invariant",
                         "write it on the line above 'while', 'for' or 'do'");
    auto found = loops.lower_bound(loop);
    if (found == loops.end())
      continue; // the loop never runs again, and needs no invariant
    for (const BasicBlock *head : found->second)
      comments_.push_back({range, head});
  }
}

std::set<const BasicBlock *> StatedInvariants::heads() const {
  std::set<const BasicBlock *> result;
  for (const Comment &comment : comments_)
    result.insert(comment.head);
  return result;
}

std::vector<StatedInvariant> StatedInvariants::resolve(const Encoded &encoded,
                                                       const EncodeContext &context) const {
  std::vector<StatedInvariant> result;
  if (comments_.empty())
    return result;
  llvm::DominatorTree tree(const_cast<llvm::Function &>(*comments_.front().head->getParent()));
  Resolver resolver(encoded, context);
  for (const Comment &comment : comments_)
    result.push_back(resolver.resolve(comment.range, *comment.head, tree));
  return result;
}

} // namespace understudy::passes::encode

// SPDX-License-Identifier: Apache-2.0
//
// Syntax trees of the contract language and of CONC, as written: nothing is resolved, every node
// knows its source range. The parsers build them, the formatter prints them, the checkers read
// them.
#pragma once

#include "logic/Source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace understudy::specs::syntax {

using logic::SourceRange;

struct Name {
  std::string text;
  SourceRange range;
};

// ---------------------------------------------------------------------------------------------
// Expressions: one grammar for all languages; sorts are checked afterwards.

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

enum class ExprKind : uint8_t {
  Number,      ///< number; written in decimal or hexadecimal (`text` keeps the spelling)
  Boolean,     ///< number is 0 or 1
  Name,        ///< text, primed
  Index,       ///< text, primed, operands[0]: `a'[i]`
  Unary,       ///< operators[0] is "!" or "-"
  Chain,       ///< left-associative operators of one level: a - b + c; operators between operands
  Compare,     ///< one of == != < <= > >=, two operands (comparisons do not chain)
  In,          ///< x in LO..HI: three operands
  Implies,     ///< right-associative, at least two operands
  Conditional, ///< c ? a : b
  Held,        ///< held(text)
  Free,        ///< free(text)
  Havoc,       ///< `havoc x`, only as a top-level conjunct of an edge: text
  Apply,       ///< text, primed, the arguments: `next(head)`, a definition with parameters
  Count,       ///< `#T`, only in `initially`: text
  Related,     ///< nets: parent(p, q); the relation in text, two operands, which are names
};

struct Expr {
  ExprKind kind = ExprKind::Number;
  SourceRange range; ///< without the parentheses around it
  std::string text;
  SourceRange textRange; ///< of the name in Name, Index, Held, Free, Havoc, Apply, Count, Related
  int64_t number = 0;
  bool primed = false;
  bool parenthesized = false; ///< as written; kept by the formatter
  std::vector<std::string> operators;
  std::vector<SourceRange> operatorRanges;
  std::vector<ExprPtr> operands;
};

enum class TypeKind : uint8_t { Bool, Int, Range, Named, Mutex, Cond, Section };

struct TypeRef {
  TypeKind kind = TypeKind::Int;
  ExprPtr lower; ///< Range: constant expressions
  ExprPtr upper;
  std::string name;     ///< Named
  bool isArray = false; ///< CONC only: `TYPE[]` or `TYPE[N]`
  ExprPtr arraySize;    ///< CONC only: N of `TYPE[N]`
  SourceRange range;
};

struct EnumeratorDecl {
  Name name;
  ExprPtr value; ///< may be null
};
struct EnumDecl {
  Name name;
  std::vector<EnumeratorDecl> enumerators;
  SourceRange range;
};

// ---------------------------------------------------------------------------------------------
// Items that both languages share.

struct InitiallyItem {
  ExprPtr condition;
  SourceRange range;
};
struct InvariantItem {
  ExprPtr condition;
  SourceRange range;
};
struct PlaceRef {
  Name thread;
  Name place;
};
struct NeverItem {
  PlaceRef first;
  PlaceRef second;
  SourceRange range;
};
struct RunEntry {
  Name thread;
  ExprPtr count;          ///< null: one, unless unbounded
  bool unbounded = false; ///< `T*`
};
struct RunItem {
  std::vector<RunEntry> entries;
  SourceRange range;
};

// ---------------------------------------------------------------------------------------------
// Contracts.

enum class PathStepKind : uint8_t {
  Arrow,  ///< `->name`
  Dot,    ///< `.name`
  Index,  ///< `[name]`: a number or a constant
  Behind, ///< `[]`: the array behind a pointer
};
struct PathStep {
  PathStepKind kind = PathStepKind::Dot;
  Name name; ///< none of Behind
};
enum class PathKind : uint8_t {
  Memory,   ///< `dev->flags`
  Bit,      ///< `dev->flags & 0x2`: `operand` is the mask
  PointsTo, ///< `q->current == w`: `operand` is the object
  Call,     ///< `kfree(dev)`, `irq_lock()`: `operand` is the object, if there is one
};
/// `@ dev->pending & 0x2`, `@ struct uart.head`, `@ "file.c":f::name`, `@ kfree(dev)`.
struct BindingPath {
  std::string text; ///< canonical: single spaces only after `struct` and around `&` and `==`
  SourceRange range;
  PathKind kind = PathKind::Memory;
  std::string file; ///< empty: any
  std::string tag;  ///< `struct` or `union`, if the path starts at a type
  Name function;    ///< of a static local; empty: none
  Name start;       ///< a global, an object, a parameter, a type or a C function
  std::vector<PathStep> steps;
  Name operand;
};

enum class DisciplineKind : uint8_t {
  GuardedBy,    ///< a mutex or a section: changed only by its holder
  WrittenUnder, ///< a mutex or a section: stored to only by its holder, read by all
  OwnedBy,      ///< a thread: changed only by that one
};
struct DisciplineRef {
  DisciplineKind kind = DisciplineKind::GuardedBy;
  Name by;
};
struct SharedDecl {
  bool ghost = false;
  bool recursive = false; ///< of a section
  TypeRef type;
  Name name;
  ExprPtr arraySize; ///< null: no array
  std::vector<BindingPath> paths;
  ExprPtr initial; ///< null: any value
  std::optional<DisciplineRef> discipline;
  SourceRange range;
};
struct ConstDecl {
  Name name;
  ExprPtr value;
  SourceRange range;
};
struct DefineDecl {
  Name name;
  std::vector<Name> parameters;
  ExprPtr value;
  SourceRange range;
};

/// `object dev : struct uart;`
struct ObjectDecl {
  Name name;
  std::string tag; ///< `struct` or `union`; empty: a typedef
  Name type;
  SourceRange range;
};
/// `claim EXPR @ f(), q->slots[];`
struct ClaimItem {
  ExprPtr condition;
  std::vector<BindingPath> paths;
  SourceRange range;
};

enum class ActionKind : uint8_t { Fork, Join, Lock, Unlock, Wait, Signal, Broadcast, Call };
struct ActionRef {
  ActionKind kind = ActionKind::Call;
  std::optional<Name> target; ///< thread, mutex, cond or C function; none for `join as e`
  std::optional<Name> mutex;  ///< of wait
  ExprPtr id;                 ///< after `as`; may be null
  SourceRange range;
};
struct EdgeDecl {
  Name target;
  ExprPtr condition; ///< null: nothing shared changes
  std::optional<ActionRef> action;
  SourceRange range;
};
struct AssertDecl {
  ExprPtr condition;
  std::vector<Name> except; ///< only in a thread: the states left out
  SourceRange range;
};
struct RelyDecl {
  ExprPtr condition;
  SourceRange range;
};
/// `inside lock for reading`
struct InsideRef {
  Name section;
  bool reading = false;
};
using StateMember = std::variant<RelyDecl, AssertDecl, EdgeDecl>;
struct StateDecl {
  bool initial = false;
  bool final = false;
  Name name;
  std::optional<InsideRef> inside;
  bool hasBody = false;
  std::vector<StateMember> members; ///< in file order
  SourceRange range;
};
struct ContractLocal {
  TypeRef type;
  Name name;
  ExprPtr initial;
  SourceRange range;
};
using ThreadMember = std::variant<ContractLocal, RelyDecl, AssertDecl, StateDecl>;

enum class ThreadKind : uint8_t { Thread, Handler, Environment };
struct FunctionRef {
  std::optional<std::string> file; ///< `for "file.c":f`
  Name function;
};
/// `via complete_urb(kbd->led)`: paths and C functions
struct WrapperRef {
  Name function;
  std::vector<BindingPath> arguments;
};
struct ContractThread {
  ThreadKind kind = ThreadKind::Thread;
  Name name;
  std::optional<FunctionRef> function;
  std::optional<WrapperRef> via;
  bool hasBody = false;              ///< false: `thread NAME;`, the code stands for itself
  std::vector<ThreadMember> members; ///< in file order
  SourceRange range;
};

using SystemItem =
    std::variant<SharedDecl, EnumDecl, ConstDecl, DefineDecl, InitiallyItem, InvariantItem,
                 NeverItem, ContractThread, RunItem, ObjectDecl, ClaimItem>;
struct Contract {
  logic::SourceFilePtr file;
  Name name;
  std::vector<SystemItem> items; ///< in file order
  SourceRange range;
};

// ---------------------------------------------------------------------------------------------
// CONC.

struct Declarator {
  Name name;
  ExprPtr initial;
};
struct GlobalDecl {
  TypeRef type;
  std::vector<Declarator> variables;
  SourceRange range;
};
struct LocalDecl {
  TypeRef type;
  std::vector<Declarator> variables;
  SourceRange range;
};
struct Parameter {
  TypeRef type;
  Name name;
};

struct Statement;
using Block = std::vector<Statement>;

struct SkipStatement {};
struct AssignStatement {
  Name variable;
  ExprPtr index;
  ExprPtr value;
}; ///< index null: scalar
struct HavocStatement {
  Name variable;
};
struct AssumeStatement {
  ExprPtr condition;
};
struct AssertStatement {
  ExprPtr condition;
};
struct IfStatement {
  ExprPtr condition; ///< null: `*`
  std::shared_ptr<const Block> yes;
  std::shared_ptr<const Block> no; ///< null: no else; `else if` is a block of one if statement
  bool elseIf = false;
  SourceRange yesRange = {}; ///< of the blocks, with their braces; noRange is unknown for `else if`
  SourceRange noRange = {};
};
struct WhileStatement {
  ExprPtr condition; ///< null: `*`
  std::shared_ptr<const Block> body;
};
struct LabelStatement {
  Name label;
};
struct GotoStatement {
  Name label;
};
struct ReturnStatement {};
struct AtomicStatement {
  std::shared_ptr<const Block> body;
};
struct ForkStatement {
  std::optional<Name> result; ///< `x := fork T();`
  ExprPtr id;                 ///< null: fresh
  Name thread;
  std::vector<ExprPtr> arguments;
};
struct JoinStatement {
  ExprPtr id;
  std::optional<Name> thread;
}; ///< exactly one of the two
struct LockStatement {
  Name mutex;
};
struct UnlockStatement {
  Name mutex;
};
struct WaitStatement {
  Name cond;
  std::optional<Name> mutex;
};
struct SignalStatement {
  Name cond;
};
struct BroadcastStatement {
  Name cond;
};

/// `join NAME;` cannot be told apart by syntax: the parser makes it `id = Name` and the checker
/// reads it as a template when NAME is one.
struct Statement {
  std::variant<SkipStatement, AssignStatement, HavocStatement, AssumeStatement, AssertStatement,
               IfStatement, WhileStatement, LabelStatement, GotoStatement, ReturnStatement,
               AtomicStatement, ForkStatement, JoinStatement, LockStatement, UnlockStatement,
               WaitStatement, SignalStatement, BroadcastStatement, LocalDecl>
      node;
  SourceRange range; ///< of compound statements: the head, `if (c)`, without the blocks
  SourceRange whole; ///< with the blocks
};

struct ConcThread {
  Name name;
  std::vector<Parameter> parameters;
  Block body;
  SourceRange range;
};

using ConcItem = std::variant<GlobalDecl, EnumDecl, ConcThread, RunItem, InitiallyItem,
                              InvariantItem, NeverItem>;

/// `// expect: safe, width 2` in the first line.
struct Expectation {
  bool safe = true;
  std::optional<uint32_t> width;
  SourceRange range;
};

struct ConcFile {
  logic::SourceFilePtr file;
  std::vector<ConcItem> items; ///< in file order
  std::optional<Expectation> expectation;
};

// ---------------------------------------------------------------------------------------------
// Nets with dynamic process creation.

struct NetConst {
  TypeRef type;
  std::vector<Declarator> constants;
  SourceRange range;
};
struct ColumnDecl {
  bool isPid = false;
  TypeRef type; ///< of data
  SourceRange range;
};
struct PlaceDecl {
  Name name;
  std::vector<ColumnDecl> columns;
  SourceRange range;
};
/// `place a(), b(int);` or `data c(pid);`
struct PlacesItem {
  bool isData = false;
  std::vector<PlaceDecl> places;
  SourceRange range;
};
struct StartPlace {
  Name place;
  SourceRange range;
};
struct FinalPlaces {
  std::vector<Name> places;
  SourceRange range;
};
struct RelationsItem {
  std::vector<Name> relations;
  SourceRange range;
};
/// `new h of p`
struct NewThread {
  std::optional<Name> name;
  Name parent;
  SourceRange range;
};
struct NetField {
  ExprPtr value; ///< null: a new thread
  std::optional<NewThread> created;
  SourceRange range;
};
/// `k * listen(p, 0)`, or `end p`.
struct NetToken {
  ExprPtr count; ///< null: one
  bool ends = false;
  Name name; ///< of the place, or of the thread that ends
  std::vector<NetField> fields;
  SourceRange range;
};
struct TransitionItem {
  Name name;
  std::vector<NetToken> takes;
  std::vector<NetToken> gives;
  ExprPtr guard; ///< may be null
  SourceRange range;
};
/// `never n: …;` or `reach n: …;`
struct QuestionItem {
  bool never = false;
  Name name;
  std::vector<NetToken> tokens;
  ExprPtr guard; ///< may be null
  SourceRange range;
};

using NetItem = std::variant<NetConst, EnumDecl, PlacesItem, StartPlace, FinalPlaces, RelationsItem,
                             TransitionItem, QuestionItem>;
struct NetFile {
  logic::SourceFilePtr file;
  std::vector<NetItem> items; ///< in file order
};

// ---------------------------------------------------------------------------------------------

/// A comment, with its delimiters, collected before parsing.
struct Comment {
  std::string text;
  SourceRange range;
  bool ownLine = false; ///< nothing but white space before it on its line
};

} // namespace understudy::specs::syntax

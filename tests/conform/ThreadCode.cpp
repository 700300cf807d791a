// SPDX-License-Identifier: Apache-2.0
#include "ThreadCode.h"

#include <cassert>

namespace understudy::tests {

Expr constant(int value) { return {Expr::Op::Constant, value, {}}; }
Expr local(int index) { return {Expr::Op::Local, index, {}}; }
Expr read(int variable) { return {Expr::Op::Read, variable, {}}; }
Expr nondet() { return {Expr::Op::Nondet, 0, {}}; }
Expr apply(Expr::Op op, Expr first) { return {op, 0, {std::move(first)}}; }
Expr apply(Expr::Op op, Expr first, Expr second) {
  return {op, 0, {std::move(first), std::move(second)}};
}

std::optional<int> variableRead(const Expr &expr) {
  if (expr.op == Expr::Op::Read)
    return expr.value;
  for (const Expr &operand : expr.operands)
    if (const auto found = variableRead(operand))
      return found;
  return std::nullopt;
}

int evaluate(const Expr &expr, const std::vector<int> &locals, int readValue) {
  const auto operand = [&](size_t i) { return evaluate(expr.operands[i], locals, readValue); };
  switch (expr.op) {
  case Expr::Op::Constant:
    return expr.value;
  case Expr::Op::Local:
    return locals[static_cast<size_t>(expr.value)];
  case Expr::Op::Read:
    return readValue;
  case Expr::Op::Nondet:
  case Expr::Op::Elsewhere:
    break;
  case Expr::Op::Not:
    return operand(0) == 0;
  case Expr::Op::Add:
    return operand(0) + operand(1);
  case Expr::Op::Remainder:
    return operand(0) % operand(1);
  case Expr::Op::Equal:
    return operand(0) == operand(1);
  case Expr::Op::NotEqual:
    return operand(0) != operand(1);
  case Expr::Op::Less:
    return operand(0) < operand(1);
  case Expr::Op::Greater:
    return operand(0) > operand(1);
  }
  assert(false && "has many values");
  return 0;
}

namespace {

/// A global that no contract names.
std::string unnamed(const std::string &prefix) { return prefix + "elsewhere"; }

class CPrinter {
public:
  CPrinter(const std::string &prefix, const std::vector<SharedVariable> &variables,
           const ThreadCode &code)
      : prefix_(prefix), variables_(variables), code_(code) {}

  std::string helper(size_t index);
  std::string thread();

private:
  std::string text(const Expr &expr) const;
  std::string operand(const Expr &expr) const;
  std::string shared(int variable) const { return cName(prefix_, variableAt(variable)); }
  const SharedVariable &variableAt(int variable) const {
    return variables_[static_cast<size_t>(variable)];
  }
  std::string lockCall(const std::string &operation, const Statement &statement) const {
    return "pthread_mutex_" + operation + "(&" + shared(statement.variable) + ")";
  }
  std::string helperName(size_t index) const {
    return code_.function + "_helper" + std::to_string(index);
  }
  void line(const std::string &content) { out_ += std::string(depth_ * 2, ' ') + content + "\n"; }
  void block(const Block &statements);
  void statement(const Statement &statement);
  std::string operation(const Statement &statement) const;
  void declareLocals(int first, int count);

  const std::string &prefix_;
  const std::vector<SharedVariable> &variables_;
  const ThreadCode &code_;
  std::string out_;
  size_t depth_ = 0;
  enum class Result { Void, Int } result_ = Result::Void;
};

std::string nameOfLocal(int index) { return "l" + std::to_string(index); }

std::string CPrinter::operand(const Expr &expr) const {
  return expr.operands.empty() ? text(expr) : "(" + text(expr) + ")";
}

std::string CPrinter::text(const Expr &expr) const {
  const auto binary = [&](const char *sign) {
    return operand(expr.operands[0]) + " " + sign + " " + operand(expr.operands[1]);
  };
  switch (expr.op) {
  case Expr::Op::Constant:
    return std::to_string(expr.value);
  case Expr::Op::Local:
    return nameOfLocal(expr.value);
  case Expr::Op::Read:
    return shared(expr.value);
  case Expr::Op::Nondet:
    return "__VERIFIER_nondet_bool()";
  case Expr::Op::Elsewhere:
    return unnamed(prefix_) + " == 1";
  case Expr::Op::Not:
    return "!" + operand(expr.operands[0]);
  case Expr::Op::Add:
    return binary("+");
  case Expr::Op::Remainder:
    return binary("%");
  case Expr::Op::Equal:
    return binary("==");
  case Expr::Op::NotEqual:
    return binary("!=");
  case Expr::Op::Less:
    return binary("<");
  case Expr::Op::Greater:
    return binary(">");
  }
  return {};
}

/// C11's functions for _Atomic variables, the compiler's own for plain ones. The result of an
/// operation on a bool is taken as a truth value.
std::string CPrinter::operation(const Statement &statement) const {
  const SharedVariable &variable = variableAt(statement.variable);
  const std::string place = "&" + shared(statement.variable);
  const std::string amount = std::to_string(statement.amount);
  switch (statement.kind) {
  case Statement::Kind::FetchAdd:
    return variable.atomic ? "atomic_fetch_add(" + place + ", " + amount + ")"
           : statement.amount < 0
               ? "__sync_fetch_and_sub(" + place + ", " + std::to_string(-statement.amount) + ")"
               : "__atomic_fetch_add(" + place + ", " + amount + ", 5)";
  case Statement::Kind::AddFetch:
    return variable.atomic ? "(" + shared(statement.variable) + " += " + amount + ")"
                           : "__sync_add_and_fetch(" + place + ", " + amount + ")";
  case Statement::Kind::Exchange: {
    const std::string value = text(statement.expr);
    const std::string call = variable.atomic
                                 ? "atomic_exchange(" + place + ", " + value + ")"
                                 : "__atomic_exchange_n(" + place + ", " + value + ", 5)";
    return variable.type == ContractType::Bool && statement.local >= 0 ? call + " != 0" : call;
  }
  case Statement::Kind::CompareExchange: {
    const std::string cast = variable.cType == CType::Int        ? ""
                             : variable.cType == CType::Unsigned ? "(unsigned *)"
                                                                 : "(enum Mode *)";
    const std::string rest = place + ", " + cast + "&" + nameOfLocal(statement.other) + ", ";
    if (variable.atomic)
      return std::string("atomic_compare_exchange_") + (statement.weak ? "weak" : "strong") + "(" +
             rest + text(statement.expr) + ")";
    return "__atomic_compare_exchange_n(" + rest + text(statement.expr) +
           (statement.weak ? ", 1, 5, 5)" : ", 0, 5, 5)");
  }
  case Statement::Kind::CompareSwap:
    return "__sync_bool_compare_and_swap(" + place + ", " + nameOfLocal(statement.other) + ", " +
           text(statement.expr) + ")";
  default:
    assert(false && "no operation with a result");
    return {};
  }
}

void CPrinter::block(const Block &statements) {
  ++depth_;
  for (const Statement &each : statements)
    statement(each);
  --depth_;
}

void CPrinter::statement(const Statement &statement) {
  const std::string target = statement.local < 0 ? "" : nameOfLocal(statement.local) + " = ";
  switch (statement.kind) {
  case Statement::Kind::Assign:
    return line(target + text(statement.expr) + ";");
  case Statement::Kind::Any:
    line(target + "__VERIFIER_nondet_int();");
    return line("__VERIFIER_assume(" + nameOfLocal(statement.local) +
                " >= " + std::to_string(statement.lower) + " && " + nameOfLocal(statement.local) +
                " <= " + std::to_string(statement.upper) + ");");
  case Statement::Kind::Store:
    return line(shared(statement.variable) + " = " + text(statement.expr) + ";");
  case Statement::Kind::Increment:
    if (statement.amount == 1 || statement.amount == -1)
      return line(shared(statement.variable) + (statement.amount > 0 ? "++;" : "--;"));
    return line(shared(statement.variable) + " += " + std::to_string(statement.amount) + ";");
  case Statement::Kind::FetchAdd:
  case Statement::Kind::AddFetch:
  case Statement::Kind::Exchange:
  case Statement::Kind::CompareExchange:
  case Statement::Kind::CompareSwap:
    return line(target + operation(statement) + ";");
  case Statement::Kind::Atomic:
    line("__VERIFIER_atomic_begin();");
    block(statement.body);
    return line("__VERIFIER_atomic_end();");
  case Statement::Kind::If:
    line("if (" + text(statement.expr) + ") {");
    block(statement.body);
    if (!statement.orElse.empty()) {
      line("} else {");
      block(statement.orElse);
    }
    return line("}");
  case Statement::Kind::While:
    line("while (" + text(statement.expr) + ") {");
    block(statement.body);
    return line("}");
  case Statement::Kind::Assert:
    return line("assert(" + text(statement.expr) + ");");
  case Statement::Kind::Assume:
    return line("__VERIFIER_assume(" + text(statement.expr) + ");");
  case Statement::Kind::Return:
    return line(result_ == Result::Int ? "return " + text(statement.expr) + ";" : "return;");
  case Statement::Kind::Marker:
    return line("UNDERSTUDY_AT(" + statement.name + ");");
  case Statement::Kind::Lock:
    return line(statement.local < 0 ? lockCall("lock", statement) + ";"
                                    : target + lockCall("trylock", statement) + " != 0;");
  case Statement::Kind::Unlock:
    return line(lockCall("unlock", statement) + ";");
  case Statement::Kind::Critical:
    line(statement.weak ? "if (" + lockCall("trylock", statement) + " == 0) {"
                        : lockCall("lock", statement) + ";");
    block(statement.body);
    if (!statement.weak)
      return line(lockCall("unlock", statement) + ";");
    line("  " + lockCall("unlock", statement) + ";");
    return line("}");
  case Statement::Kind::Touch:
    return line(unnamed(prefix_) + " = 1;");
  case Statement::Kind::Call:
    return line(target + helperName(static_cast<size_t>(statement.other)) + "(" +
                text(statement.expr) + ");");
  }
}

void CPrinter::declareLocals(int first, int count) {
  ++depth_;
  for (int i = first; i < count; ++i)
    line("int " + nameOfLocal(i) + " = 0;");
  --depth_;
}

std::string CPrinter::helper(size_t index) {
  out_.clear();
  const Helper &helper = code_.helpers[index];
  line("static int " + helperName(index) + "(int " + nameOfLocal(0) + ") {");
  declareLocals(1, helper.locals);
  result_ = Result::Int;
  block(helper.body);
  line("}");
  return out_;
}

std::string CPrinter::thread() {
  out_.clear();
  line("void " + code_.function + "(void) {");
  declareLocals(0, code_.locals);
  result_ = Result::Void;
  block(code_.body);
  line("}");
  return out_;
}

std::string typeName(CType type) {
  switch (type) {
  case CType::Int:
    return "int";
  case CType::Bool:
    return "_Bool";
  case CType::UnsignedChar:
    return "unsigned char";
  case CType::Unsigned:
    return "unsigned";
  case CType::Enum:
    return "enum Mode";
  }
  return {};
}

} // namespace

std::string cName(const std::string &prefix, const SharedVariable &variable) {
  return prefix + variable.name;
}

std::string cHeader() {
  std::string modes;
  for (const auto &[name, value] : enumerators())
    modes += (modes.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return "#include \"understudy.h\"\n#include <assert.h>\n#include <pthread.h>\n#include "
         "<stdatomic.h>\n"
         "extern int __VERIFIER_nondet_int(void);\n"
         "extern _Bool __VERIFIER_nondet_bool(void);\n"
         "extern void __VERIFIER_assume(int);\n"
         "extern void __VERIFIER_atomic_begin(void);\n"
         "extern void __VERIFIER_atomic_end(void);\n"
         "#ifndef SHARED\n#define SHARED\n#endif\n"
         "enum Mode { " +
         modes + " };\n";
}

std::string cVariables(const std::string &prefix, const std::vector<SharedVariable> &variables) {
  std::string text = "SHARED int " + unnamed(prefix) + ";\n";
  for (const SharedVariable &variable : variables)
    if (variable.isLock())
      text += "pthread_mutex_t " + cName(prefix, variable) + " = PTHREAD_MUTEX_INITIALIZER;\n";
    else
      text += std::string("SHARED ") + (variable.atomic ? "_Atomic " : "") +
              typeName(variable.cType) + " " + cName(prefix, variable) + " = " +
              std::to_string(variable.start.value_or(0)) + ";\n";
  return text;
}

std::string cFunction(const std::string &prefix, const std::vector<SharedVariable> &variables,
                      const ThreadCode &code) {
  CPrinter printer(prefix, variables, code);
  std::string text;
  for (size_t i = 0; i < code.helpers.size(); ++i)
    text += printer.helper(i);
  return text + printer.thread();
}

} // namespace understudy::tests

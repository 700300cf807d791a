// SPDX-License-Identifier: Apache-2.0
#include "RandomIr.h"

#include <algorithm>
#include <utility>

namespace understudy::tests {

namespace {

std::string type(unsigned width) { return "i" + std::to_string(width); }
std::string name(const std::string &prefix, unsigned width) {
  return "@" + prefix + std::to_string(width);
}

} // namespace

std::string RandomIrWriter::borderNumber(Random &random, unsigned width) {
  if (width == 1)
    return random.oneIn(2) ? "true" : "false";
  int64_t least = width == 64 ? INT64_MIN : -(int64_t{1} << (width - 1));
  int64_t greatest = -(least + 1);
  switch (random.below(8)) {
  case 0:
    return std::to_string(least + random.between(0, 1));
  case 1:
    return std::to_string(greatest - random.between(0, 1));
  case 2:
    return std::to_string((int64_t{1} << random.below(width - 1)) - random.between(0, 1));
  case 3:
    return std::to_string(random.between(-128, 127));
  default:
    return std::to_string(random.between(-4, 4));
  }
}

unsigned RandomIrWriter::width() { return random_.pick(widths_); }

std::string RandomIrWriter::operand(unsigned width) {
  const auto &known = pool_[width];
  if (known.empty() || random_.oneIn(5))
    return constant(width);
  // Recent values, so that chains grow.
  size_t recent = std::min<size_t>(known.size(), 4);
  return random_.oneIn(2) ? known[known.size() - 1 - random_.below(recent)] : random_.pick(known);
}

std::string RandomIrWriter::define(unsigned width, const std::string &text) {
  std::string value = "%v." + std::to_string(++values_); // so that they share locals
  out_ << "  " << value << " = " << text << "\n";
  if (width > 0)
    pool_[width].push_back(value);
  return value;
}

void RandomIrWriter::sink(unsigned width, const std::string &value) {
  out_ << "  store " << type(width) << " " << value << ", ptr " << name("sink", width) << "\n";
}

void RandomIrWriter::label(const std::string &text) {
  out_ << text << ":\n";
  block_ = text;
}

void RandomIrWriter::declarations() {
  out_ << "declare void @understudy_step_begin(i32)\ndeclare void @understudy_step_end(i32)\n"
       << "declare void @understudy_assert_fail(i32)\ndeclare void @understudy_note(i32)\n"
       << "declare void @__VERIFIER_assume(i32)\n";
  const std::map<unsigned, std::vector<std::string>> inputs{
      {1, {"bool"}},         {8, {"char", "uchar"}},  {16, {"short", "ushort"}},
      {32, {"int", "uint"}}, {64, {"long", "ulong"}},
  };
  for (unsigned w : widths_) {
    std::string t = type(w);
    for (const std::string &input : inputs.at(w))
      out_ << "declare " << t << " @__VERIFIER_nondet_" << input << "()\n";
    for (const char *cell : {"a", "b", "sink"})
      out_ << name(cell, w) << " = global " << t << " " << constant(w) << "\n";
    out_ << name("own", w) << " = internal global " << t << " " << constant(w) << "\n";
    out_ << name("table", w) << " = internal constant [3 x " << t << "] [" << t << " "
         << constant(w) << ", " << t << " " << constant(w) << ", " << t << " " << constant(w)
         << "]\n";
    for (const char *op : {"smin", "smax", "umin", "umax"})
      out_ << "declare " << t << " @llvm." << op << "." << t << "(" << t << ", " << t << ")\n";
    out_ << "declare " << t << " @llvm.abs." << t << "(" << t << ", i1)\n";
    out_ << "declare " << t << " @llvm.expect." << t << "(" << t << ", " << t << ")\n";
    for (const char *op : {"sadd", "uadd", "ssub", "usub", "smul", "umul"})
      out_ << "declare {" << t << ", i1} @llvm." << op << ".with.overflow." << t << "(" << t << ", "
           << t << ")\n";
  }
}

void RandomIrWriter::helper(unsigned width) {
  std::string t = type(width);
  out_ << "define internal " << t << " " << name("helper", width) << "(" << t << " %x, " << t
       << " %y) {\n";
  pool_ = {{width, {"%x", "%y"}}};
  inHelper_ = true;
  for (unsigned i = 0; i < 3; ++i)
    operation();
  inHelper_ = false;
  out_ << "  ret " << t << " " << operand(width) << "\n}\n";
  pool_.clear();
}

void RandomIrWriter::start() {
  out_ << "define void @f() {\nentry:\n";
  for (unsigned w : widths_) {
    out_ << "  %slot" << w << " = alloca " << type(w) << "\n";
    out_ << "  %row" << w << " = alloca [2 x [2 x " << type(w) << "]]\n";
    out_ << "  store " << type(w) << " " << constant(w) << ", ptr %slot" << w << "\n";
    for (unsigned i = 0; i < 4; ++i) {
      std::string at = define(0, "getelementptr inbounds [2 x [2 x " + type(w) + "]], ptr %row" +
                                     std::to_string(w) + ", i64 0, i64 " + std::to_string(i / 2) +
                                     ", i64 " + std::to_string(i % 2));
      out_ << "  store " << type(w) << " " << constant(w) << ", ptr " << at << "\n";
    }
    for (const char *cell : {"a", "b", "own"})
      define(w, "load " + type(w) + ", ptr " + name(cell, w));
  }
}

RandomIr RandomIrWriter::write(unsigned count) {
  declarations();
  for (unsigned w : widths_)
    helper(w);
  start();
  statements(count);
  for (unsigned w : widths_)
    out_ << "  store " << type(w) << " " << operand(w) << ", ptr "
         << name(random_.oneIn(2) ? "a" : "b", w) << "\n";
  out_ << "  ret void\n}\n";
  return {out_.str(), inputs_};
}

void RandomIrWriter::statements(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    statement();
}

void RandomIrWriter::statement() {
  if (depth_ >= 3 || !random_.oneIn(6)) {
    operation();
    return;
  }
  ++depth_;
  size_t kinds = inStep_ ? 2 : 5;
  switch (random_.below(kinds)) {
  case 0:
    conditional();
    break;
  case 1:
    table();
    break;
  case 2:
    loop();
    break;
  case 3:
    step();
    break;
  default:
    failure();
    break;
  }
  --depth_;
}

void RandomIrWriter::operation() {
  switch (random_.below(16)) {
  case 0:
  case 1:
  case 2:
    return binary();
  case 3:
    return division();
  case 4:
    return shift();
  case 5:
    return bitwise();
  case 6:
  case 7:
    return comparison();
  case 8:
  case 9:
    return conversion();
  case 10:
    return intrinsic();
  case 11:
    return overflow();
  case 12:
    return memory();
  case 13:
    return inHelper_ ? memory() : array();
  case 14:
    return input();
  default:
    return random_.oneIn(8) ? assume() : call();
  }
}

void RandomIrWriter::binary() {
  unsigned w = width();
  const std::string op = random_.pick<std::string>({"add", "sub", "mul"});
  std::string flags =
      random_.oneIn(16) ? random_.pick<std::string>({" nsw", " nuw", " nuw nsw"}) : "";
  std::string a = operand(w);
  std::string b = op == "mul" ? constant(w) : operand(w);
  if (random_.oneIn(4))
    std::swap(a, b);
  std::string value = define(w, op + flags + " " + type(w) + " " + a + ", " + b);
  if (!flags.empty())
    sink(w, value);
}

void RandomIrWriter::division() {
  unsigned w = width();
  if (w == 1 && !random_.oneIn(8))
    return bitwise();
  std::string by = constant(w);
  if (by == "0" || by == "false")
    by = w == 1 ? "true" : "3";
  const std::string op = random_.pick<std::string>({"sdiv", "udiv", "srem", "urem"});
  bool isExact = (op == "sdiv" || op == "udiv") && random_.oneIn(24);
  std::string value =
      define(w, op + (isExact ? " exact " : " ") + type(w) + " " + operand(w) + ", " + by);
  sink(w, value);
}

void RandomIrWriter::shift() {
  unsigned w = width();
  const std::string op = random_.pick<std::string>({"shl", "lshr", "ashr"});
  std::string flags;
  if (random_.oneIn(16))
    flags = op == "shl" ? random_.pick<std::string>({" nsw", " nuw"}) : " exact";
  size_t by = random_.oneIn(3) ? w - 1 : random_.below(w);
  std::string amount = w == 1 ? "false" : std::to_string(by);
  std::string value = define(w, op + flags + " " + type(w) + " " + operand(w) + ", " + amount);
  if (!flags.empty())
    sink(w, value);
}

void RandomIrWriter::bitwise() {
  unsigned w = width();
  const std::string op = random_.pick<std::string>({"and", "or", "xor"});
  define(w, op + " " + type(w) + " " + operand(w) + ", " + (w == 1 ? operand(w) : constant(w)));
}

void RandomIrWriter::comparison() {
  unsigned w = width();
  const std::string predicate = random_.pick<std::string>(
      {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"});
  std::string test = define(1, "icmp " + predicate + " " + type(w) + " " + operand(w) + ", " +
                                   (random_.oneIn(4) && w > 1 ? "0" : operand(w)));
  if (random_.oneIn(2))
    define(w, "select i1 " + test + ", " + type(w) + " " + operand(w) + ", " + type(w) + " " +
                  operand(w));
  else if (random_.oneIn(4))
    define(w, "freeze " + type(w) + " " + operand(w));
}

void RandomIrWriter::conversion() {
  unsigned from = width();
  unsigned to = width();
  if (from == to)
    return;
  std::string op = from > to ? "trunc" : random_.pick<std::string>({"zext", "sext"});
  std::string flags;
  if (random_.oneIn(16))
    flags = op == "trunc"  ? random_.pick<std::string>({" nsw", " nuw"})
            : op == "zext" ? std::string(" nneg")
                           : std::string();
  std::string value =
      define(to, op + flags + " " + type(from) + " " + operand(from) + " to " + type(to));
  if (!flags.empty())
    sink(to, value);
}

void RandomIrWriter::intrinsic() {
  unsigned w = width();
  std::string t = type(w);
  if (random_.oneIn(3)) {
    bool isStrict = random_.oneIn(4);
    std::string value = define(w, "call " + t + " @llvm.abs." + t + "(" + t + " " + operand(w) +
                                      ", i1 " + (isStrict ? "true" : "false") + ")");
    if (isStrict)
      sink(w, value);
    return;
  }
  const std::string op = random_.pick<std::string>({"smin", "smax", "umin", "umax", "expect"});
  define(w, "call " + t + " @llvm." + op + "." + t + "(" + t + " " + operand(w) + ", " + t + " " +
                operand(w) + ")");
}

void RandomIrWriter::overflow() {
  unsigned w = width();
  std::string t = type(w);
  const std::string op =
      random_.pick<std::string>({"sadd", "uadd", "ssub", "usub", "smul", "umul"});
  std::string b = op[1] == 'm' ? constant(w) : operand(w);
  std::string pair = define(0, "call {" + t + ", i1} @llvm." + op + ".with.overflow." + t + "(" +
                                   t + " " + operand(w) + ", " + t + " " + b + ")");
  define(w, "extractvalue {" + t + ", i1} " + pair + ", 0");
  define(1, "extractvalue {" + t + ", i1} " + pair + ", 1");
}

void RandomIrWriter::memory() {
  unsigned w = width();
  std::string where = random_.oneIn(2) ? name("own", w) : name(random_.oneIn(2) ? "a" : "b", w);
  if (!inHelper_ && random_.oneIn(3))
    where = "%slot" + std::to_string(w);
  if (random_.oneIn(2))
    define(w, "load " + type(w) + ", ptr " + where);
  else
    out_ << "  store " << type(w) << " " << operand(w) << ", ptr " << where << "\n";
}

void RandomIrWriter::array() {
  unsigned w = width();
  unsigned indexWidth = width();
  std::string value = operand(indexWidth);
  std::string index = type(indexWidth) + " " + value;
  if (indexWidth == 1) // as an index, a true i1 is -1
    index = "i8 " + define(0, "zext i1 " + value + " to i8");
  else if (value[0] != '%' || !random_.oneIn(24))
    index = type(indexWidth) + " " + define(0, "urem " + type(indexWidth) + " " + value + ", 2");
  if (random_.oneIn(4)) {
    std::string at = define(0, "getelementptr inbounds [3 x " + type(w) + "], ptr " +
                                   name("table", w) + ", i64 0, " + index);
    sink(w, define(w, "load " + type(w) + ", ptr " + at));
    return;
  }
  std::string at =
      define(0, "getelementptr inbounds [2 x [2 x " + type(w) + "]], ptr %row" + std::to_string(w) +
                    ", i64 0, " + index + ", i64 " + std::to_string(random_.below(2)));
  if (random_.oneIn(2))
    sink(w, define(w, "load " + type(w) + ", ptr " + at));
  else
    out_ << "  store " << type(w) << " " << operand(w) << ", ptr " << at << "\n";
}

void RandomIrWriter::input() {
  if (inHelper_ || allowed_ == RandomInputs::None)
    return;
  const std::map<unsigned, std::vector<std::string>> names{
      {1, {"bool"}},         {8, {"char", "uchar"}},  {16, {"short", "ushort"}},
      {32, {"int", "uint"}}, {64, {"long", "ulong"}},
  };
  unsigned w = width();
  define(w, "call " + type(w) + " @__VERIFIER_nondet_" + random_.pick(names.at(w)) + "()");
  inputs_ += repeats_;
}

void RandomIrWriter::assume() {
  std::string either = define(1, "or i1 " + operand(1) + ", " + operand(1));
  std::string wide = define(0, "zext i1 " + either + " to i32");
  out_ << "  call void @__VERIFIER_assume(i32 " << wide << ")\n";
}

void RandomIrWriter::call() {
  if (inHelper_)
    return;
  unsigned w = width();
  std::string t = type(w);
  define(w, "call " + t + " " + name("helper", w) + "(" + t + " " + operand(w) + ", " + t + " " +
                operand(w) + ")");
}

void RandomIrWriter::conditional() {
  std::string id = std::to_string(++blocks_);
  Pool outer = pool_;
  std::map<unsigned, std::vector<std::pair<std::string, std::string>>> incoming;
  out_ << "  br i1 " << operand(1) << ", label %yes" << id << ", label %no" << id << "\n";
  for (const char *arm : {"yes", "no"}) {
    label(arm + id);
    pool_ = outer;
    statements(static_cast<unsigned>(random_.below(4)));
    for (unsigned w : widths_)
      incoming[w].emplace_back(operand(w), block_);
    out_ << "  br label %join" << id << "\n";
  }
  label("join" + id);
  pool_ = outer;
  for (unsigned w : widths_) {
    const auto &ways = incoming[w];
    define(w, "phi " + type(w) + " [ " + ways[0].first + ", %" + ways[0].second + " ], [ " +
                  ways[1].first + ", %" + ways[1].second + " ]");
  }
}

void RandomIrWriter::table() {
  unsigned w = width();
  std::string id = std::to_string(++blocks_);
  Pool outer = pool_;
  std::string first = constant(w);
  std::string second = constant(w);
  out_ << "  switch " << type(w) << " " << operand(w) << ", label %other" << id << " [ " << type(w)
       << " " << first << ", label %case" << id;
  if (first != second)
    out_ << " " << type(w) << " " << second << ", label %" << (random_.oneIn(2) ? "case" : "other")
         << id;
  out_ << " ]\n";
  for (const char *arm : {"case", "other"}) {
    label(arm + id);
    pool_ = outer;
    statements(static_cast<unsigned>(random_.below(3)));
    out_ << "  br label %after" << id << "\n";
  }
  label("after" + id);
  pool_ = outer;
}

/// At most three rounds, counted by a phi.
void RandomIrWriter::loop() {
  std::string id = std::to_string(++blocks_);
  unsigned w = width();
  std::string from = block_;
  std::string start = operand(w);
  std::string back = "%next" + id;
  out_ << "  br label %head" << id << "\n";
  label("head" + id);
  out_ << "  %count" << id << " = phi i8 [ 0, %" << from << " ], [ %more" << id << ", %latch" << id
       << " ]\n";
  define(w, "phi " + type(w) + " [ " + start + ", %" + from + " ], [ " + back + ", %latch" + id +
                " ]");
  size_t before = std::exchange(repeats_, repeats_ * 3);
  Pool outer = pool_;
  statements(static_cast<unsigned>(random_.below(5)));
  out_ << "  br label %latch" << id << "\n";
  label("latch" + id);
  out_ << "  " << back << " = freeze " << type(w) << " " << operand(w) << "\n";
  out_ << "  %more" << id << " = add i8 %count" << id << ", 1\n  %again" << id
       << " = icmp ult i8 %more" << id << ", 3\n  br i1 %again" << id << ", label %head" << id
       << ", label %exit" << id << "\n";
  label("exit" + id);
  pool_ = outer;
  repeats_ = before;
}

void RandomIrWriter::step() {
  unsigned id = steps_++;
  inStep_ = true;
  out_ << "  call void @understudy_step_begin(i32 " << id << ")\n";
  statements(static_cast<unsigned>(1 + random_.below(6)));
  out_ << "  call void @understudy_step_end(i32 " << id << ")\n";
  inStep_ = false;
}

void RandomIrWriter::failure() {
  std::string id = std::to_string(++blocks_);
  std::string both = define(1, "and i1 " + operand(1) + ", " + operand(1));
  std::string test = define(1, "and i1 " + operand(1) + ", " + both);
  out_ << "  br i1 " << test << ", label %fail" << id << ", label %fine" << id << "\n";
  label("fail" + id);
  out_ << "  call void @understudy_assert_fail(i32 " << steps_ << ")\n  unreachable\n";
  label("fine" + id);
}

} // namespace understudy::tests

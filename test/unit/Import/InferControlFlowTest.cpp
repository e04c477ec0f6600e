//===- InferControlFlowTest.cpp - If, Loop, Scan, sequences ---------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InferSupport.h"

using namespace roofline;
using namespace roofline::onnx_import;
using roofline::onnx_import::test::Inferred;

namespace {

std::string trips(Inferred &m, llvm::StringRef op = "Loop") {
  const Node *node = m.node(op);
  if (!node || !node->trips)
    return "?";
  return node->trips->str() + (node->tripsUpperBound ? " at most" : "");
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

const char *ifOfBranches = R"(g (bool c, float[2, n] x) => (y) {
  y = If (c) <
    then_branch = t () => (a) { a = Relu(x) },
    else_branch = e () => (b) { b = Concat <axis = 1> (x, x) }>
})";

TEST(InferIf, AKnownConditionPicksItsBranch) {
  ImportOptions options;
  options.values.push_back({"c", "true"});
  Inferred m(ifOfBranches, options);
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["y"], "[2, n] f32");
  EXPECT_EQ(m.node("If")->taken, 0u);
}

// Either may run: the greater size is an upper bound.
TEST(InferIf, AnUnknownConditionMergesBranches) {
  Inferred m(ifOfBranches);
  EXPECT_EQ(m["y"], "[2, 2*n] f32 at most");
  EXPECT_FALSE(m.node("If")->taken);
}

std::string warnings(const Inferred &m) {
  std::string text;
  for (const ImportWarning &warning : m.model.warnings)
    text += warning.node + ": " + warning.message + "\n";
  return text;
}

std::string ifOn(const std::string &inputs, const std::string &condition) {
  return "g (" + inputs + ", float[2, n] x) => (y, z)\n" +
         "<int64 rate = {16000}> {\n  " + condition +
         "\n  [a] y = If (c) <then_branch = t () => (p) { p = Relu(x) },"
         " else_branch = e () => (q) { q = Abs(x) }>"
         "\n  [b] z = If (c) <then_branch = t () => (r) { r = Relu(x) },"
         " else_branch = e () => (s) { s = Abs(x) }>\n}";
}

// Where a value of a small input decides, one warning says how to give it.
TEST(InferIf, InputsThatDecide) {
  std::string text = ifOn("int64 sr", "c = Equal(sr, rate)");
  EXPECT_EQ(warnings(Inferred(text)),
            "a: its condition depends on input 'sr'; --value=sr=… decides the "
            "branch\n");
  ImportOptions options;
  options.values.push_back({"sr", "8000"});
  EXPECT_EQ(warnings(Inferred(text, options)), "");
  EXPECT_EQ(warnings(Inferred(ifOn("bool[1] b, int64 sr",
                                   "e = Equal(rate, sr)\n c = And(e, b)"))),
            "a: its condition depends on inputs 'b', 'sr'; --value=b=…, "
            "--value=sr=… decide the branch\n");
}

// Nothing that can be given decides where data, sizes or long lists do, too.
TEST(InferIf, InputsThatDontDecide) {
  for (const char *condition : {"c = Cast <to = 9> (d)",
                                "e = Equal(sr, rate)\n f = Cast <to = 9> (d)\n"
                                " c = And(e, f)",
                                "h = Shape <start = 1> (x)\n c = Equal(h, sr)",
                                "c = Cast <to = 9> (l)"})
    EXPECT_EQ(
        warnings(Inferred(ifOn("int64 sr, float[1] d, int64[3] l", condition))),
        "")
        << condition;
}

const char *ifWithInvalidBranch = R"(g (bool c, float[2, 3] x) => (y) {
  y = If (c) <
    then_branch = t () => (a) { a = MatMul(x, x) },
    else_branch = e () => (b) { b = Relu(x) }>
})";

TEST(InferIf, ABranchNotTakenMayBeInvalid) {
  ImportOptions options;
  options.values.push_back({"c", "false"});
  Inferred m(ifWithInvalidBranch, options);
  EXPECT_EQ(m.message, "");
  EXPECT_TRUE(m.model.warnings.empty());
  EXPECT_EQ(m["y"], "[2, 3] f32");
  EXPECT_EQ(m["a"], "?");
}

TEST(InferIf, ABranchTakenMayNot) {
  ImportOptions options;
  options.values.push_back({"c", "true"});
  EXPECT_NE(Inferred(ifWithInvalidBranch, options).message, "");
}

TEST(InferIf, AnInvalidBranchLeavesTheOther) {
  Inferred m(ifWithInvalidBranch);
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["y"], "[2, 3] f32");
  EXPECT_EQ(m.model.warnings.size(), 2u); // and that c decides
}

// Exporters guard a Squeeze: the rank that the file states decides.
TEST(InferIf, BranchesOfDifferentRank) {
  Inferred m(R"(g (bool c, float[1, n] x) => (float[m] y)
    <int64[1] axes = {0}> {
      y = If (c) <
        then_branch = t () => (a) { a = Squeeze(x, axes) },
        else_branch = e () => (b) { b = Identity(x) }>
  })");
  EXPECT_EQ(m["y"], "[n] f32 at most");
}

TEST(InferIf, ConstantsComeThroughTheBranchTaken) {
  ImportOptions options;
  options.values.push_back({"c", "1"});
  Inferred m(R"(g (bool c) => (y) <int64[2] s = {4, 5}, int64[1] r = {6}> {
      y = If (c) <then_branch = t () => (a) { a = Identity(s) },
                  else_branch = e () => (b) { b = Identity(r) }>
  })",
             options);
  EXPECT_EQ(m["y"], "[2] i64 {4, 5}");
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// A loop of `count` trips that carries `x` through `step` and collects `o`.
std::string loopText(const std::string &inputs, const std::string &step,
                     const std::string &count = "n",
                     const std::string &condition = "Identity(ci)") {
  return "g (" + inputs + ", float[2, 3] x) => (y, all)\n" +
         "<int64 seven = {7}, int64 one = {1}, int64 zero = {0}> {\n" +
         "  y, all = Loop (" + count + ", , x) <body = b " +
         "(int64 i, bool ci, float[2, c] xi) => (bool co, float[2, d] xo, " +
         "float[2, e] o) {\n    co = " + condition + "\n    " + step +
         "\n    o = Relu(xo)\n  }>\n}";
}

TEST(InferLoop, KnownCount) {
  Inferred m(loopText("int64 n", "xo = Relu(xi)", "seven"));
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(trips(m), "7");
  EXPECT_EQ(m["y"], "[2, 3] f32");
  EXPECT_EQ(m["all"], "[7, 2, 3] f32");
  EXPECT_EQ(m["xi"], "[2, 3] f32");
}

TEST(InferLoop, CountFromAnInput) {
  std::string text = loopText("int64 n", "xo = Relu(xi)");
  Inferred open(text);
  EXPECT_EQ(trips(open), "n");
  EXPECT_EQ(open["all"], "[n, 2, 3] f32");
  ImportOptions options;
  options.values.push_back({"n", "5"});
  Inferred bound(text, options);
  EXPECT_EQ(trips(bound), "5");
  EXPECT_EQ(bound["all"], "[5, 2, 3] f32");
}

TEST(InferLoop, DataMayEndItEarly) {
  Inferred m(loopText("bool b", "xo = Relu(xi)", "seven", "Identity(b)"));
  EXPECT_EQ(trips(m), "7 at most");
  EXPECT_EQ(m["all"], "[7, 2, 3] f32 at most");
}

TEST(InferLoop, NoCountAtAll) {
  Inferred m(loopText("bool b", "xo = Relu(xi)", "", "Identity(b)"));
  EXPECT_EQ(trips(m), "`trips(y)`");
  EXPECT_EQ(m["all"], "[`trips(y)`, 2, 3] f32");
}

TEST(InferLoop, NoTrip) {
  Inferred m(loopText("int64 n", "xo = Relu(xi)", "zero"));
  EXPECT_EQ(trips(m), "0");
  EXPECT_EQ(m["y"], "[2, 3] f32");
  EXPECT_EQ(m["all"], "[0, 2, 3] f32");
}

// One trip: the body is a part of the graph like any other.
TEST(InferLoop, OneTrip) {
  Inferred m(loopText("int64 n", "xo = Concat <axis = 1> (xi, xi)", "one"));
  EXPECT_EQ(trips(m), "1");
  EXPECT_EQ(m["i"], "[] i64 {0}");
  EXPECT_EQ(m["xi"], "[2, 3] f32");
  EXPECT_EQ(m["y"], "[2, 6] f32");
  EXPECT_EQ(m["all"], "[1, 2, 6] f32");
}

// A size that grows isn't known in the body.
TEST(InferLoop, GrowingSizeIsUnknown) {
  Inferred m(loopText("int64 n", "xo = Concat <axis = 1> (xi, xi)", "seven"));
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["xi"], "[2, ?] f32");
}

// Loops in loops end, however deep, in time that doesn't multiply.
TEST(InferLoop, DeepNests) {
  std::string body = "yo = Concat <axis = 0> (v0, v0)";
  for (int depth = 0; depth < 30; ++depth) {
    std::string d = std::to_string(depth), outer = std::to_string(depth + 1);
    std::string result = depth == 0 ? "yo" : "y" + std::to_string(depth - 1);
    body = "y" + d + " = Loop (n, , v" + outer + ") <body = b" + d +
           " (int64 i" + d + ", bool c" + d + ", float[s] v" + d +
           ") => (bool k" + d + ", float[t] " + result + ") { k" + d +
           " = Identity(c" + d + ") " + body + " }>";
  }
  Inferred m("g (int64 n, float[4] v30) => (y29) { " + body + " }");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["v30"], "[4] f32");
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

TEST(InferScan, LengthOfTheOperands) {
  Inferred m(R"(g (float[4] s, float[n, 4] x) => (last, all) {
    last, all = Scan <num_scan_inputs = 1, body = b
      (float[4] si, float[4] xi) => (float[4] so, float[4] o) {
        so = Add(si, xi)
        o = Relu(so)
      }> (s, x)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(trips(m, "Scan"), "n");
  EXPECT_EQ(m["xi"], "[4] f32");
  EXPECT_EQ(m["last"], "[4] f32");
  EXPECT_EQ(m["all"], "[n, 4] f32");
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

TEST(InferSequences, EvenSplit) {
  Inferred m(R"(g (float[6, 4] x, int64 k) => (y) <int64 two = {2}> {
    s = SplitToSequence <axis = 0> (x, two)
    y = SequenceAt(s, k)
    l = SequenceLength(s)
    c = ConcatFromSequence <axis = 0> (s)
  })");
  EXPECT_EQ(m.message, "");
  EXPECT_EQ(m["s"], "seq(3) [2, 4] f32");
  EXPECT_EQ(m["y"], "[2, 4] f32");
  EXPECT_EQ(m["l"], "[] i64 {3}");
  EXPECT_EQ(m["c"], "[6, 4] f32");
}

TEST(InferSequences, UnevenSplit) {
  Inferred m(R"(g (float[5, 4] x, int64 k) => (y)
    <int64 two = {2}, int64 last = {-1}> {
      s = SplitToSequence <axis = 0> (x, two)
      y = SequenceAt(s, k)
      z = SequenceAt(s, last)
  })");
  EXPECT_EQ(m["s"], "seq(3) [?, 4] f32");
  EXPECT_EQ(m["y"], "[?, 4] f32");
  EXPECT_EQ(m["z"], "[1, 4] f32");
}

TEST(InferSequences, FormulasSplitEvenly) {
  Inferred m(R"(g (float[n, 4] x, int64 k) => (y) {
    s = SplitToSequence <axis = 1> (x)
    y = SequenceAt(s, k)
    z = ConcatFromSequence <axis = 0, new_axis = 1> (s)
  })");
  EXPECT_EQ(m["s"], "seq(4) [n, 1] f32");
  EXPECT_EQ(m["z"], "[4, n, 1] f32");
}

TEST(InferSequences, Edits) {
  Inferred m(R"(g (float[2] x, float[3] z) => (y) <int64 first = {0}> {
    e = SequenceEmpty()
    a = SequenceInsert(e, x)
    b = SequenceInsert(a, z, first)
    y = SequenceAt(b, first)
    d = SequenceErase(b, first)
    f = SequenceConstruct(x, x)
  })");
  EXPECT_EQ(m["e"], "seq(0) [*] f32");
  EXPECT_EQ(m["a"], "seq(1) [2] f32");
  EXPECT_EQ(m["b"], "seq(2) [?] f32");
  EXPECT_EQ(m["y"], "[3] f32");
  EXPECT_EQ(m["d"], "seq(1) [2] f32");
  EXPECT_EQ(m["f"], "seq(2) [2] f32");
}

TEST(InferSequences, Optionals) {
  Inferred m(R"(g (float[2] x) => (y) {
    o = Optional(x)
    y = OptionalGetElement(o)
    h = OptionalHasElement(o)
  })");
  EXPECT_EQ(m["o"], "optional [2] f32");
  EXPECT_EQ(m["y"], "[2] f32");
  EXPECT_EQ(m["h"], "[] bool {1}");
}

} // namespace

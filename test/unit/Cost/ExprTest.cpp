//===- ExprTest.cpp - exact expressions -----------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "roofline/Cost/Expr.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace roofline;

namespace {

Expr sym(llvm::StringRef name) { return Expr::symbol(name); }

/// Parses text that is right.
Expr expr(llvm::StringRef text) {
  llvm::Expected<Expr> parsed = Expr::parse(text);
  if (parsed)
    return *parsed;
  ADD_FAILURE() << text.str() << ": " << toString(parsed.takeError());
  return {};
}

/// The message for text that is wrong.
std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Expr> parsed = Expr::parse(text);
  if (!parsed)
    return toString(parsed.takeError());
  return "no error: " + parsed->str();
}

/// The text of `text` parsed, and a check that it reads back as the same.
std::string normal(llvm::StringRef text) {
  Expr parsed = expr(text);
  std::string printed = parsed.str();
  EXPECT_EQ(expr(printed), parsed) << printed;
  return printed;
}

Expr evaluate(const Expr &e, const llvm::StringMap<int64_t> &values) {
  return e.substitute([&](llvm::StringRef name) -> std::optional<Expr> {
    auto it = values.find(name);
    if (it == values.end())
      return std::nullopt;
    return Expr(it->second);
  });
}

TEST(Expr, ConstantsAreExact) {
  EXPECT_EQ(Expr(2) + Expr(3), Expr(5));
  EXPECT_EQ(Expr(2) * Expr(3) - Expr(7), Expr(-1));
  EXPECT_TRUE(Expr().isZero());
  EXPECT_EQ(Expr(7).asInt64(), 7);
}

TEST(Expr, ConstantsDoNotOverflow) {
  Expr big = Expr(std::numeric_limits<int64_t>::max());
  // (2^63 - 1)^2 = 2^126 - 2^64 + 1
  EXPECT_EQ((big * big).str(), "85070591730234615847396907784232501249");
  EXPECT_EQ((big + 1).str(), "9223372036854775808");
  EXPECT_FALSE((big + 1).asInt64());
  // Back within 64 bits: the value and the hash are those of the small number.
  Expr back = (big + 1) - 1;
  EXPECT_EQ(back, big);
  EXPECT_EQ(hash_value(back), hash_value(big));
  EXPECT_EQ(back.asInt64(), std::numeric_limits<int64_t>::max());
}

// A constant of more than 64 bits is kept elsewhere than a small one; nobody
// may notice.
TEST(Expr, ConstantsOfMoreThan64BitsAreConstants) {
  EXPECT_EQ(sizeof(Expr), 16u);
  Expr most = Expr(std::numeric_limits<int64_t>::max());
  Expr least = Expr(std::numeric_limits<int64_t>::min());
  Expr big = most + 1; // 2^63
  EXPECT_EQ(big, most + 1);
  EXPECT_EQ(hash_value(big), hash_value(most + 1));
  EXPECT_NE(big, most);
  EXPECT_TRUE(big.isConstant());
  EXPECT_FALSE(big.isZero());
  EXPECT_FALSE(big.asSymbol());
  EXPECT_EQ(-least, big);
  EXPECT_EQ(-big, least);
  EXPECT_EQ((-big).asInt64(), std::numeric_limits<int64_t>::min());
  EXPECT_TRUE((big - big).isZero());
  EXPECT_TRUE((big * 0).isZero());
  EXPECT_EQ(least - 1, -(big + 1));
  EXPECT_TRUE(most < big && least < most && -big < big);
  EXPECT_EQ(Expr::min(big, most), most);
  EXPECT_EQ(Expr::max(big, most), big);
  EXPECT_EQ(Expr::floorDiv(big * big, big), big);
  EXPECT_EQ(Expr::exactQuotient(big * 3, 3), big);
  EXPECT_EQ(Expr::mod(big + 5, big), Expr(5));
  Expr n = Expr::symbol("n");
  EXPECT_EQ((n * big).str(), "9223372036854775808*n");
  EXPECT_EQ(n * big - big * n, Expr(0));
  EXPECT_EQ(Expr::exactQuotient(n * big, big), n);
  EXPECT_EQ((n + big) - n, big);
  EXPECT_EQ((n + big).substitute(
                [&](llvm::StringRef) { return std::optional<Expr>(big); }),
            big * 2);
}

TEST(Expr, DoublesOfIntegers) {
  EXPECT_EQ(toDouble(Int(12)), 12.0);
  EXPECT_EQ(toDouble(Int(-3)), -3.0);
  Int huge = expr("2^100").constant();
  EXPECT_EQ(toDouble(huge), std::ldexp(1.0, 100));
  EXPECT_EQ(toDouble(-huge), -std::ldexp(1.0, 100));
  EXPECT_TRUE(std::isinf(toDouble(expr("10^400").constant())));
  EXPECT_EQ(toString(huge), "1267650600228229401496703205376");
}

TEST(Expr, SumsAndProductsAreCanonical) {
  Expr a = sym("a"), b = sym("b");
  EXPECT_EQ(a + b, b + a);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ((a + b) * (a - b), a * a - b * b);
  EXPECT_EQ((a + 1) * (a + 1), a * a + Expr(2) * a + 1);
  EXPECT_EQ(a - a, Expr(0));
  EXPECT_TRUE((a - a).isConstant());
  EXPECT_EQ(hash_value(a * b + 1), hash_value(Expr(1) + b * a));
  EXPECT_NE(a, b);
  EXPECT_TRUE((a < b) != (b < a));
}

TEST(Expr, PrintsHighestDegreeFirst) {
  Expr batch = sym("batch"), seq = sym("seq");
  EXPECT_EQ((Expr(16) * seq + Expr(2) * batch * seq * seq).str(),
            "2*batch*seq^2 + 16*seq");
  EXPECT_EQ((seq - batch - 3).str(), "-batch + seq - 3");
  EXPECT_EQ((-seq).str(), "-seq");
  EXPECT_EQ(Expr(-5).str(), "-5");
  EXPECT_EQ(Expr().str(), "0");
}

TEST(Expr, QuotesOddNames) {
  EXPECT_EQ(sym("input_ids[0]").str(), "input_ids[0]");
  EXPECT_EQ(sym("past:seq.len").str(), "past:seq.len");
  EXPECT_EQ(sym("?").str(), "`?`");
  EXPECT_EQ(sym("batch size").str(), "`batch size`");
  EXPECT_EQ(sym("2d").str(), "`2d`");
  EXPECT_EQ(sym("min").str(), "`min`");
  EXPECT_EQ(sym("a`b").str(), "`a``b`");
  for (const char *name : {"?", "batch size", "2d", "min", "a`b", "`", "α"})
    EXPECT_EQ(expr(sym(name).str()), sym(name)) << name;
}

TEST(Expr, DivisionOfConstantsIsMathematical) {
  EXPECT_EQ(Expr::floorDiv(7, 2), Expr(3));
  EXPECT_EQ(Expr::floorDiv(-7, 2), Expr(-4));
  EXPECT_EQ(Expr::floorDiv(7, -2), Expr(-4));
  EXPECT_EQ(Expr::ceilDiv(7, 2), Expr(4));
  EXPECT_EQ(Expr::ceilDiv(-7, 2), Expr(-3));
  EXPECT_EQ(Expr::ceilDiv(7, -2), Expr(-3));
  EXPECT_EQ(Expr::mod(7, 3), Expr(1));
  EXPECT_EQ(Expr::mod(-7, 3), Expr(2));
  EXPECT_EQ(Expr::mod(7, -3), Expr(-2)); // 7 - (-3)·⌊7 / -3⌋ = 7 - 9
  EXPECT_EQ(Expr::floorDiv(7, 0), Expr(0));
  EXPECT_EQ(Expr::ceilDiv(sym("a"), 0), Expr(0));
}

TEST(Expr, ExactDivisionCancels) {
  Expr a = sym("a"), b = sym("b");
  EXPECT_EQ(Expr::floorDiv(a, 1), a);
  EXPECT_EQ(Expr::floorDiv(Expr(6) * a * b, Expr(2) * a), Expr(3) * b);
  EXPECT_EQ(Expr::ceilDiv(Expr(6) * a * b, Expr(2) * a), Expr(3) * b);
  EXPECT_EQ(Expr::floorDiv(a * a - b * b, a + b), a - b);
  EXPECT_EQ(Expr::mod(a * b, b), Expr(0));
  EXPECT_EQ(Expr::exactQuotient(a * a + Expr(2) * a * b + b * b, a + b), a + b);
  EXPECT_FALSE(Expr::exactQuotient(a * a + b * b, a + b));
  EXPECT_FALSE(Expr::exactQuotient(a, 2));
  EXPECT_FALSE(Expr::exactQuotient(a, 0));
  EXPECT_EQ(Expr::exactQuotient(0, a), Expr(0));
}

TEST(Expr, DivisionPullsOutWhatDivides) {
  EXPECT_EQ(normal("floordiv(4*a + 3, 2)"), "2*a + 1");
  EXPECT_EQ(normal("floordiv(4*a + b, 2)"), "2*a + floordiv(b, 2)");
  EXPECT_EQ(normal("floordiv(a*b + c, b)"), "a + floordiv(c, b)");
  // ⌊(2a + 3) / 4⌋ = ⌊(a + 1) / 2⌋ = ⌈a / 2⌉
  EXPECT_EQ(normal("floordiv(2*a + 3, 4)"), "ceildiv(a, 2)");
  EXPECT_EQ(normal("floordiv(6*a, 4*b)"), "floordiv(3*a, 2*b)");
}

TEST(Expr, NestedDivisionsMerge) {
  EXPECT_EQ(expr("floordiv(floordiv(a, 2), 3)"), expr("floordiv(a, 6)"));
  EXPECT_EQ(expr("ceildiv(ceildiv(a, 2), 3)"), expr("ceildiv(a, 6)"));
  // Two stride-2 convolutions: ⌊(⌊(h-1)/2⌋+1 - 1)/2⌋ + 1 = ⌈h / 4⌉.
  EXPECT_EQ(expr("floordiv(floordiv(h - 1, 2), 2) + 1"), expr("ceildiv(h, 4)"));
}

TEST(Expr, CeilingsAndFloorsOfOneSizeAreEqual) {
  EXPECT_EQ(expr("floordiv(h - 1, 2) + 1"), expr("ceildiv(h, 2)"));
  EXPECT_EQ(expr("-floordiv(-h, 2)"), expr("ceildiv(h, 2)"));
  EXPECT_EQ(normal("ceildiv(h, 3)"), "ceildiv(h, 3)");
  EXPECT_EQ(normal("ceildiv(h, b)"), "ceildiv(h, b)");
}

TEST(Expr, Remainders) {
  EXPECT_EQ(normal("mod(5*a + 7, 4)"), "mod(a + 3, 4)");
  EXPECT_EQ(normal("mod(2*a + 1, 4)"), "2*mod(a, 2) + 1");
  EXPECT_EQ(normal("mod(4*a, 4)"), "0");
  EXPECT_EQ(normal("mod(mod(a, 4), 4)"), "mod(a, 4)");
  EXPECT_EQ(normal("floordiv(mod(a, 4), 4)"), "0");
  EXPECT_EQ(normal("a % 3"), "mod(a, 3)");
  EXPECT_EQ(normal("mod(a, b)"), "mod(a, b)");
}

TEST(Expr, MinimaAndMaxima) {
  EXPECT_EQ(normal("min(b, a)"), "min(a, b)");
  EXPECT_EQ(normal("min(a, min(b, a))"), "min(a, b)");
  EXPECT_EQ(normal("min(7, min(seq, 4096))"), "min(seq, 7)");
  EXPECT_EQ(normal("max(a, 0)"), "a");
  EXPECT_EQ(normal("min(a, 0)"), "0");
  EXPECT_EQ(normal("max(a, a + 1)"), "a + 1");
  EXPECT_EQ(normal("min(a, a + b)"), "a");
  EXPECT_EQ(normal("max(a - 1, 0)"), "max(a - 1, 0)");
  EXPECT_EQ(normal("min(max(a, 5), 3)"), "3");
  EXPECT_EQ(normal("min(mod(a, 4), 9)"), "mod(a, 4)");
  EXPECT_EQ(Expr::min(3, 5), Expr(3));
  EXPECT_EQ(Expr::max(3, 5), Expr(5));
}

TEST(Expr, SubstitutionEvaluates) {
  Expr e = expr("2*batch*seq^2 + ceildiv(seq, 3)*min(batch, 4) - mod(seq, 5)");
  // 2·8·49 + ⌈7/3⌉·min(8, 4) - 7 mod 5 = 784 + 3·4 - 2
  EXPECT_EQ(evaluate(e, {{"batch", 8}, {"seq", 7}}), Expr(794));
  // Only one bound: 16·seq² + 4·⌈seq/3⌉ - seq mod 5
  EXPECT_EQ(evaluate(e, {{"batch", 8}}),
            expr("16*seq^2 + 4*ceildiv(seq, 3) - mod(seq, 5)"));
  EXPECT_EQ(evaluate(e, {{"other", 8}}), e);
}

TEST(Expr, SubstitutionSimplifies) {
  Expr e = expr("floordiv(a*b + c, 8)");
  Expr bound = e.substitute([](llvm::StringRef name) -> std::optional<Expr> {
    if (name == "b")
      return Expr(16);
    if (name == "c")
      return Expr(8) * Expr::symbol("n");
    return std::nullopt;
  });
  EXPECT_EQ(bound, expr("2*a + n"));
}

TEST(Expr, Symbols) {
  Expr e = expr("a*floordiv(b, c) + 1");
  std::set<std::string> names;
  e.collectSymbols(names);
  EXPECT_EQ(names, (std::set<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(e.mentions("c"));
  EXPECT_FALSE(e.mentions("d"));
  EXPECT_EQ(sym("a").asSymbol(), llvm::StringRef("a"));
  EXPECT_FALSE((sym("a") * 2).asSymbol());
  EXPECT_FALSE(Expr(1).asSymbol());
}

TEST(Expr, ParsesItsGrammar) {
  EXPECT_EQ(normal(" 2 * ( a + 1 ) ^ 2 "), "2*a^2 + 4*a + 2");
  EXPECT_EQ(normal("a - -b"), "a + b");
  EXPECT_EQ(normal("-a^2"), "-a^2");
  EXPECT_EQ(normal("a*-2"), "-2*a");
  EXPECT_EQ(normal("7 // 2"), "3");
  EXPECT_EQ(normal("7 / 2"), "3");
  EXPECT_EQ(normal("7 % 4 * 2"), "6");
  EXPECT_EQ(normal("-7 // 2"), "-4");    // a sign belongs to its operand
  EXPECT_EQ(normal("1 - 7 // 2"), "-2"); // a difference doesn't
  EXPECT_EQ(normal("min(a, b, 3)"), "min(a, b, 3)");
  EXPECT_EQ(normal("123456789012345678901234567890"),
            "123456789012345678901234567890");
  EXPECT_EQ(normal("x^0"), "1");
}

TEST(Expr, ErrorsNameTheColumn) {
  EXPECT_EQ(errorOf(""),
            "column 1: expected a number, a name or '(', found the end");
  EXPECT_EQ(errorOf("a + "),
            "column 5: expected a number, a name or '(', found the end");
  EXPECT_EQ(errorOf("a b"),
            "column 3: expected an operator or the end, found 'b'");
  EXPECT_EQ(errorOf("(a"), "column 3: expected ')', found the end");
  EXPECT_EQ(errorOf("a^b"),
            "column 3: expected a whole number as exponent, found 'b'");
  EXPECT_EQ(errorOf("a^99999999"), "column 3: the exponent is above 1024");
  EXPECT_EQ(errorOf("min"),
            "column 4: expected '(' after 'min', found the end");
  EXPECT_EQ(errorOf("min(a)"), "column 7: 'min' takes two arguments");
  EXPECT_EQ(errorOf("mod(a, b, c)"), "column 12: too many arguments for 'mod'");
  EXPECT_EQ(errorOf("`a"), "column 1: a backquoted name has no end");
  EXPECT_EQ(errorOf("``"), "column 1: a name is empty");
  EXPECT_EQ(errorOf("a $ b"),
            "column 3: expected an operator or the end, found '$'");
}

TEST(Expr, ParsingIsBounded) {
  EXPECT_EQ(errorOf(std::string(100000, '(')),
            "column 201: the expression is nested too deeply");
  EXPECT_NE(errorOf("(((2^1000)^1000)^1000)^1000").find("too large"),
            std::string::npos);
  EXPECT_NE(errorOf("(((a^1000)^1000)^1000)^1000").find("too large"),
            std::string::npos);
  // Sums too large to be multiplied out stay factors, at once.
  EXPECT_EQ(errorOf("(a+b+c+d+e+f+g+h)^64").substr(0, 9), "no error:");
  EXPECT_NE(errorOf(std::string(5000, '9')).find("too long"),
            std::string::npos);
  std::string product = "(a+b+c)";
  for (int i = 0; i != 12; ++i)
    product = "(" + product + ")^3";
  EXPECT_NE(errorOf(product).find("too large"), std::string::npos);
  std::string sum = "x0";
  for (int i = 1; i != 20000; ++i)
    sum += "+x" + std::to_string(i);
  EXPECT_EQ(errorOf(sum).substr(0, 9), "no error:");
}

/// Every simplification keeps the value: compares the simplified expression
/// with the same operations on numbers.
TEST(Expr, SimplificationKeepsValues) {
  uint64_t state = 12345;
  auto next = [&](int64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((state >> 33) % bound);
  };
  const char *names[] = {"a", "b", "c"};
  for (int round = 0; round != 2000; ++round) {
    llvm::StringMap<int64_t> values;
    for (const char *name : names)
      values[name] = 1 + next(9);
    std::vector<std::pair<Expr, Expr>> pool; // the expression, its value
    for (const char *name : names)
      pool.push_back({sym(name), Expr(values[name])});
    for (int64_t i = 0; i != 3; ++i) {
      int64_t constant = next(13) - 4;
      pool.push_back({constant, constant});
    }
    for (int step = 0; step != 8; ++step) {
      auto [x, xv] = pool[next(pool.size())];
      auto [y, yv] = pool[next(pool.size())];
      switch (next(8)) {
      case 0:
        pool.push_back({x + y, xv + yv});
        break;
      case 1:
        pool.push_back({x - y, xv - yv});
        break;
      case 2:
        pool.push_back({x * y, xv * yv});
        break;
      case 3:
        if (!yv.isZero())
          pool.push_back({Expr::floorDiv(x, y), Expr::floorDiv(xv, yv)});
        break;
      case 4:
        if (!yv.isZero())
          pool.push_back({Expr::ceilDiv(x, y), Expr::ceilDiv(xv, yv)});
        break;
      case 5:
        if (!yv.isZero())
          pool.push_back({Expr::mod(x, y), Expr::mod(xv, yv)});
        break;
      case 6:
        pool.push_back({Expr::min(x, y), Expr::min(xv, yv)});
        break;
      case 7:
        pool.push_back({Expr::max(x, y), Expr::max(xv, yv)});
        break;
      }
    }
    for (const auto &[e, value] : pool) {
      ASSERT_EQ(evaluate(e, values).str(), value.str())
          << e.str() << " at a=" << values["a"] << " b=" << values["b"]
          << " c=" << values["c"];
      llvm::Expected<Expr> parsed = Expr::parse(e.str());
      ASSERT_TRUE(bool(parsed)) << toString(parsed.takeError());
      ASSERT_EQ(*parsed, e) << e.str() << " vs " << parsed->str();
    }
  }
}

TEST(Expr, GarbageNeverCrashes) {
  const char alphabet[] = "ab019+-*/%^(),`min mod floordiv(\xff";
  uint64_t state = 99;
  for (int round = 0; round != 20000; ++round) {
    std::string text;
    for (int i = 0; i != 24; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text += alphabet[(state >> 33) % (sizeof(alphabet) - 1)];
    }
    llvm::Expected<Expr> parsed = Expr::parse(text);
    if (!parsed) {
      EXPECT_EQ(toString(parsed.takeError()).substr(0, 7), "column ");
      continue;
    }
    EXPECT_EQ(expr(parsed->str()), *parsed) << text;
  }
}

} // namespace

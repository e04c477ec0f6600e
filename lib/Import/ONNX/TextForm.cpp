//===- TextForm.cpp - ONNX's text form ------------------------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextForm.h"
#include "WireFormat.h"
#include "onnx/defs/parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace roofline::onnx_import;

bool roofline::onnx_import::isText(StringRef bytes) {
  for (unsigned char c : bytes.take_front(4096))
    if (c < ' ' && !isSpace(c))
      return false;
  return !bytes.empty();
}

/// Without leading white space and `#` comments.
static StringRef skipComments(StringRef text) {
  text = text.ltrim();
  while (text.starts_with("#"))
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text;
}

bool roofline::onnx_import::looksLikeTextForm(StringRef text) {
  text = skipComments(text);
  if (text.starts_with("<"))
    return true;
  StringRef rest =
      text.drop_while([](char c) { return isAlnum(c) || c == '_'; });
  return rest.size() < text.size() && rest.ltrim().starts_with("(") &&
         rest.contains("=>");
}

/// The parser recurses with the text's brackets.
static Error checkNesting(StringRef text) {
  // A graph inside a graph takes a `<` for the attributes, a `{` for the nodes;
  // a few more serve types and lists.
  constexpr unsigned limit = 2 * maxGraphNesting + 20;
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '#':
      i = std::min(text.find('\n', i), text.size());
      break;
    case '"':
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      break;
    case '<':
    case '{':
    case '(':
    case '[':
      if (++depth > limit)
        return createStringError("text form: brackets nest deeper than the "
                                 "limit of " +
                                 Twine(limit) + " levels");
      break;
    case '>':
      if (i > 0 && text[i - 1] == '=')
        break;
      [[fallthrough]];
    case '}':
    case ')':
    case ']':
      depth -= depth > 0;
      break;
    default:
      break;
    }
  }
  return Error::success();
}

/// "[ParseError at position (line: 2 column: 7)]\nError context: …\nmessage" to
/// one line.
static Error textFormError(StringRef message) {
  StringRef position, rest = message;
  if (message.consume_front("[ParseError at position (")) {
    std::tie(position, rest) = message.split(")]");
    StringRef context;
    std::tie(context, rest) = rest.ltrim().split('\n');
    std::string place = position.str();
    place.erase(std::remove(place.begin(), place.end(), ':'), place.end());
    return createStringError(
        "text form, " + place + ": " + rest.trim().split('\n').first +
        " (at `" +
        context.drop_front(StringRef("Error context: ").size()).trim() + "`)");
  }
  return createStringError("text form: " + message.trim());
}

Error roofline::onnx_import::parseTextForm(StringRef text,
                                           onnx::ModelProto &model) {
  if (Error error = checkNesting(text))
    return error;
  std::string problem;
  try {
    onnx::OnnxParser parser(std::string_view(text.data(), text.size()));
    onnx::Common::Status status = parser.Parse(model);
    if (status.IsOK())
      return Error::success();
    problem = status.ErrorMessage();
  } catch (const std::exception &exception) {
    problem = exception.what(); // numbers out of range
  }
  return textFormError(problem);
}

//===- Schema.cpp - checks JSON against a JSON Schema ---------------------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace llvm;
using Mistakes = std::vector<std::string>;

namespace {

bool isInteger(const json::Value &value) {
  if (value.getAsInteger())
    return true;
  std::optional<double> number = value.getAsNumber(); // beyond 64 bits
  return number && *number == std::floor(*number);
}

bool hasType(const json::Value &value, StringRef type) {
  switch (value.kind()) {
  case json::Value::Null:
    return type == "null";
  case json::Value::Boolean:
    return type == "boolean";
  case json::Value::Number:
    return type == "number" || (type == "integer" && isInteger(value));
  case json::Value::String:
    return type == "string";
  case json::Value::Array:
    return type == "array";
  case json::Value::Object:
    return type == "object";
  }
  return false;
}

class Checker {
public:
  explicit Checker(const json::Object &root) : root(root) {}

  void check(const json::Value &value, const json::Object &schema,
             const std::string &place) {
    for (const auto &[keyword, rule] : schema)
      if (!structure(value, keyword, rule, place) &&
          !assertion(value, keyword, rule, place))
        wrong(place, "the schema's " + keyword.str() + " isn't known here");
  }

  Mistakes mistakes;

private:
  void wrong(const std::string &place, const Twine &what) {
    mistakes.push_back((place + ": " + what).str());
  }

  const json::Object *resolve(StringRef reference) {
    const json::Object *definitions = root.getObject("$defs");
    if (!reference.consume_front("#/$defs/") || !definitions)
      return nullptr;
    return definitions->getObject(reference);
  }

  unsigned matches(const json::Value &value, const json::Value &rule,
                   Mistakes &why) {
    unsigned count = 0;
    for (const json::Value &choice : *rule.getAsArray()) {
      Checker trial(root);
      trial.check(value, *choice.getAsObject(), "");
      count += trial.mistakes.empty();
      append_range(why, trial.mistakes);
    }
    return count;
  }

  /// Keywords that hold schemas; false where `keyword` is none.
  bool structure(const json::Value &value, StringRef keyword,
                 const json::Value &rule, const std::string &place) {
    const json::Object *object = value.getAsObject();
    const json::Array *array = value.getAsArray();
    if (keyword == "$ref") {
      const json::Object *target = resolve(*rule.getAsString());
      if (target)
        check(value, *target, place);
      else
        wrong(place, "no such definition: " + *rule.getAsString());
    } else if (keyword == "anyOf" || keyword == "oneOf") {
      Mistakes why;
      unsigned count = matches(value, rule, why);
      if (count == 0 || (count > 1 && keyword == "oneOf")) {
        wrong(place, keyword + " fits " + Twine(count) + " of its choices");
        append_range(mistakes, why);
      }
    } else if (keyword == "properties") {
      for (const auto &[name, inner] : *rule.getAsObject())
        if (const json::Value *member = object ? object->get(name) : nullptr)
          check(*member, *inner.getAsObject(), place + "/" + name.str());
    } else if (keyword == "additionalProperties") {
      // Only where a schema names no properties, so all are additional.
      for (const auto &[name, member] : object ? *object : json::Object())
        check(member, *rule.getAsObject(), place + "/" + name.str());
    } else if (keyword == "propertyNames") {
      for (const auto &[name, member] : object ? *object : json::Object())
        check(json::Value(StringRef(name)), *rule.getAsObject(),
              place + " name " + name.str());
    } else if (keyword == "items") {
      for (auto [i, item] : enumerate(array ? *array : json::Array()))
        check(item, *rule.getAsObject(), place + "/" + std::to_string(i));
    } else {
      return false;
    }
    return true;
  }

  /// Keywords about the value itself; false where `keyword` is none.
  bool assertion(const json::Value &value, StringRef keyword,
                 const json::Value &rule, const std::string &place) {
    bool fine = true;
    std::optional<double> number = value.getAsNumber();
    std::optional<StringRef> text = value.getAsString();
    const json::Array *array = value.getAsArray();
    if (keyword == "type") {
      if (const json::Array *types = rule.getAsArray())
        fine = any_of(*types, [&](const json::Value &type) {
          return hasType(value, *type.getAsString());
        });
      else
        fine = hasType(value, *rule.getAsString());
    } else if (keyword == "const") {
      fine = value == rule;
    } else if (keyword == "enum") {
      fine = is_contained(*rule.getAsArray(), value);
    } else if (keyword == "required") {
      for (const json::Value &name : *rule.getAsArray())
        if (value.getAsObject() &&
            !value.getAsObject()->get(*name.getAsString()))
          wrong(place, "lacks " + *name.getAsString());
    } else if (keyword == "minimum") {
      fine = !number || *number >= *rule.getAsNumber();
    } else if (keyword == "exclusiveMinimum") {
      fine = !number || *number > *rule.getAsNumber();
    } else if (keyword == "minLength") {
      fine = !text || int64_t(text->size()) >= *rule.getAsInteger();
    } else if (keyword == "pattern") {
      fine = !text || Regex(*rule.getAsString()).match(*text);
    } else if (keyword == "minItems") {
      fine = !array || int64_t(array->size()) >= *rule.getAsInteger();
    } else if (keyword == "maxItems") {
      fine = !array || int64_t(array->size()) <= *rule.getAsInteger();
    } else {
      return is_contained({"$schema", "$id", "$defs", "title", "description"},
                          keyword);
    }
    if (!fine)
      wrong(place, keyword);
    return true;
  }

  const json::Object &root;
};

} // namespace

Mistakes roofline::samples::violations(const json::Value &value,
                                       const json::Object &schema) {
  Checker checker(schema);
  checker.check(value, schema, "");
  return checker.mistakes;
}

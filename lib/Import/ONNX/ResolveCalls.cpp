//===- ResolveCalls.cpp - local functions, expanded where called ----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolver.h"

using namespace llvm;
using namespace roofline;
using namespace roofline::onnx_import;

Error Resolver::expand(Scope &caller, const onnx::NodeProto &proto,
                       const onnx::FunctionProto &function, unsigned nesting) {
  Expected<Call> call = makeCall(caller, proto, function);
  if (!call)
    return call.takeError();
  Scope body;
  body.graph = caller.graph;
  body.call = &*call;
  if (Error error = bindParameters(caller, body, proto, function))
    return error;
  if (Error error = addNodes(body, function.node(), nesting))
    return error;
  for (const onnx::ValueInfoProto &info : function.value_info())
    if (Value *value = body.names.lookup(HashedName(info.name())))
      if (Error error = declare(body, info, value))
        return error;
  return forwardResults(caller, body, proto, function);
}

Expected<Call> Resolver::makeCall(Scope &caller, const onnx::NodeProto &proto,
                                  const onnx::FunctionProto &function) {
  Call call{function, "", readOpsets(function.opset_import()), {}};
  if (Error error = checkOpset(call.opsets))
    return std::move(error);
  auto output = find_if(proto.output(),
                        [](const std::string &name) { return !name.empty(); });
  call.prefix = output == proto.output().end()
                    ? scoped(caller, function.name())
                    : caller.names.lookup(HashedName(*output))->name;
  // A call that computes the caller's own result would share its scope.
  if (caller.call && caller.call->prefix == call.prefix)
    call.prefix = model.strings.save(call.prefix + "/" + function.name());
  for (const onnx::AttributeProto &attribute : function.attribute_proto())
    call.arguments[attribute.name()] = {&attribute, &caller};
  for (const onnx::AttributeProto &attribute : proto.attribute())
    if (Argument given = argument(caller, attribute); given.attribute)
      call.arguments[attribute.name()] = given;
  return call;
}

/// "the call of 'f' for 'y'".
static Error callError(const onnx::NodeProto &proto, const Twine &message) {
  std::string name = proto.name().empty() && proto.output_size() > 0
                         ? proto.output(0)
                         : proto.name();
  return createStringError("node '" + name + "' (" + proto.op_type() +
                           "): " + message);
}

Error Resolver::bindParameters(Scope &caller, Scope &body,
                               const onnx::NodeProto &proto,
                               const onnx::FunctionProto &function) {
  if (proto.input_size() > function.input_size() ||
      proto.output_size() > function.output_size())
    return callError(proto, "it has " + Twine(proto.input_size()) +
                                " inputs and " + Twine(proto.output_size()) +
                                " outputs; the function has " +
                                Twine(function.input_size()) + " and " +
                                Twine(function.output_size()));
  for (auto [i, parameter] : enumerate(function.input())) {
    bool given =
        static_cast<int>(i) < proto.input_size() && !proto.input(i).empty();
    std::optional<Value *> value =
        given ? use(caller, proto.input(i)) : nullptr;
    if (!value)
      return callError(proto, "input '" + proto.input(i) +
                                  "' is not produced by any node, and is no "
                                  "graph input or initializer");
    // Left out: known, and null wherever the body uses it.
    if (!body.names.try_emplace(HashedName(parameter), *value).second)
      return createStringError("function '" + function.name() +
                               "' has two inputs called '" + parameter + "'");
  }
  for (auto [i, result] : enumerate(proto.output()))
    if (!result.empty())
      body.results.try_emplace(function.output(i),
                               caller.names.lookup(HashedName(result)));
  return Error::success();
}

/// A result that the body doesn't compute (it is one of the function's inputs,
/// or given twice) is copied by an Identity.
Error Resolver::forwardResults(Scope &caller, Scope &body,
                               const onnx::NodeProto &proto,
                               const onnx::FunctionProto &function) {
  for (auto [i, name] : enumerate(proto.output())) {
    if (name.empty())
      continue;
    Value *result = caller.names.lookup(HashedName(name));
    if (result->producer)
      continue;
    Value *source = body.names.lookup(HashedName(function.output(i)));
    if (!source)
      return callError(proto, "the function's output '" + function.output(i) +
                                  "' is not produced by any node");
    onnx::NodeProto &identity = model.inlinedNodes.emplace_back();
    identity.set_op_type("Identity");
    identity.add_input(function.output(i));
    identity.add_output(name);
    Node &node = appendNode(body, identity);
    node.inputs.push_back(source);
    node.outputs.push_back(result);
    result->producer = &node;
    if (Error error = setVersion(body, node))
      return error;
  }
  return Error::success();
}

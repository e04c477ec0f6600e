"""Writes the seeds of import-fuzzer: small models that between them reach the
importer's features, in binary and in text form.

    .deps/venv/bin/python3 test/fuzz/make_corpus.py
"""

import pathlib

import onnx
import onnx.parser

HEAD = '<ir_version: 8, opset_import: ["" : 18]>\n'
MODELS = {
    "mlp": HEAD
    + """mlp (float[batch, 16] x) => (float[batch, 4] y)
<float[16, 4] w, float[4] b>
{ h = MatMul(x, w)  a = Add(h, b)  y = Relu(a) }""",
    "conv": HEAD
    + """conv (float[1, 3, 8, 8] x, float[4, 3, 3, 3] w) => (float[1, 4, 4, 4] y)
{ c = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(x, w)  y = Sigmoid(c) }""",
    "shapes": HEAD
    + """shapes (float[n, 6] x) => (float[p, 3] y)
{
  s = Shape(x)
  zero = Constant<value_ints = [0]>()
  d = Gather<axis = 0>(s, zero)
  two = Constant<value_ints = [2]>()
  dd = Mul(d, two)
  three = Constant<value_ints = [3]>()
  t = Concat<axis = 0>(dd, three)
  y = Reshape(x, t)
}""",
    "if": HEAD
    + """branch (bool c, float[4] x) => (float[4] y)
{
  y = If (c) <
    then_branch = g1 () => (float[4] a) { a = Exp(x) },
    else_branch = g2 () => (float[4] b) { b = Neg(x) }>
}""",
    "loop": HEAD
    + """loop (float[4] x) => (float[4] y)
{
  n = Constant<value_int = 5>()
  y = Loop (n, , x) <
    body = b (int64 i, bool cin, float[4] v) => (bool cout, float[4] w)
    { cout = Identity(cin)  w = Add(v, v) }>
}""",
    "function": '<ir_version: 8, opset_import: ["" : 18, "my" : 1]>\n'
    + """main (float[2, 8] x) => (float[2, 8] y)
{ y = my.twice(x) }
<domain: "my", opset_import: ["" : 18]>
twice (a) => (c) { b = Softmax<axis = -1>(a)  c = Mul(b, a) }""",
    "norm": HEAD
    + """norm (float16[b, s, 32] x, float16[32] g) => (float16[b, s, 32] y, int64[k, 3] z)
{ y = LayerNormalization<axis = -1>(x, g)  nz = NonZero(x)  z = Transpose<perm = [1, 0]>(nz) }""",
    "quantized": '<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1]>\n'
    + """q (float[1, 64] x, uint8[8, 2, 16] w, float[16] s) => (float[1, 8] y)
{ y = com.microsoft.MatMulNBits<K = 64, N = 8, bits = 4, block_size = 32>(x, w, s) }""",
}

folder = pathlib.Path(__file__).parent / "corpus" / "import-fuzzer"
folder.mkdir(parents=True, exist_ok=True)
for name, text in MODELS.items():
    (folder / f"{name}.onnxtxt").write_text(text + "\n")
    model = onnx.parser.parse_model(text)
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())

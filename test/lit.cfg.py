# How lit runs the tests. What a test can write:
#   rl-opt, rl-run, rl-lower  the built tools (on the PATH, like FileCheck, not,
#                   split-file)
#   mlir-opt        Debian's own, for the plugin and for foreign IR
#   %models         the folder of bundled models
#   %python         the Python that has onnx, numpy and jsonschema
#   %plugin         RooflinePlugin.so
#   %roofline_src   the source tree, %roofline_build the build tree
# Features for REQUIRES: onnx, plugin, asan, static, onnxruntime (that Python has
# it), sqlite (the build reads SQLite), onednn (it has oneDNN); likwid where likwid-bench is installed;
# valgrind where it is, on a core with AVX2, the most that it can run; two-cpus
# where there are that many, or more, to run on; timing where
# ROOFLINE_TIMING_TESTS is set: a test whose result depends on how busy the
# machine is runs when it is asked for.
import os
import shutil
import subprocess

import lit.formats

config.name = "Roofline"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".mlir", ".test"]
if config.with_onnx:
    config.suffixes.append(".onnxtxt")
config.excludes = ["Inputs", "unit", "fuzz", "consumer"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.roofline_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.roofline_binary_dir, "bin"),
        config.llvm_bindir,
        config.environment.get("PATH", os.defpath),
    ]
)
# A width of its own would make a report depend on who looks.
config.environment["COLUMNS"] = "100"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    ("%models", os.path.join(config.roofline_source_dir, "models")),
    ("%devices", os.path.join(config.roofline_source_dir, "devices")),
    ("%python", config.test_python),
    ("%plugin", config.plugin),
    ("%cmake", config.cmake),
    ("%cxx", config.cxx_compiler),
    ("%mlir_dir", config.mlir_dir),
    ("%mlir-opt", os.path.join(config.llvm_bindir, "mlir-opt")),
    ("%roofline_src", config.roofline_source_dir),
    ("%roofline_build", config.roofline_binary_dir),
]

has_onnxruntime = [
    config.test_python,
    "-c",
    "import importlib.util as u, sys; sys.exit(not u.find_spec('onnxruntime'))",
]


def has_avx2():
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            return " avx2 " in cpuinfo.read()
    except OSError:
        return False


for feature, there in (
    ("onnx", config.with_onnx),
    ("plugin", bool(config.plugin) and not config.with_sanitizers),
    ("asan", config.with_sanitizers),
    ("static", config.static),
    ("likwid", shutil.which("likwid-bench") is not None),
    ("valgrind", shutil.which("valgrind") is not None and has_avx2()),
    ("two-cpus", len(os.sched_getaffinity(0)) > 1),
    ("timing", bool(os.environ.get("ROOFLINE_TIMING_TESTS"))),
    ("onnxruntime", subprocess.run(has_onnxruntime).returncode == 0),
    ("sqlite", config.with_sqlite),
    ("onednn", config.with_onednn),
):
    if there:
        config.available_features.add(feature)

# Sourced by the scripts: where things are, and how they speak.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=${ROOFLINE_DEPS:-$root/.deps}
llvm_major=22
export ROOFLINE_DEPS=$deps

# A container may run us without a home directory.
export HOME=${HOME:-/tmp}
export CCACHE_DIR=${CCACHE_DIR:-$deps/ccache}

# Progress goes to standard error: standard output is the tool's own.
say() { printf '%s: %s\n' "${script_name:-roofline}" "$*" >&2; }
die() {
  say "error: $*"
  exit 1
}

# LLVM's tools of the right version, ahead of any other on the PATH.
use_llvm() {
  local config
  config=$(command -v llvm-config-$llvm_major) ||
    die "llvm-config-$llvm_major is missing: run scripts/setup"
  llvm_bin=$("$config" --bindir)
  PATH=$llvm_bin:$PATH
  export PATH
}

# Configures a preset when it has not been, or when a preset changed.
configure() {
  local preset=$1 build=$root/build/$1
  if [[ ! -f $build/build.ninja || $root/CMakePresets.json -nt $build/build.ninja ]]; then
    say "configuring build/$preset"
    mkdir -p "$root/build"
    (cd "$root" && cmake --preset "$preset" >"$build.log" 2>&1) || {
      cat "$build.log" >&2
      die "configuring build/$preset failed"
    }
  fi
}

# Files of the project that match the patterns; works in a copy without .git.
project_files() {
  (
    cd "$root" || exit 1
    if git -c safe.directory='*' rev-parse --is-inside-work-tree >/dev/null 2>&1; then
      git -c safe.directory='*' ls-files --cached --others --exclude-standard -- "$@"
    else
      local args=() pattern
      for pattern in "$@"; do args+=(-o -name "$pattern"); done
      find . \( -name build -o -name .deps \) -prune -o \
        -type f \( "${args[@]:1}" \) -print | sed 's|^\./||'
    fi
  ) | sort -u
}

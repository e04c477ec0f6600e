# Writes OUTPUT, a C++ file with the text of every device file in FILES (a
# comma-separated list, sorted by name).

string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  cmake_path(GET file STEM LAST_ONLY name)
  file(READ "${file}" text)
  string(APPEND entries "    {\"${name}\", R\"device(${text})device\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Generated from devices/*.json; do not edit.

#include \"BundledDevices.h\"

static constexpr roofline::BundledDevice devices[] = {
${entries}};

llvm::ArrayRef<roofline::BundledDevice> roofline::bundledDevices() {
  return devices;
}
")

// Linked into every sanitized program.
//
// LLVM's arena allocator marks free memory as poisoned where it is compiled
// with AddressSanitizer. Ours is, libMLIR's isn't, and the two work on the same
// arenas: what libMLIR takes would stay poisoned and each read of it fail.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

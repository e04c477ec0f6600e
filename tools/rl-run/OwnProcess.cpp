//===- OwnProcess.cpp - what may crash, in a process of its own -----------===//
//
// Part of the Roofline project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnProcess.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace roofline {

/// Everything that is written to the pipe until it is closed.
static std::string readAll(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(pipe, buffer, sizeof(buffer));
    if (count > 0)
      text.append(buffer, size_t(count));
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

[[noreturn]] static void
runAsCopy(int pipe, function_ref<std::string()> function, unsigned seconds) {
  // A crash is the caller's to report, in a line.
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
    std::signal(signal, SIG_DFL);
  alarm(seconds);
  std::string text = function();
  raw_fd_ostream(pipe, /*shouldClose=*/true) << text;
  _exit(0);
}

static Error howItEnded(int status, unsigned seconds) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return Error::success();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    return createStringError("timed out after " + Twine(seconds) + " s");
  if (WIFSIGNALED(status))
    return createStringError(std::string("crashed: ") +
                             strsignal(WTERMSIG(status)));
  return createStringError("its process ended with status " +
                           Twine(WEXITSTATUS(status)));
}

Expected<std::string> runInOwnProcess(function_ref<std::string()> function,
                                      unsigned seconds) {
  outs().flush(); // or the copy would write it, too
  errs().flush();
  int ends[2];
  if (pipe(ends))
    return createStringError(errnoAsErrorCode(), "no pipe can be made");
  pid_t copy = fork();
  if (copy == 0) {
    close(ends[0]);
    runAsCopy(ends[1], function, seconds);
  }
  close(ends[1]);
  if (copy < 0) {
    close(ends[0]);
    return createStringError(errnoAsErrorCode(), "no process can be started");
  }
  std::string text = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0)
    if (errno != EINTR)
      return createStringError(errnoAsErrorCode(), "its process was lost");
  if (Error error = howItEnded(status, seconds))
    return std::move(error);
  return text;
}

} // namespace roofline

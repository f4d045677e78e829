/* New processes, where a process stands in the tree, and what it gives back when it ends. */
#include <errno.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>

#include "calls.h"

#define FORK_CALL(name)                     \
  WRAP(pid_t, name, (void)) {               \
    pid_t child = REAL(name)();             \
    if (child == 0) stage_forget_thread();  \
    return child;                           \
  }
FORK_CALL(fork)
FORK_CALL(__fork)
FORK_CALL(_Fork)

/*
 * A child of vfork runs in our memory with descriptors and a working directory of its own: as long
 * as it does, nothing it does may change what we know of ours. A function that returns twice on one
 * stack cannot be written in C: the child would overwrite what the parent returns to.
 */
#if defined(__x86_64__)
__attribute__((used, visibility("hidden"))) int stage_vfork_failed(long result) {
  errno = (int)-result;
  return -1;
}

_Static_assert(offsetof(struct stage_thread, in_vfork) == 4, "what the instructions below count");

/* The return address is in a register, which the system call leaves alone, while both run. */
__asm__(
    ".text\n"
    ".globl vfork\n"
    ".type vfork, @function\n"
    "vfork:\n"
    "  pop %rdi\n"
    "  mov stage_this_thread@gottpoff(%rip), %rcx\n"
    "  incl %fs:4(%rcx)\n"
    "  mov $58, %eax\n"
    "  syscall\n"
    "  push %rdi\n"
    "  test %rax, %rax\n"
    "  je 1f\n"
    "  mov stage_this_thread@gottpoff(%rip), %rcx\n"
    "  decl %fs:4(%rcx)\n"
    "  test %rax, %rax\n"
    "  js 2f\n"
    "1:\n"
    "  ret\n"
    "2:\n"
    "  mov %rax, %rdi\n"
    "  jmp stage_vfork_failed\n"
    ".size vfork, . - vfork\n");
#else
STAGE_EXPORT pid_t vfork(void) { return fork(); }
#endif

/*
 * Any mixture of what is shared. Who shares memory and waits is a child of vfork with a stack of its
 * own; who has our memory and not our descriptors, or the other way round, and does not wait, has us
 * remember nothing. A thread of a program's own making shares everything.
 */
WRAP(int, clone, (int (*run)(void *), void *stack, int flags, void *argument, ...)) {
  va_list rest;
  va_start(rest, argument);
  pid_t *parent_id = va_arg(rest, pid_t *);
  void *storage = va_arg(rest, void *);
  pid_t *child_id = va_arg(rest, pid_t *);
  va_end(rest);
  bool memory = (flags & CLONE_VM) != 0;
  bool tables = (flags & (CLONE_FILES | CLONE_FS)) == (CLONE_FILES | CLONE_FS);
  bool waits = (flags & CLONE_VFORK) != 0;
  if (memory && waits) {
    stage_this_thread.in_vfork++;
  } else if (memory ? !tables : (flags & (CLONE_FILES | CLONE_FS)) != 0) {
    stage_stop_remembering();
  }
  /* A child with memory of its own would have our leases, too. */
  if (!memory) stage_return_leases();
  int child = REAL(clone)(run, stack, flags, argument, parent_id, storage, child_id);
  if (memory && waits) stage_this_thread.in_vfork--;
  return child;
}

WRAP(int, unshare, (int flags)) {
  int result = REAL(unshare)(flags);
  if (result == 0 && (flags & (CLONE_FILES | CLONE_FS)) != 0) stage_stop_remembering();
  return result;
}

#define MOVE_CALL(name, parameters, arguments)           \
  WRAP(int, name, parameters) {                          \
    int result = REAL(name) arguments;                   \
    if (result == 0) stage_forget_working_directory();   \
    return result;                                       \
  }
MOVE_CALL(chdir, (const char *path), (path))
MOVE_CALL(fchdir, (int fd), (fd))
MOVE_CALL(chroot, (const char *path), (path))

/* A program that shuts itself in must not be ended for what we ask. */
void stage_confined(unsigned long mode) {
  if (mode == SECCOMP_MODE_STRICT) {
    stage_this_thread.strict = true;
  } else {
    stage_stop_asking();
  }
}

/* Declared without the dots of its prototype: all it is given is passed on as it came. */
WRAP(int, prctl, (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)) {
  int result = REAL(prctl)(option, a, b, c, d);
  if (result == 0 && option == PR_SET_SECCOMP) stage_confined(a);
  return result;
}

#define END_CALL(name)                                      \
  STAGE_REAL(void, name, (int code));                       \
  STAGE_EXPORT __attribute__((noreturn)) void name(int code) { \
    stage_end_thread();                                     \
    REAL(name)(code);                                       \
    __builtin_unreachable();                                \
  }
END_CALL(_exit)
END_CALL(_Exit)
END_CALL(quick_exit)

/* Another program takes our place, most likely: what this thread has leased would go with us. */
#define EXECUTE_CALL(name, parameters, arguments) \
  WRAP(int, name, parameters) {                   \
    stage_return_leases();                        \
    return REAL(name) arguments;                  \
  }
EXECUTE_CALL(execve, (const char *path, char *const words[], char *const environment[]),
             (path, words, environment))
EXECUTE_CALL(execv, (const char *path, char *const words[]), (path, words))
EXECUTE_CALL(execvp, (const char *file, char *const words[]), (file, words))
EXECUTE_CALL(execvpe, (const char *file, char *const words[], char *const environment[]),
             (file, words, environment))
EXECUTE_CALL(fexecve, (int fd, char *const words[], char *const environment[]),
             (fd, words, environment))
EXECUTE_CALL(execveat,
             (int at, const char *path, char *const words[], char *const environment[], int flags),
             (at, path, words, environment, flags))

static int count_words(const char *first, va_list rest) {
  int count = 0;
  for (const char *word = first; word != NULL; word = va_arg(rest, const char *)) count++;
  return count;
}

static void copy_words(const char **words, int count, const char *first, va_list rest) {
  words[0] = first;
  for (int i = 1; i <= count; i++) words[i] = va_arg(rest, const char *);
}

/* With the words as arguments, which only a list can pass on. */
#define EXECUTE_LIST_CALL(name, how, after, ...)                    \
  STAGE_EXPORT int name(const char *path, const char *first, ...) { \
    va_list rest;                                                   \
    va_start(rest, first);                                          \
    int count = count_words(first, rest);                           \
    va_end(rest);                                                   \
    const char *words[count + 1];                                   \
    va_start(rest, first);                                          \
    copy_words(words, count, first, rest);                          \
    after;                                                          \
    va_end(rest);                                                   \
    return how(path, (char *const *)words, ##__VA_ARGS__);          \
  }
EXECUTE_LIST_CALL(execl, execv, (void)0)
EXECUTE_LIST_CALL(execlp, execvp, (void)0)
EXECUTE_LIST_CALL(execle, execve, char *const *environment = va_arg(rest, char *const *),
                  environment)

/* New processes, and where a process stands in the tree. */
#include <errno.h>
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

#define MOVE_CALL(name, parameters, arguments)           \
  WRAP(int, name, parameters) {                          \
    int result = REAL(name) arguments;                   \
    if (result == 0) stage_forget_working_directory();   \
    return result;                                       \
  }
MOVE_CALL(chdir, (const char *path), (path))
MOVE_CALL(fchdir, (int fd), (fd))
MOVE_CALL(chroot, (const char *path), (path))

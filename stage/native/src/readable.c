#include "readable.h"

#include <string.h>

#include "paths.h"
#include "system.h"

_Atomic uintptr_t stage_readable[STAGE_READABLE_PLACES];

/* Valgrind stands between a program and the kernel, and prints what it thinks of such a question. It
   is asked by instructions that do nothing elsewhere. */
static bool is_under_valgrind(void) {
#if defined(__x86_64__)
  volatile uint64_t request[6] = {0x1001};
  volatile uint64_t answer;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi\n\t"
      "rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "=d"(answer)
      : "a"(request), "0"(0)
      : "cc", "memory");
  return answer != 0;
#else
  return false;
#endif
}

/*
 * Has the kernel look at a page: it reads the set of signals before it finds that nothing is to be
 * done with it. Cheap, without an effect, and allowed in every sandbox.
 */
static bool ask(uintptr_t at) {
  const long no_way = -1, set_bytes = 8;
  const long bad_address = -14;
  long in_page = (long)(at & ~(uintptr_t)7);
  return stage_system(SYS_rt_sigprocmask, no_way, in_page, 0, set_bytes, 0, 0) != bad_address;
}

static bool is_readable(uintptr_t at) {
  uintptr_t page = at >> STAGE_PAGE_SHIFT;
  if (page == 0) return false;
  if (stage_is_page_known(page)) return true;
  /* It also tells what of a page belongs to the program: no page is known as a whole then. */
  if (is_under_valgrind()) return true;
  if (!ask(at)) return false;
  atomic_store_explicit(&stage_readable[page % STAGE_READABLE_PLACES], page, memory_order_relaxed);
  return true;
}

/* The length of a text that may end on a later page than it begins. */
static __attribute__((noinline)) long measure(const char *text) {
  size_t length = 0;
  while (length < STAGE_PATH_BYTES) {
    uintptr_t at = (uintptr_t)text + length;
    if (!is_readable(at)) return -1;
    size_t room = STAGE_PAGE_BYTES - at % STAGE_PAGE_BYTES;
    size_t found = strnlen(text + length, room);
    length += found;
    if (found < room) return length < STAGE_PATH_BYTES ? (long)length : -1;
  }
  return -1;
}

struct stage_text stage_scan_slowly(const char *path) {
  long length = measure(path);
  bool dots = length > 0 && stage_begins_with_dots(path);
  for (long at = 0; at < length && !dots; at++) {
    dots = path[at] == '/' && (path[at + 1] == '/' || path[at + 1] == '.');
  }
  return (struct stage_text){length, dots};
}

void stage_forget_readable(const void *at, size_t size) {
  uintptr_t first = (uintptr_t)at >> STAGE_PAGE_SHIFT;
  uintptr_t pages = (size >> STAGE_PAGE_SHIFT) + 2;
  if (pages > STAGE_READABLE_PLACES) pages = STAGE_READABLE_PLACES;
  for (uintptr_t i = 0; i < pages; i++) {
    atomic_store_explicit(&stage_readable[(first + i) % STAGE_READABLE_PLACES], 0,
                          memory_order_relaxed);
  }
}

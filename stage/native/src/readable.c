#include "readable.h"

#include <string.h>

#include "paths.h"
#include "system.h"

#define PAGE_SHIFT 12
#define PAGE_BYTES ((size_t)1 << PAGE_SHIFT)

/* Pages whose numbers are equal in the lowest bits share a place. */
#define PLACES 1024u

/* The number of a page that can be read; 0 is none, and page 0 never can. */
static _Atomic uintptr_t readable[PLACES];

static inline bool is_known(uintptr_t page) {
  return page != 0 && atomic_load_explicit(&readable[page % PLACES], memory_order_relaxed) == page;
}

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
  if (is_under_valgrind()) return true;
  const long no_way = -1, set_bytes = 8;
  const long bad_address = -14;
  long in_page = (long)(at & ~(uintptr_t)7);
  return stage_system(SYS_rt_sigprocmask, no_way, in_page, 0, set_bytes, 0, 0) != bad_address;
}

static bool is_readable(uintptr_t at) {
  uintptr_t page = at >> PAGE_SHIFT;
  if (page == 0) return false;
  if (is_known(page)) return true;
  if (!ask(at)) return false;
  atomic_store_explicit(&readable[page % PLACES], page, memory_order_relaxed);
  return true;
}

/* The length of a text that may end on a later page than it begins. */
static __attribute__((noinline)) long measure(const char *text) {
  size_t length = 0;
  while (length < STAGE_PATH_BYTES) {
    uintptr_t at = (uintptr_t)text + length;
    if (!is_readable(at)) return -1;
    size_t room = PAGE_BYTES - at % PAGE_BYTES;
    size_t found = strnlen(text + length, room);
    length += found;
    if (found < room) return length < STAGE_PATH_BYTES ? (long)length : -1;
  }
  return -1;
}

/* Sixteen characters side by side, which any processor compares at once. */
typedef uint8_t block __attribute__((vector_size(16)));

static inline block block_at(const char *text) {
  block read;
  __builtin_memcpy(&read, text, sizeof read);
  return read;
}

static inline bool is_any_set(block mask) {
  uint64_t halves[2];
  __builtin_memcpy(halves, &mask, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

static inline bool has_dots(const char *path, size_t length) {
  if (path[0] == '.' && (path[1] == '.' || path[1] == '/' || path[1] == 0)) return true;
  /* The zero at the end is read as well, by whoever looks at the last character's neighbour. */
  size_t at = 0;
  for (; at + sizeof(block) <= length; at += sizeof(block)) {
    block here = block_at(path + at);
    block next = block_at(path + at + 1);
    if (is_any_set((block)((here == '/') & ((next == '/') | (next == '.'))))) return true;
  }
  if (length >= sizeof(block)) {
    /* The rest once more together with some before it, rather than one by one. */
    at = length - sizeof(block);
    block here = block_at(path + at);
    block next = block_at(path + at + 1);
    return is_any_set((block)((here == '/') & ((next == '/') | (next == '.'))));
  }
  for (; at < length; at++) {
    if (path[at] == '/' && (path[at + 1] == '/' || path[at + 1] == '.')) return true;
  }
  return false;
}

struct stage_text stage_scan(const char *path) {
  uintptr_t page = (uintptr_t)path >> PAGE_SHIFT;
  size_t room = PAGE_BYTES - ((uintptr_t)path & (PAGE_BYTES - 1));
  size_t found = __builtin_expect(is_known(page), 1) ? strnlen(path, room) : room;
  long length = __builtin_expect(found < room, 1) ? (long)found : measure(path);
  return (struct stage_text){length, length > 0 && has_dots(path, (size_t)length)};
}

void stage_forget_readable(const void *at, size_t size) {
  uintptr_t first = (uintptr_t)at >> PAGE_SHIFT;
  uintptr_t pages = (size >> PAGE_SHIFT) + 2;
  if (pages > PLACES) pages = PLACES;
  for (uintptr_t i = 0; i < pages; i++) {
    atomic_store_explicit(&readable[(first + i) % PLACES], 0, memory_order_relaxed);
  }
}

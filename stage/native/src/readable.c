#include "readable.h"

#include <stdbool.h>
#include <string.h>

#include "paths.h"
#include "system.h"

#define PAGE_SHIFT 12
#define PAGE_BYTES ((size_t)1 << PAGE_SHIFT)

/* Pages whose numbers are equal in the lowest bits share a place. */
#define PLACES 1024u

/* The number of a page that can be read; 0 is none, and page 0 never can. */
static _Atomic uintptr_t readable[PLACES];

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

static inline bool is_readable(uintptr_t at) {
  uintptr_t page = at >> PAGE_SHIFT;
  _Atomic uintptr_t *place = &readable[page % PLACES];
  if (__builtin_expect(atomic_load_explicit(place, memory_order_relaxed) == page, 1)) {
    return page != 0;
  }
  if (page == 0 || !ask(at)) return false;
  atomic_store_explicit(place, page, memory_order_relaxed);
  return true;
}

long stage_text_length(const char *text) {
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

void stage_forget_readable(const void *at, size_t size) {
  uintptr_t first = (uintptr_t)at >> PAGE_SHIFT;
  uintptr_t pages = (size >> PAGE_SHIFT) + 2;
  if (pages > PLACES) pages = PLACES;
  for (uintptr_t i = 0; i < pages; i++) {
    atomic_store_explicit(&readable[(first + i) % PLACES], 0, memory_order_relaxed);
  }
}

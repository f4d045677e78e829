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
  const long no_way = -1, set_bytes = 8;
  const long bad_address = -14;
  long in_page = (long)(at & ~(uintptr_t)7);
  return stage_system(SYS_rt_sigprocmask, no_way, in_page, 0, set_bytes, 0, 0) != bad_address;
}

static bool is_readable(uintptr_t at) {
  uintptr_t page = at >> PAGE_SHIFT;
  if (page == 0) return false;
  if (is_known(page)) return true;
  /* It also tells what of a page belongs to the program: no page is known as a whole then. */
  if (is_under_valgrind()) return true;
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

/* The end of a text is read together with what is after it on its page, which sanitizers of our own
   tests would take for a mistake. */
#define READS_BEYOND __attribute__((no_sanitize("address", "thread")))

READS_BEYOND static inline block block_at(const char *text) {
  block read;
  __builtin_memcpy(&read, text, sizeof read);
  return read;
}

/* A bit for each of the characters for which a comparison holds, the first one lowest. */
static inline unsigned bits_of(block holds) {
#if defined(__SSE2__)
  typedef char bytes __attribute__((vector_size(16)));
  return (unsigned)__builtin_ia32_pmovmskb128((bytes)holds);
#else
  /* Each byte keeps a bit of its own, and the multiplication gathers them in the highest one. */
  const uint64_t own = UINT64_C(0x8040201008040201), gather = UINT64_C(0x0101010101010101);
  uint64_t halves[2];
  __builtin_memcpy(halves, &holds, sizeof halves);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  halves[0] = __builtin_bswap64(halves[0]);
  halves[1] = __builtin_bswap64(halves[1]);
#endif
  return (unsigned)((halves[0] & own) * gather >> 56 | (halves[1] & own) * gather >> 56 << 8);
#endif
}

/* The characters that begin an empty component or one with a dot. */
static inline unsigned dotted(block here, block next) {
  return bits_of((block)((here == '/') & ((next == '/') | (next == '.'))));
}

static inline bool begins_with_dots(const char *path) {
  return path[0] == '.' && (path[1] == '.' || path[1] == '/' || path[1] == 0);
}

/* A text that was never looked at, or is not far enough from the end of its page. */
static __attribute__((noinline)) struct stage_text scan_slowly(const char *path) {
  long length = measure(path);
  bool dots = length > 0 && begins_with_dots(path);
  for (long at = 0; at < length && !dots; at++) {
    dots = path[at] == '/' && (path[at + 1] == '/' || path[at + 1] == '.');
  }
  return (struct stage_text){length, dots};
}

READS_BEYOND struct stage_text stage_scan(const char *path) {
  if (__builtin_expect(!is_known((uintptr_t)path >> PAGE_SHIFT), 0)) return scan_slowly(path);
  size_t room = PAGE_BYTES - ((uintptr_t)path & (PAGE_BYTES - 1));
  unsigned dots = 0;
  /* Every character is looked at together with the next one. */
  for (size_t at = 0; at + sizeof(block) < room; at += sizeof(block)) {
    block here = block_at(path + at);
    unsigned zeros = bits_of((block)(here == 0));
    unsigned before = (zeros - 1) & ~zeros; /* the first of them; all, where there is none */
    dots |= dotted(here, block_at(path + at + 1)) & before;
    if (zeros != 0) {
      size_t length = at + (size_t)__builtin_ctz(zeros);
      return (struct stage_text){(long)length, dots != 0 || begins_with_dots(path)};
    }
  }
  return scan_slowly(path);
}

void stage_forget_readable(const void *at, size_t size) {
  uintptr_t first = (uintptr_t)at >> PAGE_SHIFT;
  uintptr_t pages = (size >> PAGE_SHIFT) + 2;
  if (pages > PLACES) pages = PLACES;
  for (uintptr_t i = 0; i < pages; i++) {
    atomic_store_explicit(&readable[(first + i) % PLACES], 0, memory_order_relaxed);
  }
}

/*
 * Reading what a program points to. A pointer may be wrong, and it is the kernel's to say so: what
 * was never asked about is asked about, without reading it, and pages that could be read are
 * remembered until something is unmapped.
 */
#ifndef STAGE_READABLE_H
#define STAGE_READABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STAGE_PAGE_SHIFT 12
#define STAGE_PAGE_BYTES ((size_t)1 << STAGE_PAGE_SHIFT)

/* Pages whose numbers are equal in the lowest bits share a place. */
#define STAGE_READABLE_PLACES 1024u

/* The number of a page that can be read; 0 is none, and page 0 never can. */
extern _Atomic uintptr_t stage_readable[STAGE_READABLE_PLACES];

struct stage_text {
  long length; /* -1 where it cannot be read, or is longer than any path */
  bool dots;   /* whether following it may lead somewhere else than further down */
};

/* To be called when memory has been unmapped, or may be read no more. */
void stage_forget_readable(const void *at, size_t size);

/* Looks through a path that was never looked at, or is not far enough from the end of its page. */
struct stage_text stage_scan_slowly(const char *path);

static inline bool stage_is_page_known(uintptr_t page) {
  _Atomic uintptr_t *place = &stage_readable[page % STAGE_READABLE_PLACES];
  return page != 0 && atomic_load_explicit(place, memory_order_relaxed) == page;
}

/* Sixteen characters side by side, which any processor compares at once. */
typedef uint8_t stage_block __attribute__((vector_size(16)));

/* The end of a text is read together with what is after it on its page, which sanitizers of our own
   tests would take for a mistake. */
#define STAGE_READS_BEYOND __attribute__((no_sanitize("address", "thread")))

STAGE_READS_BEYOND static inline stage_block stage_block_at(const char *text) {
  stage_block read;
  __builtin_memcpy(&read, text, sizeof read);
  return read;
}

/* A bit for each of the characters for which a comparison holds, the first one lowest. */
static inline unsigned stage_bits_of(stage_block holds) {
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
static inline unsigned stage_dotted(stage_block here, stage_block next) {
  return stage_bits_of((stage_block)((here == '/') & ((next == '/') | (next == '.'))));
}

static inline bool stage_begins_with_dots(const char *path) {
  return path[0] == '.' && (path[1] == '.' || path[1] == '/' || path[1] == 0);
}

/* Looks through a path. Part of its callers: between two system calls of a program every line of
   code that is fetched anew takes its time. */
STAGE_READS_BEYOND static inline __attribute__((always_inline)) struct stage_text stage_scan(
    const char *path) {
  if (__builtin_expect(!stage_is_page_known((uintptr_t)path >> STAGE_PAGE_SHIFT), 0)) {
    return stage_scan_slowly(path);
  }
  size_t room = STAGE_PAGE_BYTES - ((uintptr_t)path & (STAGE_PAGE_BYTES - 1));
  unsigned dots = 0;
  /* Every character is looked at together with the next one. */
  for (size_t at = 0; at + sizeof(stage_block) < room; at += sizeof(stage_block)) {
    stage_block here = stage_block_at(path + at);
    unsigned zeros = stage_bits_of((stage_block)(here == 0));
    unsigned before = (zeros - 1) & ~zeros; /* the first of them; all, where there is none */
    dots |= stage_dotted(here, stage_block_at(path + at + 1)) & before;
    if (zeros != 0) {
      size_t length = at + (size_t)__builtin_ctz(zeros);
      return (struct stage_text){(long)length, dots != 0 || stage_begins_with_dots(path)};
    }
  }
  return stage_scan_slowly(path);
}

#endif

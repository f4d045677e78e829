/* External data representation (RFC 4506): numbers most significant byte first, all in fours. */
#pragma once

#include "common.h"

#include <endian.h>

static inline uint32_t padded(uint32_t length) { return (length + 3) & ~3u; }

/* Writes into a call, which has room for every call that there is, except for what it carries. */
struct writer {
  uint8_t *bytes;
  uint32_t length;
  uint32_t capacity;
};

static inline uint8_t *put_room(struct writer *out, uint32_t length) {
  if (out->capacity - out->length < length) fail("a call of more than %u bytes", out->capacity);
  uint8_t *room = out->bytes + out->length;
  out->length += length;
  return room;
}

static inline void put_u32(struct writer *out, uint32_t value) {
  uint32_t wire = htobe32(value);
  memcpy(put_room(out, sizeof wire), &wire, sizeof wire);
}

static inline void put_u64(struct writer *out, uint64_t value) {
  uint64_t wire = htobe64(value);
  memcpy(put_room(out, sizeof wire), &wire, sizeof wire);
}

static inline void put_fixed(struct writer *out, const void *bytes, uint32_t length) {
  uint8_t *room = put_room(out, padded(length));
  memset(room + length, 0, padded(length) - length);
  memcpy(room, bytes, length);
}

static inline void put_opaque(struct writer *out, const void *bytes, uint32_t length) {
  put_u32(out, length);
  put_fixed(out, bytes, length);
}

static inline void put_text(struct writer *out, const char *text) {
  put_opaque(out, text, (uint32_t)strlen(text));
}

/* Reads an answer; one that ends too early ends the program. */
struct reader {
  const uint8_t *at;
  const uint8_t *end;
};

static inline const uint8_t *take(struct reader *in, uint32_t length) {
  if ((size_t)(in->end - in->at) < length) fail("an answer ends too early");
  const uint8_t *taken = in->at;
  in->at += length;
  return taken;
}

static inline uint32_t take_u32(struct reader *in) {
  uint32_t wire;
  memcpy(&wire, take(in, sizeof wire), sizeof wire);
  return be32toh(wire);
}

static inline uint64_t take_u64(struct reader *in) {
  uint64_t wire;
  memcpy(&wire, take(in, sizeof wire), sizeof wire);
  return be64toh(wire);
}

/* Bytes where they stand. */
static inline const uint8_t *take_opaque(struct reader *in, uint32_t *length) {
  *length = take_u32(in);
  if (*length > (uint32_t)INT32_MAX) fail("an answer with %u bytes in it", *length);
  return take(in, padded(*length));
}

static inline void skip_opaque(struct reader *in) {
  uint32_t length;
  take_opaque(in, &length);
}

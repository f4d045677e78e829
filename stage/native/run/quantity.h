/* Numbers as people write and read them: 100MB/s, 0.5/s, 435 ms. As Quantities.java has them. */
#ifndef RUN_QUANTITY_H
#define RUN_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MILLION UINT64_C(1000000)

/* The highest rate there is, in tokens a second. */
#define RATE_MAX UINT64_C(2000000000000)

struct rate {
  uint64_t millionths; /* of a call or a byte, in a second */
  bool bytes;
};

/* Reads 50/s, 0.5/s, 20 kops/s, 200 MB/s; false when it is none of these. */
bool parse_rate(const char *text, struct rate *rate);

/* Each writes into a text of so many bytes, and gives it back. */
#define QUANTITY_BYTES 48
char *format_rate(char text[QUANTITY_BYTES], double per_second, bool bytes);
char *format_bytes(char text[QUANTITY_BYTES], double bytes);
char *format_duration(char text[QUANTITY_BYTES], uint64_t nanos);

#endif

#include "quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_MAX 18

static const struct {
  const char *name;
  uint64_t factor;
  bool bytes;
} UNITS[] = {
    {"", 1, false},
    {"/s", 1, false},
    {"k/s", 1000, false},
    {"M/s", 1000000, false},
    {"G/s", 1000000000, false},
    {"ops/s", 1, false},
    {"kops/s", 1000, false},
    {"Mops/s", 1000000, false},
    {"Gops/s", 1000000000, false},
    {"B/s", 1, true},
    {"kB/s", 1000, true},
    {"KB/s", 1000, true},
    {"MB/s", 1000000, true},
    {"GB/s", 1000000000, true},
    {"TB/s", 1000000000000, true},
    {"KiB/s", UINT64_C(1) << 10, true},
    {"MiB/s", UINT64_C(1) << 20, true},
    {"GiB/s", UINT64_C(1) << 30, true},
    {"TiB/s", UINT64_C(1) << 40, true},
};

static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t"); }

/* Reads digits, at most as many as fit; how many there were. */
static int parse_digits(const char **text, uint64_t *number) {
  int digits = 0;
  for (; is_digit(**text) && digits <= DIGITS_MAX; (*text)++, digits++) {
    *number = *number * 10 + (uint64_t)(**text - '0');
  }
  return digits;
}

static bool parse_unit(const char *text, struct rate *rate, uint64_t *factor) {
  size_t length = strlen(text);
  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
  for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) {
    if (strlen(UNITS[i].name) == length && strncmp(UNITS[i].name, text, length) == 0) {
      rate->bytes = UNITS[i].bytes;
      *factor = UNITS[i].factor;
      return true;
    }
  }
  return false;
}

bool parse_rate(const char *text, struct rate *rate) {
  uint64_t number = 0;
  uint64_t scale = 1;
  uint64_t factor = 0;
  text = skip_blanks(text);
  int digits = parse_digits(&text, &number);
  if (digits == 0 || digits > DIGITS_MAX) return false;
  if (*text == '.') {
    text++;
    int places = parse_digits(&text, &number);
    if (places == 0 || digits + places > DIGITS_MAX) return false;
    while (places-- > 0) scale *= 10;
  }
  if (!parse_unit(skip_blanks(text), rate, &factor)) return false;
  unsigned __int128 millionths = (unsigned __int128)number * factor * MILLION;
  if (millionths % scale != 0 || millionths / scale > (unsigned __int128)RATE_MAX * MILLION) {
    return false;
  }
  rate->millionths = (uint64_t)(millionths / scale);
  return true;
}

/* Three digits, or two of what is less than a tenth. */
static void short_number(char text[QUANTITY_BYTES], double value, const char *unit) {
  int digits = value >= 99.95 || value == rint(value) ? 0 : value >= 9.995 ? 1 : 2;
  if (value < 0.0995 && value > 0) digits = (int)fmin(12, 1 - floor(log10(value)));
  snprintf(text, QUANTITY_BYTES, "%.*f %s", digits, value, unit);
}

static char *format_decimal(char text[QUANTITY_BYTES], double value, const char *const units[],
                            size_t count) {
  size_t i = 0;
  while (i + 1 < count && value >= 999.5) {
    value /= 1000;
    i++;
  }
  short_number(text, value, units[i]);
  return text;
}

char *format_bytes(char text[QUANTITY_BYTES], double bytes) {
  static const char *const UNIT[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  return format_decimal(text, bytes, UNIT, 6);
}

char *format_rate(char text[QUANTITY_BYTES], double per_second, bool bytes) {
  static const char *const BYTE[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
  static const char *const CALL[] = {"ops/s", "kops/s", "Mops/s", "Gops/s"};
  return format_decimal(text, per_second, bytes ? BYTE : CALL, bytes ? 6 : 4);
}

char *format_duration(char text[QUANTITY_BYTES], uint64_t nanos) {
  static const struct {
    const char *name;
    uint64_t nanos;
  } UNIT[] = {{"d", UINT64_C(86400000000000)}, {"h", UINT64_C(3600000000000)},
              {"min", UINT64_C(60000000000)},  {"s", UINT64_C(1000000000)},
              {"ms", UINT64_C(1000000)},       {"us", UINT64_C(1000)}};
  for (size_t i = 0; i < sizeof UNIT / sizeof UNIT[0]; i++) {
    if (nanos >= UNIT[i].nanos) {
      short_number(text, (double)nanos / (double)UNIT[i].nanos, UNIT[i].name);
      return text;
    }
  }
  snprintf(text, QUANTITY_BYTES, "%llu ns", (unsigned long long)nanos);
  return text;
}

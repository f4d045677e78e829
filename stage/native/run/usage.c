#include "usage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "limits.h"
#include "quantity.h"

#define TEXT_BYTES 8192
#define ROWS_MAX (STAGE_OPERATION_COUNT + 1)
#define COLUMNS 5

/* Lines that are written at once, so that those of several programs do not mix. */
struct text {
  char bytes[TEXT_BYTES];
  size_t used;
};

/* The first column goes to the left, the others to the right. */
struct table {
  char cells[ROWS_MAX][COLUMNS][QUANTITY_BYTES];
  int rows;
  int columns;
};

static int drawn_lines;

static void add(struct text *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text->bytes + text->used, TEXT_BYTES - text->used, format, values);
  va_end(values);
  if (length > 0) text->used += (size_t)length;
  if (text->used >= TEXT_BYTES) text->used = TEXT_BYTES - 1;
}

static void write_text(int to, const struct text *text) {
  for (size_t done = 0; done < text->used;) {
    ssize_t more = write(to, text->bytes + done, text->used - done);
    if (more <= 0) return; /* Nobody listens any more. */
    done += (size_t)more;
  }
}

static int add_table(struct text *text, const struct table *table, const char *indent) {
  if (table->rows == 1) return 0; /* The head alone says nothing. */
  int widths[COLUMNS] = {0};
  for (int i = 0; i < table->rows * table->columns; i++) {
    int column = i % table->columns;
    int length = (int)strlen(table->cells[i / table->columns][column]);
    if (length > widths[column]) widths[column] = length;
  }
  for (int row = 0; row < table->rows; row++) {
    add(text, "%s%-*s", indent, widths[0], table->cells[row][0]);
    for (int i = 1; i < table->columns; i++) add(text, "  %*s", widths[i], table->cells[row][i]);
    while (text->used > 0 && text->bytes[text->used - 1] == ' ') text->used--;
    add(text, "\n");
  }
  return table->rows;
}

static void head(struct table *table, int columns, const char *const names[]) {
  memset(table, 0, sizeof *table);
  table->columns = columns;
  table->rows = 1;
  for (int i = 0; i < columns; i++) snprintf(table->cells[0][i], QUANTITY_BYTES, "%s", names[i]);
}

void read_usage(const struct job *job, struct usage *usage) {
  struct stage_counter shard[STAGE_OPERATIONS_MAX];
  memset(usage, 0, sizeof *usage);
  off_t attached = (off_t)offsetof(struct stage_state, attached);
  if (pread(job->state, &usage->attached, sizeof usage->attached, attached) < 0) return;
  for (uint32_t i = 0; i < STAGE_SHARDS; i++) {
    off_t at = (off_t)(offsetof(struct stage_state, counters) + i * sizeof shard);
    if (pread(job->state, shard, sizeof shard, at) != sizeof shard) return;
    for (uint32_t k = 0; k < STAGE_OPERATION_COUNT; k++) {
      usage->of[k].calls += atomic_load_explicit(&shard[k].calls, memory_order_relaxed);
      usage->of[k].bytes += atomic_load_explicit(&shard[k].bytes, memory_order_relaxed);
      usage->of[k].waits += atomic_load_explicit(&shard[k].waits, memory_order_relaxed);
      usage->of[k].waited_nanos +=
          atomic_load_explicit(&shard[k].waited_nanos, memory_order_relaxed);
    }
  }
}

static void add_not_held(struct text *text, const struct usage *usage,
                         const struct not_held *not_held, const char *reason) {
  if (usage->attached == 0) {
    add(text, "  NOT HELD: no process has loaded the library%s%s; nothing was counted or limited\n",
        reason == NULL ? "" : ": ", reason == NULL ? "" : reason);
  } else if (not_held->processes > 0) {
    add(text, "  NOT HELD: %u process%s, neither counted nor limited:", not_held->processes,
        not_held->processes == 1 ? "" : "es");
    for (unsigned i = 0; i < NAMED_MAX && i < not_held->names_used; i++) {
      add(text, "%s %s", i == 0 ? "" : ",", not_held->names[i]);
    }
    add(text, "%s\n", not_held->names_used > NAMED_MAX ? ", ..." : "");
  }
  if (not_held->alone > 0) {
    add(text, "  HELD EACH BY ITSELF, and not counted: %u process%s that may only read the files\n",
        not_held->alone, not_held->alone == 1 ? "" : "es");
  }
  if (not_held->rings > 0) {
    add(text, "  NOT HELD: what %u process%s asked for by io_uring or libaio\n", not_held->rings,
        not_held->rings == 1 ? "" : "es");
  }
}

void print_summary(int to, const struct job *job, const struct usage *usage, uint64_t nanos,
                   const struct not_held *not_held, const char *reason) {
  static const char *const HEAD[] = {"operation", "calls", "bytes", "waited", "time waited"};
  static struct text text;
  static struct table table;
  char limits[1024];
  char quantity[QUANTITY_BYTES];
  text.used = 0;
  describe_limits(job->control, limits, sizeof limits);
  add(&text, "job %s: %s, %s\n", job->id, format_duration(quantity, nanos), limits);
  head(&table, 5, HEAD);
  for (uint32_t i = 0; i < STAGE_OPERATION_COUNT; i++) {
    if (usage->of[i].calls == 0) continue;
    char(*row)[QUANTITY_BYTES] = table.cells[table.rows++];
    snprintf(row[0], QUANTITY_BYTES, "%s", operation_name((enum stage_operation)i));
    snprintf(row[1], QUANTITY_BYTES, "%llu", (unsigned long long)usage->of[i].calls);
    if (usage->of[i].bytes > 0) format_bytes(row[2], (double)usage->of[i].bytes);
    if (usage->of[i].waits == 0) continue;
    snprintf(row[3], QUANTITY_BYTES, "%llu", (unsigned long long)usage->of[i].waits);
    format_duration(row[4], usage->of[i].waited_nanos);
  }
  add_table(&text, &table, "  ");
  add_not_held(&text, usage, not_held, reason);
  write_text(to, &text);
}

void clear_rates(int to) {
  struct text text = {.used = 0};
  if (drawn_lines == 0) return;
  add(&text, "\033[%dA\r\033[J", drawn_lines);
  write_text(to, &text);
  drawn_lines = 0;
}

void print_rates(int to, const struct job *job, const struct usage *now,
                 const struct usage *before, uint64_t nanos) {
  static const char *const HEAD[] = {"operation", "calls", "bytes", "time waited"};
  static struct text text;
  static struct table table;
  char limits[1024];
  double seconds = (double)nanos / 1e9;
  double calls = 0;
  double bytes = 0;
  text.used = 0;
  describe_limits(job->control, limits, sizeof limits);
  head(&table, 4, HEAD);
  for (uint32_t i = 0; i < STAGE_OPERATION_COUNT; i++) {
    double more_calls = (double)(now->of[i].calls - before->of[i].calls) / seconds;
    double more_bytes = (double)(now->of[i].bytes - before->of[i].bytes) / seconds;
    uint64_t waited = now->of[i].waited_nanos - before->of[i].waited_nanos;
    calls += more_calls;
    bytes += more_bytes;
    if (more_calls == 0 && waited == 0) continue;
    char(*row)[QUANTITY_BYTES] = table.cells[table.rows++];
    snprintf(row[0], QUANTITY_BYTES, "%s", operation_name((enum stage_operation)i));
    format_rate(row[1], more_calls, false);
    if (more_bytes > 0) format_rate(row[2], more_bytes, true);
    format_duration(row[3], waited);
  }
  if (isatty(to)) {
    clear_rates(to);
    add(&text, "%s\n", limits);
    drawn_lines = 1 + add_table(&text, &table, "");
  } else {
    char quantity[2][QUANTITY_BYTES];
    add(&text, "%s, %s; %s\n", format_rate(quantity[0], calls, false),
        format_rate(quantity[1], bytes, true), limits);
  }
  write_text(to, &text);
}

/* Tests of the library's parts, linked together without what replaces the C library's functions. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach.h"
#include "charge.h"
#include "descriptors.h"
#include "fixture.h"
#include "line.h"
#include "paths.h"
#include "system.h"

#define SECOND INT64_C(1000000000)

static struct fixture fixture;
static char directory[] = "/tmp/sluice-parts-XXXXXX";

static void limit_opens_to(double rate, double burst, uint64_t lease) {
  atomic_store(&fixture.control->channels[STAGE_OPEN], 1);
  fixture_limit(&fixture, 1, rate, burst, lease);
}

static void pause_for(int64_t nanos) {
  struct timespec time = {.tv_sec = nanos / SECOND, .tv_nsec = nanos % SECOND};
  nanosleep(&time, NULL);
}

static int64_t seconds_of_opens(int count) {
  int64_t started = fixture_now();
  for (int i = 0; i < count; i++) {
    fixture_beat(&fixture);
    stage_charge(STAGE_OPEN, 0, 1);
  }
  return fixture_now() - started;
}

/* A line reaches every ticket at the first instant at which it is not below it. */
static void test_line(void) {
  uint64_t seed = 1;
  for (int i = 0; i < 100000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    struct stage_line line = {.from_nanos = (int64_t)(seed >> 20),
                              .from_units = seed,
                              .rate = (seed >> 17) % (UINT64_C(1) << (seed % 60)) + 1};
    uint64_t ticket = line.from_units + (seed >> 8) % (UINT64_C(1) << (seed % 50));
    int64_t turn = stage_line_reaches(&line, ticket);
    if (turn == STAGE_NEVER) continue;
    CHECK((int64_t)(stage_line_at(&line, turn) - ticket) >= 0, "case %d", i);
    CHECK(turn == line.from_nanos || (int64_t)(stage_line_at(&line, turn - 1) - ticket) < 0,
          "case %d", i);
  }
}

static atomic_bool stop_publishing;

static void *publish_matching_pairs(void *unused) {
  for (int i = 1; !atomic_load(&stop_publishing); i++) {
    fixture_limit(&fixture, 5, 1000.0 * i, i, (uint64_t)i % 1000);
  }
  return unused;
}

/* Whatever the writer does, a line that was read is one that was written. */
static void test_lines_are_never_torn(void) {
  pthread_t writer;
  fixture_limit(&fixture, 5, 1000, 1, 1);
  pthread_create(&writer, NULL, publish_matching_pairs, NULL);
  for (int i = 0; i < 100000; i++) {
    struct stage_line line;
    if (!stage_read_line(&fixture.control->buckets[5], &line)) continue;
    uint64_t number = line.burst_units / 1024;
    uint64_t rate = (uint64_t)(1000.0 * (double)number * 1024 / 1e9 * (double)(UINT64_C(1) << 40));
    CHECK(line.rate == rate && line.lease_tokens == number % 1000, "burst %llu",
          (unsigned long long)number);
  }
  atomic_store(&stop_publishing, true);
  pthread_join(writer, NULL);
}

static void *open_until_stopped(void *stop) {
  uint64_t count = 0;
  while (!atomic_load((atomic_bool *)stop)) {
    stage_charge(STAGE_OPEN, 0, 1);
    count++;
  }
  return (void *)count;
}

/* However many threads ask, no more than burst and rate allow get through. */
static void test_threads_share_a_limit(void) {
  enum { THREADS = 8, RATE = 20000, BURST = 400, LEASE = 10 };
  pthread_t threads[THREADS];
  atomic_bool stop = false;
  uint64_t before = fixture_calls(&fixture, STAGE_OPEN);
  limit_opens_to(RATE, BURST, LEASE);
  /* Under a tool that slows all down the heart beats slowly too. */
  atomic_store(&fixture.control->stale_after_nanos, 10 * SECOND);
  int64_t started = fixture_now();
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, open_until_stopped, &stop);
  for (int i = 0; i < 10; i++) {
    pause_for(SECOND / 20);
    fixture_beat(&fixture);
  }
  double seconds = (double)(fixture_now() - started) / 1e9;
  uint64_t passed = fixture_calls(&fixture, STAGE_OPEN) - before;
  atomic_store(&fixture.control->stale_after_nanos, 2 * SECOND);
  fixture_unlimit(&fixture, 1);
  atomic_store(&stop, true);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  /* A call is counted when it comes, so each thread may have one counted and waiting. */
  CHECK((double)passed <= RATE * seconds + BURST + THREADS * (LEASE + 1), "%llu in %.3f s",
        (unsigned long long)passed, seconds);
  CHECK((double)passed >= 0.05 * RATE * seconds, "%llu in %.3f s", (unsigned long long)passed,
        seconds);
}

static void *open_once(void *released) {
  stage_charge(STAGE_OPEN, 0, 1);
  *(int64_t *)released = fixture_now();
  return NULL;
}

/* A thread that waits under one limit, and the instant at which another one was set. */
static int64_t release_after(void (*change)(void)) {
  pthread_t waiter;
  int64_t released = 0;
  pthread_create(&waiter, NULL, open_once, &released);
  pause_for(SECOND / 20);
  int64_t changed = fixture_now();
  change();
  pthread_join(waiter, NULL);
  return released - changed;
}

static void unlimit_opens(void) { fixture_unlimit(&fixture, 1); }

static void raise_opens(void) { fixture_limit(&fixture, 1, 1e6, 1000, 1); }

static void test_changes_release_waiters(void) {
  void (*changes[])(void) = {unlimit_opens, raise_opens};
  for (int i = 0; i < 10; i++) {
    limit_opens_to(0, 0, 1);
    fixture_beat(&fixture);
    int64_t latency = release_after(changes[i % 2]);
    CHECK(latency < SECOND, "released after %lld ns", (long long)latency);
  }
}

/* Nobody waits for an agent that has been silent for its time, whatever limit it left. */
static void test_a_silent_agent_limits_nothing(void) {
  limit_opens_to(0, 0, 1);
  atomic_store(&fixture.control->stale_after_nanos, SECOND / 5);
  fixture_beat(&fixture);
  int64_t started = fixture_now();
  stage_charge(STAGE_OPEN, 0, 1);
  int64_t waited = fixture_now() - started;
  CHECK(waited >= SECOND / 5 && waited < 2 * SECOND, "%lld ns", (long long)waited);
  for (int i = 0; i < 1000; i++) stage_charge(STAGE_OPEN, 0, 1);
  CHECK(fixture_now() - started < 3 * SECOND, "not open");
  fixture_beat(&fixture);
  started = fixture_now();
  stage_charge(STAGE_OPEN, 0, 1);
  CHECK(fixture_now() - started >= SECOND / 10, "not limited again");
  atomic_store(&fixture.control->stale_after_nanos, 2 * SECOND);
  fixture_unlimit(&fixture, 1);
}

/* Two limits of one operation delay a call as long as the stricter of them, not as both. */
static void test_limits_are_waited_for_together(void) {
  atomic_store(&fixture.control->channels[STAGE_OPEN], 1 | 2 << 8);
  fixture_limit(&fixture, 1, 100, 1, 1);
  fixture_limit(&fixture, 2, 100, 1, 1);
  int64_t nanos = seconds_of_opens(21);
  CHECK(nanos >= 190 * SECOND / 1000 && nanos < 900 * SECOND / 1000, "%lld ns", (long long)nanos);
  fixture_unlimit(&fixture, 1);
  fixture_unlimit(&fixture, 2);
}

static int live_waiters(void) {
  int count = 0;
  for (unsigned i = 0; i < STAGE_WAITERS; i++) {
    count += atomic_load(&fixture.state->waiters[i].seen_nanos) != 0;
  }
  return count;
}

/* What killed waiters had reserved shows as entries that nobody renews. */
static void test_killed_waiters_can_be_told(void) {
  enum { DEAD = 20 };
  pid_t children[DEAD];
  limit_opens_to(10, 1, 1);
  for (int i = 0; i < DEAD; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      stage_forget_thread();
      for (;;) stage_charge(STAGE_OPEN, 0, 1);
    }
  }
  for (int i = 0; i < 50 && live_waiters() < DEAD - 1; i++) {
    pause_for(SECOND / 50);
    fixture_beat(&fixture);
  }
  CHECK(live_waiters() >= DEAD - 1, "%d wait", live_waiters());
  for (int i = 0; i < DEAD; i++) kill(children[i], SIGKILL);
  for (int i = 0; i < DEAD; i++) waitpid(children[i], NULL, 0);
  pause_for(SECOND / 4);
  int64_t now = fixture_now();
  uint64_t end = atomic_load(&fixture.state->tickets[1].units);
  for (unsigned i = 0; i < STAGE_WAITERS; i++) {
    struct stage_waiter *waiter = &fixture.state->waiters[i];
    if (atomic_load(&waiter->seen_nanos) == 0) continue;
    CHECK(now - atomic_load(&waiter->seen_nanos) > SECOND / 10, "a dead one was seen");
    uint64_t claim = atomic_load(&waiter->claims[0]);
    CHECK((claim & 0xff) == 1, "another bucket");
    CHECK((end << 8) - (claim & ~UINT64_C(0xff)) <= (DEAD * UINT64_C(1024)) << 8, "no such ticket");
  }
  fixture_beat(&fixture);
  fixture_forgive(&fixture, 1, DEAD * UINT64_C(1024));
  int64_t waited = seconds_of_opens(1);
  CHECK(waited < SECOND / 2, "%lld ns", (long long)waited);
  fixture_unlimit(&fixture, 1);
  memset(fixture.state->waiters, 0, sizeof fixture.state->waiters);
}

static void beat_for(int64_t nanos) {
  for (int64_t until = fixture_now() + nanos; fixture_now() < until;) {
    fixture_beat(&fixture);
    pause_for(SECOND / 50);
  }
}

static pid_t start_waiter(void) {
  pid_t child = fork();
  if (child == 0) {
    stage_forget_thread();
    stage_charge(STAGE_OPEN, 0, 1);
    _exit(0);
  }
  for (int i = 0; i < 50 && live_waiters() == 0; i++) beat_for(SECOND / 50);
  CHECK(live_waiters() == 1, "%d wait", live_waiters());
  return child;
}

/* Who was stopped for so long that his ticket was given away has it no more when he comes back. */
static void test_the_stopped_queue_anew(void) {
  memset(fixture.state->waiters, 0, sizeof fixture.state->waiters);
  fixture_beat(&fixture);
  limit_opens_to(0, 0, 1);
  pid_t child = start_waiter();
  kill(child, SIGSTOP);
  beat_for(STAGE_WAITER_DEAD_NANOS + SECOND / 5);
  fixture_forgive(&fixture, 1, 1024);
  kill(child, SIGCONT);
  beat_for(SECOND / 2);
  CHECK(waitpid(child, NULL, WNOHANG) == 0, "it passed a pause");
  fixture_forgive(&fixture, 1, 1024);
  beat_for(SECOND / 5);
  CHECK(waitpid(child, NULL, WNOHANG) == child, "its new ticket is not the next");
  fixture_unlimit(&fixture, 1);
}

/* Who finds no room in the list says that it is not all. */
static void test_a_full_list_is_told(void) {
  int64_t released = 0;
  pthread_t waiter;
  fixture_beat(&fixture);
  limit_opens_to(0, 0, 1);
  int64_t now = fixture_now();
  for (unsigned i = 0; i < STAGE_WAITERS; i++) {
    atomic_store(&fixture.state->waiters[i].seen_nanos, now);
  }
  pthread_create(&waiter, NULL, open_once, &released);
  /* For less than the list stays full. */
  for (int i = 0; i < 45 && atomic_load(&fixture.state->unlisted_nanos) < now; i++) {
    beat_for(SECOND / 50);
  }
  CHECK(atomic_load(&fixture.state->unlisted_nanos) >= now, "nobody said so");
  fixture_unlimit(&fixture, 1);
  pthread_join(waiter, NULL);
  memset(fixture.state->waiters, 0, sizeof fixture.state->waiters);
}

static void test_places(void) {
  static const struct {
    const char *path;
    bool inside;
  } cases[] = {{"/mnt/scratch", true},
               {"/mnt/scratch/", true},
               {"/mnt/scratch/a/b", true},
               {"/mnt/scratch2", false},
               {"/mnt", false},
               {"/mnt/scratch/../other", false},
               {"/mnt/other/../scratch/x", true},
               {"//mnt//scratch//x", true},
               {"/./mnt/./scratch", true},
               {"/../../mnt/scratch/x", true},
               {"/x/mnt/scratch", false},
               {"", false},
               {"/", false},
               {"/mnt/scratch/..", false}};
  fixture.control->mount_text_bytes = sizeof "/mnt/scratch";
  memcpy(fixture.control->mount_text, "/mnt/scratch", sizeof "/mnt/scratch");
  CHECK(stage_register_mounts(0, fixture.control), "not registered");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK((stage_is_path_inside(cases[i].path) != 0) == cases[i].inside, "%s", cases[i].path);
  }
  CHECK(stage_places_of_clean("/") == STAGE_PLACE_ABOVE, "the root");
  CHECK(stage_places_of_clean("/mnt") == STAGE_PLACE_ABOVE, "the parent");
  CHECK(stage_places_of_clean("/mn") == STAGE_PLACE_OUTSIDE, "half a name");

  CHECK(chdir("/mnt") == 0, "a machine without /mnt");
  stage_forget_working_directory();
  CHECK(stage_is_path_inside("scratch/x") && !stage_is_path_inside("other"), "relative");
  CHECK(stage_is_path_inside("../mnt/scratch"), "up and down");
  int root = open("/", O_RDONLY | O_DIRECTORY);
  CHECK(stage_is_path_at_inside(root, "mnt/scratch/x"), "below a descriptor above");
  CHECK(!stage_is_path_at_inside(root, "mnt/x"), "beside");
  close(root);

  char longest[2 * STAGE_PATH_BYTES];
  memset(longest, 'a', sizeof longest);
  memcpy(longest, "/mnt/./scratch/", 15);
  longest[sizeof longest - 1] = 0;
  CHECK(!stage_is_path_inside(longest), "longer than any path");

  fixture.control->mount_text[0] = 0;
  fixture.control->mount_text_bytes = 1;
  CHECK(stage_register_mounts(0, fixture.control), "not registered");
  CHECK(stage_is_path_inside("/etc/passwd") && stage_is_path_inside("/"), "everything");
  CHECK(!stage_is_path_inside("/proc/self") && !stage_is_path_inside("/dev/null"), "no storage");
}

/* The same question, one character after the other. */
static bool has_dots_slowly(const char *path) {
  for (const char *at = path; *at != 0; at++) {
    bool starts = at == path || at[-1] == '/';
    if (starts && at != path && (*at == '.' || *at == '/')) return true;
    if (at == path && *at == '.' && (at[1] == '.' || at[1] == '/' || at[1] == 0)) return true;
  }
  return false;
}

/* Random paths before a page that cannot be read, or a little before it with dots between: who reads
   past their ends either crashes or is wrong. */
static void test_dots_are_found_wherever_they_are(void) {
  const size_t page = 4096;
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0, "no pages");
  uint64_t seed = 1;
  for (int round = 0; round < 200000; round++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    size_t length = (size_t)(seed >> 33) % 70;
    size_t after = (size_t)(seed >> 50) % 40;
    char *path = pages + page - after - length - 1;
    memset(path + length + 1, (seed >> 60) % 2 == 0 ? '/' : '.', after);
    for (size_t i = 0; i < length; i++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      uint64_t drawn = seed >> 40;
      path[i] = drawn % 40 == 0 ? '.' : drawn % 8 == 1 ? '/' : (char)('a' + drawn % 26);
    }
    path[length] = 0;
    struct stage_text text = stage_scan(path);
    CHECK(text.length == (long)length && text.dots == has_dots_slowly(path), "%s", path);
  }
  munmap(pages, 2 * page);
  stage_forget_readable(pages, 2 * page);
}

static int compare_hashes(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* By its hash it is remembered that a path led outside: no two may share one, of names that are
   alike or anything. */
static void test_outside_paths_have_hashes_of_their_own(void) {
  enum { PATHS = 60000 };
  static uint64_t hashes[PATHS];
  char path[128];
  uint64_t seed = 3;
  memcpy(fixture.control->mount_text, "/mnt", 5);
  fixture.control->mount_count = 1;
  fixture.control->mount_text_bytes = 5;
  CHECK(stage_register_mounts(0, fixture.control), "a mount point");
  for (int i = 0; i < PATHS; i++) {
    if (i % 2 == 0) {
      snprintf(path, sizeof path, "/e/%0*d/lib%d.so", i % 40 + 1, i % 100, i);
    } else {
      int length = snprintf(path, sizeof path, "/e/%d", i);
      for (int more = i % 60; more > 0; more--) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        path[length++] = (char)('a' + (seed >> 40) % 26);
      }
      path[length] = 0;
    }
    struct stage_found found = stage_find_path(path);
    CHECK(found.hash != 0 && !found.inside, "%s", path);
    hashes[i] = found.hash;
    size_t at = (size_t)i % strlen(path + 1) + 1;
    path[at] ^= 1;
    CHECK(path[at] == '.' || stage_find_path(path).hash != found.hash, "%s, changed at %zu", path,
          at);
    path[at] ^= 1;
    memmove(path + 1, path, strlen(path) + 1);
    path[0] = 'x';
    CHECK(stage_find_path(path).hash != found.hash, "%s, relative", path);
  }
  qsort(hashes, PATHS, sizeof *hashes, compare_hashes);
  for (int i = 1; i < PATHS; i++) {
    /* Some bits of it give way to the time at which it was seen. */
    CHECK(hashes[i] >> 16 != hashes[i - 1] >> 16, "two paths have the hash %llx",
          (unsigned long long)hashes[i]);
  }
}

static void test_bad_mounts_are_refused(void) {
  static const struct {
    const char *text;
    uint32_t bytes;
    uint32_t count;
  } cases[] = {{"relative", 9, 1}, {"/a/", 4, 1}, {"/a", 2, 1},  {"/a", 3, 2},
               {"/a", 3, 0},       {"/a", 3, 999}, {"/a", 99999, 1}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    memset(fixture.control->mount_text, 'z', sizeof fixture.control->mount_text);
    memcpy(fixture.control->mount_text, cases[i].text, strlen(cases[i].text) + 1);
    fixture.control->mount_count = cases[i].count;
    fixture.control->mount_text_bytes = cases[i].bytes;
    CHECK(!stage_register_mounts(0, fixture.control), "case %u", i);
  }
}

static bool attaches_to(const char *list) {
  bool attached = stage_attach(list);
  for (uint32_t i = 0; i < stage_job_count; i++) {
    munmap(stage_jobs[i].control, STAGE_CONTROL_BYTES);
    munmap(stage_jobs[i].state, STAGE_STATE_BYTES);
  }
  stage_job_count = 0;
  return attached;
}

static bool attaches(void) { return attaches_to(directory); }

static void test_bad_files_are_refused(void) {
  char control[4200], state[4200], other[4200];
  snprintf(control, sizeof control, "%s/control", directory);
  snprintf(state, sizeof state, "%s/state", directory);
  snprintf(other, sizeof other, "%s/other", directory);

  fixture_create(&fixture, directory, "/mnt");
  CHECK(attaches(), "good files");
  chmod(state, 0666);
  CHECK(!attaches(), "everybody may write");
  chmod(state, 0600);
  fixture.control->header.version++;
  CHECK(!attaches(), "another version");
  fixture.control->header.version--;
  fixture.control->header.buckets++;
  CHECK(!attaches(), "another layout");
  fixture.control->header.buckets--;
  fixture.state->header.token++;
  CHECK(!attaches(), "another job's state");
  fixture.state->header.token--;
  atomic_store(&fixture.state->header.magic, 0);
  CHECK(!attaches(), "no magic");
  atomic_store(&fixture.state->header.magic, STAGE_STATE_MAGIC);
  CHECK(attaches(), "good again");
  CHECK(link(control, other) == 0 && !attaches(), "a second name");
  unlink(other);
  CHECK(rename(control, other) == 0 && symlink("other", control) == 0 && !attaches(), "a link");
  unlink(control);
  CHECK(mkfifo(control, 0600) == 0 && !attaches(), "a pipe");
  unlink(control);
  CHECK(mkdir(control, 0700) == 0 && !attaches(), "a directory");
  rmdir(control);
  CHECK(!attaches(), "nothing");
  CHECK(rename(other, control) == 0 && truncate(control, 4096) == 0 && !attaches(), "too short");
  fixture_create(&fixture, directory, "/mnt");
  /* In a user namespace there may be nobody else. */
  if (geteuid() == 0 && chown(state, 12345, 12345) == 0) {
    CHECK(!attaches(), "a stranger's");
    char list[4200];
    uint64_t token = fixture.control->header.token;
    snprintf(list, sizeof list, "%016llx@%s", (unsigned long long)token, directory);
    CHECK(attaches_to(list), "whoever's, with its token");
    list[15] ^= 1;
    CHECK(!attaches_to(list), "with another's");
  }
  unlink(control);
  unlink(state);
}

/* Whatever bytes the files hold, calls return. */
static void test_garbage_harms_nobody(void) {
  uint64_t seed = 7;
  fixture_create(&fixture, directory, "/mnt");
  stage_jobs[0] = (struct stage_job){fixture.control, fixture.state};
  stage_job_count = 1;
  uint64_t *control = (uint64_t *)fixture.control;
  uint64_t *state = (uint64_t *)fixture.state;
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < 400; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      uint64_t value = (seed >> 33) % 4 == 0 ? ~UINT64_C(0) >> (seed % 64) : seed;
      if (i % 2 == 0) {
        control[(seed >> 13) % (STAGE_CONTROL_BYTES / 8)] = value;
      } else {
        state[(seed >> 13) % (STAGE_STATE_BYTES / 8)] = value;
      }
    }
    /* All operations in all buckets, under an agent that falls silent soon. */
    for (unsigned i = 0; i < STAGE_OPERATION_COUNT; i++) {
      atomic_store(&fixture.control->channels[i], seed * (i + 1));
    }
    atomic_store(&fixture.control->stale_after_nanos, 1000000);
    fixture_beat(&fixture);
    for (unsigned i = 0; i < STAGE_OPERATION_COUNT; i++) {
      stage_charge((enum stage_operation)i, seed >> (i + 8), 1);
    }
    stage_register_mounts(0, fixture.control);
    stage_is_path_inside("/mnt/x");
  }
}

int main(void) {
  CHECK(mkdtemp(directory) != NULL, "no directory");
  fixture_create(&fixture, directory, "/mnt/scratch");
  stage_jobs[0] = (struct stage_job){fixture.control, fixture.state};
  stage_job_count = 1;
  test_line();
  test_lines_are_never_torn();
  test_threads_share_a_limit();
  test_changes_release_waiters();
  test_a_silent_agent_limits_nothing();
  test_limits_are_waited_for_together();
  test_killed_waiters_can_be_told();
  test_the_stopped_queue_anew();
  test_a_full_list_is_told();
  test_places();
  test_dots_are_found_wherever_they_are();
  test_outside_paths_have_hashes_of_their_own();
  test_bad_mounts_are_refused();
  test_bad_files_are_refused();
  test_garbage_harms_nobody();
  char path[4200];
  snprintf(path, sizeof path, "%s/control", directory);
  unlink(path);
  snprintf(path, sizeof path, "%s/state", directory);
  unlink(path);
  rmdir(directory);
  puts("all held");
  return 0;
}

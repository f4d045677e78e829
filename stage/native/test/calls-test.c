/*
 * Makes every kind of call under the preloaded library, and checks how each was charged.
 *
 *   calls-test prepare STAGE MOUNT    makes the job's files
 *   calls-test STAGE MOUNT            with LD_PRELOAD and SLUICE_STAGE set: makes the calls
 *   calls-test list STAGE...          prints what SLUICE_STAGE should be for these jobs
 *   calls-test count STAGE OPERATION  prints how many calls a job has counted, and its attachments
 *   calls-test pass PATH CALLS        makes calls of access, and prints how long they took in ms
 */
#include <dirent.h>
#include <fts.h>
#include <ftw.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fixture.h"

static struct fixture fixture;
static uint64_t calls_before[STAGE_OPERATION_COUNT];
static uint64_t bytes_before[STAGE_OPERATION_COUNT];

static const char *const names[] = {
#define NAME(name) #name,
    STAGE_OPERATIONS(NAME)
#undef NAME
};

static void begin(void) {
  for (int i = 0; i < STAGE_OPERATION_COUNT; i++) {
    calls_before[i] = fixture_calls(&fixture, (enum stage_operation)i);
    bytes_before[i] = fixture_bytes(&fixture, (enum stage_operation)i);
  }
}

/* Pairs of operation and number of calls, ended by -1: these and no others must have been charged
   since begin. */
static void check_charged(int line, const char *what, const int *expected) {
  int wanted[STAGE_OPERATION_COUNT] = {0};
  for (; expected[0] >= 0; expected += 2) wanted[expected[0]] = expected[1];
  for (int i = 0; i < STAGE_OPERATION_COUNT; i++) {
    int calls = (int)(fixture_calls(&fixture, (enum stage_operation)i) - calls_before[i]);
    if (calls == wanted[i]) continue;
    fprintf(stderr, "line %d: %s: %s charged %d times, expected %d\n", line, what, names[i], calls,
            wanted[i]);
    exit(1);
  }
}

#define CHARGES(statement, ...)                                            \
  do {                                                                     \
    begin();                                                               \
    statement;                                                             \
    check_charged(__LINE__, #statement, (const int[]){__VA_ARGS__, -1});   \
  } while (0)

#define CHARGES_NOTHING(statement) CHARGES(statement, -1)

static uint64_t bytes_of(enum stage_operation operation) {
  return fixture_bytes(&fixture, operation) - bytes_before[operation];
}

static struct stat status;
static char buffer[8192];

static void test_files(void) {
  int fd = -1;
  CHARGES(fd = open("file", O_RDWR | O_CREAT, 0600), STAGE_OPEN, 1);
  CHARGES(CHECK(write(fd, "0123456789", 10) == 10, "write"), STAGE_WRITE, 1);
  CHECK(bytes_of(STAGE_WRITE) == 10, "bytes written");
  CHARGES(CHECK(pread(fd, buffer, 4096, 2) == 8, "pread"), STAGE_READ, 1);
  CHECK(bytes_of(STAGE_READ) == 8, "charged by what was returned");
  struct iovec parts[2] = {{buffer, 3}, {buffer + 3, 4}};
  CHARGES(CHECK(preadv(fd, parts, 2, 0) == 7, "preadv"), STAGE_READ, 1);
  CHARGES(CHECK(pwritev(fd, parts, 2, 0) == 7, "pwritev"), STAGE_WRITE, 1);
  CHARGES(fstat(fd, &status), STAGE_GETATTR, 1);
  CHARGES(fsync(fd); fdatasync(fd), STAGE_COMMIT, 2);
  CHARGES(CHECK(ftruncate(fd, 5) == 0, "ftruncate"), STAGE_TRUNCATE, 1);
  CHARGES(posix_fallocate(fd, 0, 100), STAGE_ALLOCATE, 1);
  CHARGES(fchmod(fd, 0644); futimens(fd, NULL), STAGE_SETATTR, 2);
  CHARGES_NOTHING(lseek(fd, 0, SEEK_SET));
  void *at = MAP_FAILED;
  CHARGES(at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), STAGE_READ, 1);
  CHARGES(msync(at, 4096, MS_SYNC), STAGE_COMMIT, 1);
  munmap(at, 4096);
  CHARGES_NOTHING(munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096));
  int copy = -1;
  CHARGES(copy = dup(fd), -1);
  CHARGES(CHECK(pread(copy, buffer, 1, 0) == 1, "copy"), STAGE_READ, 1);
  CHARGES(close(copy), STAGE_CLOSE, 1);
  CHARGES(close(fd), STAGE_CLOSE, 1);
  CHARGES_NOTHING(CHECK(close(fd) == -1 && errno == EBADF, "closed twice"));
}

static void test_copies(void) {
  int from = open("file", O_RDWR);
  int to = open("copy", O_RDWR | O_CREAT, 0600);
  int pair[2];
  CHECK(pipe(pair) == 0, "pipe");
  lseek(from, 0, SEEK_SET);
  CHARGES(CHECK(copy_file_range(from, NULL, to, NULL, 1 << 20, 0) == 100, "copied"), STAGE_COPY, 1);
  CHECK(bytes_of(STAGE_COPY) == 100, "bytes copied");
  lseek(from, 0, SEEK_SET);
  CHARGES(CHECK(sendfile(to, from, NULL, 50) == 50, "sent"), STAGE_READ, 1, STAGE_WRITE, 1);
  CHARGES(CHECK(splice(from, NULL, pair[1], NULL, 20, 0) == 20, "spliced"), STAGE_READ, 1);
  CHARGES(CHECK(splice(pair[0], NULL, to, NULL, 20, 0) == 20, "spliced"), STAGE_WRITE, 1);
  close(from);
  close(to);
  close(pair[0]);
  close(pair[1]);
}

static void test_names(const char *mount) {
  char path[4200];
  snprintf(path, sizeof path, "%s/../%s/file", mount, strrchr(mount, '/') + 1);
  CHARGES(CHECK(stat(path, &status) == 0, "%s", path), STAGE_GETATTR, 1);
  snprintf(path, sizeof path, "%s/file", mount);
  CHARGES(stat(path, &status); lstat(path, &status); fstatat(AT_FDCWD, "file", &status, 0),
          STAGE_GETATTR, 3);
  CHARGES_NOTHING(stat("/etc/passwd", &status); stat("..", &status));
  CHARGES(CHECK(access("missing", F_OK) == -1 && errno == ENOENT, "errno"), STAGE_ACCESS, 1);
  CHARGES(chmod("file", 0600), STAGE_SETATTR, 1);
  CHARGES(CHECK(rename("file", "renamed") == 0, "rename"), STAGE_RENAME, 1);
  CHARGES(CHECK(renameat2(AT_FDCWD, "renamed", AT_FDCWD, "file", 0) == 0, "back"), STAGE_RENAME, 1);
  CHARGES(CHECK(link("file", "second") == 0, "link"), STAGE_LINK, 1);
  CHARGES(CHECK(symlink("file", "soft") == 0, "symlink"), STAGE_SYMLINK, 1);
  CHARGES(CHECK(readlink("soft", buffer, 100) == 4, "readlink"), STAGE_READLINK, 1);
  CHARGES(CHECK(mkfifo("fifo", 0600) == 0, "mkfifo"), STAGE_MKNOD, 1);
  CHARGES(unlink("second"); unlink("soft"); remove("fifo"), STAGE_UNLINK, 3);
  CHARGES(CHECK(truncate("file", 7) == 0, "truncate"), STAGE_TRUNCATE, 1);
  struct statvfs space;
  CHARGES(statvfs(".", &space), STAGE_STATFS, 1);
  CHARGES(setxattr("file", "user.a", "b", 1, 0), STAGE_SETXATTR, 1);
  CHARGES(getxattr("file", "user.a", buffer, 10), STAGE_GETXATTR, 1);
  CHARGES(listxattr("file", buffer, 100), STAGE_LISTXATTR, 1);
  CHARGES(removexattr("file", "user.a"), STAGE_REMOVEXATTR, 1);
  CHARGES(CHECK(mkdir("dir", 0700) == 0, "mkdir"), STAGE_MKDIR, 1);
  CHARGES(CHECK(rmdir("dir") == 0, "rmdir"), STAGE_RMDIR, 1);
  CHARGES(CHECK(mkdir("dir", 0700) == 0, "mkdir"), STAGE_MKDIR, 1);
  CHARGES(CHECK(unlinkat(AT_FDCWD, "dir", AT_REMOVEDIR) == 0, "unlinkat"), STAGE_RMDIR, 1);
}

static void test_directories(void) {
  CHECK(mkdir("many", 0700) == 0, "mkdir");
  for (int i = 0; i < 2000; i++) {
    char name[64];
    snprintf(name, sizeof name, "many/a-name-of-some-length-%d", i);
    close(open(name, O_CREAT | O_WRONLY, 0600));
  }
  DIR *stream = NULL;
  CHARGES(stream = opendir("many"), STAGE_OPEN, 1, STAGE_GETATTR, 1);
  begin();
  int entries = 0;
  while (readdir(stream) != NULL) entries++;
  int portions = (int)(fixture_calls(&fixture, STAGE_READDIR) - calls_before[STAGE_READDIR]);
  CHECK(entries == 2002 && portions >= 3 && portions < 10, "%d in %d portions", entries, portions);
  CHARGES(CHECK(fstatat(dirfd(stream), "a-name-of-some-length-7", &status, 0) == 0, "at"),
          STAGE_GETATTR, 1);
  CHARGES_NOTHING(CHECK(fstatat(dirfd(stream), "../../", &status, 0) == 0, "out again"));
  CHARGES(closedir(stream), STAGE_CLOSE, 1);
  for (int i = 0; i < 2000; i++) {
    char name[64];
    snprintf(name, sizeof name, "many/a-name-of-some-length-%d", i);
    unlink(name);
  }
  rmdir("many");
}

static void test_streams(void) {
  FILE *stream = NULL;
  CHARGES(stream = fopen("stream", "w+"), STAGE_OPEN, 1);
  /* The C library looks at the file once to choose a buffer. */
  CHARGES(CHECK(fprintf(stream, "%s %d\n", "hello", 7) == 8, "fprintf"), STAGE_GETATTR, 1);
  CHARGES(fflush(stream), STAGE_WRITE, 1);
  CHECK(bytes_of(STAGE_WRITE) == 8, "bytes written");
  rewind(stream);
  CHARGES(CHECK(getc(stream) == 'h', "getc"), STAGE_READ, 1);
  CHECK(bytes_of(STAGE_READ) == 8, "bytes read");
  CHARGES_NOTHING(CHECK(fgets(buffer, 100, stream) != NULL, "fgets"));
  CHARGES(fclose(stream), STAGE_CLOSE, 1);
  int pair[2];
  CHECK(pipe(pair) == 0, "pipe");
  stream = fdopen(pair[1], "w");
  CHARGES_NOTHING(fputs("to a pipe", stream); fclose(stream));
  close(pair[0]);
  unlink("stream");
}

/* A number that stood for a file of ours stands for something else now. */
static void test_reused_numbers(void) {
  int pair[2];
  int fd = open("file", O_RDONLY);
  close(fd);
  CHECK(pipe(pair) == 0 && pair[0] == fd, "another number");
  CHARGES_NOTHING(CHECK(write(pair[1], "x", 1) == 1 && read(fd, buffer, 1) == 1, "pipe"));
  close(pair[1]);
  fd = open("file", O_RDONLY);
  CHARGES(CHECK(dup2(pair[0], fd) == fd, "dup2"), -1);
  CHARGES_NOTHING(CHECK(read(fd, buffer, 1) == 0, "the pipe's end"));
  close(pair[0]);
  close(fd);
  fd = open("file", O_RDONLY);
  int other = open("file", O_RDONLY);
  CHARGES(close_range((unsigned)fd, (unsigned)other, 0), STAGE_CLOSE, 2);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
  CHARGES_NOTHING(CHECK(write(pair[0], "x", 1) == 1 && read(pair[1], buffer, 1) == 1, "sockets"));
  close(pair[0]);
  close(pair[1]);
}

/* A link from outside leads in: its descriptor is found out when it is used. */
static void test_link_from_outside(const char *mount) {
  char link[] = "/tmp/sluice-link-XXXXXX", target[4200];
  snprintf(target, sizeof target, "%s/file", mount);
  CHECK(mkdtemp(link) != NULL && rmdir(link) == 0 && symlink(target, link) == 0, "link");
  int fd = -1;
  CHARGES_NOTHING(fd = open(link, O_RDONLY));
  CHARGES(CHECK(read(fd, buffer, 1) == 1, "read"), STAGE_READ, 1);
  CHARGES(close(fd), STAGE_CLOSE, 1);
  unlink(link);
}

/* What is noted of a descriptor that a path outside led to is not its number's next owner's. */
static void test_numbers_that_paths_outside_led_to(const char *mount) {
  char plain[] = "/tmp/sluice-plain-XXXXXX", link[] = "/tmp/sluice-inward-XXXXXX", target[4200];
  snprintf(target, sizeof target, "%s/file", mount);
  int fd = mkstemp(plain);
  CHECK(fd >= 0 && write(fd, "xy", 2) == 2 && close(fd) == 0, "a file outside");
  CHECK(mkdtemp(link) != NULL && rmdir(link) == 0 && symlink(target, link) == 0, "link");
  int inside = open("file", O_RDONLY);
  for (int round = 0; round < 3; round++) {
    CHARGES_NOTHING(fd = open(plain, O_RDONLY));
    CHARGES_NOTHING(CHECK(read(fd, buffer, 1) == 1, "read"));
    CHARGES_NOTHING(close(fd));
    /* Never used, and closed. */
    CHARGES_NOTHING(CHECK(close(open(plain, O_RDONLY)) == 0, "close"));
    CHARGES_NOTHING(fd = open(link, O_RDONLY));
    CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "pread"), STAGE_READ, 1);
    CHARGES(close(fd), STAGE_CLOSE, 1);
    /* Never used, and replaced. */
    fd = open(plain, O_RDONLY);
    CHECK(dup2(inside, fd) == fd, "dup2");
    CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "pread"), STAGE_READ, 1);
    CHARGES(close(fd), STAGE_CLOSE, 1);
    /* Never used, and copied. */
    fd = open(link, O_RDONLY);
    int copy = dup(fd);
    CHARGES_NOTHING(close(fd));
    CHARGES(CHECK(pread(copy, buffer, 1, 0) == 1, "pread"), STAGE_READ, 1);
    CHARGES(close(copy), STAGE_CLOSE, 1);
    /* Many closed at once. */
    fd = open(plain, O_RDONLY);
    CHARGES_NOTHING(close_range((unsigned)fd, (unsigned)fd, 0));
    fd = open(link, O_RDONLY);
    CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "pread"), STAGE_READ, 1);
    close(fd);
  }
  close(inside);
  unlink(plain);
  unlink(link);
}

static void wait_for(pid_t child) {
  int result = 0;
  CHECK(waitpid(child, &result, 0) == child && result == 0, "the child ended with %x", result);
}

static void test_processes(void) {
  int fd = open("file", O_RDONLY);
  begin();
  pid_t child = fork();
  if (child == 0) {
    if (pread(fd, buffer, 1, 0) != 1) _exit(1);
    close(fd);
    _exit(0);
  }
  wait_for(child);
  check_charged(__LINE__, "fork", (const int[]){STAGE_READ, 1, STAGE_CLOSE, 1, -1});

  /* The child of vfork puts a pipe in our file's place; ours must stay what it is. */
  int pair[2];
  CHECK(pipe(pair) == 0, "pipe");
  begin();
  child = vfork();
  if (child == 0) {
    dup2(pair[1], fd);
    if (chdir("/") != 0 || write(fd, "x", 1) != 1) _exit(1);
    _exit(0);
  }
  wait_for(child);
  check_charged(__LINE__, "vfork", (const int[]){-1});
  CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "still our file"), STAGE_READ, 1);
  CHARGES(stat("file", &status), STAGE_GETATTR, 1);
  close(pair[0]);
  close(pair[1]);

  /* What is started inherits everything: the library, the limits, and descriptors of ours. */
  char text[16];
  snprintf(text, sizeof text, "%d", fd);
  begin();
  extern char **environ;
  char *arguments[] = {"calls-test", "child", text, NULL};
  CHECK(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) == 0, "spawn");
  wait_for(child);
  check_charged(__LINE__, "exec", (const int[]){STAGE_READ, 1, -1});
  close(fd);
}

static volatile sig_atomic_t handled;
static sigjmp_buf jump;

static void read_in_handler(int signal) {
  int error = errno;
  int fd = open("file", O_RDONLY);
  char byte;
  if (read(fd, &byte, 1) == 1) handled = signal;
  close(fd);
  errno = error;
}

static void jump_in_handler(int signal) { siglongjmp(jump, signal); }

static void on_alarm(void (*handler)(int), long microseconds) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  ualarm((useconds_t)microseconds, 0);
}

static void test_signals(void) {
  CHARGES(on_alarm(read_in_handler, 10000); pause(), STAGE_OPEN, 1, STAGE_READ, 1, STAGE_CLOSE, 1);
  CHECK(handled == SIGALRM, "not handled");

  /* A jump out of the wait, which is paused for ever: the thread goes on, and may wait again. */
  atomic_store(&fixture.control->channels[STAGE_ACCESS], 3);
  fixture_beat(&fixture);
  fixture_limit(&fixture, 3, 0, 0, 1);
  if (sigsetjmp(jump, 1) == 0) {
    on_alarm(jump_in_handler, 50000);
    access("file", F_OK);
    CHECK(false, "it did not wait");
  }
  fixture_unlimit(&fixture, 3);
  CHARGES(access("file", F_OK), STAGE_ACCESS, 1);
}

static void *read_for_ever(void *fd) {
  char byte;
  for (;;) {
    if (pread(*(int *)fd, &byte, 1, 0) != 1) return NULL;
  }
}

static void test_threads(void) {
  pthread_t threads[4];
  int fd = open("file", O_RDONLY);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, read_for_ever, &fd);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (pread(fd, buffer, 1, 0) != 1) _exit(1);
      _exit(0);
    }
    wait_for(child);
  }
  for (int i = 0; i < 4; i++) {
    void *result;
    CHECK(pthread_cancel(threads[i]) == 0, "cancel");
    CHECK(pthread_join(threads[i], &result) == 0 && result == PTHREAD_CANCELED, "cancelled");
  }
  close(fd);
}

static void test_by_number(void) {
  long fd = -1;
  CHARGES(fd = syscall(SYS_openat, AT_FDCWD, "file", O_RDONLY), STAGE_OPEN, 1);
  CHARGES(CHECK(syscall(SYS_read, fd, buffer, 3) == 3, "read"), STAGE_READ, 1);
  CHECK(bytes_of(STAGE_READ) == 3, "bytes");
  CHARGES(syscall(SYS_close, fd), STAGE_CLOSE, 1);
  CHECK(syscall(SYS_read, -1, buffer, 3) == -1 && errno == EBADF, "errno");
}

/* Every call that takes a path: what cannot be read is the kernel's to refuse. */
static void check_bad_pointer(const char *bad) {
  struct statvfs space;
  struct statfs blocks;
#define REFUSED(call)                                                         \
  do {                                                                        \
    errno = 0;                                                                \
    CHECK((call) == -1 && errno == EFAULT, "%s with %p: %d", #call, (void *)bad, errno); \
  } while (0)
  REFUSED(access(bad, F_OK));
  REFUSED(faccessat(AT_FDCWD, bad, F_OK, 0));
  REFUSED(open(bad, O_RDONLY));
  REFUSED(openat(AT_FDCWD, bad, O_RDONLY));
  REFUSED(creat(bad, 0600));
  REFUSED(stat(bad, &status));
  REFUSED(lstat(bad, &status));
  REFUSED(fstatat(AT_FDCWD, bad, &status, 0));
  REFUSED(statfs(bad, &blocks));
  REFUSED(statvfs(bad, &space));
  REFUSED(chmod(bad, 0600));
  REFUSED(chown(bad, 0, 0));
  REFUSED(truncate(bad, 1));
  REFUSED(mkdir(bad, 0700));
  REFUSED(rmdir(bad));
  REFUSED(unlink(bad));
  REFUSED(unlinkat(AT_FDCWD, bad, 0));
  REFUSED(rename(bad, "other"));
  REFUSED(rename("file", bad));
  REFUSED(link(bad, "other"));
  REFUSED(link("file", bad));
  REFUSED(symlink("text", bad));
  REFUSED(symlink(bad, "other"));
  REFUSED(readlink(bad, buffer, 10));
  REFUSED(mkfifo(bad, 0600));
  REFUSED(getxattr(bad, "user.a", buffer, 10));
  REFUSED(setxattr(bad, "user.a", "b", 1, 0));
  REFUSED(listxattr(bad, buffer, 10));
  REFUSED(removexattr(bad, "user.a"));
  REFUSED(chdir(bad));
  REFUSED(syscall(SYS_openat, AT_FDCWD, bad, O_RDONLY));
  CHECK(fopen(bad, "r") == NULL && errno == EFAULT, "fopen");
}

static void test_bad_pointers(void) {
  long page = sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, (size_t)(2 * page), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(memory + page, "file", 5);
  CHARGES(CHECK(access(memory + page, F_OK) == 0, "readable"), STAGE_ACCESS, 1);
  memset(memory + page - 4, 'a', 5);
  CHECK(mprotect(memory + page, (size_t)page, PROT_NONE) == 0, "mprotect");
  begin();
  check_bad_pointer((const char *)8);
  check_bad_pointer((const char *)-1);
  check_bad_pointer(memory + page);
  check_bad_pointer(memory + page - 4); /* begins well */
  CHECK(munmap(memory, (size_t)(2 * page)) == 0, "munmap");
  check_bad_pointer(memory);
  check_charged(__LINE__, "bad pointers",
                (const int[]){STAGE_RENAME, 10, STAGE_LINK, 10, STAGE_SYMLINK, 5, -1});
}

static int put_pipe_in_place(void *numbers) {
  int *pair_and_file = numbers;
  return dup2(pair_and_file[0], pair_and_file[1]) == pair_and_file[1] && chdir("/") == 0 ? 0 : 1;
}

/* What changes descriptors or the working directory past the usual functions. */
static void test_other_ways(void) {
  static char stack[65536] __attribute__((aligned(16)));
  int pair[2];
  CHECK(pipe(pair) == 0, "pipe");
  int fd = open("file", O_RDONLY);
  CHECK(syscall(SYS_dup3, pair[0], fd, 0) == fd, "dup3");
  fcntl(fd, F_SETFL, O_NONBLOCK);
  CHARGES_NOTHING(CHECK(read(fd, buffer, 1) == -1 && errno == EAGAIN, "the pipe"));
  CHARGES_NOTHING(close(fd));
  fd = open("file", O_RDONLY);
  int copy = (int)syscall(SYS_dup, fd);
  CHARGES(CHECK(pread(copy, buffer, 1, 0) == 1, "copy"), STAGE_READ, 1);
  close(copy);

  /* A child in our memory with descriptors of its own, while we wait for it. */
  int numbers[2] = {pair[0], fd};
  int result = 0;
  pid_t child = clone(put_pipe_in_place, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD,
                      numbers);
  CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "clone");
  CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "still our file"), STAGE_READ, 1);
  CHARGES(stat("file", &status), STAGE_GETATTR, 1);
  close(fd);
  close(pair[0]);
  close(pair[1]);

  CHARGES(syscall(SYS_access, "file", F_OK), STAGE_ACCESS, 1);
  CHARGES(syscall(SYS_mkdir, "dir", 0700), STAGE_MKDIR, 1);
  CHARGES(syscall(SYS_chdir, "/"); stat("file", &status), -1);
  CHECK(syscall(SYS_chdir, fixture.control->mount_text) == 0, "back");
  CHARGES(stat("file", &status); rmdir("dir"), STAGE_GETATTR, 1, STAGE_RMDIR, 1);
}

/* A child in our memory with descriptors of its own, beside us: nothing is remembered any more. */
static void test_shared_memory(void) {
  static char stack[65536] __attribute__((aligned(16)));
  int pair[2], result = 0;
  CHECK(pipe(pair) == 0, "pipe");
  int fd = open("file", O_RDONLY);
  int numbers[2] = {pair[0], fd};
  pid_t child = clone(put_pipe_in_place, stack + sizeof stack, CLONE_VM | SIGCHLD, numbers);
  CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "clone");
  CHARGES(CHECK(pread(fd, buffer, 1, 0) == 1, "still our file"), STAGE_READ, 1);
  CHARGES(stat("file", &status), STAGE_GETATTR, 1);
  CHARGES_NOTHING(CHECK(dup2(pair[0], fd) == fd && write(pair[1], "x", 1) == 1, "dup2"));
  CHARGES_NOTHING(CHECK(read(fd, buffer, 1) == 1, "the pipe"));
  close(pair[0]);
  close(pair[1]);
  close(fd);
}

static int visited, missed;

static int visit(const char *path, const struct stat *found, int kind, struct FTW *walk) {
  (void)found;
  if (kind != FTW_F) return 0;
  begin();
  visited += access(path + walk->base, F_OK) == 0;
  missed += fixture_calls(&fixture, STAGE_ACCESS) == calls_before[STAGE_ACCESS];
  return 0;
}

/* Step by step, standing in the directory of every file that it comes to. */
static void walk_in_steps(char *mount) {
  char *paths[] = {mount, NULL};
  FTS *walk = fts_open(paths, FTS_PHYSICAL, NULL);
  CHECK(walk != NULL, "fts_open");
  int files = 0;
  for (FTSENT *entry = fts_read(walk); entry != NULL; entry = fts_read(walk)) {
    if (entry->fts_info != FTS_F) continue;
    files++;
    CHARGES(CHECK(access(entry->fts_accpath, F_OK) == 0, "%s", entry->fts_path), STAGE_ACCESS, 1);
  }
  CHECK(files == visited && fts_close(walk) == 0, "%d of %d", files, visited);
}

static void test_walks(char *mount) {
  CHECK(mkdir("a", 0700) == 0 && mkdir("a/b", 0700) == 0, "mkdir");
  close(creat("a/b/c", 0600));
  CHECK(chdir("/") == 0 && nftw(mount, visit, 5, FTW_CHDIR) == 0, "nftw");
  CHECK(visited > 0 && missed == 0, "%d of %d", missed, visited);
  walk_in_steps(mount);
  /* It has come back by itself. */
  CHARGES_NOTHING(CHECK(access("etc/passwd", F_OK) == 0, "/etc/passwd"));
  CHECK(chdir(mount) == 0, "%s", mount);
  unlink("a/b/c");
  rmdir("a/b");
  rmdir("a");
}

static void test_rarer_calls(void) {
  int fd = open("file", O_RDWR);
  int to = open("copy", O_RDWR);
  int directory = open(".", O_RDONLY | O_DIRECTORY);
  off_t at = 0;
  CHARGES(readahead(fd, 0, 10), STAGE_READ, 1);
  CHARGES(posix_fadvise(fd, 0, 10, POSIX_FADV_WILLNEED), STAGE_READ, 1);
  CHARGES_NOTHING(posix_fadvise(fd, 0, 10, POSIX_FADV_DONTNEED));
  CHARGES(ioctl(to, FICLONE, fd), STAGE_COPY, 1);
  int ready;
  CHARGES_NOTHING(ioctl(fd, FIONREAD, &ready));
  CHARGES(CHECK(getdirentries(directory, buffer, sizeof buffer, &at) > 0, "entries"),
          STAGE_READDIR, 1);
  CHARGES(sync(), STAGE_COMMIT, 1);
  close(fd);
  close(to);
  close(directory);
}

static ucontext_t outer, inner;
static char small_result;

static void make_calls(void) {
  char byte;
  int fd = open("./../../etc/./passwd", O_RDONLY);
  if (fd >= 0) close(fd);
  fd = open("/etc/passwd", O_RDONLY);
  small_result = stat("./file", &status) == 0 && read(fd, &byte, 1) == 1;
  close(fd);
}

/* On a stack of four kilobytes, with nothing readable below it. */
static void test_small_stacks(void) {
  size_t page = 4096;
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mprotect(memory, page, PROT_NONE) == 0, "mprotect");
  make_calls(); /* Names are looked up once, which takes more. */
  small_result = 0;
  getcontext(&inner);
  inner.uc_stack.ss_sp = memory + page;
  inner.uc_stack.ss_size = page;
  inner.uc_link = &outer;
  makecontext(&inner, make_calls, 0);
  swapcontext(&outer, &inner);
  CHECK(small_result, "calls");
  munmap(memory, 2 * page);
}

static void *read_once(void *fd) {
  char byte;
  return pread(*(int *)fd, &byte, 1, 0) == 1 ? NULL : (void *)1;
}

static void test_cancelled_waits(void) {
  int fd = open("file", O_RDONLY);
  pthread_t thread;
  void *result;
  atomic_store(&fixture.control->channels[STAGE_READ], 4);
  fixture_beat(&fixture);
  fixture_limit(&fixture, 4, 0, 0, 1);
  int64_t started = fixture_now();
  pthread_create(&thread, NULL, read_once, &fd);
  usleep(50000);
  CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0, "join");
  CHECK(result == PTHREAD_CANCELED && fixture_now() - started < INT64_C(1500000000),
        "not cancelled while it waited");
  fixture_unlimit(&fixture, 4);
  atomic_store(&fixture.control->channels[STAGE_READ], 0);
  close(fd);
}

static uint64_t tickets(void) { return atomic_load(&fixture.state->tickets[3].units) >> 10; }

static void make_accesses(int count) {
  for (int i = 0; i < count; i++) access("file", F_OK);
}

static void *make_few(void *unused) {
  make_accesses(5);
  return unused;
}

/* Whatever ends, and however: what it had taken in advance goes back to the last token. */
static void test_leases_go_back(void) {
  enum { WAYS = 5, CALLS = 5 };
  atomic_store(&fixture.control->channels[STAGE_ACCESS], 3);
  fixture_beat(&fixture);
  fixture_limit(&fixture, 3, 1e6, 1e12, 64);
  access("file", F_OK);
  uint64_t before = tickets();
  pthread_t thread;
  pthread_create(&thread, NULL, make_few, NULL);
  pthread_join(thread, NULL);
  CHECK(tickets() == before + CALLS, "thread: %d", (int)(tickets() - before));
  for (int way = 0; way < WAYS; way++) {
    before = tickets();
    pid_t child = fork();
    if (child == 0) {
      make_accesses(CALLS);
      if (way == 0) exit(0);
      if (way == 1) _exit(0);
      if (way == 2) execl("/bin/true", "true", (char *)NULL);
      if (way == 3) execlp("true", "true", (char *)NULL);
      syscall(SYS_exit_group, 0);
    }
    wait_for(child);
    CHECK(tickets() == before + CALLS, "way %d: %d", way, (int)(tickets() - before));
  }
  fixture_unlimit(&fixture, 3);
}

static void confine_strictly(int fd, int to) {
  char byte;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(2);
  read(fd, &byte, 1);
  read(0, &byte, 0);
  write(to, &byte, 1);
  syscall(SYS_exit, 0);
}

/* Ends whoever asks the kernel for a link's text. */
static void confine_by_filter(int fd, int to) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readlinkat, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  char byte;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    _exit(2);
  }
  read(fd, &byte, 1);
  read(0, &byte, 0);
  write(to, &byte, 1);
  _exit(0);
}

/* Programs that shut themselves in are not ended for what the library asks. */
static void test_sandboxes(void) {
  void (*ways[])(int, int) = {confine_strictly, confine_by_filter};
  for (int way = 0; way < 2; way++) {
    int pair[2];
    CHECK(pipe(pair) == 0, "pipe");
    fixture_beat(&fixture);
    atomic_store(&fixture.control->channels[STAGE_READ], 4);
    fixture_limit(&fixture, 4, 1000, 1, 1);
    begin();
    pid_t child = fork();
    if (child == 0) ways[way](open("file", O_RDONLY), pair[1]);
    wait_for(child);
    check_charged(__LINE__, "sandbox", (const int[]){STAGE_OPEN, 1, STAGE_READ, 1, -1});
    CHECK(read(pair[0], buffer, 1) == 1, "it did not come to its end");
    fixture_unlimit(&fixture, 4);
    atomic_store(&fixture.control->channels[STAGE_READ], 0);
    close(pair[0]);
    close(pair[1]);
  }
}

/* For the tests of several jobs at once, which look from outside. */
static int print_list(int count, char **stages) {
  for (int i = 0; i < count; i++) {
    struct fixture job;
    fixture_open(&job, stages[i]);
    printf("%s%016llx@%s", i == 0 ? "" : ":", (unsigned long long)job.control->header.token,
           stages[i]);
  }
  puts("");
  return 0;
}

static int print_count(const char *stage, const char *operation) {
  fixture_open(&fixture, stage);
  for (int i = 0; i < STAGE_OPERATION_COUNT; i++) {
    if (strcmp(names[i], operation) != 0) continue;
    printf("%d calls, %d attached, %d failed\n", (int)fixture_calls(&fixture, (enum stage_operation)i),
           (int)atomic_load(&fixture.state->attached),
           (int)atomic_load(&fixture.state->attach_failures));
  }
  return 0;
}

static int pass(const char *path, int count) {
  int64_t started = fixture_now();
  for (int i = 0; i < count; i++) access(path, F_OK);
  printf("%d\n", (int)((fixture_now() - started) / 1000000));
  return 0;
}

static void test_errno(void) {
  errno = 4711;
  int fd = open("file", O_RDONLY);
  fstat(fd, &status);
  CHECK(pread(fd, buffer, 1, 0) == 1 && errno == 4711, "errno is %d", errno);
  close(fd);
  fixture_beat(&fixture);
  fixture_limit(&fixture, 3, 10, 1, 1);
  for (int i = 0; i < 3; i++) access("file", F_OK);
  CHECK(errno == 4711, "errno is %d after waiting", errno);
  fixture_unlimit(&fixture, 3);
}

static void test_dlopen(void) {
  void *library = dlopen("libm.so.6", RTLD_NOW);
  CHECK(library != NULL, "dlopen");
  int (*found)(const char *, struct stat *) = (int (*)(const char *, struct stat *))dlsym(
      RTLD_DEFAULT, "stat");
  CHARGES(found("file", &status), STAGE_GETATTR, 1);
  dlclose(library);
}

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "prepare") == 0) {
    fixture_create(&fixture, arguments[2], arguments[3]);
    return 0;
  }
  if (count == 3 && strcmp(arguments[1], "child") == 0) {
    return pread(atoi(arguments[2]), buffer, 1, 0) == 1 ? 0 : 1;
  }
  if (count > 2 && strcmp(arguments[1], "list") == 0) return print_list(count - 2, arguments + 2);
  if (count == 4 && strcmp(arguments[1], "count") == 0) {
    return print_count(arguments[2], arguments[3]);
  }
  if (count == 4 && strcmp(arguments[1], "pass") == 0) {
    return pass(arguments[2], atoi(arguments[3]));
  }
  CHECK(count == 3, "expected two directories");
  fixture_open(&fixture, arguments[1]);
  begin();
  CHECK(chdir(arguments[2]) == 0, "%s", arguments[2]);
  test_files();
  test_copies();
  test_names(arguments[2]);
  test_directories();
  test_streams();
  test_reused_numbers();
  test_link_from_outside(arguments[2]);
  test_numbers_that_paths_outside_led_to(arguments[2]);
  test_processes();
  test_signals();
  test_threads();
  test_by_number();
  test_bad_pointers();
  test_other_ways();
  test_walks(arguments[2]);
  test_rarer_calls();
  test_small_stacks();
  test_cancelled_waits();
  test_leases_go_back();
  test_sandboxes();
  test_errno();
  test_dlopen();
  test_shared_memory();
  unlink("file");
  unlink("copy");
  puts("all held");
  return 0;
}

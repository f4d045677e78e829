/*
 * Checks an NFSv3 server the way an application sees it, through libnfs.
 *
 *   nfs_checks HOST NFS_PORT MOUNT_PORT EXPORT files
 *       odd sizes, ends of files, truncation, names, links, attributes and permissions; the export
 *       must let root be root, and is left as it was found
 *   nfs_checks HOST NFS_PORT MOUNT_PORT EXPORT listing DIRECTORY COUNT
 *       DIRECTORY holds the empty files entry-0 to entry-(COUNT-1) and nothing else
 *
 * Prints what did not hold, with the line that says so. Exit codes: 0 when all held, 1 when
 * something did not, 2 when the server could not be mounted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>

#include <nfsc/libnfs.h>

#define OTHER_USER 1234
#define MIB (1024 * 1024)

static int checks, failures;

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define CHECK_RESULT(expected, call) check_result((expected), (call), #call, __LINE__)

static void check(int holds, const char *what, int line)
{
  checks++;
  if (!holds) {
    failures++;
    printf("line %d does not hold: %s\n", line, what);
  }
}

static void check_result(long long expected, long long got, const char *what, int line)
{
  checks++;
  if (got != expected) {
    failures++;
    printf("line %d: expected %lld, not %lld%s%s, of %s\n", line, expected, got,
           got < 0 ? ", " : "", got < 0 ? strerror((int)-got) : "", what);
  }
}

struct server {
  const char *host, *nfs_port, *mount_port, *export_path;
};

static struct nfs_context *mounted(const struct server *server, int user)
{
  char url[512];
  snprintf(url, sizeof url, "nfs://%s/?version=3&nfsport=%s&mountport=%s&uid=%d&gid=%d",
           server->host, server->nfs_port, server->mount_port, user, user);
  struct nfs_context *nfs = nfs_init_context();
  if (nfs == NULL) {
    fprintf(stderr, "libnfs gave no context\n");
    exit(2);
  }
  struct nfs_url *parsed = nfs_parse_url_incomplete(nfs, url);
  if (parsed == NULL) {
    fprintf(stderr, "libnfs does not take %s: %s\n", url, nfs_get_error(nfs));
    exit(2);
  }
  nfs_destroy_url(parsed);
  nfs_set_dircache(nfs, 0);
  if (nfs_mount(nfs, server->host, server->export_path) != 0) {
    fprintf(stderr, "cannot mount %s: %s\n", server->export_path, nfs_get_error(nfs));
    exit(2);
  }
  return nfs;
}

/* Any byte can be told from its neighbours, and from the same place in another file. */
static void fill(char *bytes, size_t length, uint32_t seed)
{
  uint32_t state = seed * 2654435761u + 1;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = (char)(state >> 24);
  }
}

static uint64_t size_of(struct nfs_context *nfs, const char *path)
{
  struct nfs_stat_64 status;
  return nfs_stat64(nfs, path, &status) == 0 ? status.nfs_size : UINT64_MAX;
}

/* Writes and reads in pieces of all sizes, in one call as many bytes as the server takes. */
static int write_all(struct nfs_context *nfs, struct nfsfh *file, const char *bytes, size_t length,
                     size_t piece)
{
  for (size_t done = 0; done < length;) {
    size_t count = length - done < piece ? length - done : piece;
    int written = nfs_pwrite(nfs, file, done, count, bytes + done);
    if (written <= 0)
      return -1;
    done += (size_t)written;
  }
  return 0;
}

static long long read_all(struct nfs_context *nfs, struct nfsfh *file, char *bytes, size_t room,
                          size_t piece)
{
  size_t done = 0;
  while (done < room) {
    size_t count = room - done < piece ? room - done : piece;
    int got = nfs_pread(nfs, file, done, count, bytes + done);
    if (got < 0)
      return got;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (long long)done;
}

static void make_file(struct nfs_context *nfs, const char *path, const char *content)
{
  struct nfsfh *file;
  CHECK_RESULT(0, nfs_creat(nfs, path, 0644, &file));
  CHECK_RESULT((long long)strlen(content), nfs_pwrite(nfs, file, 0, strlen(content), content));
  CHECK_RESULT(0, nfs_close(nfs, file));
}

static void check_sizes(struct nfs_context *nfs)
{
  static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 511, 4095, 4096, 4097, 65535, 65537,
                                 MIB - 1, MIB, MIB + 1, 3 * MIB + 7};
  static const size_t pieces[] = {4 * MIB, 131071, 4099};
  char *written = malloc(4 * MIB), *read = malloc(4 * MIB);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t size = sizes[i], piece = pieces[i % 3];
    struct nfsfh *file;
    fill(written, size, (uint32_t)size);
    CHECK_RESULT(0, nfs_creat(nfs, "/checks/sized", 0600, &file));
    CHECK(write_all(nfs, file, written, size, piece) == 0);
    CHECK_RESULT(0, nfs_fsync(nfs, file));
    CHECK_RESULT(0, nfs_close(nfs, file));
    CHECK(size_of(nfs, "/checks/sized") == size);

    CHECK_RESULT(0, nfs_open(nfs, "/checks/sized", O_RDONLY, &file));
    CHECK_RESULT((long long)size, read_all(nfs, file, read, 4 * MIB, pieces[(i + 1) % 3]));
    CHECK(memcmp(written, read, size) == 0);
    CHECK_RESULT(0, nfs_pread(nfs, file, size, 100, read));
    CHECK_RESULT(0, nfs_pread(nfs, file, size + 1000000, 100, read));
    if (size > 0) {
      CHECK_RESULT(1, nfs_pread(nfs, file, size - 1, 100, read));
      CHECK(read[0] == written[size - 1]);
    }
    CHECK_RESULT(0, nfs_close(nfs, file));
    CHECK_RESULT(0, nfs_unlink(nfs, "/checks/sized"));
  }
  free(written);
  free(read);
}

static void check_truncation(struct nfs_context *nfs)
{
  const uint64_t far = 5000000000ull;
  struct nfsfh *file;
  char bytes[64];
  make_file(nfs, "/checks/cut", "0123456789");
  CHECK_RESULT(0, nfs_truncate(nfs, "/checks/cut", 4));
  CHECK(size_of(nfs, "/checks/cut") == 4);
  CHECK_RESULT(0, nfs_truncate(nfs, "/checks/cut", 9));
  CHECK_RESULT(0, nfs_open(nfs, "/checks/cut", O_RDWR, &file));
  CHECK_RESULT(9, nfs_pread(nfs, file, 0, sizeof bytes, bytes));
  CHECK(memcmp(bytes, "0123\0\0\0\0", 9) == 0);
  CHECK_RESULT(0, nfs_ftruncate(nfs, file, 0));
  CHECK_RESULT(0, nfs_pread(nfs, file, 0, sizeof bytes, bytes));

  CHECK_RESULT(1, nfs_pwrite(nfs, file, far, 1, "x"));
  CHECK(size_of(nfs, "/checks/cut") == far + 1);
  CHECK_RESULT(2, nfs_pread(nfs, file, far - 1, sizeof bytes, bytes));
  CHECK(bytes[0] == 0 && bytes[1] == 'x');
  CHECK_RESULT(0, nfs_close(nfs, file));
  CHECK_RESULT(0, nfs_open(nfs, "/checks/cut", O_WRONLY | O_TRUNC, &file));
  CHECK_RESULT(0, nfs_close(nfs, file));
  CHECK(size_of(nfs, "/checks/cut") == 0);
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/cut"));
}

static void check_names(struct nfs_context *nfs)
{
  char name[300];
  struct nfsfh *file;
  char bytes[64];
  struct nfs_stat_64 status;

  make_file(nfs, "/checks/old", "kept");
  make_file(nfs, "/checks/new", "replaced");
  CHECK_RESULT(0, nfs_open(nfs, "/checks/old", O_RDONLY, &file));
  CHECK_RESULT(0, nfs_rename(nfs, "/checks/old", "/checks/new"));
  CHECK_RESULT(4, nfs_pread(nfs, file, 0, sizeof bytes, bytes));
  CHECK(memcmp(bytes, "kept", 4) == 0);
  CHECK_RESULT(-ENOENT, nfs_stat64(nfs, "/checks/old", &status));
  CHECK_RESULT(0, nfs_mkdir2(nfs, "/checks/directory", 0750));
  CHECK_RESULT(0, nfs_rename(nfs, "/checks/new", "/checks/directory/new"));
  CHECK_RESULT(4, nfs_pread(nfs, file, 0, sizeof bytes, bytes));
  CHECK_RESULT(0, nfs_close(nfs, file));
  CHECK_RESULT(-EINVAL, nfs_rename(nfs, "/checks/directory", "/checks/directory/inside"));
  CHECK_RESULT(-ENOENT, nfs_rename(nfs, "/checks/none", "/checks/other"));

  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/directory", &status));
  CHECK(S_ISDIR(status.nfs_mode) && (status.nfs_mode & 07777) == 0750);
  CHECK_RESULT(-EEXIST, nfs_mkdir(nfs, "/checks/directory"));
  CHECK_RESULT(-ENOTEMPTY, nfs_rmdir(nfs, "/checks/directory"));
  CHECK_RESULT(-ENOTDIR, nfs_rmdir(nfs, "/checks/directory/new"));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/directory/new"));
  CHECK_RESULT(-ENOENT, nfs_unlink(nfs, "/checks/directory/new"));
  CHECK_RESULT(0, nfs_rmdir(nfs, "/checks/directory"));
  CHECK_RESULT(-ENOENT, nfs_rmdir(nfs, "/checks/directory"));

  CHECK_RESULT(0, nfs_create(nfs, "/checks/once", O_RDWR | O_EXCL, 0640, &file));
  CHECK_RESULT(0, nfs_close(nfs, file));
  CHECK_RESULT(-EEXIST, nfs_create(nfs, "/checks/once", O_RDWR | O_EXCL, 0640, &file));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/once"));

  /* The longest name, one byte more, and one that is not plain ASCII. */
  strcpy(name, "/checks/");
  memset(name + 8, 'n', 256);
  name[8 + 255] = 0;
  make_file(nfs, name, "x");
  CHECK(size_of(nfs, name) == 1);
  CHECK_RESULT(0, nfs_unlink(nfs, name));
  name[8 + 255] = 'n';
  name[8 + 256] = 0;
  CHECK_RESULT(-ENAMETOOLONG, nfs_creat(nfs, name, 0644, &file));
  make_file(nfs, "/checks/gr\xc3\xbc\xc3\x9f dich\n", "x");
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/gr\xc3\xbc\xc3\x9f dich\n"));
}

static void check_links(struct nfs_context *nfs)
{
  static char content[1024];
  char read[1100];
  struct nfs_stat_64 status, other;

  make_file(nfs, "/checks/file", "linked");
  CHECK_RESULT(0, nfs_link(nfs, "/checks/file", "/checks/second"));
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/file", &status));
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/second", &other));
  CHECK(status.nfs_nlink == 2 && status.nfs_ino == other.nfs_ino);
  CHECK_RESULT(-EEXIST, nfs_link(nfs, "/checks/file", "/checks/second"));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/file"));
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/second", &status));
  CHECK(status.nfs_nlink == 1 && status.nfs_size == 6);

  CHECK_RESULT(0, nfs_symlink(nfs, "second", "/checks/link"));
  CHECK_RESULT(0, nfs_readlink(nfs, "/checks/link", read, sizeof read));
  CHECK(strcmp(read, "second") == 0);
  CHECK_RESULT(0, nfs_lstat64(nfs, "/checks/link", &status));
  CHECK(S_ISLNK(status.nfs_mode) && status.nfs_size == 6);
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/link", &status));
  CHECK(S_ISREG(status.nfs_mode));
  CHECK_RESULT(-EEXIST, nfs_symlink(nfs, "x", "/checks/link"));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/link"));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/second"));

  memset(content, 'c', sizeof content - 1);
  CHECK_RESULT(0, nfs_symlink(nfs, content, "/checks/long"));
  CHECK_RESULT(0, nfs_readlink(nfs, "/checks/long", read, sizeof read));
  CHECK(strcmp(read, content) == 0);
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/long"));
}

static void check_attributes(struct nfs_context *nfs)
{
  struct timeval times[2] = {{1000000000, 123456}, {1234567890, 654321}};
  struct nfs_stat_64 status;
  struct statvfs space;

  make_file(nfs, "/checks/file", "x");
  CHECK_RESULT(0, nfs_chmod(nfs, "/checks/file", 0604));
  CHECK_RESULT(0, nfs_utimes(nfs, "/checks/file", times));
  CHECK_RESULT(0, nfs_chown(nfs, "/checks/file", OTHER_USER, OTHER_USER + 1));
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/file", &status));
  CHECK(S_ISREG(status.nfs_mode) && (status.nfs_mode & 07777) == 0604);
  CHECK(status.nfs_atime == 1000000000 && status.nfs_atime_nsec == 123456000);
  CHECK(status.nfs_mtime == 1234567890 && status.nfs_mtime_nsec == 654321000);
  CHECK(status.nfs_uid == OTHER_USER && status.nfs_gid == OTHER_USER + 1);
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/file"));

  CHECK_RESULT(0, nfs_mknod(nfs, "/checks/pipe", S_IFIFO | 0600, 0));
  CHECK_RESULT(0, nfs_stat64(nfs, "/checks/pipe", &status));
  CHECK(S_ISFIFO(status.nfs_mode));
  CHECK_RESULT(0, nfs_unlink(nfs, "/checks/pipe"));
  CHECK_RESULT(0, nfs_statvfs(nfs, "/checks", &space));
  CHECK(space.f_blocks > 0 && space.f_blocks >= space.f_bfree && space.f_bfree >= space.f_bavail);
}

static void check_permissions(struct nfs_context *root, struct nfs_context *other)
{
  struct nfsfh *file;
  struct nfs_stat_64 status;

  make_file(root, "/checks/secret", "secret");
  CHECK_RESULT(0, nfs_chmod(root, "/checks/secret", 0600));
  CHECK_RESULT(-EACCES, nfs_open(other, "/checks/secret", O_RDONLY, &file));
  CHECK_RESULT(-EACCES, nfs_open(other, "/checks/secret", O_WRONLY, &file));
  CHECK_RESULT(-EPERM, nfs_chmod(other, "/checks/secret", 0666));
  CHECK_RESULT(-EPERM, nfs_chown(other, "/checks/secret", OTHER_USER, OTHER_USER));
  CHECK_RESULT(-EACCES, nfs_unlink(other, "/checks/secret"));
  CHECK_RESULT(-EACCES, nfs_rename(other, "/checks/secret", "/checks/found"));
  CHECK_RESULT(-EACCES, nfs_creat(other, "/checks/mine", 0644, &file));
  CHECK_RESULT(-EACCES, nfs_mkdir(other, "/checks/mine"));
  CHECK_RESULT(-EACCES, nfs_symlink(other, "x", "/checks/mine"));

  CHECK_RESULT(0, nfs_mkdir2(root, "/checks/closed", 0700));
  make_file(root, "/checks/closed/inside", "x");
  CHECK_RESULT(-EACCES, nfs_stat64(other, "/checks/closed/inside", &status));
  struct nfsdir *directory;
  CHECK_RESULT(-EACCES, nfs_opendir(other, "/checks/closed", &directory));
  CHECK_RESULT(0, nfs_unlink(root, "/checks/closed/inside"));
  CHECK_RESULT(0, nfs_rmdir(root, "/checks/closed"));

  CHECK_RESULT(0, nfs_mkdir2(root, "/checks/open", 0777));
  make_file(other, "/checks/open/mine", "mine");
  CHECK_RESULT(0, nfs_stat64(root, "/checks/open/mine", &status));
  CHECK(status.nfs_uid == OTHER_USER && status.nfs_gid == OTHER_USER);
  CHECK_RESULT(0, nfs_chmod(other, "/checks/open/mine", 0));
  CHECK_RESULT(0, nfs_unlink(other, "/checks/open/mine"));
  CHECK_RESULT(0, nfs_rmdir(root, "/checks/open"));
  CHECK_RESULT(0, nfs_unlink(root, "/checks/secret"));
}

static void check_listing(struct nfs_context *nfs, const char *path, long count)
{
  struct nfsdir *directory;
  struct nfsdirent *entry;
  char *seen = calloc((size_t)count, 1);
  long found = 0, dots = 0, odd = 0;
  CHECK_RESULT(0, nfs_opendir(nfs, path, &directory));
  while ((entry = nfs_readdir(nfs, directory)) != NULL) {
    char *end;
    long number = strncmp(entry->name, "entry-", 6) == 0 ? strtol(entry->name + 6, &end, 10) : -1;
    if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0) {
      dots++;
    } else if (number < 0 || number >= count || *end != 0 || seen[number]
               || !S_ISREG(entry->mode) || entry->size != 0) {
      if (odd++ < 10)
        printf("not expected, or not twice: %s, mode %o\n", entry->name, entry->mode);
    } else {
      seen[number] = 1;
      found++;
    }
  }
  nfs_closedir(nfs, directory);
  free(seen);
  CHECK_RESULT(2, dots);
  CHECK_RESULT(count, found);
  CHECK_RESULT(0, odd);
}

static void check_files(const struct server *server)
{
  struct nfs_context *root = mounted(server, 0);
  struct nfs_context *other = mounted(server, OTHER_USER);
  CHECK_RESULT(0, nfs_mkdir2(root, "/checks", 0755));
  check_sizes(root);
  check_truncation(root);
  check_names(root);
  check_links(root);
  check_attributes(root);
  check_permissions(root, other);
  CHECK_RESULT(0, nfs_rmdir(root, "/checks"));
  nfs_destroy_context(other);
  nfs_destroy_context(root);
}

int main(int count, char **arguments)
{
  if (count == 6 && strcmp(arguments[5], "files") == 0) {
    struct server server = {arguments[1], arguments[2], arguments[3], arguments[4]};
    check_files(&server);
  } else if (count == 8 && strcmp(arguments[5], "listing") == 0) {
    struct server server = {arguments[1], arguments[2], arguments[3], arguments[4]};
    struct nfs_context *nfs = mounted(&server, 0);
    check_listing(nfs, arguments[6], strtol(arguments[7], NULL, 10));
    nfs_destroy_context(nfs);
  } else {
    fprintf(stderr, "usage: %s HOST NFS_PORT MOUNT_PORT EXPORT files | listing DIRECTORY COUNT\n",
            arguments[0]);
    return 2;
  }
  printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}

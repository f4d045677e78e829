#include "program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define DEFAULT_PATH "/bin:/usr/bin"
#define HEADERS_MAX 64
#define SCRIPTS_MAX 5 /* as many as the kernel follows */

static int is_program(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  return S_ISREG(status.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

int find_program(const char *name, char path[PATH_MAX]) {
  if (strchr(name, '/') != NULL) {
    snprintf(path, PATH_MAX, "%s", name);
    return is_program(path);
  }
  const char *places = getenv("PATH");
  int result = ENOENT;
  if (name[0] == 0) return result;
  for (const char *next = places == NULL ? DEFAULT_PATH : places; next != NULL;) {
    size_t length = strcspn(next, ":");
    snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, next, length == 0 ? "" : "/", name);
    int error = is_program(path);
    if (error == 0) return 0;
    /* One that may be executed may still follow. What is in a place that is not for us to see is not
       there, as for a shell. */
    if (error == EACCES && access(path, F_OK) == 0) result = EACCES;
    next = next[length] == 0 ? NULL : next + length + 1;
  }
  return result;
}

/* What a file's headers say. */
static const char *why_image_not_held(int file, const char *start, size_t size) {
  Elf64_Ehdr image;
  Elf64_Phdr headers[HEADERS_MAX];
  if (size < sizeof image || memcmp(start, ELFMAG, SELFMAG) != 0) return NULL;
  memcpy(&image, start, sizeof image);
  if (image.e_ident[EI_CLASS] != ELFCLASS64) return "a 32-bit program";
  size_t count = image.e_phnum < HEADERS_MAX ? image.e_phnum : HEADERS_MAX;
  size_t bytes = count * sizeof headers[0];
  if (pread(file, headers, bytes, (off_t)image.e_phoff) != (ssize_t)bytes) return NULL;
  for (size_t i = 0; i < count; i++) {
    char loader[PATH_MAX] = "";
    if (headers[i].p_type != PT_INTERP) continue;
    if (headers[i].p_filesz >= sizeof loader ||
        pread(file, loader, headers[i].p_filesz, (off_t)headers[i].p_offset) < 0) {
      return NULL;
    }
    return strstr(loader, "ld-musl") != NULL ? "made for another C library" : NULL;
  }
  return "static";
}

static const char *why_file_not_held(int file, char start[PATH_MAX], size_t *size) {
  struct stat status;
  struct stat own;
  struct statvfs mounted;
  if (fstat(file, &status) != 0) return NULL;
  if (stat("/proc/self/exe", &own) == 0 && own.st_ino == status.st_ino &&
      own.st_dev == status.st_dev) {
    return NULL;
  }
  bool may_gain = fstatvfs(file, &mounted) != 0 || (mounted.f_flag & ST_NOSUID) == 0;
  bool gains = (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
               (status.st_mode & S_ISGID && status.st_gid != getgid()) ||
               (getuid() != 0 && fgetxattr(file, "security.capability", NULL, 0) > 0);
  if (may_gain && gains) return "it has more rights than its user";
  ssize_t length = pread(file, start, PATH_MAX - 1, 0);
  *size = length < 0 ? 0 : (size_t)length;
  start[*size] = 0;
  return why_image_not_held(file, start, *size);
}

const char *why_not_held(const char *path) {
  char start[PATH_MAX];
  char next[PATH_MAX];
  snprintf(next, sizeof next, "%s", path);
  for (int i = 0; i < SCRIPTS_MAX; i++) {
    size_t size = 0;
    int file = open(next, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    const char *reason = why_file_not_held(file, start, &size);
    close(file);
    if (reason != NULL || size < 2 || memcmp(start, "#!", 2) != 0) return reason;
    const char *interpreter = start + 2 + strspn(start + 2, " \t");
    snprintf(next, sizeof next, "%.*s", (int)strcspn(interpreter, " \t\n"), interpreter);
  }
  return NULL;
}

const char *why_process_not_held(int process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/exe", process);
  return why_not_held(path);
}

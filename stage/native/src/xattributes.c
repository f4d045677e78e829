/* Extended attributes. */
#include <sys/types.h>

#include "calls.h"

#define BY_PATH_AND_LINK(operation, result, name, link_name, parameters, arguments) \
  PATH_CALL(operation, result, name, parameters, arguments, path)                   \
  PATH_CALL(operation, result, link_name, parameters, arguments, path)

BY_PATH_AND_LINK(GETXATTR, ssize_t, getxattr, lgetxattr,
                 (const char *path, const char *key, void *to, size_t room), (path, key, to, room))
BY_PATH_AND_LINK(LISTXATTR, ssize_t, listxattr, llistxattr,
                 (const char *path, char *to, size_t room), (path, to, room))
BY_PATH_AND_LINK(SETXATTR, int, setxattr, lsetxattr,
                 (const char *path, const char *key, const void *value, size_t size, int flags),
                 (path, key, value, size, flags))
BY_PATH_AND_LINK(REMOVEXATTR, int, removexattr, lremovexattr, (const char *path, const char *key),
                 (path, key))

DESCRIPTOR_CALL(GETXATTR, ssize_t, fgetxattr, (int fd, const char *key, void *to, size_t room),
                (fd, key, to, room), fd)
DESCRIPTOR_CALL(LISTXATTR, ssize_t, flistxattr, (int fd, char *to, size_t room), (fd, to, room), fd)
DESCRIPTOR_CALL(SETXATTR, int, fsetxattr,
                (int fd, const char *key, const void *value, size_t size, int flags),
                (fd, key, value, size, flags), fd)
DESCRIPTOR_CALL(REMOVEXATTR, int, fremovexattr, (int fd, const char *key), (fd, key), fd)

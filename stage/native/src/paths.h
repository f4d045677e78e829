/* Which paths are below the registered mount points. */
#ifndef STAGE_PATHS_H
#define STAGE_PATHS_H

#include <stdbool.h>

#include "layout.h"

enum stage_place {
  STAGE_PLACE_UNKNOWN,
  STAGE_PLACE_OUTSIDE,
  STAGE_PLACE_INSIDE,
  STAGE_PLACE_ABOVE /* a directory with a mount point somewhere below it */
};

/* Room for any path that the kernel takes. */
#define STAGE_PATH_BYTES 4096

/* Copies the mount points; whether there are any and they are well-formed. */
bool stage_register_mounts(const struct stage_control *control);

/* Where an absolute path is that has neither empty, "." nor ".." components. */
enum stage_place stage_place_of_clean(const char *path);

/* Whether a path, relative ones from the working directory, is below a mount point. */
bool stage_is_path_inside(const char *path);

/* The same for a path relative to what the buffer holds, an absolute path of any form. */
bool stage_is_joined_inside(char directory[STAGE_PATH_BYTES], const char *path);

/* Whether following a path may lead somewhere else than further down. */
bool stage_has_dots(const char *path, size_t length);

/* To be called when the working directory may have changed. */
void stage_forget_working_directory(void);

#endif

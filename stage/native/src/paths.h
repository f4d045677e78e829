/* Which paths are below the registered mount points. */
#ifndef STAGE_PATHS_H
#define STAGE_PATHS_H

#include "jobs.h"
#include "readable.h"

/* Room for any path that the kernel takes. */
#define STAGE_PATH_BYTES 4096

/* Copies the mount points of a job; whether there are any and they are well-formed. */
bool stage_register_mounts(uint32_t job, const struct stage_control *control);

/* Where an absolute path is that has neither empty, "." nor ".." components. */
stage_places stage_places_of_clean(const char *path);

/* What a look through a path has shown. */
struct stage_found {
  uint64_t hash; /* of one outside, relative ones with the working directory; 0 is none */
  stage_inside inside;
};

/* The jobs below whose mount points a path is; relative ones from the working directory. */
struct stage_found stage_find_path(const char *path);

/* The same for a path that has been looked through. */
struct stage_found stage_find_text(const char *path, struct stage_text text);

/* The same where only this is asked. */
stage_inside stage_is_path_inside(const char *path);

/* The same for a path relative to what the buffer holds, an absolute path of any form. */
stage_inside stage_is_joined_inside(char directory[STAGE_PATH_BYTES], const char *path);

/* To be called when the working directory may have changed. */
void stage_forget_working_directory(void);

/* While somebody moves it whom nobody sees, it is not remembered. */
void stage_working_directory_wanders(bool wanders);

#endif

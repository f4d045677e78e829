/* What happens when a program is started with this library in front of its own. */
#include <errno.h>
#include <stdlib.h>

#include "attach.h"
#include "real.h"
#include "streams.h"

__attribute__((constructor)) static void load(void) {
  int error = errno;
  /* A program with more rights than its user gets no files from the user's environment. */
  const char *directory = secure_getenv(STAGE_DIRECTORY_VARIABLE);
  stage_look_up_all();
  if (directory != NULL && stage_attach(directory)) stage_watch_streams();
  errno = error;
}

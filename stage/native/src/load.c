/* What happens when a program is started with this library in front of its own. */
#include <errno.h>
#include <stdlib.h>

#include "attach.h"
#include "real.h"
#include "streams.h"
#include "threads.h"

__attribute__((constructor)) static void load(void) {
  int error = errno;
  /* A program with more rights than its user gets no files from the user's environment. */
  const char *jobs = secure_getenv(STAGE_DIRECTORY_VARIABLE);
  stage_look_up_all();
  if (jobs != NULL && stage_attach(jobs)) {
    stage_watch_streams();
    stage_watch_threads();
  }
  errno = error;
}

/*
 * The address sanitizer's own library refuses to start behind another, lest it miss calls. It is
 * called by ours as every library is, and asks here what it should do unless somebody says
 * otherwise.
 */
STAGE_EXPORT const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "verify_asan_link_order=0"; }

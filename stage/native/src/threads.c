#include "threads.h"

#include <pthread.h>

#include "charge.h"
#include "real.h"

/* Values of so many keys are part of every thread; setting others allocates, which is nothing to do
   in a signal handler. */
#define KEYS_IN_THREAD 32u

#define NO_CANCEL (-1)

STAGE_REAL(int, pthread_key_create, (pthread_key_t * key, void (*end)(void *)));
STAGE_REAL(int, pthread_setspecific, (pthread_key_t key, const void *value));
STAGE_REAL(int, pthread_setcanceltype, (int type, int *old));

/* The program's C library has these in a library of their own before 2.34, or not at all. */
#define HAS(name) ((void *)REAL(name) != (void *)stage_missing)

static pthread_key_t key;
static bool have_key;

static void end(void *unused) {
  (void)unused;
  stage_end_thread();
}

void stage_watch_threads(void) {
  have_key = HAS(pthread_key_create) && HAS(pthread_setspecific) &&
             REAL(pthread_key_create)(&key, end) == 0 && key < KEYS_IN_THREAD;
}

void stage_watch_thread(void) {
  stage_this_thread.watched = true;
  /* Any value but null has the key's function called. */
  if (have_key) REAL(pthread_setspecific)(key, &stage_this_thread);
}

/* What the C library lets a thread be cancelled in. */
static bool is_cancellable(enum stage_operation operation) {
  switch (operation) {
    case STAGE_READ:
    case STAGE_WRITE:
    case STAGE_OPEN:
    case STAGE_CLOSE:
    case STAGE_COMMIT:
    case STAGE_ALLOCATE:
    case STAGE_COPY:
      return true;
    default:
      return false;
  }
}

int stage_allow_cancel(enum stage_operation operation) {
  int old = NO_CANCEL;
  if (is_cancellable(operation) && !stage_this_thread.in_vfork && HAS(pthread_setcanceltype)) {
    REAL(pthread_setcanceltype)(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  }
  return old;
}

void stage_forbid_cancel(int type) {
  if (type != NO_CANCEL) REAL(pthread_setcanceltype)(type, &type);
}

/* When the process ends by itself. */
__attribute__((destructor)) static void end_process(void) { stage_end_thread(); }

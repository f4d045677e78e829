/* What is said when something does not go, and how the program ends then. */
#ifndef RUN_FAIL_H
#define RUN_FAIL_H

#define EXIT_FAILED 1
#define EXIT_BAD_INPUT 2
#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

/* One line to standard error. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One line to standard error, and the end. */
void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

#endif

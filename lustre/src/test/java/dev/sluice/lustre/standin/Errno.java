package dev.sluice.lustre.standin;

/** The errors that a server answers with, as lctl shows them. */
enum Errno {
  OK(0, "Success"),
  EPERM(1, "Operation not permitted"),
  ENOENT(2, "No such file or directory"),
  EIO(5, "Input/output error"),
  EAGAIN(11, "Resource temporarily unavailable"),
  ENOMEM(12, "Cannot allocate memory"),
  EEXIST(17, "File exists"),
  ENODEV(19, "No such device"),
  EINVAL(22, "Invalid argument"),
  ENAMETOOLONG(36, "File name too long");

  final int number;
  final String text;

  Errno(int number, String text) {
    this.number = number;
    this.text = text;
  }
}

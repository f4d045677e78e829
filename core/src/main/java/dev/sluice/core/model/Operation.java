package dev.sluice.core.model;

import java.util.Locale;

/** What a request asks of the file system, at the grain at which people set limits. */
public enum Operation {
  READ(OperationClass.DATA),
  WRITE(OperationClass.DATA),
  COMMIT(OperationClass.DATA),
  TRUNCATE(OperationClass.DATA),
  ALLOCATE(OperationClass.DATA),
  COPY(OperationClass.DATA),

  OPEN(OperationClass.METADATA),
  CLOSE(OperationClass.METADATA),
  CREATE(OperationClass.METADATA),
  LOOKUP(OperationClass.METADATA),
  ACCESS(OperationClass.METADATA),
  GETATTR(OperationClass.METADATA),
  SETATTR(OperationClass.METADATA),
  LINK(OperationClass.METADATA),
  SYMLINK(OperationClass.METADATA),
  READLINK(OperationClass.METADATA),
  MKNOD(OperationClass.METADATA),
  UNLINK(OperationClass.METADATA),
  RENAME(OperationClass.METADATA),
  STATFS(OperationClass.METADATA),

  MKDIR(OperationClass.DIRECTORY),
  RMDIR(OperationClass.DIRECTORY),
  READDIR(OperationClass.DIRECTORY),

  GETXATTR(OperationClass.EXTENDED_ATTRIBUTE),
  SETXATTR(OperationClass.EXTENDED_ATTRIBUTE),
  LISTXATTR(OperationClass.EXTENDED_ATTRIBUTE),
  REMOVEXATTR(OperationClass.EXTENDED_ATTRIBUTE);

  private final OperationClass operationClass;

  Operation(OperationClass operationClass) {
    this.operationClass = operationClass;
  }

  public OperationClass operationClass() {
    return operationClass;
  }

  /** As people write it in rules and configuration: {@code getattr}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}

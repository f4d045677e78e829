package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.Serial;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A procedure that the server refused. */
public final class Nfs3Exception extends NfsException {
  @Serial private static final long serialVersionUID = 1;

  private static final Map<Integer, Nfs3Status> BY_CODE =
      Arrays.stream(Nfs3Status.values())
          .collect(Collectors.toUnmodifiableMap(Nfs3Status::code, status -> status));

  private final int code;

  Nfs3Exception(Nfs3Procedure procedure, int code) {
    super(procedure + " was refused with " + name(code));
    this.code = code;
  }

  /** What the server said; null for a number that the protocol does not know. */
  public @Nullable Nfs3Status status() {
    return BY_CODE.get(code);
  }

  @Override
  public boolean isNoEntry() {
    return code == Nfs3Status.NOENT.code();
  }

  static String name(int code) {
    Nfs3Status status = BY_CODE.get(code);
    return status == null ? "the unknown status " + code : "NFS3ERR_" + status;
  }
}

package dev.sluice.nfs.nfs4;

/** Numbers of the protocol, and sizes in bytes that it fixes or that are agreed on here. */
public final class Nfs4Sizes {
  public static final int PROGRAM = 100_003;
  public static final int VERSION = 4;
  public static final int PROCEDURE_NULL = 0;
  public static final int PROCEDURE_COMPOUND = 1;

  /** The longest handle (NFS4_FHSIZE). */
  public static final int HANDLE_BYTES_MAX = 128;

  /** The longest name of a client, an owner or a session's secret (NFS4_OPAQUE_LIMIT). */
  public static final int OPAQUE_BYTES_MAX = 1_024;

  /** More than any client puts into one COMPOUND. */
  public static final int OPERATIONS_MAX = 64;

  /** All the attributes that are told of a file, with their bitmap. */
  public static final int ATTRIBUTES_BYTES_MAX = 1_024;

  private Nfs4Sizes() {}
}

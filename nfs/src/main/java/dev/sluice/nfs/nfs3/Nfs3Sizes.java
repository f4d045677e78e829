package dev.sluice.nfs.nfs3;

/** Sizes in bytes that the protocol fixes, or that clients and server agree on here. */
public final class Nfs3Sizes {
  /** The longest name of a file that is taken: what Linux allows. */
  public static final int NAME_BYTES_MAX = 255;

  /** The longest content of a symbolic link that is taken: what Linux allows. */
  public static final int LINK_BYTES_MAX = 4_095;

  /** The most that one READ or WRITE moves, where a server was told to move so much. */
  public static final int TRANSFER_BYTES_MAX = 4 << 20;

  /** What one READ or WRITE moves at most else. */
  public static final int TRANSFER_BYTES_USUAL = 1 << 20;

  /** The most that one READDIR or READDIRPLUS answers with. */
  public static final int LISTING_BYTES_MAX = 1 << 16;

  /** A fattr3 on the wire. */
  public static final int ATTRIBUTES_BYTES = 84;

  /** A post_op_attr that is there. */
  public static final int POST_OP_ATTRIBUTES_BYTES = 4 + ATTRIBUTES_BYTES;

  /** What stands before the contents in the results of a READ that went well. */
  public static final int READ_RESULT_HEADER_BYTES = 4 + POST_OP_ATTRIBUTES_BYTES + 4 + 4 + 4;

  private Nfs3Sizes() {}
}

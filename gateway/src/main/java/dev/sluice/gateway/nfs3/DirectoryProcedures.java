package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/** READDIR and READDIRPLUS (RFC 1813, sections 3.3.16 and 3.3.17). */
final class DirectoryProcedures {
  /**
   * The cookie verifier: cookies are never invalid here, so there is nothing to verify, and what a
   * client sends back does not matter.
   */
  private static final long COOKIE_VERIFIER = 0;

  /** Names are read many at a time, without looking at the files: so many are one operation. */
  private static final int NAMES_PER_OPERATION = 32;

  private final HandleCodec handles;

  DirectoryProcedures(HandleCodec handles) {
    this.handles = handles;
  }

  Served readdir(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    long cookie = in.readLong();
    in.skip(Long.BYTES);
    int bytesMax = listingBytes(in.readInt());
    FileNode directory = call.open();
    int entries = list(call, directory, cookie, bytesMax, bytesMax, (_, _) -> {}, out);
    return new Served(1 + entries / NAMES_PER_OPERATION, 0);
  }

  /** READDIRPLUS: each entry is looked up and looked at, and counts as an operation. */
  Served readdirplus(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    long cookie = in.readLong();
    in.skip(Long.BYTES);
    int nameBytesMax = listingBytes(in.readInt());
    int bytesMax = listingBytes(in.readInt());
    FileNode directory = call.open();
    FileTree tree = call.tree();
    Caller caller = call.caller();
    Listing.Details details =
        (name, results) -> writeChild(tree.childForListing(directory, name, caller), results);
    int entries = list(call, directory, cookie, bytesMax, nameBytesMax, details, out);
    return new Served(Math.max(1, entries), 0);
  }

  /** What a client gets of so many bytes, an unsigned number: the rest is for another call. */
  static int listingBytes(int count) {
    return count < 0 ? Nfs3Sizes.LISTING_BYTES_MAX : Math.min(count, Nfs3Sizes.LISTING_BYTES_MAX);
  }

  /** Lists as much as there is room for: how many entries. */
  private static int list(
      OpenCall call,
      FileNode directory,
      long cookie,
      int bytesMax,
      int nameBytesMax,
      Listing.Details details,
      XdrWriter out)
      throws FileException {
    Results.writeOk(out);
    Listing listing = new Listing(out, out.position() + bytesMax, nameBytesMax, details);
    Results.writePostOp(call, directory, out);
    out.writeLong(COOKIE_VERIFIER);
    boolean isEnd = call.tree().readDirectory(directory, cookie, listing, call.caller());
    if (!listing.end(isEnd)) {
      throw new FileException(
          Nfs3Status.TOOSMALL, "no room for an entry in " + bytesMax + " bytes");
    }
    return listing.entries();
  }

  /** A post_op_attr and a post_op_fh3; what is gone or hidden from the caller has neither. */
  private void writeChild(FileTree.@Nullable Child child, XdrWriter out) {
    if (child == null) {
      out.writeBoolean(false).writeBoolean(false);
      return;
    }
    Results.writePostOp(child.attributes(), out);
    out.writeBoolean(true);
    handles.write(child.handle(), out);
  }
}

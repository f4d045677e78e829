package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.EntrySink;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** READDIR (RFC 8881, section 18.23). */
final class DirectoryOperations {
  /** Names are read many at a time: so many are one operation, where nothing else is asked for. */
  private static final int NAMES_PER_OPERATION = 32;

  private static final AttributeSet ONLY_NUMBERS =
      AttributeSet.of(
          Nfs4Attribute.FILEID, Nfs4Attribute.MOUNTED_ON_FILEID, Nfs4Attribute.RDATTR_ERROR);

  private static final int HEAD_BYTES = Long.BYTES;
  private static final int END_BYTES = 2 * Integer.BYTES;

  private DirectoryOperations() {}

  /** What a client gets of so many bytes, an unsigned number. */
  static int listingBytes(int count) {
    return count < 0 ? Nfs3Sizes.LISTING_BYTES_MAX : Math.min(count, Nfs3Sizes.LISTING_BYTES_MAX);
  }

  /** Lists as much as there is room for; how many operations that was. */
  static int readdir(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    long cookie = in.readLong();
    in.skip(Long.BYTES);
    int namesMax = listingBytes(in.readInt());
    int bytesMax = listingBytes(in.readInt());
    AttributeSet asked = AttributeSet.read(in);
    AttributeCodec.requireToBeTold(asked);
    if (cookie == 1 || cookie == 2) {
      throw new Refusal(Nfs4Status.BAD_COOKIE, "1 and 2 are no cookies");
    }
    String path = compound.pseudoPath();
    FileNode directory = path == null ? HandleOperations.directory(compound) : null;
    int room = Math.min(bytesMax, out.remaining() - Nfs4Sizes.ATTRIBUTES_BYTES_MAX);
    Entries entries =
        new Entries(compound, asked, out, out.position() + room - END_BYTES, namesMax);
    out.writeLong(0);
    boolean isEnd =
        directory == null
            ? entries.listPseudo(String.valueOf(path), cookie)
            : entries.list(directory, cookie);
    if (entries.failure != null) {
      throw entries.failure;
    }
    if (entries.count == 0 && !isEnd) {
      throw new Refusal(Nfs4Status.TOOSMALL, "no room for an entry in " + bytesMax + " bytes");
    }
    out.writeBoolean(false).writeBoolean(isEnd);
    boolean isNamesOnly = asked.without(ONLY_NUMBERS).isEmpty();
    return isNamesOnly ? 1 + entries.count / NAMES_PER_OPERATION : Math.max(1, entries.count);
  }

  /** The room that the results of a READDIR may take. */
  static int replyBytesMax(int count) {
    return HEAD_BYTES + END_BYTES + listingBytes(count) + Nfs4Sizes.ATTRIBUTES_BYTES_MAX;
  }

  private static final class Entries {
    private final Compound compound;
    private final AttributeSet asked;
    private final XdrWriter out;
    private final int positionMax;
    private final int namesMax;
    private int nameBytes;
    private int count;
    private @Nullable FileException failure;

    Entries(Compound compound, AttributeSet asked, XdrWriter out, int positionMax, int namesMax) {
      this.compound = compound;
      this.asked = asked;
      this.out = out;
      this.positionMax = positionMax;
      this.namesMax = namesMax;
    }

    boolean list(FileNode directory, long cookie) throws Refusal, FileException {
      FileTree tree = compound.tree();
      Caller caller = compound.caller();
      Export export = compound.export();
      EntrySink sink =
          (number, name, next) -> {
            if (isDots(name) || name.length > Nfs3Sizes.NAME_BYTES_MAX) {
              return true;
            }
            FileTree.Child child = tree.childForListing(directory, name, caller);
            if (child == null) {
              return entryWithoutAttributes(name, next, number);
            }
            return entry(
                name,
                next,
                new Subject(
                    child.handle(),
                    child.attributes(),
                    export.id(),
                    child.attributes().fileNumber(),
                    () -> tree.space(directory)));
          };
      return tree.readDirectory(directory, cookie, sink, caller);
    }

    boolean listPseudo(String path, long cookie) throws Refusal, FileException {
      PseudoTree pseudo = compound.parts().pseudo();
      ClientAddress client = compound.call().client();
      for (Map.Entry<Long, String> entry : pseudo.entries(path, client).entrySet()) {
        if (entry.getKey() <= cookie) {
          continue;
        }
        PseudoTree.Step step = pseudo.child(path, entry.getValue(), client);
        if (step == null) {
          continue;
        }
        if (!entry(
            entry.getValue().getBytes(StandardCharsets.UTF_8), entry.getKey(), subject(step))) {
          return false;
        }
      }
      return true;
    }

    private Subject subject(PseudoTree.Step step) throws FileException, Refusal {
      switch (step) {
        case PseudoTree.Step.On(String path) -> {
          Attributes attributes = compound.parts().pseudo().attributes(path);
          return new Subject(
              PseudoTree.handle(path).claimedBy(compound.handle().claimedJob()),
              attributes,
              0,
              attributes.fileNumber(),
              () -> Compound.NO_SPACE);
        }
        case PseudoTree.Step.Into(Export export) -> {
          FileHandle root = export.tree().root();
          try (FileNode node = export.tree().open(root)) {
            return new Subject(
                root.claimedBy(compound.handle().claimedJob()),
                export.tree().attributes(node),
                export.id(),
                PseudoTree.mountedOn(export),
                () -> Compound.NO_SPACE);
          }
        }
      }
    }

    private boolean entry(byte[] name, long cookie, Subject subject) {
      int start = begin(name, cookie);
      if (start < 0) {
        return false;
      }
      try {
        compound.parts().attributes().write(asked, subject, out);
      } catch (FileException e) {
        failure = e;
        return false;
      }
      return end(start);
    }

    /** Of what is gone or hidden there is only the number. */
    private boolean entryWithoutAttributes(byte[] name, long cookie, long number) {
      int start = begin(name, cookie);
      if (start < 0) {
        return false;
      }
      AttributeSet told =
          asked.and(AttributeSet.of(Nfs4Attribute.RDATTR_ERROR, Nfs4Attribute.MOUNTED_ON_FILEID));
      told.write(out);
      int lengthAt = out.position();
      out.writeInt(0);
      if (told.has(Nfs4Attribute.RDATTR_ERROR)) {
        out.writeInt(Nfs4Status.ACCESS.code());
      }
      if (told.has(Nfs4Attribute.MOUNTED_ON_FILEID)) {
        out.writeLong(number);
      }
      out.buffer().putInt(lengthAt, out.position() - lengthAt - Integer.BYTES);
      return end(start);
    }

    /** Writes what comes before the attributes; negative when there is no room. */
    private int begin(byte[] name, long cookie) {
      int start = out.position();
      int bytes = Integer.BYTES + Long.BYTES + Integer.BYTES + XdrReader.padded(name.length);
      if (start + bytes > positionMax || (count > 0 && nameBytes + bytes > namesMax)) {
        return -1;
      }
      out.writeBoolean(true).writeLong(cookie).writeOpaque(name);
      nameBytes += bytes;
      return start;
    }

    private boolean end(int start) {
      if (out.position() > positionMax) {
        out.position(start);
        return false;
      }
      count++;
      return true;
    }

    private static boolean isDots(byte[] name) {
      return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }
  }
}

package dev.sluice.gateway.files;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.posix.Pipe;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An exported directory tree: what NFS asks of files. Every operation is done as its caller, and it
 * is the kernel that says whether the caller may. Names are single names and bytes, as on disk; an
 * empty one, one with a slash or a zero byte in it, {@code .} and {@code ..} are refused where
 * something is made or removed. No name leads out of the tree: symbolic links are never followed
 * and {@code ..} of the root is the root.
 *
 * <p>Safe for use by many threads. Buffers are direct.
 */
public interface FileTree {
  /** The contents of a file cannot go through a pipe, and must be read to a buffer. */
  int NOT_PIPED = -1;

  /** The number by which it is known across restarts, as in {@link FileHandle#exportId}. */
  int exportId();

  /** The handle of its root. */
  FileHandle root();

  /**
   * The directory that a mount path names below the root, as root sees it; an empty path is the
   * root itself.
   */
  FileHandle directory(String relativePath) throws FileException;

  /** The file with this handle; STALE when there is none any more. */
  FileNode open(FileHandle handle) throws FileException;

  Attributes attributes(FileNode node) throws FileException;

  /** What a file is, which never changes: cheaper than all its attributes. */
  FileType typeOf(FileNode node);

  /**
   * Begins a change of a file, or of two. Until it is closed nobody else who begins one changes
   * them, and how they were before can be told together with how they are then.
   *
   * @param client who makes the change
   */
  Change beginChange(FileNode node, @Nullable FileNode other, ClientAddress client);

  void setAttributes(FileNode node, AttributeChange change, Caller caller) throws FileException;

  /** The list by which access to a file is decided: what its mode says, where it has no list. */
  AccessList accessList(FileNode node) throws FileException;

  /** The list that what is made in a directory begins with; none where there is none. */
  AccessList defaultAccessList(FileNode node) throws FileException;

  /**
   * Sets one access control list or both; none takes a list away, null leaves it alone. All is
   * done, or nothing.
   */
  void setAccessLists(
      FileNode node, @Nullable AccessList access, @Nullable AccessList byDefault, Caller caller)
      throws FileException;

  /** The file of this name, also {@code .} and {@code ..}. */
  Child lookup(FileNode directory, byte[] name, Caller caller) throws FileException;

  /** Which of these rights the caller has; all are numbers of the ACCESS procedure. */
  int access(FileNode node, int rights, Caller caller) throws FileException;

  byte[] readLink(FileNode node, Caller caller) throws FileException;

  /**
   * Reads to the buffer's position, which moves on, until the buffer is full or the file ends; how
   * many bytes.
   */
  int read(FileNode node, long offset, ByteBuffer into, Caller caller) throws FileException;

  /**
   * Reads to an empty pipe, without copying what is read, as far as the file reaches. What somebody
   * writes to the file before the pipe is emptied may be in it too.
   *
   * @return how many bytes; {@link #NOT_PIPED} where contents cannot go this way, whatever is in
   *     the pipe by then
   */
  default int read(FileNode node, long offset, int count, Pipe into, Caller caller)
      throws FileException {
    return NOT_PIPED;
  }

  /**
   * Writes all that the buffer has, whose position moves on, and has it on stable storage as far as
   * is asked.
   */
  void write(FileNode node, long offset, ByteBuffer from, Stability stability, Caller caller)
      throws FileException;

  /**
   * Writes all that is in a pipe, without copying it more than once, and has it on stable storage
   * as far as is asked.
   *
   * @return false where contents cannot go this way: then nothing was taken out of the pipe
   */
  default boolean write(FileNode node, long offset, Pipe from, Stability stability, Caller caller)
      throws FileException {
    return false;
  }

  /** Has all that was written to the file on stable storage. */
  void commit(FileNode node, Caller caller) throws FileException;

  /**
   * What clients compare: other than before when writes that were not yet stable may have been
   * lost, by a restart or an error.
   */
  long writeVerifier();

  /** Where the contents of its files are. */
  FileExtents extents();

  /** What users have attached to its files. */
  ExtendedAttributes extendedAttributes();

  /** Begins to lock ranges of a file, for one who locks: with no lock yet. */
  FileLocks openLocks(FileNode node) throws FileException;

  /** Makes a file, or answers with the one that is there as far as {@code how} allows. */
  Child create(FileNode directory, byte[] name, Creation how, Caller caller) throws FileException;

  Child makeDirectory(FileNode directory, byte[] name, AttributeChange attributes, Caller caller)
      throws FileException;

  Child makeSymbolicLink(
      FileNode directory, byte[] name, byte[] content, AttributeChange attributes, Caller caller)
      throws FileException;

  /** Makes a FIFO, a socket or a device. */
  Child makeNode(
      FileNode directory,
      byte[] name,
      FileType type,
      int deviceMajor,
      int deviceMinor,
      AttributeChange attributes,
      Caller caller)
      throws FileException;

  void remove(FileNode directory, byte[] name, Caller caller) throws FileException;

  void removeDirectory(FileNode directory, byte[] name, Caller caller) throws FileException;

  void rename(FileNode from, byte[] fromName, FileNode to, byte[] toName, Caller caller)
      throws FileException;

  void link(FileNode file, FileNode directory, byte[] name, Caller caller) throws FileException;

  /**
   * Shows the entries after this cookie, {@code .} and {@code ..} among them, until the sink has
   * enough. An entry's cookie stays its own while the directory changes; 0 is before the first.
   *
   * @return whether the directory's end was reached
   */
  boolean readDirectory(FileNode directory, long cookie, EntrySink sink, Caller caller)
      throws FileException;

  /**
   * What a listing says besides the name: nothing, where the caller could not look it up. Who may
   * list a directory but not search it learns names, no attributes and above all no handles.
   */
  @Nullable Child childForListing(FileNode directory, byte[] name, Caller caller);

  Space space(FileNode node) throws FileException;

  /**
   * What somebody may have and has of the file system that a file is in, as root sees it; null
   * where there is no quota.
   */
  @Nullable DiskQuota quota(FileNode node, DiskQuota.Kind kind, int id) throws FileException;

  /** A change that is under way. */
  interface Change extends AutoCloseable {
    /**
     * How a file was and is now.
     *
     * @param isDone whether something was changed; not when it was refused
     */
    Told tell(FileNode node, boolean isDone) throws FileException;

    @Override
    void close();
  }

  /**
   * How a file was before a change and is after it.
   *
   * @param before null where it is not certain that nothing but this change is in between
   */
  record Told(@Nullable Attributes before, Attributes after) {}

  /** A file found or made: its handle, which claims the same job as its directory's. */
  record Child(FileHandle handle, Attributes attributes) {}

  /** How sure a write must be before it is answered, in the protocol's order (stable_how). */
  enum Stability {
    UNSTABLE,
    DATA_SYNC,
    FILE_SYNC
  }

  /** What CREATE is to do about a file that is there. */
  sealed interface Creation {
    /** Take it, and set its size if asked to. */
    record Unchecked(AttributeChange attributes) implements Creation {}

    /** Refuse. */
    record Guarded(AttributeChange attributes) implements Creation {}

    /**
     * Refuse, unless it was made with the same verifier: then it is a repeated call.
     *
     * @param mode of what is made, as far as the directory's default list lets it; null for its
     *     owner's alone
     */
    record Exclusive(long verifier, @Nullable Integer mode) implements Creation {
      /** With a mode that is set later. */
      public Exclusive(long verifier) {
        this(verifier, null);
      }
    }
  }

  /** Takes entries of a directory. */
  @FunctionalInterface
  interface EntrySink {
    /** False when there is no room for it, which ends the listing before it. */
    boolean entry(long fileNumber, byte[] name, long cookie);
  }

  /** What there is in a file system. */
  record Space(
      long totalBytes,
      long freeBytes,
      long availableBytes,
      long totalFiles,
      long freeFiles,
      int linksMax,
      int nameBytesMax,
      boolean hasExtendedAttributes) {}
}

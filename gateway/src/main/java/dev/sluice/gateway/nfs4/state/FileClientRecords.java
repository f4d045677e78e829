package dev.sluice.gateway.nfs4.state;

import dev.sluice.gateway.files.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Records in a directory: a small file for each client, which holds its name and is called by a
 * hash of it. Whatever else is in the directory is passed over.
 */
public final class FileClientRecords implements ClientRecords {
  /** The longest name that the protocol allows. */
  private static final int OWNER_BYTES_MAX = 2_048;

  private static final String SUFFIX = ".client";

  private final Path directory;
  private final int recordsMax;

  /**
   * @param directory made if it is missing
   * @param recordsMax more than these are not read
   */
  public FileClientRecords(Path directory, int recordsMax) throws IOException {
    DurableFiles.makeDirectories(directory);
    this.directory = directory;
    this.recordsMax = recordsMax;
  }

  @Override
  public List<byte[]> load() {
    List<byte[]> owners = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        if (owners.size() < recordsMax && Files.isRegularFile(file)) {
          byte[] owner = read(file);
          if (fileOf(owner).equals(file)) {
            owners.add(owner);
          }
        }
      }
      return owners;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void add(byte[] ownerId) {
    try {
      DurableFiles.replace(fileOf(ownerId), out -> out.write(ByteBuffer.wrap(ownerId)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void remove(byte[] ownerId) {
    removeAll(List.of(ownerId));
  }

  @Override
  public void removeAll(List<byte[]> ownerIds) {
    try {
      boolean isAnyRemoved = false;
      for (byte[] ownerId : ownerIds) {
        isAnyRemoved |= Files.deleteIfExists(fileOf(ownerId));
      }
      if (isAnyRemoved) {
        DurableFiles.syncNames(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a file holds; cut off where no client's name goes on, and then it is none's. */
  private static byte[] read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(OWNER_BYTES_MAX + 1);
    }
  }

  private Path fileOf(byte[] ownerId) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(ownerId);
      return directory.resolve(HexFormat.of().formatHex(hash) + SUFFIX);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

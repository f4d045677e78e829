package dev.sluice.web;

import dev.sluice.access.AccessTokens;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The token of whoever owns the program's state directory. Who may read it may use the local socket
 * anyway, and so may do everything.
 */
public final class OwnerToken {
  private static final String FILE = "dashboard.token";

  private OwnerToken() {}

  /** The token in a directory; made when there is none. */
  public static String in(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    try (SeekableByteChannel out =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      out.write(ByteBuffer.wrap((AccessTokens.random() + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (FileAlreadyExistsException e) {
      // Made when the program ran before.
    }
    return read(directory);
  }

  /** The token in a directory; it must be there. */
  public static String read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    String token = Files.readString(file).strip();
    if (token.length() < AccessTokens.TOKEN_LENGTH_MIN) {
      throw new IOException(
          file
              + ": expected a token of at least "
              + AccessTokens.TOKEN_LENGTH_MIN
              + " characters; remove the file, and a new one is made");
    }
    return token;
  }
}

package dev.sluice.jobs.slurm;

import dev.sluice.jobs.Hostlist;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** What Slurm has really said, and jobs for tests that need any. */
final class Fixtures {
  private Fixtures() {}

  static byte[] bytes(String name) throws IOException {
    try (InputStream in = Fixtures.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no " + name);
      }
      return in.readAllBytes();
    }
  }

  static String text(String name) throws IOException {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  static SlurmJob job(long id, String nodes) {
    return job(id, nodes, 1001);
  }

  static SlurmJob job(long id, String nodes, int uid) {
    return new SlurmJob(
        id,
        OptionalLong.empty(),
        OptionalLong.empty(),
        "work",
        "user" + uid,
        OptionalInt.of(uid),
        "bio",
        "normal",
        nodes,
        Hostlist.expand(nodes, SlurmJob.NODES_MAX).size(),
        1_000,
        OptionalLong.empty(),
        false);
  }

  /** The same with some bytes changed, put in, taken out or moved, or the end cut off. */
  static byte[] mutated(byte[] good, RandomGenerator random) {
    byte[] bytes = good.clone();
    for (int changes = random.nextInt(1, 5); changes > 0 && bytes.length > 0; changes--) {
      int at = random.nextInt(bytes.length);
      int length = random.nextInt(Math.min(40, bytes.length - at) + 1);
      byte[] before = Arrays.copyOf(bytes, at);
      byte[] piece = Arrays.copyOfRange(bytes, at, at + length);
      byte[] after = Arrays.copyOfRange(bytes, at + length, bytes.length);
      bytes =
          switch (random.nextInt(6)) {
            case 0 -> joined(before, after);
            case 1 -> joined(before, piece, piece, after);
            case 2 -> before;
            case 3 -> joined(before, new byte[] {(byte) random.nextInt(256)}, piece, after);
            case 4 -> joined(before, odd(random), after);
            default -> {
              bytes[at] = (byte) random.nextInt(256);
              yield bytes;
            }
          };
    }
    return bytes;
  }

  private static byte[] odd(RandomGenerator random) {
    String[] odd = {
      "null",
      "{",
      "}",
      "[",
      "]",
      "-1",
      "99999999999999999999",
      "1e9",
      "\"",
      "|",
      "\n",
      "true",
      "n[0-999999999]",
      "n[",
      "\"RUNNING\"",
      "{\"set\": true, \"number\": 5}",
      "\u0000",
      ","
    };
    return odd[random.nextInt(odd.length)].getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }
}

package dev.sluice.gateway.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What clients that others wrote see of a server: programs of libnfs, and a C program of ours that
 * uses it. Skipped where they or a C compiler are not installed.
 */
abstract class RealClientsContract {
  private static final int LISTED = 100_000;
  private static final long SECONDS_MAX = 120;
  private static final Path CHECKS_SOURCE = Path.of("src", "test", "c", "nfs_checks.c");
  private static final Path LIBNFS_HEADER = Path.of("/usr/include/nfsc/libnfs.h");

  @TempDir private static Path programs;
  private static Path checks = Path.of("");

  /**
   * A server that runs and lets root be root.
   *
   * @param export the path to mount
   * @param directory what is exported there, on this machine
   */
  record Server(String host, int nfsPort, int mountPort, String export, Path directory) {}

  abstract Server server();

  @BeforeAll
  static void compileTheChecks() throws Exception {
    for (String program : List.of("gcc", "nfs-cp", "nfs-cat", "nfs-ls")) {
      assumeTrue(
          InstalledPrograms.have(program),
          program + " is not installed (Debian: gcc, libnfs-utils)");
    }
    assumeTrue(Files.exists(LIBNFS_HEADER), LIBNFS_HEADER + " is not there (Debian: libnfs-dev)");
    checks = programs.resolve("nfs_checks");
    assertSucceeds(
        "gcc",
        "-Wall",
        "-Werror",
        "-O1",
        "-o",
        checks.toString(),
        CHECKS_SOURCE.toString(),
        "-lnfs");
  }

  @Test
  void filesAreAsApplicationsExpectThem() throws Exception {
    assertThat(runChecks("files")).containsPattern("[1-9][0-9]+ checks, 0 failed");
  }

  @Test
  void everyEntryOfALargeDirectoryIsListedOnce() throws Exception {
    Path directory = Files.createDirectory(server().directory().resolve("large"));
    for (int i = 0; i < LISTED; i++) {
      Files.createFile(directory.resolve("entry-" + i));
    }

    assertThat(runChecks("listing", "/large", Integer.toString(LISTED)))
        .contains("checks, 0 failed");
    assertThat(assertSucceeds("nfs-ls", url("/large")).lines()).hasSize(LISTED);
  }

  @Test
  void whatIsCopiedThereComesBack() throws Exception {
    int[] sizes = {0, 1, 4_095, 65_537, 1 << 20, (5 << 20) + 13};
    for (int size : sizes) {
      byte[] content = new byte[size];
      new Random(size).nextBytes(content);
      Path original = Files.write(programs.resolve("original"), content);
      Path back = programs.resolve("back");
      Files.deleteIfExists(back);
      String name = "/copied-" + size;

      assertSucceeds("nfs-cp", original.toString(), url(name));
      assertThat(sha256(server().directory().resolve(name.substring(1))))
          .isEqualTo(sha256(original));
      assertSucceeds("nfs-cp", url(name), back.toString());
      assertThat(sha256(back)).isEqualTo(sha256(original));
      Path shown = programs.resolve("shown");
      assertThat(run(shown, "nfs-cat", url(name))).isZero();
      assertThat(sha256(shown)).isEqualTo(sha256(original));
    }
    assertThat(listedSizes()).containsExactlyInAnyOrderElementsOf(namesWithSizes(sizes));
  }

  private static List<String> namesWithSizes(int[] sizes) {
    List<String> names = new ArrayList<>();
    for (int size : sizes) {
      names.add("copied-" + size + " " + size);
    }
    return names;
  }

  /** Names and sizes of the copied files as nfs-ls lists them. */
  private List<String> listedSizes() throws Exception {
    Pattern line = Pattern.compile("^-\\S+ +\\d+ +\\d+ +\\d+ +(\\d+) (copied-\\d+)$");
    List<String> listed = new ArrayList<>();
    for (String text : assertSucceeds("nfs-ls", url("")).lines().toList()) {
      Matcher matcher = line.matcher(text);
      if (matcher.matches()) {
        listed.add(matcher.group(2) + " " + matcher.group(1));
      }
    }
    return listed;
  }

  private String runChecks(String... what) throws Exception {
    Server server = server();
    List<String> command =
        new ArrayList<>(
            List.of(
                checks.toString(),
                server.host(),
                Integer.toString(server.nfsPort()),
                Integer.toString(server.mountPort()),
                server.export()));
    command.addAll(List.of(what));
    return assertSucceeds(command.toArray(String[]::new));
  }

  private String url(String path) {
    Server server = server();
    return "nfs://%s%s%s?version=3&uid=0&gid=0&nfsport=%d&mountport=%d"
        .formatted(server.host(), server.export(), path, server.nfsPort(), server.mountPort());
  }

  /** Runs a program, which must end well; what it said. */
  private static String assertSucceeds(String... command) throws Exception {
    Path output = programs.resolve("output");
    int exitCode = run(output, command);
    String said = Files.readString(output, StandardCharsets.ISO_8859_1);
    assertThat(exitCode).as("%s said: %s", String.join(" ", command), said).isZero();
    return said;
  }

  private static int run(Path output, String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(ended).as("%s ends within %d s", String.join(" ", command), SECONDS_MAX).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String sha256(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }
}

package dev.sluice.stage.run;

import dev.sluice.stage.NativeBuild;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Who starts a program under limits, and where: what has to hold does so for everybody. */
enum Situation {
  /** Whoever runs the tests, mostly root. */
  OURSELVES,

  /** Somebody without rights. */
  ORDINARY_USER,

  /** The same, whose runtime directory is one from which nothing may be executed. */
  NOTHING_EXECUTED,

  /** The same, who has made himself a user namespace and is root there. */
  USER_NAMESPACE;

  /** Somebody whom nobody knows. */
  static final int STRANGER = 61_234;

  private static final List<String> BECOME_STRANGER =
      List.of("setpriv", "--reuid=" + STRANGER, "--regid=65534", "--clear-groups");

  /** What has to be in front of a command. */
  private List<String> prefix() {
    List<String> prefix = new ArrayList<>();
    if (this == NOTHING_EXECUTED) {
      String mount = "mount -t tmpfs -o noexec,mode=700,uid=" + STRANGER;
      String script = mount + " none \"$XDG_RUNTIME_DIR\" && exec \"$@\"";
      prefix.addAll(List.of("unshare", "--mount", "sh", "-c", script, "sh"));
    }
    if (this != OURSELVES) {
      prefix.addAll(BECOME_STRANGER);
    }
    if (this == USER_NAMESPACE) {
      prefix.addAll(List.of("unshare", "--user", "--map-root-user"));
    }
    return prefix;
  }

  /** Why this cannot be tried here: only root can become somebody else. */
  Optional<String> hindrance() throws IOException, InterruptedException {
    if (PreloadLibrary.findRun().isEmpty()) {
      return Optional.of("sluice-run was not built: no C compiler");
    }
    if (this == OURSELVES) {
      return Optional.empty();
    }
    if (!InstalledPrograms.have("setpriv") || !InstalledPrograms.have("unshare")) {
      return Optional.of("no util-linux");
    }
    List<String> command = prefix();
    command.add("true");
    Path somewhere = Files.createTempDirectory("situation");
    NativeBuild.Ended ended =
        NativeBuild.run(Map.of("XDG_RUNTIME_DIR", somewhere.toString()), somewhere, command);
    Files.delete(somewhere);
    return ended.code() == 0
        ? Optional.empty()
        : Optional.of(this + " is not possible here: " + ended.output());
  }

  /** Skips the test where this cannot be tried. */
  void assumePossible() throws IOException, InterruptedException {
    Optional<String> hindrance = hindrance();
    Assumptions.assumeTrue(hindrance.isEmpty(), () -> hindrance.orElse(""));
  }

  /**
   * Makes a place where everybody may execute what is to be tried, with a directory that belongs to
   * whoever does.
   */
  Place prepare(Path temporary) throws IOException {
    Path programs = Files.createDirectories(temporary.resolve("programs"));
    for (Path above : List.of(temporary, programs)) {
      Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    List<Path> files =
        List.of(
            PreloadLibrary.findRun().orElseThrow(),
            PreloadLibrary.path(),
            NativeBuild.program("calls-test"),
            NativeBuild.program("consume"),
            NativeBuild.program("portrait"));
    for (Path file : files) {
      Files.copy(file, programs.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    Path own = Files.createDirectory(temporary.resolve("own"));
    Path runtime = Files.createDirectory(own.resolve("runtime"));
    Path mount = Files.createDirectory(own.resolve("mount"));
    Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwx------"));
    if (this != OURSELVES) {
      for (Path directory : List.of(own, runtime, mount)) {
        Files.setAttribute(directory, "unix:uid", STRANGER);
      }
    }
    return new Place(this, programs, runtime, mount.toRealPath());
  }

  /** Where programs are tried. */
  record Place(Situation situation, Path programs, Path runtime, Path mount) {
    /** Runs a script for a shell, in which all programs have their names. */
    NativeBuild.Ended run(String script) throws IOException, InterruptedException {
      return NativeBuild.run(environment(), mount, command(script));
    }

    Process start(String script) throws IOException {
      return NativeBuild.start(environment(), mount, command(script));
    }

    private List<String> command(String script) {
      List<String> command = situation.prefix();
      command.addAll(List.of("sh", "-c", script));
      return command;
    }

    private Map<String, String> environment() {
      Map<String, String> environment = new HashMap<>();
      environment.put("PATH", programs + ":" + System.getenv("PATH"));
      environment.put("XDG_RUNTIME_DIR", runtime.toString());
      environment.put("JOBS", runtime + "/jobs");
      environment.put("MOUNT", mount.toString());
      return environment;
    }
  }
}

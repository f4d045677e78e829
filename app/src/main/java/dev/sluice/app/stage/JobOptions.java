package dev.sluice.app.stage;

import dev.sluice.app.BadInputException;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What is counted and limited of a job that begins. */
final class JobOptions {
  @Option(
      names = "--mount",
      paramLabel = "DIR",
      description = "Count and limit only what is below this directory; may be repeated.")
  List<String> mounts = new ArrayList<>();

  @Option(
      names = "--limit",
      paramLabel = "SCOPE=RATE",
      description = "A limit; several with commas between them, or repeated.")
  List<String> limits = new ArrayList<>();

  /**
   * The mount points under the names that were given and, where a link is on the way, under their
   * real ones, because programs may use either. None at all stands for everything.
   */
  List<Path> mounts() {
    List<Path> paths = new ArrayList<>();
    for (String text : mounts.isEmpty() ? List.of("/") : mounts) {
      Path given = StageOptions.path(text).toAbsolutePath().normalize();
      try {
        Path real = given.toRealPath();
        paths.add(given);
        if (!real.equals(given)) {
          paths.add(real);
        }
      } catch (IOException e) {
        throw new BadInputException(text + ": expected a directory that is there", e);
      }
    }
    return paths;
  }

  List<LimitChange> limits() {
    return StageOptions.limits(limits);
  }

  /** The limits as an agent reads them; it would refuse what is refused here, but later. */
  String limitsText() {
    StageOptions.limits(limits);
    return String.join(",", limits);
  }
}

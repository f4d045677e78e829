package dev.sluice.jobs.slurm;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Asks slurmrestd on its local socket. Each version of Slurm answers to a few versions of the
 * interface; the newest that it has is found once and kept.
 */
final class RestSource implements SlurmSource {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  /** From Slurm 24.11 to 22.05; each release speaks its own and two or three before it. */
  private static final List<String> VERSIONS =
      List.of("v0.0.42", "v0.0.41", "v0.0.40", "v0.0.39", "v0.0.38");

  private final UnixHttp server;
  private String version = "";

  RestSource(UnixHttp server) {
    this.server = server;
  }

  @Override
  public String name() {
    return version.isEmpty() ? "slurmrestd" : "slurmrestd " + version;
  }

  @Override
  public JobList jobs() throws IOException {
    return SlurmJson.jobs(ask("jobs"));
  }

  @Override
  public Map<String, String> nodeAddresses() throws IOException {
    return SlurmJson.nodeAddresses(ask("nodes"));
  }

  private byte[] ask(String what) throws IOException {
    for (String tried : version.isEmpty() ? VERSIONS : List.of(version)) {
      UnixHttp.Answer answer = server.get("/slurm/" + tried + "/" + what);
      if (answer.status() == NOT_FOUND) {
        continue;
      }
      if (answer.status() != OK) {
        throw new IOException("slurmrestd answers with status " + answer.status());
      }
      version = tried;
      return answer.body();
    }
    // Another release may answer next time.
    version = "";
    throw new BadAnswerException(
        "slurmrestd has none of " + String.join(", ", VERSIONS) + " at " + server.socket());
  }
}

package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Network;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JobSnapshotTest {
  @Test
  void aJobIsFoundByAddressAndUserAndNobodyGuesses() {
    JobSnapshot jobs =
        new JobSnapshot(
            List.of(
                job("a", OptionalInt.of(1), "10.1.0.3"),
                job("b", OptionalInt.of(2), "10.1.0.3"),
                job("c", OptionalInt.of(1), "10.1.0.0/28"),
                job("d", OptionalInt.empty(), "fd00::/16")));
    assertThat(behind(jobs, "10.1.0.3", 2)).isEqualTo("b");
    assertThat(behind(jobs, "10.1.0.3", 1)).as("a and c could both be meant").isEqualTo("nobody");
    assertThat(behind(jobs, "10.1.0.4", 1)).isEqualTo("c");
    assertThat(behind(jobs, "10.1.0.4", 2)).isEqualTo("nobody");
    assertThat(behind(jobs, "fd00::7", 99)).as("whoever the user is").isEqualTo("d");
    assertThat(jobs.runsAt(JobId.of("c"), ClientAddress.parse("10.1.0.15"))).isTrue();
    assertThat(jobs.runsAt(JobId.of("c"), ClientAddress.parse("10.1.0.16"))).isFalse();
    assertThat(jobs.runsAt(JobId.of("nobody"), ClientAddress.parse("10.1.0.3"))).isFalse();
  }

  /** Against a plain walk over all jobs, in an address space so small that they overlap. */
  @Test
  void aSearchAnswersAsAWalkOverAllJobsWould() {
    SeededCases.forAll(
        3_000,
        random -> {
          List<Job> jobs = randomJobs(random);
          JobSnapshot snapshot = new JobSnapshot(jobs);
          for (int i = 0; i < 20; i++) {
            ClientAddress address = ClientAddress.parse("10.0.0." + random.nextInt(32));
            int uid = random.nextInt(3);
            List<Job> fitting =
                jobs.stream()
                    .filter(job -> job.uid().isEmpty() || job.uid().getAsInt() == uid)
                    .filter(job -> job.addresses().stream().anyMatch(n -> n.contains(address)))
                    .toList();
            Job expected = fitting.size() == 1 ? fitting.getFirst() : null;
            assertThat(snapshot.behind(address, uid)).isEqualTo(expected);
            for (Job job : jobs) {
              assertThat(snapshot.runsAt(job.id(), address))
                  .isEqualTo(job.addresses().stream().anyMatch(n -> n.contains(address)));
            }
          }
        });
  }

  private static List<Job> randomJobs(RandomGenerator random) {
    List<Job> jobs = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      List<Network> networks = new ArrayList<>();
      int places = random.nextInt(4);
      for (int j = 0; j < places; j++) {
        ClientAddress address = ClientAddress.parse("10.0.0." + random.nextInt(32));
        networks.add(Network.around(address, 128 - random.nextInt(6)));
      }
      OptionalInt uid =
          random.nextBoolean() ? OptionalInt.of(random.nextInt(3)) : OptionalInt.empty();
      jobs.add(new Job(JobId.of("j" + i), "", "", uid, 1, networks, OptionalLong.empty()));
    }
    return jobs;
  }

  private static Job job(String id, OptionalInt uid, String network) {
    return new Job(
        JobId.of(id), "", "", uid, 1, List.of(Network.parse(network)), OptionalLong.empty());
  }

  private static String behind(JobSnapshot jobs, String address, int uid) {
    Job job = jobs.behind(ClientAddress.parse(address), uid);
    return job == null ? "nobody" : job.id().toString();
  }
}

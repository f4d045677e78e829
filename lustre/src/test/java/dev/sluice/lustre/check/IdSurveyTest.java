package dev.sluice.lustre.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.stats.JobActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdSurveyTest {
  private static IdSurvey survey(LustreService service, long taken, Map<String, Long> requests) {
    List<JobActivity> active = new ArrayList<>();
    requests.forEach((id, count) -> active.add(JobActivity.of(new LustreJobId(id), count)));
    return IdSurvey.of(service, active, taken);
  }

  private static IdSurvey survey(Map<String, Long> requests) {
    long sum = requests.values().stream().mapToLong(Long::longValue).sum();
    return survey(LustreService.OST_IO, sum, requests);
  }

  @ParameterizedTest
  @CsvSource({
    "4711, NUMBER",
    "4711_3, NUMBER",
    "4711.0, NUMBER",
    "dd.1001, PROGRAM_AND_USER",
    "python3.11.1001, PROGRAM_AND_USER",
    "dd.node17, PROGRAM_AND_NODE",
    "lammps, OTHER"
  })
  void anIdTellsWhatClientsWereToldToSend(String id, IdKind kind) {
    assertThat(IdKind.of(new LustreJobId(id))).isEqualTo(kind);
  }

  @Test
  void whereEveryRequestNamesItsJobNothingIsSaid() {
    IdSurvey survey = survey(Map.of("4711", 900L, "4712", 100L));
    assertThat(survey.advice()).isEmpty();
    assertThat(survey.kinds()).singleElement().extracting(IdSurvey.OfKind::ids).isEqualTo(2);
  }

  @Test
  void requestsWithoutAnIdAreToldOfWhereAllThatHaveOneAreCounted() {
    assertThat(survey(LustreService.OST_IO, 1_000, Map.of("4711", 700L)).advice())
        .singleElement()
        .asString()
        .startsWith("30 % of the requests came without an id");
    // On a metadata server they may be lookups that found nothing.
    assertThat(survey(LustreService.MDT, 1_000, Map.of("4711", 700L)).advice()).isEmpty();
  }

  @Test
  void idsThatAreFallenBackToAreToldOf() {
    assertThat(survey(Map.of("4711", 410L, "4712", 410L, "ior.0", 180L)).advice())
        .singleElement()
        .asString()
        .startsWith("18 % of the requests came under an id of a program and a user, such as ior.0")
        .contains("jobid_var=session");
  }

  @Test
  void idsThatAreNoJobsAreToldOf() {
    assertThat(survey(Map.of("dd.1001", 500L, "cp.1002", 500L)).advice())
        .singleElement()
        .asString()
        .startsWith("ids name a program and a user, such as ");
    assertThat(survey(Map.of("lmp.node1", 500L, "lmp.node2", 400L)).advice())
        .singleElement()
        .asString()
        .startsWith("ids name the node, such as lmp.node1 and lmp.node2");
    assertThat(survey(Map.of()).advice()).singleElement().asString().contains("no request came");
  }
}

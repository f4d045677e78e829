package dev.sluice.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.Role;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private static final WebHandler HANDLER = _ -> WebAnswer.json("{}");

  private final Routes routes =
      new Routes()
          .add(HttpMethod.GET, "/jobs/{id}/explain", Role.READ, HANDLER)
          .add(HttpMethod.PUT, "/jobs/{id}", Role.OPERATE, HANDLER)
          .add(HttpMethod.DELETE, "/jobs/{id}", Role.OPERATE, HANDLER);

  @Test
  void findsWhoAnswers() {
    assertThat(routes.match(HttpMethod.GET, "/jobs/a%2Fb/explain"))
        .isInstanceOfSatisfying(
            Routes.Match.Found.class,
            found -> assertThat(found.parameters()).isEqualTo(Map.of("id", "a/b")));
    assertThat(routes.match(HttpMethod.GET, "/jobs/4711"))
        .isEqualTo(new Routes.Match.OtherMethod(Set.of(HttpMethod.PUT, HttpMethod.DELETE)));
    for (String path : new String[] {"", "/", "/jobs//explain", "/jobs/1/2/explain", "/%zz"}) {
      assertThat(routes.match(HttpMethod.GET, path)).isEqualTo(new Routes.Match.Nothing());
    }
  }

  @Test
  void refusesTwoAnswersToOneRequest() {
    assertThatThrownBy(() -> routes.add(HttpMethod.PUT, "/{any}/4711", Role.READ, HANDLER))
        .hasMessageContaining("already");
  }
}

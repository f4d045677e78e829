package dev.sluice.gateway.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the C library of this machine says, compared with what {@code id} says. */
class UserDatabaseTest {
  private static final int NOBODY_HAS_IT = 1_987_654_321;

  @Test
  void usersAndGroupsHaveNames() throws Exception {
    assertThat(UserDatabase.userName(0)).isEqualTo("root");
    assertThat(UserDatabase.groupName(0)).isEqualTo(output("id", "-gn", "root"));
    assertThat(UserDatabase.userNumber("root")).isZero();
    assertThat(UserDatabase.groupNumber(output("id", "-gn", "root"))).isZero();
    String second = Objects.requireNonNull(UserDatabase.userName(1));
    assertThat(UserDatabase.userNumber(second)).isEqualTo(1);
  }

  @Test
  void whoIsNotThereHasNone() throws IOException {
    assertThat(UserDatabase.userName(NOBODY_HAS_IT)).isNull();
    assertThat(UserDatabase.groupName(NOBODY_HAS_IT)).isNull();
    assertThat(UserDatabase.groupsOf(NOBODY_HAS_IT)).isNull();
    assertThat(UserDatabase.userNumber("nobody-has-this-name")).isNull();
    assertThat(UserDatabase.groupNumber("")).isNull();
  }

  @Test
  void aUserIsInTheGroupsThatIdTells() throws Exception {
    for (int uid : new int[] {0, 1, 2}) {
      String name = UserDatabase.userName(uid);
      if (name == null) {
        continue;
      }
      int[] expected =
          Arrays.stream(output("id", "-G", name).split(" ", -1))
              .mapToInt(Integer::parseInt)
              .toArray();
      int[] groups = Objects.requireNonNull(UserDatabase.groupsOf(uid));
      assertThat(groups).containsExactlyInAnyOrder(expected);
    }
  }

  private static String output(String... command) throws Exception {
    Process process = new ProcessBuilder(command).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text.strip();
  }
}

package dev.sluice.gateway.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.ClientAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientHintsTest {
  private final List<String> log = new ArrayList<>();
  private final ClientHints hints = new ClientHints(log::add);

  @Test
  void aClientIsTalkedAboutOnceInAWhile() {
    ClientAddress client = ClientAddress.parse("10.1.0.3");
    hints.tell(client, "errs", 0);
    hints.tell(client, "errs", ClientHints.SILENCE_NANOS - 1);
    hints.tell(ClientAddress.parse("10.1.0.4"), "errs", 5);
    hints.tell(client, "errs again", ClientHints.SILENCE_NANOS);
    assertThat(log).containsExactly("10.1.0.3 errs", "10.1.0.4 errs", "10.1.0.3 errs again");
  }

  @Test
  void nobodyFillsTheLog() {
    for (int i = 0; i < 3 * ClientHints.CLIENTS_MAX; i++) {
      hints.tell(new ClientAddress(7, i), "errs", i);
    }
    assertThat(log).hasSize(ClientHints.CLIENTS_MAX);
    hints.tell(new ClientAddress(8, 0), "errs", ClientHints.SILENCE_NANOS + 2);
    assertThat(log).as("who was told of long ago makes room").hasSize(ClientHints.CLIENTS_MAX + 1);
  }
}

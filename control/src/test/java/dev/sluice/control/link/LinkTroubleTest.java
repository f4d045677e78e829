package dev.sluice.control.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class LinkTroubleTest {
  @Test
  void saysWhatSomebodyCanDoSomethingAbout() {
    assertThat(
            LinkTrouble.words(Status.PERMISSION_DENIED.withDescription("n1 cannot speak for n2")))
        .isEqualTo("it refuses us: n1 cannot speak for n2");
    assertThat(
            LinkTrouble.words(
                Status.UNAVAILABLE
                    .withDescription("io exception")
                    .withCause(
                        new IOException(
                            "outer",
                            new IOException(
                                "finishConnect(..) failed with error(-111): Connection refused")))))
        .isEqualTo("Connection refused");
    assertThat(
            LinkTrouble.words(
                Status.UNAVAILABLE
                    .withDescription("io exception")
                    .withCause(
                        new SSLHandshakeException("General problem")
                            .initCause(new IOException("no valid path to the authority")))))
        .isEqualTo("TLS failed: no valid path to the authority");
    assertThat(LinkTrouble.words(Status.UNAVAILABLE.withDescription("another controller leads")))
        .isEqualTo("another controller leads");
    assertThat(LinkTrouble.words(Status.CANCELLED.withDescription("no answer")))
        .isEqualTo("no answer");
    assertThat(LinkTrouble.words(Status.INTERNAL.withDescription("odd")))
        .isEqualTo("INTERNAL: odd");
  }
}

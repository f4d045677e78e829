package dev.sluice.gateway.failover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HolderTest {
  /** More than any system gives out. */
  private static final long NO_PROCESS = 1L << 40;

  @Test
  void isReadAsItIsWritten() throws Exception {
    Holder me = Holder.ofThisProcess("gw1");
    assertThat(Holder.of(me.text())).isEqualTo(me);
    assertThat(Holder.nameIn(me.text())).isEqualTo("gw1");
    assertThat(Holder.nameIn("")).isEmpty();
    assertThat(Holder.of("a:b:c:d")).isNull();
    assertThat(me.text()).isNotEqualTo(Holder.ofThisProcess("gw1").text());
  }

  /** Only one's own earlier life on this machine is known to be over, and only if it is. */
  @Test
  void inheritsFromItsOwnDeadAlone() throws Exception {
    Holder me = Holder.ofThisProcess("gw1");
    assertThat(me.isHeirOf(new Holder("gw1", me.machine(), NO_PROCESS, "x").text())).isTrue();
    assertThat(me.isHeirOf(new Holder("gw2", me.machine(), NO_PROCESS, "x").text())).isFalse();
    assertThat(me.isHeirOf(new Holder("gw1", "elsewhere", NO_PROCESS, "x").text())).isFalse();
    assertThat(me.isHeirOf(me.text())).isFalse();
    assertThat(me.isHeirOf("")).isFalse();
  }
}

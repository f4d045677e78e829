package dev.sluice.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GrantsTest {
  private static final Caller CALLER = new Caller(1_000, 100, 7);
  private static final int RIGHT = 4;
  private static final long NOW = -5;

  private final Grants grants = new Grants();
  private final Node node = node(1);

  @Test
  void whatWasGrantedHoldsForAWhile() {
    grants.keep(node, node.attributeChanges(), RIGHT, CALLER, NOW);

    assertThat(grants.has(node, RIGHT, new Caller(1_000, 100, 7), NOW)).isTrue();
    assertThat(grants.has(node, RIGHT, CALLER, NOW + Grants.HELD_NANOS - 1)).isTrue();
    assertThat(grants.has(node, RIGHT, CALLER, NOW + Grants.HELD_NANOS)).isFalse();
  }

  @Test
  void itHoldsForNobodyAndNothingElse() {
    grants.keep(node, node.attributeChanges(), RIGHT, CALLER, NOW);

    assertThat(grants.has(node, 2, CALLER, NOW)).isFalse();
    assertThat(grants.has(node(1), RIGHT, CALLER, NOW)).isFalse();
    assertThat(grants.has(node, RIGHT, new Caller(1_000, 100), NOW)).isFalse();
    assertThat(grants.has(node, RIGHT, new Caller(1_000, 101, 7), NOW)).isFalse();
    assertThat(grants.has(node, RIGHT, new Caller(1_001, 100, 7), NOW)).isFalse();
  }

  @Test
  void aChangeOfAttributesEndsItAlsoOneBetweenAskingAndKeeping() {
    int changes = node.attributeChanges();
    grants.keep(node, changes, RIGHT, CALLER, NOW);
    node.countAttributeChange();
    assertThat(grants.has(node, RIGHT, CALLER, NOW)).isFalse();
    grants.keep(node, changes, RIGHT, CALLER, NOW);
    assertThat(grants.has(node, RIGHT, CALLER, NOW)).isFalse();
  }

  private static Node node(int id) {
    FileHandle handle = new FileHandle(1, null, new byte[] {(byte) id});
    return new Node(handle, FileType.REGULAR, Integer.MAX_VALUE, new NodeCache(1));
  }
}

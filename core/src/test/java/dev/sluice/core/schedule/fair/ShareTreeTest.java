package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShareTreeTest {
  private static final Flow FLOW =
      new Flow(JobId.of("job"), "alice", "physics", ClientAddress.LOCAL, "/home", "target");

  @Test
  void flatPutsAJobUnderTheRootAndByUserUnderItsUser() {
    assertThat(ShareTree.flat().path(FLOW)).isEmpty();
    assertThat(ShareTree.byUser().path(FLOW)).containsExactly("alice");
    assertThat(ShareTree.byUser().path(Flow.of(JobId.of("job"), "target"))).isEmpty();
  }

  @Test
  void aGroupWeighsOneUnlessListed() {
    ShareTree tree =
        new ShareTree(
            flow -> List.of(flow.group(), flow.user()),
            Map.of(List.of("physics", "alice"), ShareTree.WEIGHT_MAX));
    assertThat(tree.path(FLOW)).containsExactly("physics", "alice");
    assertThat(tree.weight(List.of("physics"))).isEqualTo(1);
    assertThat(tree.weight(List.of("physics", "alice"))).isEqualTo(ShareTree.WEIGHT_MAX);
  }

  @Test
  void aWeightOutOfBoundsIsRefusedByName() {
    for (long weight : new long[] {0, -1, ShareTree.WEIGHT_MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new ShareTree(_ -> List.of(), Map.of(List.of("physics", "bob"), weight)))
          .withMessageContaining("physics/bob")
          .withMessageContaining("not " + weight);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShareTree(_ -> List.of(), Map.of(List.of(), 1L)));
  }

  @Test
  void theDeepestPathIsTaken() {
    List<String> deepest = Collections.nCopies(ShareTree.DEPTH_MAX, "group");
    ShareTree tree = new ShareTree(_ -> deepest, Map.of(deepest, 2L));
    assertThat(tree.path(FLOW)).isEqualTo(deepest);
    assertThat(tree.weight(deepest)).isEqualTo(2);
    List<String> deeper = Collections.nCopies(ShareTree.DEPTH_MAX + 1, "group");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ShareTree(_ -> deepest, Map.of(deeper, 2L)));
  }

  @Test
  void aPathThatIsTooDeepIsRefusedAndChangesNothing() {
    ShareTree tree =
        new ShareTree(_ -> Collections.nCopies(ShareTree.DEPTH_MAX + 1, "group"), Map.of());
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, tree);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.enqueue(new Request(FLOW, Operation.READ, 1, 1), 0))
        .withMessageContaining("job job")
        .withMessageContaining("17");
    assertThat(scheduler.queued()).isZero();
    assertThat(scheduler.remembered()).isZero();
  }
}

package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTest {
  private static Request request(long operations, long bytes) {
    return new Request(Flow.of(JobId.of("a"), "t"), Operation.READ, operations, bytes);
  }

  @Test
  void aCostHasBounds() {
    long most = Request.COST_MAX;
    assertThat(request(0, 0).operations()).isZero();
    assertThat(request(most, most).operations()).isEqualTo(most);
    assertThat(request(most, most).bytes()).isEqualTo(most);
    long[][] refused = {{-1, 0}, {0, -1}, {most + 1, 0}, {0, most + 1}};
    for (long[] cost : refused) {
      assertThatThrownBy(() -> request(cost[0], cost[1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a request's cost must be 0 to " + most);
    }
  }

  @Test
  void whatItReallyCostIsNotNegative() {
    Request request = request(2, 10);
    assertThat(request.hasCost(2, 10)).isTrue();
    assertThat(request.hasCost(2, 9)).isFalse();
    assertThat(request.hasCost(3, 10)).isFalse();
    request.requireCost(0, 0);
    assertThatThrownBy(() -> request.requireCost(-1, 0)).hasMessageContaining("did -1 operations");
    assertThatThrownBy(() -> request.requireCost(0, -1)).hasMessageContaining("moved -1 bytes");
  }

  @Test
  void aQueueIsFirstInFirstOutWhateverIsTakenOut() {
    RequestQueue queue = new RequestQueue();
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      all.add(request(1, i));
      queue.append(all.get(i), 10 + i);
    }
    assertThatThrownBy(() -> queue.append(all.get(3), 1)).hasMessageContaining("queued already");
    List<Request> moved = new ArrayList<>();
    assertThat(queue.moveIf(request -> request.bytes() > 9, moved)).isFalse();
    assertThat(queue.moveIf(request -> request.bytes() % 3 == 2, moved)).isTrue();
    assertThat(moved).containsExactly(all.get(2), all.get(5));
    assertThat(queue.size()).isEqualTo(4);
    queue.append(all.get(5), 30);
    assertThat(queue.peek()).isSameAs(all.get(0));
    for (int i : new int[] {0, 1, 3, 4, 5}) {
      assertThat(queue.isEmpty()).isFalse();
      assertThat(queue.poll()).isSameAs(all.get(i));
    }
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.poll()).isNull();
    assertThat(queue.size()).isZero();
    queue.append(all.get(0), 40);
    assertThat(all.get(0).sequence()).isEqualTo(40);
    assertThat(queue.poll()).isSameAs(all.get(0));
  }
}

package dev.sluice.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says who somebody is. Called by several threads at once. */
@FunctionalInterface
public interface Access {
  /**
   * Who asks; empty when it is nobody who may do anything.
   *
   * @param token what came as {@code Authorization: Bearer}; null when nothing came
   * @param fromThisMachine whether the connection is over loopback
   */
  Optional<Caller> caller(@Nullable String token, boolean fromThisMachine);

  /**
   * Why a token does not count, in words for who shows it; null where nothing is known of it.
   *
   * @param token what came
   */
  default @Nullable String refusal(String token) {
    return null;
  }
}

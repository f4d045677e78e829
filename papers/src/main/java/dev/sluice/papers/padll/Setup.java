package dev.sluice.papers.padll;

import dev.sluice.core.policy.padll.PadllAlgorithm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The five set-ups of section V-C, in its order. */
public enum Setup {
  BASELINE("Baseline"),
  UNIFORM("Uniform"),
  PRIORITY("Priority"),
  PROPORTIONAL("PSharing"),
  PSFA("PSFA");

  private final String title;

  Setup(String title) {
    this.title = title;
  }

  /** As the paper calls it. */
  public String title() {
    return title;
  }

  /** What divides Max_R; nothing does without PADLL. Static limits are for four jobs throughout. */
  public @Nullable PadllAlgorithm algorithm() {
    return switch (this) {
      case BASELINE -> null;
      case UNIFORM -> PadllAlgorithm.named("uniform", Map.of("jobs", "4"));
      case PRIORITY -> PadllAlgorithm.named("priority", Map.of("priorities", "110"));
      case PROPORTIONAL -> PadllAlgorithm.named("proportional");
      case PSFA -> PadllAlgorithm.named("psfa");
    };
  }
}

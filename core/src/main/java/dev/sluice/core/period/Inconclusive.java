package dev.sluice.core.period;

/** No period can be named now. */
public record Inconclusive(Reason reason) implements PeriodAnswer {
  /** Why not. */
  public enum Reason {
    /** There were too few phases of I/O to compare. */
    TOO_FEW_BURSTS,
    /** What was seen could as well be chance. */
    IRREGULAR,
    /** There was a rhythm, but nothing has come for several of its cycles. */
    SILENT
  }
}

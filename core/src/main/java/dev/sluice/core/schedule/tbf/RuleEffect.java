package dev.sluice.core.schedule.tbf;

/**
 * What a rule does to one job at some instant.
 *
 * @param waiting how many of the job's requests wait for the rule's tokens
 * @param nanosLeft when the first of them has its tokens, from that instant on; {@link
 *     Long#MAX_VALUE} when time alone gives it none, as under a rate of zero
 * @param savedTokens what the job has saved of the first limit and may use at once; never less than
 *     nothing
 */
public record RuleEffect(TbfRule rule, int waiting, long nanosLeft, long savedTokens) {
  /** On a job that has saved nothing. */
  public RuleEffect(TbfRule rule, int waiting, long nanosLeft) {
    this(rule, waiting, nanosLeft, 0);
  }

  /** Whether it keeps requests from being served that could be otherwise. */
  public boolean holdsBack() {
    return waiting > 0;
  }
}

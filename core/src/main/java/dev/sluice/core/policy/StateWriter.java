package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;

/**
 * Writes a state, line by line: a word that says what the line is about, then fields with a blank
 * before each. What {@link StateReader} reads is what was written, to the last bit.
 */
public final class StateWriter {
  private final StringBuilder text;

  StateWriter(StringBuilder text) {
    this.text = text;
  }

  /** Ends the line before and begins one about this. */
  public StateWriter line(String word) {
    text.append('\n').append(word);
    return this;
  }

  public StateWriter whole(long number) {
    text.append(' ').append(number);
    return this;
  }

  public StateWriter real(double number) {
    text.append(' ').append(number);
    return this;
  }

  /** A text in quotes; what is no plain letter, or would end the quotes, as a number. */
  public StateWriter text(String value) {
    text.append(" \"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isPlain(c)) {
        text.append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(Character.forDigit(c >> shift & 0xf, 16));
        }
      }
    }
    text.append('"');
    return this;
  }

  static boolean isPlain(char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  }

  public StateWriter job(JobId job) {
    return text(job.toString());
  }

  private StateWriter target(Target target) {
    return line(StateReader.TARGET)
        .text(target.name())
        .whole(target.tokensPerSecond())
        .whole(target.unit().tokensPerOperation())
        .whole(target.unit().tokensPerByte());
  }

  /** A line for each target. */
  void cluster(Cluster cluster) {
    cluster.targets().forEach(this::target);
  }
}

package dev.sluice.lustre.lctl;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Keeps the beginning of what is printed as a text, and hands on what follows it as it comes: the
 * long text of the parameters that were asked for last.
 */
final class Preface implements Lctl.Output {
  /** Longer than a hundred thousand rules. */
  private static final int TEXT_BYTES_MAX = 64 << 20;

  private final byte[] ending;
  private final Lctl.Output rest;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private boolean isOver;

  /** How much of a line's beginning has been as the ending's; negative where it is another line. */
  private int matched;

  /**
   * @param lastParameter what is before its first asterisk begins the line that ends the preface
   */
  Preface(String lastParameter, Lctl.Output rest) {
    this.ending =
        lastParameter
            .substring(0, lastParameter.indexOf('*'))
            .getBytes(StandardCharsets.ISO_8859_1);
    this.rest = rest;
  }

  @Override
  public void accept(byte[] bytes, int length) {
    if (isOver) {
      rest.accept(bytes, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[i] == '\n') {
        matched = 0;
      } else if (matched >= 0) {
        matched = bytes[i] == ending[matched] ? matched + 1 : -1;
      }
      if (matched == ending.length) {
        isOver = true;
        rest.accept(ending, ending.length);
        byte[] left = new byte[length - i - 1];
        System.arraycopy(bytes, i + 1, left, 0, left.length);
        rest.accept(left, left.length);
        return;
      }
      if (text.size() < TEXT_BYTES_MAX) {
        text.write(bytes[i]);
      }
    }
  }

  /** The beginning, in whole lines. */
  String text() {
    String all = text.toString(StandardCharsets.ISO_8859_1);
    return all.substring(0, all.lastIndexOf('\n') + 1);
  }
}

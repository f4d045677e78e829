package dev.sluice.nfs.xdr;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The constants of an enumeration by the numbers that they have on the wire.
 *
 * @param <E> the enumeration
 */
public final class WireCodes<E> {
  private final String name;
  private final Map<Integer, E> byCode;

  /**
   * @param name what the protocol calls it
   */
  public WireCodes(String name, E[] all, Function<E, Integer> code) {
    this.name = name;
    this.byCode = Arrays.stream(all).collect(Collectors.toUnmodifiableMap(code, one -> one));
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public E read(XdrReader in) {
    int code = in.readInt();
    E one = byCode.get(code);
    if (one == null) {
      throw new XdrException("expected an " + name + ", not " + code);
    }
    return one;
  }
}

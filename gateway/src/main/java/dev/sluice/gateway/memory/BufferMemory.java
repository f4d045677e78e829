package dev.sluice.gateway.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How much memory this process may have for buffers: what the virtual machine was told, or as much
 * as for objects, which it takes from the machine or from the control group that it is in.
 */
public final class BufferMemory {
  /** What is left for buffers that no request holds: connections' inputs, and those kept. */
  private static final int OTHERS_PART = 4;

  private BufferMemory() {}

  public static long bytesMax() {
    HotSpotDiagnosticMXBean machine =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long told =
        machine == null ? 0 : Long.parseLong(machine.getVMOption("MaxDirectMemorySize").getValue());
    return told > 0 ? told : Runtime.getRuntime().maxMemory();
  }

  /** What requests and replies may hold together, if nobody said how much. */
  public static long usual(long most, long least) {
    return Math.clamp(bytesMax() / 2, least, most);
  }

  /** Why requests and replies cannot have so much; null when they can. */
  public static @Nullable String problem(long bytes) {
    long most = bytesMax() - bytesMax() / OTHERS_PART;
    return bytes <= most
        ? null
        : "the Java virtual machine has "
            + (bytesMax() >> 20)
            + " MiB for buffers, of which requests may hold "
            + (most >> 20)
            + " MiB; give it more with SLUICE_JAVA_OPTS=-XX:MaxDirectMemorySize=SIZE, or set less";
  }
}

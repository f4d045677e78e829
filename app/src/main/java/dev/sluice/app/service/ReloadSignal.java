package dev.sluice.app.service;

import java.lang.reflect.Proxy;

/**
 * What happens on SIGHUP: what a program can read again is read again. Without this the signal
 * would end it.
 */
public final class ReloadSignal {
  private static final System.Logger LOG = System.getLogger(ReloadSignal.class.getName());

  private ReloadSignal() {}

  /**
   * Has the signal do this from now on, on a thread of its own. What it throws is logged.
   *
   * @param reload says what came of it, for the log
   */
  public static void does(Reload reload) {
    try {
      // The class is there in every JDK and has no other; by name, as the compiler warns of it.
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (_, _, _) -> {
                read(reload);
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), ours);
    } catch (ReflectiveOperationException e) {
      LOG.log(System.Logger.Level.WARNING, "SIGHUP cannot be handled here", e);
    }
  }

  /** Reads something again. */
  @FunctionalInterface
  public interface Reload {
    String read() throws Exception;
  }

  private static void read(Reload reload) {
    try {
      LOG.log(System.Logger.Level.INFO, "SIGHUP: " + reload.read());
    } catch (Exception e) {
      LOG.log(System.Logger.Level.WARNING, "SIGHUP: nothing was changed: " + e.getMessage());
    }
  }
}

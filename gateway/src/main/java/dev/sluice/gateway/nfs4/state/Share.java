package dev.sluice.gateway.nfs4.state;

/** The bits of share reservations (OPEN4_SHARE_ACCESS_*, OPEN4_SHARE_DENY_*), alike for both. */
public final class Share {
  public static final int NONE = 0;
  public static final int READ = 1;
  public static final int WRITE = 2;
  public static final int BOTH = READ | WRITE;

  private Share() {}
}

package dev.sluice.nfs.rquota;

/** How a call of RQUOTA ended (gqr_status). */
public enum RquotaStatus {
  OK(1),
  NOQUOTA(2),
  EPERM(3);

  private final int code;

  RquotaStatus(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}

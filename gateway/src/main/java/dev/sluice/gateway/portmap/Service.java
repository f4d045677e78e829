package dev.sluice.gateway.portmap;

/** Where one version of a program can be called. */
record Service(int program, int version, Transport transport, int port) {
  /** What calls are carried by. */
  enum Transport {
    TCP(6, "tcp"),
    UDP(17, "udp");

    private final int number;
    private final String netid;

    Transport(int number, String netid) {
      this.number = number;
      this.netid = netid;
    }

    /** Its number among the protocols over IP. */
    int number() {
      return number;
    }

    /** Its name in versions 3 and 4 of the portmapper's protocol. */
    String netid(boolean ipv6) {
      return ipv6 ? netid + "6" : netid;
    }
  }
}

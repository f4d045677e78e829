package dev.sluice.gateway.knfsd;

import dev.sluice.core.model.ClientAddress;
import java.util.List;

/** Knows what names stand for. */
public interface HostNames {
  /** The addresses of a host; none when nobody knows it. */
  List<ClientAddress> addresses(String host);

  /** The hosts in a netgroup; none when nobody knows it. */
  List<String> members(String netgroup);
}

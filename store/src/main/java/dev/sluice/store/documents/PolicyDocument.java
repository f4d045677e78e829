package dev.sluice.store.documents;

import dev.sluice.core.policy.guarantee.Promises;
import java.util.List;

/**
 * What a controller is to hold everybody to: resources that are divided by policies, limits, and
 * what was promised to whom on the targets of gateways.
 *
 * @param resources no two have the same key
 * @param limits no two have the same name
 */
public record PolicyDocument(
    List<ResourceEntry> resources, List<LimitEntry> limits, Promises promises) {
  /** Nothing is divided and nobody limited: what holds before anybody says otherwise. */
  public static final PolicyDocument EMPTY =
      new PolicyDocument(List.of(), List.of(), Promises.NONE);

  public PolicyDocument {
    resources = List.copyOf(resources);
    limits = List.copyOf(limits);
  }
}

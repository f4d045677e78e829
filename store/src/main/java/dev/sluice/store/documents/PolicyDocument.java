package dev.sluice.store.documents;

import java.util.List;

/**
 * What a controller is to hold everybody to: resources that are divided by policies, and limits.
 *
 * @param resources no two have the same key
 * @param limits no two have the same name
 */
public record PolicyDocument(List<ResourceEntry> resources, List<LimitEntry> limits) {
  /** Nothing is divided and nobody limited: what holds before anybody says otherwise. */
  public static final PolicyDocument EMPTY = new PolicyDocument(List.of(), List.of());

  public PolicyDocument {
    resources = List.copyOf(resources);
    limits = List.copyOf(limits);
  }
}

package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Network;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The values of one condition, of which any one will do.
 *
 * <p>All are kept without doubles and in an order of their own, so that two ways of writing the
 * same values are equal.
 */
sealed interface Alternatives {
  boolean include(Flow flow, Operation operation);

  /** The values as a rule has them, in their own order. */
  List<String> texts();

  /** Values of a key that takes any text, with or without wildcards. */
  record Texts(Key key, Set<String> exact, List<Wildcard> wildcards) implements Alternatives {
    static Texts of(Key key, Collection<String> exact, Collection<Wildcard> wildcards) {
      return new Texts(key, Set.copyOf(exact), ordered(wildcards));
    }

    @Override
    public boolean include(Flow flow, Operation operation) {
      String text = key.textOf(flow, operation);
      if (exact.contains(text)) {
        return true;
      }
      for (int i = 0; i < wildcards.size(); i++) {
        if (wildcards.get(i).matches(text)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public List<String> texts() {
      return Stream.concat(
              exact.stream().sorted().map(RuleReader::quotedIfNeeded),
              wildcards.stream().map(Wildcard::toString))
          .toList();
    }
  }

  /** Blocks of client addresses. */
  record Networks(List<Network> networks) implements Alternatives {
    static Networks of(Collection<Network> networks) {
      return new Networks(ordered(networks));
    }

    @Override
    public boolean include(Flow flow, Operation operation) {
      for (int i = 0; i < networks.size(); i++) {
        if (networks.get(i).contains(flow.client())) {
          return true;
        }
      }
      return false;
    }

    @Override
    public List<String> texts() {
      return networks.stream().map(Network::toString).toList();
    }
  }

  /** Single operations. */
  record Operations(Set<Operation> operations) implements Alternatives {
    static Operations of(Collection<Operation> operations) {
      return new Operations(Collections.unmodifiableSet(EnumSet.copyOf(operations)));
    }

    @Override
    public boolean include(Flow flow, Operation operation) {
      return operations.contains(operation);
    }

    @Override
    public List<String> texts() {
      return operations.stream().map(Operation::text).toList();
    }
  }

  /** Whole classes of operations. */
  record Classes(Set<OperationClass> classes) implements Alternatives {
    static Classes of(Collection<OperationClass> classes) {
      return new Classes(Collections.unmodifiableSet(EnumSet.copyOf(classes)));
    }

    @Override
    public boolean include(Flow flow, Operation operation) {
      return classes.contains(operation.operationClass());
    }

    @Override
    public List<String> texts() {
      return classes.stream().map(OperationClass::text).toList();
    }
  }

  private static <T> List<T> ordered(Collection<T> values) {
    return values.stream()
        .distinct()
        .sorted((left, right) -> left.toString().compareTo(right.toString()))
        .toList();
  }
}

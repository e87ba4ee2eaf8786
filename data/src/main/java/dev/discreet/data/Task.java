package dev.discreet.data;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import java.util.List;

/** What is to be predicted. It is declared or public, never read off private rows. */
public sealed interface Task {

  /**
   * One of several classes; a target is an index into the names.
   *
   * @param names at least two, distinct
   */
  record Classes(List<String> names) implements Task {
    public Classes {
      names = List.copyOf(names);
      Check.that(names.size() >= 2, "classes", "at least 2", names.size());
      Check.that(names.stream().distinct().count() == names.size(), "classes", "distinct", names);
    }
  }

  /**
   * A number in declared bounds; a target is (value − low)/(high − low), after the value was moved
   * into the bounds.
   */
  record Number(String name, double low, double high) implements Task {
    public Number {
      Check.that(
          Double.isFinite(low) && Double.isFinite(high) && low < high,
          "bounds of " + name,
          "finite and rising",
          Digits.shortest(low) + ".." + Digits.shortest(high));
    }
  }
}

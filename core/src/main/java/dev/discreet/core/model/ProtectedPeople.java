package dev.discreet.core.model;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Whom a model protects of all whose data are in it: those of its own run, and those of the models
 * that it came from. People whose data were declared public are none of them.
 *
 * <pre>{@code
 * Model model = Model.load(Path.of("runs", "patients"));
 * boolean everyone = model.promise().protection() == ProtectedPeople.EVERYONE;
 * }</pre>
 */
@PublicApi
public enum ProtectedPeople {
  /** Everyone, by the promises of the model and of those that it came from. */
  EVERYONE("everyone"),
  /** Not everyone; but a part of it was trained with privacy, so it is not public either. */
  SOME("some"),
  /** No one: it may reveal its training data. */
  NO_ONE("no one");

  private final String label;

  ProtectedPeople(String label) {
    this.label = label;
  }

  /**
   * As files have it.
   *
   * @return the words
   */
  public String label() {
    return label;
  }

  /**
   * Reads what {@link #label} wrote.
   *
   * @param label the words
   * @return that protection
   */
  public static ProtectedPeople of(String label) {
    for (ProtectedPeople each : values()) {
      if (each.label.equals(label)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        Check.line(
            "protection must be one of everyone, some, no one. Provided value: "
                + Check.shortened(label)));
  }

  /**
   * That of a model whose parts have these two.
   *
   * @param other the protection of the other part
   * @return the same where both are the same, else {@link #SOME}
   */
  public ProtectedPeople and(ProtectedPeople other) {
    return this == other ? this : SOME;
  }

  /**
   * What the line of a model says that was written before files had a field for it. This is the one
   * place that reads such a line.
   */
  static ProtectedPeople ofOldLine(String line) {
    boolean everyone =
        Arrays.stream(line.split(Privacy.SAYS)).allMatch(each -> each.startsWith(Privacy.PRIVATE))
            && Stream.of("NOT PRIVATE", "INSECURE", "epsilon <= Infinity", Privacy.STEERED)
                .noneMatch(line::contains);
    return everyone ? EVERYONE : line.contains(Privacy.PRIVATE) ? SOME : NO_ONE;
  }
}

package dev.discreet.lab;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A piece of what a page says about its claims.
 *
 * @param text as it is printed: {@code C = 1 confirmed (+0.42 ± 0.10)}
 * @param rulings those that the text has words for, so that the index can count them; none where
 *     nothing was run yet
 */
public record Verdict(String text, List<Ruling> rulings) {
  public static final Verdict NOT_RUN = new Verdict("not run yet", List.of());

  public Verdict {
    rulings = List.copyOf(rulings);
  }

  /** A {@link Numbers#format}, with the rulings among its arguments. */
  public static Verdict of(String how, Object... what) {
    return new Verdict(Numbers.format(how, what), rulings(what));
  }

  /** One after the other, with semicolons between them. */
  public static Verdict joined(List<Verdict> cases) {
    return new Verdict(
        cases.stream().map(Verdict::text).collect(Collectors.joining("; ")),
        rulings(cases.toArray()));
  }

  static List<Ruling> rulings(Object... among) {
    return Stream.of(among)
        .flatMap(
            each ->
                each instanceof Ruling ruling
                    ? Stream.of(ruling)
                    : each instanceof Verdict verdict ? verdict.rulings.stream() : Stream.of())
        .toList();
  }

  @Override
  public String toString() {
    return text;
  }
}

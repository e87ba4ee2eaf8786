package dev.discreet.accounting.pld;

import java.util.List;
import java.util.function.Function;

/**
 * The composition of terms in one direction: chooses tilt and window, and refines the grid until
 * the bracket is narrow enough or the grid is as large as we allow.
 */
public final class Composition {
  private static final int FIRST_GRID = 1 << 12;
  private static final int LAST_GRID = 1 << 20;
  // Cells times distributions: bounds the time of a ledger with many different or costly entries.
  private static final long LARGEST_WORK = 1L << 23;

  // A bracket this narrow says where ε is.
  private static final double LOCATED = 0.2;
  // Share of delta that may be given up for shorter tails: a few rare, large losses would else
  // decide the whole window.
  private static final double GIVEN_UP = 1e-6;

  private final List<Term> terms;
  private final double releases;

  public Composition(List<Term> terms) {
    this.terms = List.copyOf(terms);
    this.releases = terms.stream().mapToDouble(Term::count).sum();
  }

  /**
   * The same with tails cut such that at most {@code mass} more of probability counts as an
   * infinite loss.
   */
  private Composition truncated(double mass) {
    return new Composition(
        terms.stream()
            .map(t -> new Term(t.upper().truncated(mass / releases), t.attained(), t.count()))
            .toList());
  }

  /** The largest finite loss of all together. */
  public double maxLoss() {
    return terms.stream().mapToDouble(term -> term.count() * term.upper().max()).sum();
  }

  /** The probability that some loss is infinite, from above. */
  public double infinity() {
    return -Math.expm1(
        terms.stream().mapToDouble(t -> t.count() * Math.log1p(-t.upper().infinity())).sum());
  }

  /**
   * @param tolerance the width to aim at, relative to ε
   * @param relevant ends below this need not be refined: another direction is worse
   */
  public Bracket epsilon(double delta, double tolerance, double relevant) {
    return truncated(GIVEN_UP * delta).epsilonOfTruncated(delta, tolerance, relevant);
  }

  private Bracket epsilonOfTruncated(double delta, double tolerance, double relevant) {
    double finite = delta - infinity();
    if (finite <= 0) {
      return new Bracket(0, Double.POSITIVE_INFINITY);
    }
    double logDelta = Math.log(finite);
    Cumulant cumulant = new Cumulant(terms, logDelta + Math.log(GIVEN_UP / releases));
    Bracket bracket = new Bracket(0, Math.max(0, maxLoss()));
    Function<Pass, Bracket> measure = pass -> pass.epsilon(delta);
    Window window = Window.forDelta(cumulant, logDelta);
    bracket =
        Bracket.meet(
            bracket, measure.apply(new Pass(terms, cumulant, window, new Fft(FIRST_GRID))));
    if (bracket.upper() < window.bottom() + 2 * window.width() / FIRST_GRID) {
      // Chernoff's bound is far above ε where one rare loss decides; then ε is often 0.
      window = Window.forEpsilon(cumulant, 0);
      bracket =
          Bracket.meet(
              bracket, measure.apply(new Pass(terms, cumulant, window, new Fft(FIRST_GRID))));
    }
    if (bracket.within(LOCATED)) {
      window = Window.forBoth(cumulant, bracket.upper(), logDelta);
    }
    return refine(cumulant, bracket, window, measure, tolerance, relevant);
  }

  public Bracket delta(double epsilon, double tolerance) {
    // How much of the tails may be given up depends on the answer: guess, look, and look again.
    double guess = 1e-9;
    Bracket bracket = new Bracket(0, 1);
    for (int look = 0; look < 3 && !bracket.within(tolerance); look++) {
      Composition shorter = truncated(GIVEN_UP * guess);
      bracket =
          Bracket.meet(
              bracket, shorter.deltaOfTruncated(epsilon, guess, look == 0 ? 0.1 : tolerance));
      guess = bracket.upper();
    }
    return bracket;
  }

  private Bracket deltaOfTruncated(double epsilon, double guess, double tolerance) {
    double infinity = infinity();
    if (epsilon >= maxLoss()) {
      return new Bracket(0, infinity);
    }
    Cumulant cumulant = new Cumulant(terms, Math.log(guess) + Math.log(GIVEN_UP / releases));
    Function<Pass, Bracket> measure = pass -> pass.delta(epsilon);
    Window window = Window.forEpsilon(cumulant, epsilon);
    Bracket bracket = measure.apply(new Pass(terms, cumulant, window, new Fft(FIRST_GRID)));
    if (bracket.upper() > infinity) {
      window = Window.forBoth(cumulant, epsilon, Math.log(bracket.upper()));
    }
    return refine(cumulant, bracket, window, measure, tolerance, 0);
  }

  private Bracket refine(
      Cumulant cumulant,
      Bracket known,
      Window window,
      Function<Pass, Bracket> measure,
      double tolerance,
      double relevant) {
    Bracket bracket = known;
    long work = terms.stream().mapToLong(term -> term.upper().cost()).sum();
    int last = (int) Math.min(LAST_GRID, Long.highestOneBit(Math.max(256, LARGEST_WORK / work)));
    int n = Math.min(FIRST_GRID, last);
    while (true) {
      if (bracket.within(tolerance) || bracket.upper() <= relevant || n > last) {
        return bracket;
      }
      bracket = Bracket.meet(bracket, measure.apply(new Pass(terms, cumulant, window, new Fft(n))));
      // The width falls with the square of the step.
      double factor = Math.sqrt(bracket.width() / (tolerance * bracket.upper()));
      int next = n * (factor <= 2 ? 2 : factor <= 4 ? 4 : 8);
      n = n < last ? Math.min(next, last) : next;
    }
  }
}

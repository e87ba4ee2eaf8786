package dev.discreet.accounting.internal.pld;

import java.util.List;
import java.util.function.DoublePredicate;

/**
 * The composition of terms in one direction: chooses tilt and window, and refines the grid until
 * the bracket is narrow enough or the grid is as large as we allow.
 */
public final class LossComposition {
  private static final int FIRST_GRID = 1 << 12;
  private static final int LAST_GRID = 1 << 20;
  // Larger grids take a good part of a second. The last tenth of the tolerance is not worth that.
  private static final int LARGE_GRID = 1 << 18;
  private static final int MIDDLE_GRID = 1 << 15;
  private static final double SMALL_EPSILON = 1e-3;
  // Cells times distributions: bounds the time of a ledger with many different or costly entries.
  private static final long LARGEST_WORK = 1L << 22;
  private static final long LOOK_WORK = 1L << 19;

  // The window moves when ε is found to be less than this share of where it was looked for, a few
  // times at most.
  private static final double MOVED = 0.9;
  private static final int MOST_MOVES = 4;
  // Share of delta that may be given up for shorter tails: a few rare, large losses would else
  // decide the whole window.
  private static final double GIVEN_UP = 1e-6;

  private static final int MOST_LOOKS = 5;
  private static final double FIRST_GUESS = 1e-9;
  // A δ below this is not refined.
  private static final double FAINTEST_DELTA = 1e-40;

  private final List<RepeatedRelease> terms;
  private final double releases;

  public LossComposition(List<RepeatedRelease> terms) {
    this.terms = List.copyOf(terms);
    this.releases = terms.stream().mapToDouble(RepeatedRelease::count).sum();
  }

  /**
   * The same with tails cut such that at most {@code mass} more of probability counts as an
   * infinite loss.
   */
  private LossComposition truncated(double mass) {
    return new LossComposition(
        terms.stream()
            .map(
                t ->
                    new RepeatedRelease(
                        t.upper().truncated(mass / releases), t.attained(), t.count()))
            .toList());
  }

  /** The largest finite loss of all together. */
  public double maxLoss() {
    return terms.stream().mapToDouble(term -> term.count() * term.upper().max()).sum();
  }

  /** The largest loss that neighbouring outputs are known to reach. */
  public double attainedLoss() {
    return terms.stream()
        .filter(term -> term.attained() != null)
        .mapToDouble(term -> term.count() * term.attained().max())
        .sum();
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
    CumulantFunction cumulant =
        new CumulantFunction(terms, logDelta + Math.log(GIVEN_UP / releases));
    Bracket bracket = new Bracket(0, Math.max(0, maxLoss()));
    LossWindow window = LossWindow.forDelta(cumulant, logDelta);
    Question question = new EpsilonOf(delta, logDelta);
    return refine(cumulant, bracket, window, question, tolerance, relevant);
  }

  /**
   * @param tolerance the width to aim at, relative to δ
   * @param relevant ends below this need not be refined: another direction is worse
   */
  public Bracket delta(double epsilon, double tolerance, double relevant) {
    // How much of the tails may be given up depends on the answer: rough looks first.
    double guess = FIRST_GUESS;
    Bracket bracket = new Bracket(0, 1);
    for (int look = 0; look < MOST_LOOKS; look++) {
      Bracket rough =
          truncated(GIVEN_UP * guess)
              .deltaOfTruncated(epsilon, guess, Double.POSITIVE_INFINITY, relevant);
      bracket = Bracket.meet(bracket, rough);
      boolean settled = bracket.upper() > 0.01 * guess || bracket.upper() < FAINTEST_DELTA;
      guess = Math.max(FAINTEST_DELTA, bracket.upper());
      if (settled) {
        break;
      }
    }
    if (bracket.upper() < FAINTEST_DELTA
        || bracket.upper() <= relevant
        || bracket.within(tolerance)) {
      return bracket;
    }
    return Bracket.meet(
        bracket, truncated(GIVEN_UP * guess).deltaOfTruncated(epsilon, guess, tolerance, relevant));
  }

  private Bracket deltaOfTruncated(
      double epsilon, double guess, double tolerance, double relevant) {
    double infinity = infinity();
    if (epsilon >= maxLoss()) {
      return new Bracket(0, infinity);
    }
    CumulantFunction cumulant =
        new CumulantFunction(terms, Math.log(guess) + Math.log(GIVEN_UP / releases));
    Question question = new DeltaOf(epsilon);
    LossWindow window = LossWindow.forEpsilon(cumulant, epsilon);
    int rough = largest(FIRST_GRID, LOOK_WORK);
    List<GridComposition> look =
        List.of(new GridComposition(terms, cumulant, window, new Fft(rough)));
    Bracket bracket = question.answer(look, new Bracket(0, 1), 0);
    if (bracket.within(tolerance)) {
      return bracket;
    }
    if (bracket.upper() > infinity) {
      window = LossWindow.forBoth(cumulant, epsilon, Math.log(bracket.upper()));
    }
    return refine(cumulant, bracket, window, question, tolerance, relevant);
  }

  /** What is asked, of one pass over all outputs or of two over their parts. */
  private interface Question {
    /**
     * @param known what the answer is known to be inside of
     * @param precision to answer with, relative
     */
    Bracket answer(List<GridComposition> parts, Bracket known, double precision);

    /** The ε in question, from above. */
    double epsilon(Bracket known);

    double logDelta(Bracket known);

    /** Whether a grid of more than {@code n} cells is not worth its time. */
    default boolean settled(Bracket known, double tolerance, int n) {
      return known.within(tolerance);
    }
  }

  private record DeltaOf(double epsilon) implements Question {
    @Override
    public Bracket answer(List<GridComposition> parts, Bracket known, double precision) {
      return new Bracket(below(parts, epsilon), Math.min(1, above(parts, epsilon)));
    }

    @Override
    public double epsilon(Bracket known) {
      return epsilon;
    }

    @Override
    public double logDelta(Bracket known) {
      return Math.log(known.upper());
    }

    static double above(List<GridComposition> parts, double epsilon) {
      return parts.stream().mapToDouble(part -> part.deltaAbove(epsilon)).sum() * (1 + 1e-15);
    }

    static double below(List<GridComposition> parts, double epsilon) {
      return parts.stream().mapToDouble(part -> part.deltaBelow(epsilon)).sum() * (1 - 1e-15);
    }
  }

  private record EpsilonOf(double delta, double logDelta) implements Question {
    @Override
    public Bracket answer(List<GridComposition> parts, Bracket known, double precision) {
      return parts.size() == 1 ? parts.get(0).epsilon(delta) : fromParts(parts, known, precision);
    }

    private Bracket fromParts(List<GridComposition> parts, Bracket known, double precision) {
      double step = parts.stream().mapToDouble(GridComposition::step).min().orElseThrow();
      return new Bracket(
          last(at -> DeltaOf.below(parts, at) > delta, known, precision, step)[0],
          last(at -> !(DeltaOf.above(parts, at) <= delta), known, precision, step)[1]);
    }

    /**
     * By bisection, a place in the bracket where a condition still holds, and where no more. If it
     * never does, both are 0.
     */
    private static double[] last(
        DoublePredicate holds, Bracket known, double precision, double step) {
      double low = known.lower();
      double high = known.upper();
      if (low == 0 && !holds.test(0)) {
        return new double[] {0, 0};
      }
      while (high - low > Math.max(precision * high, step / 16)) {
        double middle = (low + high) / 2;
        if (holds.test(middle)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return new double[] {low, high};
    }

    /** An ε that hardly differs from 0 gets no large grid. */
    @Override
    public boolean settled(Bracket known, double tolerance, int n) {
      return known.within(tolerance)
          || n >= MIDDLE_GRID && known.width() <= tolerance * SMALL_EPSILON;
    }

    @Override
    public double epsilon(Bracket known) {
      return known.upper();
    }

    @Override
    public double logDelta(Bracket known) {
      return logDelta;
    }
  }

  /** The largest grid up to {@code most} that does not pass some work. */
  private int largest(int most, long allowed) {
    long work = terms.stream().mapToLong(term -> term.upper().cost()).sum();
    return (int) Math.min(most, Long.highestOneBit(Math.max(256, allowed / work)));
  }

  /**
   * Ever finer grids until the bracket is narrow enough. The bound where the window is at first may
   * be far above ε when few rare losses decide; once that shows, the window moves to where ε is.
   */
  private Bracket refine(
      CumulantFunction cumulant,
      Bracket known,
      LossWindow first,
      Question question,
      double tolerance,
      double relevant) {
    Bracket bracket = known;
    LossWindow window = first;
    int last = largest(LAST_GRID, LARGEST_WORK);
    int n = Math.min(FIRST_GRID, last);
    int moves = 0;
    int growth = 1;
    while (!question.settled(bracket, n < LARGE_GRID ? tolerance : 10 * tolerance, n)
        && bracket.upper() > relevant) {
      List<LossWindow> parts =
          LossWindow.split(
              cumulant, question.epsilon(bracket), question.logDelta(bracket), window.width(), n);
      Bracket before = bracket;
      Fft fft = new Fft(n);
      List<GridComposition> passes =
          (parts.isEmpty() ? List.of(window) : parts)
              .stream().map(part -> new GridComposition(terms, cumulant, part, fft)).toList();
      // On a large grid each step of a search takes a while: a few must do.
      double coarse = n < LARGE_GRID ? 0 : bracket.width() / bracket.upper() / 64;
      double precision = Math.max(tolerance / 10, coarse);
      bracket = Bracket.meet(bracket, question.answer(passes, bracket, precision));
      double epsilon = question.epsilon(bracket);
      if (moves < MOST_MOVES
          && epsilon < MOVED * Math.min(window.center(), question.epsilon(before))) {
        boolean below = epsilon < window.bottom() + 2 * window.width() / n;
        window = LossWindow.forBoth(cumulant, below ? 0 : epsilon, question.logDelta(bracket));
        moves++;
        growth = 1;
      } else if (growth > 1 && !attained() && stays(before, bracket, tolerance, growth)) {
        return bracket;
      } else if (n == last) {
        return window == first || bracket.within(100 * tolerance)
            ? bracket
            : Bracket.meet(
                bracket,
                question.answer(
                    List.of(new GridComposition(terms, cumulant, first, new Fft(n))),
                    bracket,
                    tolerance));
      } else {
        // The width falls with the square of the step.
        double factor = Math.sqrt(bracket.width() / (tolerance * bracket.upper()));
        growth = Math.min(last / n, factor <= 2 ? 2 : factor <= 4 ? 4 : 8);
        n *= growth;
      }
    }
    return bracket;
  }

  /** Whether the upper end is attained; else the ends do not meet, however fine the grid. */
  private boolean attained() {
    return terms.stream().allMatch(term -> term.attained() == term.upper());
  }

  /**
   * Whether an even finer grid would move neither end by as much as it matters, after one with
   * {@code growth} times the cells did move them.
   */
  private static boolean stays(Bracket before, Bracket after, double tolerance, int growth) {
    double little = Math.max(tolerance / 2 * after.upper(), after.width() / 100) * (growth - 1);
    return before.upper() - after.upper() <= little && after.lower() - before.lower() <= little;
  }
}

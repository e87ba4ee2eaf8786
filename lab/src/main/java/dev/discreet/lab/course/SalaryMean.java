package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;
import static java.util.stream.Collectors.joining;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.ColumnBounds;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.algorithms.query.Sensitivity;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Ruling;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Verdict;
import dev.discreet.lab.Workshop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Document 001, problem 3: the mean of five salaries with Laplace noise. */
public final class SalaryMean extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "salary",
          "001",
          "problem 3",
          "the mean of five salaries over ε, local against global sensitivity",
          SalaryMean::new);

  static final double[] D1 = {130530, 104141, 90385, 91919, 81334};

  /** Where the document names none: what is declared of a salary. */
  static final ColumnBounds BOUNDS = new ColumnBounds(0, 200_000);

  private static final double[] EPSILONS = {0.1, 1, 2, 10, 100, 1000};
  private static final double[] PUBLISHED = {
    92788.53, 111458.11, 101603.66, 99400.37, 99682.58, 99675.37
  };

  /** How noise is made. */
  private enum Way {
    LOCAL("local sensitivity, the document's"),
    GLOBAL("global sensitivity, n known"),
    LIBRARY("private query, n unknown");

    final String label;

    Way(String label) {
      this.label = label;
    }
  }

  private SalaryMean(Setup setup) {
    super(setup);
  }

  private final int draws = effort.pick(100, 2000);

  private Trial trial(Way way, double epsilon) {
    // Others for each, so that answers over ε are not one draw made larger and smaller.
    long seed = 10 * Arrays.binarySearch(EPSILONS, epsilon) + way.ordinal();
    return new Answers(list(D1), BOUNDS.low(), BOUNDS.high(), way, epsilon, draws, seed);
  }

  private static List<Double> list(double... values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(x -> x).toArray();
  }

  /** Noisy means, and how far they are from the true one. */
  private record Answers(
      List<Double> salaries, double low, double high, Way way, double epsilon, int draws, long seed)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      RandomGenerator random = new SplittableRandom(seed);
      double[] data = array(salaries);
      double truth = mean(data);
      double scale = (way == Way.LOCAL ? listed(data) : (high - low) / data.length) / epsilon;
      double[] answers = new double[draws];
      for (int i = 0; i < draws; i++) {
        workshop.checkStopped();
        answers[i] =
            way == Way.LIBRARY
                ? asked(data, seed * 1_000_000 + i)
                : truth + scale * laplace(random);
      }
      Sample offs = Sample.of(Arrays.stream(answers).map(a -> Math.abs(a - truth)).toArray());
      return Outcome.of("answer", answers[0])
          .with("off", offs.mean())
          .with("deviation", offs.deviation());
    }

    /** The library's own query, from a seed. */
    private double asked(double[] data, long from) {
      Journal journal = Journal.inMemory(Neighbouring.ADD_REMOVE);
      try (PrivacySession session = PrivacySession.open(journal, Randomness.insecure(from))) {
        return new Query.Mean(new ColumnBounds(low, high))
            .ask(session, new Protection.Laplace(epsilon), () -> QueryColumn.ofRows(data))
            .value();
      }
    }
  }

  private static double laplace(RandomGenerator random) {
    double exponential = -Math.log1p(-random.nextDouble());
    return random.nextBoolean() ? exponential : -exponential;
  }

  static double mean(double[] data) {
    return Arrays.stream(data).average().orElse(0);
  }

  /** The listing's sensitivity: the first salary taken away, and no other. */
  static double listed(double[] data) {
    return Math.abs(mean(data) - mean(without(data, 0)));
  }

  static double[] without(double[] data, int i) {
    return DoubleStream.concat(Arrays.stream(data, 0, i), Arrays.stream(data, i + 1, data.length))
        .toArray();
  }

  private static final Trial SENSITIVITIES = new Sensitivities(list(D1), List.of(0.0, 200_000.0));

  /**
   * Sensitivities of the mean, by trying all neighbours over a few values that a salary may have.
   *
   * @param others beside those that there are
   */
  private record Sensitivities(List<Double> salaries, List<Double> others) implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      double[] data = array(salaries);
      double[] domain =
          DoubleStream.concat(Arrays.stream(data), Arrays.stream(array(others))).toArray();
      Sensitivity found = Sensitivity.of(SalaryMean::mean, data, domain, Neighbouring.ADD_REMOVE);
      return Outcome.of("local", found.local()).with("global", found.global());
    }
  }

  @Override
  protected void write() {
    question(
        """
        Laplace noise of scale s/ε on a mean is to make it ε-private, with s the local sensitivity;
        a larger ε is to give a more accurate answer.
        """,
        "answer; the true mean is 99661.80");
    for (int i = 0; i < EPSILONS.length; i++) {
      for (Way way : Way.values()) {
        row(
            "ε = " + show(EPSILONS[i]) + ", one answer",
            way.label,
            way == Way.LOCAL ? PUBLISHED[i] : Double.NaN,
            sample(trial(way, EPSILONS[i]), "answer"));
      }
    }
    removals();
    distances();
    single();
    picture().caption("Mean distance of the answer from the true mean, over ε.");
    verdicts();
    assumed(
        """
        The document states no bounds; salaries in [0, 200000] are declared here. Without any the
        global sensitivity is infinite and no noise suffices.

        Neighbours differ by one person's presence, as in the document's D2 to D6; for the middle
        column the number of people is public and neighbours replace one, so the mean moves by up to
        200000/5 = 40000. The private query takes the number as secret too: it releases two sums and
        divides, and its answer is moved into the bounds, which is why it errs least where noise is
        largest.
        """);
    command(
        "discreet query mean --data salaries.csv --column salary --bounds 0..200000 --epsilon 1\n"
            + "# salaries.csv is made by: printf '%s\\n' salary 130530 104141 90385 91919 81334 > salaries.csv\n");
  }

  private void removals() {
    PageTable table =
        table("What taking one salary away changes", "data | without | mean | |f(D1) − f(D)|");
    for (int i = 0; i < D1.length; i++) {
      double mean = mean(without(D1, i));
      table.row(
          "D" + (i + 2),
          format("%.0f", D1[i]),
          format("%.2f", mean),
          format("%.2f", Math.abs(mean(D1) - mean)));
    }
  }

  private void distances() {
    PageTable table =
        table(
            "Distance from the true mean: mean ± standard deviation over " + draws + " answers",
            Stream.of(Way.values()).map(way -> " | " + way.label).collect(joining("", "ε", "")));
    for (double epsilon : EPSILONS) {
      List<Object> row = new ArrayList<>(List.of(epsilon));
      for (Way way : Way.values()) {
        row.add(
            outcomes
                .of(trial(way, epsilon))
                .map(o -> format("%.1f ± %.1f", o.value("off"), o.value("deviation")))
                .orElse("—"));
      }
      table.row(row.toArray());
    }
  }

  /** How likely an error as large as the document's single ones is. */
  private void single() {
    PageTable table =
        table(
            "The document's single answers against the scale that its listing has",
            "ε | answer | off by | scale 7717.05/ε | chance of being off that far");
    for (int i = 0; i < EPSILONS.length; i++) {
      double off = Math.abs(PUBLISHED[i] - mean(D1));
      double scale = listed(D1) / EPSILONS[i];
      table.row(
          EPSILONS[i],
          format("%.2f", PUBLISHED[i]),
          format("%.2f", off),
          format("%.2f", scale),
          format("%.2f", Math.exp(-off / scale)));
    }
  }

  private Picture picture() {
    Picture picture = picture("", "salary: error of the mean over ε", "ε", "mean distance");
    for (Way way : Way.values()) {
      picture.means(
          way.label,
          way == Way.LOCAL,
          list(EPSILONS),
          epsilon -> epsilon,
          epsilon -> sample(trial(way, epsilon), "off"));
    }
    return picture;
  }

  private void verdicts() {
    List<String> steps = new ArrayList<>();
    boolean falls = true;
    boolean known = true;
    for (int i = 1; i < EPSILONS.length; i++) {
      Contrast contrast = nearer(EPSILONS[i], EPSILONS[i - 1]);
      falls &= contrast.order() == Order.BELOW;
      known &= !Double.isNaN(contrast.difference());
      steps.add(show(EPSILONS[i]) + " against " + show(EPSILONS[i - 1]) + ": " + contrast.text());
    }
    verdict(
        """
        A larger ε is more accurate: %s in the mean distance over %s answers (%s). The document's
        single answers do not show it: ε = 0.1 is off by 6873, ε = 1 by 11796. They fit their scale
        (last table).
        """,
        known ? falls ? Ruling.CONFIRMED : Ruling.INCONCLUSIVE : Verdict.NOT_RUN,
        draws,
        String.join("; ", steps));
    verdict(
        """
        The listing takes |f(D1) − f(D2)| = 7717.05 for the local sensitivity. That is the largest
        of the five removals only because the first salary is the outlier, and removals are not all
        neighbours: with a salary added it is %s. The global sensitivity over [0, 200000] is %s for
        five people.
        """,
        outcomes.text(SENSITIVITIES, "local", "%.2f"),
        outcomes.text(SENSITIVITIES, "global", "%.2f"));
    double added = (BOUNDS.high() - mean(D1)) / (D1.length + 1);
    double delta = delta(mean(D1), listed(D1), mean(without(D1, 0)), listed(without(D1, 0)), 1);
    verdict(
        """
        K is ε-private, as claimed: %s. With the printed scale, 7717.05/ε whatever the data, a
        salary of 200000 added moves the mean by %.2f: %.2f times the ε that is said. With the
        sensitivity taken anew of each data set, as local sensitivity reads, the scale itself is a
        function of the data: on D1 it is 7717.05, on its neighbour D2 %.2f, so far answers tell
        them apart without bound; at ε = 1 the pair needs δ = %.3f, not 0. Five equal salaries would
        get no noise at all.
        """,
        Ruling.REFUTED, added, added / listed(D1), listed(without(D1, 0)), delta);
  }

  /** How much nearer answers at one ε are than at another, with the document's noise. */
  private Contrast nearer(double epsilon, double than) {
    Optional<Outcome> first = outcomes.of(trial(Way.LOCAL, epsilon));
    Optional<Outcome> second = outcomes.of(trial(Way.LOCAL, than));
    if (first.isEmpty() || second.isEmpty()) {
      return new Contrast(Double.NaN, Double.NaN);
    }
    // So many draws that the normal distribution will do.
    double error =
        Math.hypot(first.get().value("deviation"), second.get().value("deviation"))
            / Math.sqrt(draws);
    return new Contrast(first.get().value("off") - second.get().value("off"), 1.96 * error);
  }

  /** sup P(S) − e^ε Q(S) for two Laplace distributions, over both orders, by the trapezium rule. */
  static double delta(double a, double scaleA, double b, double scaleB, double epsilon) {
    double reach = 60 * Math.max(scaleA, scaleB);
    double from = Math.min(a, b) - reach;
    double to = Math.max(a, b) + reach;
    int cells = 400_000;
    double step = (to - from) / cells;
    double forward = 0;
    double backward = 0;
    for (int i = 0; i <= cells; i++) {
      double x = from + i * step;
      double p = Math.exp(-Math.abs(x - a) / scaleA) / (2 * scaleA);
      double q = Math.exp(-Math.abs(x - b) / scaleB) / (2 * scaleB);
      forward += Math.max(0, p - Math.exp(epsilon) * q) * step;
      backward += Math.max(0, q - Math.exp(epsilon) * p) * step;
    }
    return Math.max(forward, backward);
  }
}

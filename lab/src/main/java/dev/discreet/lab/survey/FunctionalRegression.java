package dev.discreet.lab.survey;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Document 004 §4.2: linear regression with noise on the coefficients of its loss. */
public final class FunctionalRegression extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "functional",
          "004",
          "§4.2",
          "linear regression by the functional mechanism, over ε, beside least squares",
          FunctionalRegression::new);

  /** Of the two methods with Gaussian noise. */
  static final double DELTA = 1e-6;

  /** Where people come from. Each seed draws them anew, or only the noise. */
  interface Source {
    DataSet open(Workshop workshop, long seed) throws IOException;
  }

  /**
   * The generated census.
   *
   * @param others a number that tells these people from those of another source
   */
  record Census(int train, int test, long others) implements Source {
    @Override
    public DataSet open(Workshop workshop, long seed) {
      return GeneratedSets.make("census", others + seed, train, test);
    }
  }

  /** Incomes of a file of PUMS. */
  private record Pums(String set, String file, String label, List<String> columns, double testShare)
      implements Source {
    @Override
    public DataSet open(Workshop workshop, long seed) throws IOException {
      return DataSets.open(
          workshop.folder(set).resolve(file).toString(),
          DataOptions.builder()
              .label(label)
              .columns(columns)
              .testShare(testShare)
              .relation(Neighbouring.REPLACE_ONE)
              .build());
    }
  }

  /** The sets, four fifths of the rows to train on. */
  enum People {
    US("in place of US", "census, 370,000 rows", new Census(296_000, 74_000, 0)),
    BRAZIL("in place of Brazil", "census, 190,000 rows", new Census(152_000, 38_000, 1000)),
    FULTON(
        "Fulton County",
        "PUMS, 25,766 rows",
        new Pums(
            "pums-employment",
            "FultonPUMS5full.csv",
            "income=0..200000",
            List.of(
                ("sex=0..1 age=18..95 educ=1..16 latino=0..1 black=0..1 asian=0..1 married=0..1"
                        + " divorced=0..1 uscitizen=0..1 children=0..1 disability=0..1"
                        + " militaryservice=0..1 employed=0..1 englishability=0..1")
                    .split(" ")),
            0.2));

    final String label;
    final String text;
    private final Source source;

    People(String label, String text, Source source) {
      this.label = label;
      this.text = text;
      this.source = source;
    }
  }

  private final List<Double> epsilons =
      effort.pick(List.of(0.1, 1.6, 12.8), List.of(0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8));

  private FunctionalRegression(Setup setup) {
    super(setup);
  }

  private List<Trial> trials(People people) {
    return seeds(10, seed -> new Regressions(people.source, epsilons, DELTA, seed));
  }

  /** Held-out losses of all methods over ε, beside that of least squares. */
  record Regressions(Source source, List<Double> epsilons, double delta, long seed)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      return fits(workshop, source.open(workshop, seed), epsilons, delta, seed);
    }
  }

  static Outcome fits(
      Workshop workshop, DataSet data, List<Double> epsilons, double delta, long seed) {
    DataSet.Part test = data.test().orElseThrow();
    LinearModel plain = RegressionMethod.leastSquares(data.train());
    Outcome outcome =
        Outcome.of(RegressionMethod.LEAST_SQUARES, RegressionMethod.loss(plain, test));
    long noise = 1000 * seed;
    for (RegressionMethod fit : RegressionMethod.values()) {
      List<Double> losses = new ArrayList<>();
      for (double epsilon : epsilons) {
        workshop.checkStopped();
        // Each its own noise: none is the better one for having had the same draw.
        losses.add(RegressionMethod.loss(fit.fit(data.train(), epsilon, delta, noise++), test));
      }
      outcome = outcome.with(fit.measure, losses);
    }
    return outcome;
  }

  private Sample losses(RegressionMethod fit, int at, List<Outcome> outcomes) {
    return Sample.of(outcomes, o -> o.curve(fit.measure).get(at));
  }

  /** How much the loss is above that of least squares on the same rows, in percent. */
  private Sample above(RegressionMethod fit, int at, List<Outcome> outcomes) {
    return Sample.of(
        outcomes,
        o -> 100 * (o.curve(fit.measure).get(at) / o.value(RegressionMethod.LEAST_SQUARES) - 1));
  }

  @Override
  protected void write() {
    question(
        """
        With noise on the coefficients, the loss on held-out rows is to be above that of least
        squares on both sets, and to fall as ε grows. The figures 2 and 3 have no numbers in the
        text.
        """,
        "test loss, 1/(2m)·Σ(h − y)² with y in [−1, 1], times 1000");
    for (People people : People.values()) {
      List<Outcome> known = outcomes.of(trials(people));
      rows(people, known);
      if (!known.isEmpty()) {
        figure(people, known);
      }
      verdicts(people, known);
    }
    documents();
    command(
        "discreet regress --data census --data-seed 1 --method functional --epsilon 0.8"
            + " --neighbouring replace-one --out income");
  }

  private void rows(People people, List<Outcome> known) {
    row(people.label, RegressionMethod.LEAST_SQUARES, plain(known).over(0.001));
    for (int i = 0; i < epsilons.size(); i++) {
      for (RegressionMethod fit : RegressionMethod.values()) {
        row(
            people.label + ", ε = " + epsilons.get(i),
            fit.label,
            losses(fit, i, known).over(0.001));
      }
    }
  }

  private Sample plain(List<Outcome> known) {
    return Sample.of(known, o -> o.value(RegressionMethod.LEAST_SQUARES));
  }

  private void figure(People people, List<Outcome> known) {
    Picture picture = picture(people.name(), "loss over ε: " + people.text, "ε", "test loss");
    for (RegressionMethod fit : RegressionMethod.values()) {
      picture.means(
          fit.label,
          false,
          epsilons,
          epsilon -> epsilon,
          epsilon -> losses(fit, epsilons.indexOf(epsilon), known));
    }
    picture.level(
        RegressionMethod.LEAST_SQUARES,
        epsilons.get(0),
        epsilons.get(epsilons.size() - 1),
        plain(known).mean());
    picture.caption(
        "Test loss over ε, %s (%s), mean over seeds; dashed: least squares.",
        people.text, people.label);
  }

  private void verdicts(People people, List<Outcome> known) {
    int last = epsilons.size() - 1;
    for (int at : new int[] {0, last}) {
      verdict(
          """
          %s, ε = %s, with the document's scales of noise the loss is above least squares', in
          percent of it: %s.
          """,
          people.label,
          epsilons.get(at),
          Contrast.paired(above(RegressionMethod.AS_PRINTED, at, known)).verdict(Order.ABOVE));
    }
    Sample falls = printed(known, losses -> 100 * (losses.get(0) / losses.get(last) - 1));
    verdict(
        """
        %s, the loss falls with ε, from the smallest to the largest, in percent of the last: %s%s.
        """,
        people.label, Contrast.paired(falls).verdict(Order.ABOVE), steps(known, epsilons));
    verdict(
        "%s, loss above least squares' at ε = %s: %s.",
        people.label,
        epsilons.get(0),
        Arrays.stream(RegressionMethod.values())
            .map(fit -> fit.label + " " + above(fit, 0, known).text(1) + "%")
            .collect(Collectors.joining(", ")));
  }

  /** A number of each seed's losses over ε, with noise as printed. */
  private Sample printed(List<Outcome> known, Function<List<Double>, Double> what) {
    return Sample.of(known, o -> what.apply(o.curve(RegressionMethod.AS_PRINTED.measure)));
  }

  /** Whether the loss falls at every single step of ε. */
  private String steps(List<Outcome> known, List<Double> epsilons) {
    if (known.isEmpty()) {
      return "";
    }
    List<String> undecided = new ArrayList<>();
    for (int i = 1; i < epsilons.size(); i++) {
      int at = i;
      Sample changes = printed(known, losses -> losses.get(at) - losses.get(at - 1));
      if (Contrast.paired(changes).order() != Order.BELOW) {
        undecided.add(epsilons.get(i - 1) + " to " + epsilons.get(i));
      }
    }
    return undecided.isEmpty()
        ? ", and at every step of ε"
        : ", and at every step of ε but from " + String.join(" and from ", undecided);
  }

  private void documents() {
    verdict(
        """
        In the document: Δ₁ = 2(d+1)² counts both of each symmetric pair of coefficients and Δ₂ =
        4(d+1) has the factor 2 of the linear term in it. Both are bounds, so its guarantee holds;
        the first is nearly twice what it need be, (d+1)(d+2).

        In the document: J has 1/(2m) in front and the sensitivities have not, so they are those of
        the sums; noise on the means, as the algorithm reads, would be 2m times too much. Here it
        goes onto the sums.

        In the document: the proof's Laplace densities lack their minus sign, and its absolute
        values stand around single coefficients with a sum inside; the bound that follows is right.

        In the document: "the optimal θ is −b/(2a)" is for one weight. A noisy matrix need not be
        positive definite, and then there is no minimum; here a ridge and the trimming of directions
        see to that, at no cost of privacy.

        In the document: scaling features "to [−1, 1]" by the rows' own extremes would be a release
        that is not paid for. Here bounds are declared.
        """);
    assumed(
        """
        The document's census files (IPUMS US and Brazil) may not be passed on. In their place are
        the generated census with as many rows, 13 features and an intercept; each seed draws people
        and noise anew. Orderings can be compared, sizes cannot.

        Fulton County: US Census PUMS as prepared for a course; income moved into [0, 200,000] from
        14 features. One split for all seeds, decided by the rows' contents; the seeds are those of
        the noise.

        Neighbours differ by one replaced row, as in the document. The split of ε is not printed,
        only that ε₁ ≥ ε₂: ε₁ : ε₂ = Δ₁ : Δ₂ is taken.

        "%s": the document's a has (d+1)² coefficients with a draw of noise each, so that two draws
        meet in each pair of equal ones and their mean counts. Ours draws once for a pair: off the
        diagonal its noise is √2 times the document's.

        Beside it: the best split of the same Laplace noise at our sensitivities, Gaussian noise on
        the same coefficients, and sufficient statistics with an adaptive ridge (AdaSSP), the last
        two at δ = 1e-6.

        Seeds: %s; intervals are of paired differences.

        The command is one draw of the row "%s, ε = 0.8", %s, on the people of seed 1; its noise is
        secret.
        """,
        RegressionMethod.AS_PRINTED.label,
        effort.seeds(10).count(),
        People.US.label,
        RegressionMethod.BEST.label);
  }
}

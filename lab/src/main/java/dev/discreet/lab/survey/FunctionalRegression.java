package dev.discreet.lab.survey;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.regression.LinearModel;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.report.LinePlot.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Document 004 §4.2: linear regression with noise on the coefficients of its loss. */
public final class FunctionalRegression implements Experiment {
  private static final List<String> PUMS =
      List.of(
          "sex=0..1",
          "age=18..95",
          "educ=1..16",
          "latino=0..1",
          "black=0..1",
          "asian=0..1",
          "married=0..1",
          "divorced=0..1",
          "uscitizen=0..1",
          "children=0..1",
          "disability=0..1",
          "militaryservice=0..1",
          "employed=0..1",
          "englishability=0..1");

  /** The sets, four fifths of the rows to train on. */
  enum People {
    US("in place of US", "census, 370,000 rows"),
    BRAZIL("in place of Brazil", "census, 190,000 rows"),
    FULTON("Fulton County", "PUMS, 25,766 rows");

    final String label;
    final String text;

    People(String label, String text) {
      this.label = label;
      this.text = text;
    }

    DataSet open(Workshop workshop, long seed) throws IOException {
      return switch (this) {
        case US -> GeneratedSets.make("census", seed, 296_000, 74_000);
        // Other people than the first: another seed.
        case BRAZIL -> GeneratedSets.make("census", 1000 + seed, 152_000, 38_000);
        case FULTON -> pums(workshop);
      };
    }

    private static DataSet pums(Workshop workshop) throws IOException {
      return DataSets.open(
          workshop.folder("pums-employment").resolve("FultonPUMS5full.csv").toString(),
          DataOptions.builder()
              .label("income=0..200000")
              .columns(PUMS)
              .relation(Neighbouring.REPLACE_ONE)
              .build());
    }
  }

  @Override
  public String name() {
    return "functional";
  }

  @Override
  public String document() {
    return "004 §4.2";
  }

  @Override
  public String summary() {
    return "linear regression by the functional mechanism, over ε, beside least squares";
  }

  static List<Double> epsilons(Effort effort) {
    return effort.pick(List.of(0.1, 1.6, 12.8), List.of(0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8));
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    for (People people : People.values()) {
      all.addAll(trials(people, effort));
    }
    return all;
  }

  static List<Trial> trials(People people, Effort effort) {
    return effort
        .seeds(10)
        .mapToObj(
            seed ->
                new Trial(
                    people.text + ", ε = " + epsilons(effort) + ", seed " + seed,
                    workshop -> run(workshop, people, epsilons(effort), seed)))
        .toList();
  }

  private static Outcome run(Workshop workshop, People people, List<Double> epsilons, long seed)
      throws IOException {
    DataSet data = people.open(workshop, seed);
    return fits(workshop, data, epsilons, seed);
  }

  static Outcome fits(Workshop workshop, DataSet data, List<Double> epsilons, long seed) {
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
        losses.add(RegressionMethod.loss(fit.fit(data.train(), epsilon, noise++), test));
      }
      outcome = outcome.with(fit.measure, losses);
    }
    return outcome;
  }

  private static Sample losses(RegressionMethod fit, int at, List<Outcome> outcomes) {
    return new Sample(outcomes.stream().map(o -> o.curve(fit.measure).get(at)).toList());
  }

  /** How much the loss is above that of least squares on the same rows, in percent. */
  private static Sample above(RegressionMethod fit, int at, List<Outcome> outcomes) {
    return new Sample(
        outcomes.stream()
            .map(
                o ->
                    100
                        * (o.curve(fit.measure).get(at) / o.value(RegressionMethod.LEAST_SQUARES)
                            - 1))
            .toList());
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "With noise on the coefficients, the loss on held-out rows is to be above that of"
                + " least squares on both sets, and to fall as ε grows. The figures 2 and 3 have no"
                + " numbers in the text.",
            "test loss, 1/(2m)·Σ(h − y)² with y in [−1, 1], times 1000");
    for (People people : People.values()) {
      List<Outcome> known = outcomes.of(trials(people, effort));
      rows(finding, people, known, effort);
      if (!known.isEmpty()) {
        figure(finding, people, known, effort);
      }
      verdicts(finding, people, known, effort);
    }
    return documents(finding, effort)
        .runFile(
            "discreet regress --data census --data-seed 1 --method functional --epsilon 0.8"
                + " --neighbouring replace-one --out income")
        .build();
  }

  private static void rows(
      Finding.Builder finding, People people, List<Outcome> known, Effort effort) {
    finding.row(
        new Row(
            people.label,
            RegressionMethod.LEAST_SQUARES,
            thousand(
                new Sample(
                    known.stream().map(o -> o.value(RegressionMethod.LEAST_SQUARES)).toList())),
            2));
    List<Double> epsilons = epsilons(effort);
    for (int i = 0; i < epsilons.size(); i++) {
      for (RegressionMethod fit : RegressionMethod.values()) {
        finding.row(
            new Row(
                people.label + ", ε = " + epsilons.get(i),
                fit.label,
                thousand(losses(fit, i, known)),
                2));
      }
    }
  }

  private static Sample thousand(Sample losses) {
    return new Sample(losses.values().stream().map(loss -> 1000 * loss).toList());
  }

  private void figure(Finding.Builder finding, People people, List<Outcome> known, Effort effort)
      throws IOException {
    List<Double> epsilons = epsilons(effort);
    Picture picture =
        new Picture(
            name() + "-" + people.name().toLowerCase(java.util.Locale.ROOT),
            "loss over ε: " + people.text,
            "ε",
            "test loss");
    for (RegressionMethod fit : RegressionMethod.values()) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < epsilons.size(); i++) {
        points.add(new Point(epsilons.get(i), losses(fit, i, known).mean()));
      }
      picture.line(fit.label, false, points);
    }
    double plain =
        known.stream()
            .mapToDouble(o -> o.value(RegressionMethod.LEAST_SQUARES))
            .average()
            .orElse(0);
    picture.line(
        RegressionMethod.LEAST_SQUARES,
        true,
        List.of(
            new Point(epsilons.get(0), plain),
            new Point(epsilons.get(epsilons.size() - 1), plain)));
    picture.into(
        finding,
        "Test loss over ε, "
            + people.text
            + " ("
            + people.label
            + "), mean over seeds; dashed: least squares.");
  }

  private static void verdicts(
      Finding.Builder finding, People people, List<Outcome> known, Effort effort) {
    List<Double> epsilons = epsilons(effort);
    int last = epsilons.size() - 1;
    for (int at : new int[] {0, last}) {
      finding.verdict(
          people.label
              + ", ε = "
              + epsilons.get(at)
              + ", with the document's scales of noise the loss is above least squares', in percent"
              + " of it: "
              + Contrast.paired(above(RegressionMethod.AS_PRINTED, at, known)).verdict(Order.ABOVE)
              + ".");
    }
    Sample falls =
        new Sample(
            known.stream()
                .map(o -> o.curve(RegressionMethod.AS_PRINTED.measure))
                .map(losses -> 100 * (losses.get(0) / losses.get(last) - 1))
                .toList());
    finding.verdict(
        people.label
            + ", the loss falls with ε, from the smallest to the largest, in percent of the last: "
            + Contrast.paired(falls).verdict(Order.ABOVE)
            + steps(known, epsilons)
            + ".");
    finding.verdict(
        people.label
            + ", loss above least squares' at ε = "
            + epsilons.get(0)
            + ": "
            + java.util.Arrays.stream(RegressionMethod.values())
                .map(fit -> fit.label + " " + above(fit, 0, known).text(1) + "%")
                .collect(Collectors.joining(", "))
            + ".");
  }

  /** Whether the loss falls at every single step of ε. */
  private static String steps(List<Outcome> known, List<Double> epsilons) {
    if (known.isEmpty()) {
      return "";
    }
    List<String> undecided = new ArrayList<>();
    for (int i = 1; i < epsilons.size(); i++) {
      int at = i;
      Sample changes =
          new Sample(
              known.stream()
                  .map(o -> o.curve(RegressionMethod.AS_PRINTED.measure))
                  .map(losses -> losses.get(at) - losses.get(at - 1))
                  .toList());
      if (Contrast.paired(changes).order() != Order.BELOW) {
        undecided.add(epsilons.get(i - 1) + " to " + epsilons.get(i));
      }
    }
    return undecided.isEmpty()
        ? ", and at every step of ε"
        : ", and at every step of ε but from " + String.join(" and from ", undecided);
  }

  private static Finding.Builder documents(Finding.Builder finding, Effort effort) {
    return finding
        .verdict(
            "In the document: Δ₁ = 2(d+1)² counts both of each symmetric pair of coefficients and"
                + " Δ₂ = 4(d+1) has the factor 2 of the linear term in it. Both are bounds, so its"
                + " guarantee holds; the first is nearly twice what it need be, (d+1)(d+2).")
        .verdict(
            "In the document: J has 1/(2m) in front and the sensitivities have not, so they are"
                + " those of the sums; noise on the means, as the algorithm reads, would be 2m"
                + " times too much. Here it goes onto the sums.")
        .verdict(
            "In the document: the proof's Laplace densities lack their minus sign, and its absolute"
                + " values stand around single coefficients with a sum inside; the bound that"
                + " follows is right.")
        .verdict(
            "In the document: \"the optimal θ is −b/(2a)\" is for one weight. A noisy matrix need"
                + " not be positive definite, and then there is no minimum; here a ridge and the"
                + " trimming of directions see to that, at no cost of privacy.")
        .verdict(
            "In the document: scaling features \"to [−1, 1]\" by the rows' own extremes would be a"
                + " release that is not paid for. Here bounds are declared.")
        .assumed(
            "The document's census files (IPUMS US and Brazil) may not be passed on. In their place"
                + " are the generated census with as many rows, 13 features and an intercept; each"
                + " seed draws people and noise anew. Orderings can be compared, sizes cannot.")
        .assumed(
            "Fulton County: US Census PUMS as prepared for a course; income moved into [0,"
                + " 200,000] from 14 features. One split for all seeds, decided by the rows'"
                + " contents; the seeds are those of the noise.")
        .assumed(
            "Neighbours differ by one replaced row, as in the document. The split of ε is not"
                + " printed, only that ε₁ ≥ ε₂: ε₁ : ε₂ = Δ₁ : Δ₂ is taken.")
        .assumed(
            "\""
                + RegressionMethod.AS_PRINTED.label
                + "\": the document's a has (d+1)² coefficients with a draw of noise each, so that"
                + " two draws meet in each pair of equal ones and their mean counts. Ours draws"
                + " once for a pair: off the diagonal its noise is √2 times the document's.")
        .assumed(
            "Beside it: the best split of the same Laplace noise at our sensitivities, Gaussian"
                + " noise on the same coefficients, and sufficient statistics with an adaptive"
                + " ridge (AdaSSP), the last two at δ = 1e-6.")
        .assumed("Seeds: " + effort.seeds(10).count() + "; intervals are of paired differences.")
        .assumed(
            "The command is one draw of the row \""
                + People.US.label
                + ", ε = 0.8\", "
                + RegressionMethod.BEST.label
                + ", on the people of seed 1; its noise is secret.");
  }
}

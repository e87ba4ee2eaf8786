package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;

import dev.discreet.algorithms.geometry.ClippedKernel;
import dev.discreet.algorithms.geometry.TangentKernel;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Optimizer;
import dev.discreet.core.train.TestSet;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Numbers;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Picture;
import dev.discreet.lab.Row;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Trial;
import dev.discreet.lab.Workshop;
import dev.discreet.report.Article.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/** Document 001 §5.3: the tangent kernel under clipping, and what becomes of the loss. */
public final class Kernels implements Experiment {
  private static final double SMALL = 0.1;
  private static final double LARGE = 1000;
  private static final double RATE = 0.01;

  /**
   * A line of the document's table, or one that is not in it.
   *
   * @param printed "yes" or "no" under symmetric, semi-definite, uniform, to 0; empty if not there
   */
  private record Kind(
      String name, ClippingRule rule, double threshold, boolean layers, List<Boolean> printed) {
    /** In a training the rate makes up for factors that are small for every example. */
    double rate() {
      return rule instanceof ClippingRule.Global global
          ? RATE * (global.cutoff() / threshold)
          : RATE;
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind("none", new ClippingRule.None(), 1, false, List.of(true, true, true, true)),
          new Kind(
              "flat, C = 0.1",
              new ClippingRule.Flat(),
              SMALL,
              false,
              List.of(false, true, false, true)),
          new Kind(
              "by layer, C = 0.1",
              new ClippingRule.Flat(),
              SMALL,
              true,
              List.of(false, false, false, false)),
          new Kind(
              "flat, C = 1000",
              new ClippingRule.Flat(),
              LARGE,
              false,
              List.of(true, true, true, true)),
          new Kind("global, Z = 1000", new ClippingRule.Global(LARGE), SMALL, false, List.of()),
          new Kind("global, Z = 1", new ClippingRule.Global(1), SMALL, false, List.of()),
          new Kind(
              "automatic, γ = 0.01", new ClippingRule.Automatic(0.01), SMALL, false, List.of()));

  private static final List<String> COLUMNS =
      List.of("symmetric", "positive semi-definite", "loss never rises", "loss goes to 0");

  @Override
  public String name() {
    return "ntk";
  }

  @Override
  public String document() {
    return "001 §5.3";
  }

  @Override
  public String summary() {
    return "the convergence table: the tangent kernel and the loss under each kind of clipping";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    return KINDS.stream().map(kind -> trial(kind, effort)).toList();
  }

  private static Trial trial(Kind kind, Effort effort) {
    int networks = effort.pick(2, 12);
    long steps = effort.pick(1_000L, 100_000L);
    return new Trial(
        TinyFit.TEXT
            + ", clipping "
            + kind.name
            + ", rate "
            + Numbers.show(kind.rate())
            + ", "
            + steps
            + " steps, networks of seeds 1 to "
            + networks,
        workshop -> run(workshop, kind, networks, steps));
  }

  private static Outcome run(Workshop workshop, Kind kind, int networks, long steps) {
    Map<String, List<Double>> measures = new LinkedHashMap<>();
    for (String name : List.of("asymmetry", "form", "real", "descent", "rise", "last")) {
      measures.put(name, new ArrayList<>());
    }
    LongStream.rangeClosed(1, networks)
        .forEach(
            seed -> {
              TinyFit fit = new TinyFit(seed);
              TangentKernel tangent =
                  TangentKernel.of(
                      fit.layout(),
                      fit.start(),
                      new TestSet.Public(fit.examples()),
                      Cpu.all().withThreads(1));
              ClippedKernel kernel =
                  kind.layers
                      ? tangent.clippedByLayer(kind.rule, kind.threshold)
                      : tangent.clipped(kind.rule, kind.threshold);
              // Against the largest entry, so that rounding is told from a sign.
              double size = largest(kernel.matrix());
              measures.get("asymmetry").add(Numbers.brief(kernel.asymmetry()));
              measures.get("form").add(Numbers.brief(kernel.leastForm() / size));
              measures.get("real").add(Numbers.brief(kernel.leastRealPart() / size));
              measures.get("descent").add(Numbers.brief(kernel.descent() / size));
              PrivacyPlan.Builder plan = PrivacyPlan.nonPrivate().steps(steps);
              if (!(kind.rule instanceof ClippingRule.None)) {
                if (kind.layers) {
                  plan.clipEvenly(kind.threshold, 2);
                } else {
                  plan.clip(kind.threshold);
                }
                plan.clipping(kind.rule);
              }
              List<Double> losses =
                  fit.losses(workshop, plan, new Optimizer.Sgd(), kind.rate(), steps / 200);
              double least = Double.POSITIVE_INFINITY;
              double rise = 0;
              for (double loss : losses) {
                least = Math.min(least, loss);
                rise = Math.max(rise, loss - least);
              }
              measures.get("rise").add(Numbers.brief(rise / losses.get(0)));
              measures.get("last").add(Numbers.brief(least / losses.get(0)));
              if (seed == 1) {
                measures.put("losses", Numbers.brief(losses));
              }
            });
    return new Outcome(measures);
  }

  private static double largest(double[][] matrix) {
    double most = Double.MIN_NORMAL;
    for (double[] row : matrix) {
      for (double value : row) {
        most = Math.max(most, Math.abs(value));
      }
    }
    return most;
  }

  /** In how many networks, in percent, each column of the document's table is a yes. */
  private static List<Double> yes(Outcome outcome) {
    return List.of(
        share(outcome.curve("asymmetry"), value -> value < 1e-6),
        share(outcome.curve("form"), value -> value > -1e-9),
        share(outcome.curve("rise"), value -> value < 1e-4),
        share(outcome.curve("last"), value -> value < 0.01));
  }

  private static double share(List<Double> values, java.util.function.DoublePredicate holds) {
    return 100.0 * values.stream().mapToDouble(x -> x).filter(holds).count() / values.size();
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "The document's table says for each kind of clipping whether the tangent kernel is"
                + " symmetric and positive semi-definite, whether the loss falls uniformly, and"
                + " whether it goes to 0. Published yes is 100, no is 0.",
            "networks of which it is true, %");
    List<List<String>> printed = new ArrayList<>();
    List<List<String>> figures = new ArrayList<>();
    Picture picture =
        new Picture(name() + "-loss", "loss of the first network", "step", "mean loss").even();
    for (Kind kind : KINDS) {
      Trial trial = trial(kind, effort);
      List<Double> yes = outcomes.of(trial).map(Kernels::yes).orElse(List.of());
      List<String> row = new ArrayList<>(List.of(kind.name));
      for (int column = 0; column < COLUMNS.size(); column++) {
        finding.row(
            new Row(
                "clipping: " + kind.name,
                COLUMNS.get(column),
                kind.printed.isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(kind.printed.get(column) ? 100 : 0),
                yes.isEmpty() ? Sample.of() : Sample.of(yes.get(column)),
                0));
        row.add(
            (kind.printed.isEmpty() ? "—" : kind.printed.get(column) ? "yes" : "no")
                + " / "
                + (yes.isEmpty() ? "—" : word(yes.get(column))));
      }
      printed.add(row);
      outcomes
          .of(trial)
          .ifPresent(
              outcome -> {
                figures.add(figures(kind, outcome));
                picture.fromStart(
                    kind.name,
                    !kind.printed.isEmpty() && kind.printed.get(0),
                    effort.pick(1_000, 100_000),
                    outcome.curve("losses"));
              });
    }
    List<String> columns = new ArrayList<>(List.of("clipping"));
    columns.addAll(COLUMNS);
    finding.table(new Table("The document's table: printed / ours", columns, printed));
    if (!figures.isEmpty()) {
      finding.table(
          new Table(
              "The same in figures, over all networks",
              List.of(
                  "clipping",
                  "mean asymmetry",
                  "xᵀKx < 0 for some x",
                  "eigenvalue with real part < 0",
                  "loss rises at the start",
                  "largest rise on the way",
                  "largest last loss"),
              figures));
    }
    picture.into(finding, "The loss of the network of seed 1 over the steps.");
    verdicts(finding, effort, outcomes);
    return finding
        .assumed(
            "The document names no network. Here: "
                + TinyFit.TEXT
                + ", targets of very different size, 12 draws; descent of 100,000 steps of 0.01"
                + " with all examples and no noise, through the trainer. With more parameters"
                + " than outputs the kernel can be definite, which \"to 0\" needs.")
        .assumed(
            "\"Never rises\": by less than 1e-4 of the first loss between 200 looks. \"To 0\":"
                + " below 1% of the first loss. By layer, each layer has C/√2.")
        .build();
  }

  private static String word(double share) {
    return share == 100 ? "yes" : share == 0 ? "no" : format("in %.0f%%", share);
  }

  private static List<String> figures(Kind kind, Outcome outcome) {
    return List.of(
        kind.name,
        format("%.3f", new Sample(outcome.curve("asymmetry")).mean()),
        format("%.0f%%", share(outcome.curve("form"), value -> value < -1e-9)),
        format("%.0f%%", share(outcome.curve("real"), value -> value < -1e-6)),
        format("%.0f%%", share(outcome.curve("descent"), value -> value < 0)),
        format("%.2g", outcome.curve("rise").stream().mapToDouble(x -> x).max().orElse(0)),
        format("%.2g", outcome.curve("last").stream().mapToDouble(x -> x).max().orElse(0)));
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    for (Kind kind : KINDS) {
      if (kind.printed.isEmpty()) {
        continue;
      }
      List<Double> yes = outcomes.of(trial(kind, effort)).map(Kernels::yes).orElse(List.of());
      List<String> parts = new ArrayList<>();
      for (int column = 0; column < yes.size(); column++) {
        // "No" in the table can only mean "not always".
        boolean agrees = kind.printed.get(column) == (yes.get(column) == 100);
        parts.add(
            COLUMNS.get(column)
                + " "
                + (kind.printed.get(column) ? "yes" : "no")
                + (agrees
                    ? " confirmed"
                    : format(
                        // A long way is no proof that there is no end.
                        column == 3 && kind.printed.get(column)
                            ? " inconclusive (%.0f%% within these steps)"
                            : column == 1
                                ? " refuted for xᵀKx (%.0f%%; see below for eigenvalues)"
                                : " refuted (%.0f%%)",
                        yes.get(column))));
      }
      finding.verdict(
          "Clipping "
              + kind.name
              + ": "
              + (parts.isEmpty() ? "not run yet" : String.join("; ", parts))
              + ".");
    }
    finding
        .verdict(
            "\"Positive semi-definite: yes\" of flat clipping is true of eigenvalues only: H·diag(c)"
                + " is similar to a symmetric matrix, but xᵀKx can be negative, as the document's"
                + " own text says two paragraphs before its table.")
        .verdict(
            "\"No\" for clipping by layer means: not always. Its eigenvalues can lie on the wrong"
                + " side (of 26 in 300 networks of another draw, docs/algorithms/clipping-geometry.md),"
                + " yet most trainings go to 0.")
        .verdict(
            "The document calls f \"the gradient flow\"; in H = ∂f/∂w·∂f/∂wᵀ it can only be the"
                + " vector of predictions, as two sentences later it says. And adaptive thresholds"
                + " by layer do not preserve positivity: they give the same sum of products.");
  }
}

package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.brief;
import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.accounting.math.ClopperPearson;
import dev.discreet.algorithms.geometry.ClippedKernel;
import dev.discreet.algorithms.geometry.TangentKernel;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
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
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Document 001 §5.3: the tangent kernel under clipping, and what becomes of the loss. */
public final class ConvergenceTable extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "ntk",
          "001",
          "§5.3",
          "the convergence table: the tangent kernel and the loss under each kind of clipping",
          ConvergenceTable::new);

  private static final double SMALL = 0.1;
  private static final double LARGE = 1000;
  private static final double RATE = 0.01;

  private enum Rule {
    NONE,
    FLAT,
    GLOBAL,
    AUTOMATIC
  }

  /**
   * How gradients are clipped.
   *
   * @param parameter Z of global and γ of automatic clipping
   * @param layers whether each layer has a part of the threshold
   */
  private record Clipping(Rule rule, Optional<Double> parameter, double threshold, boolean layers) {

    static Clipping of(Rule rule, double threshold) {
      return new Clipping(rule, Optional.empty(), threshold, false);
    }

    static Clipping of(Rule rule, double parameter, double threshold) {
      return new Clipping(rule, Optional.of(parameter), threshold, false);
    }

    ClippingRule clippingRule() {
      return switch (rule) {
        case NONE -> new ClippingRule.None();
        case FLAT -> new ClippingRule.Flat();
        case GLOBAL -> new ClippingRule.Global(parameter.orElseThrow());
        case AUTOMATIC -> new ClippingRule.Automatic(parameter.orElseThrow());
      };
    }
  }

  /**
   * A line of the document's table, or one that is not in it.
   *
   * @param printed "yes" or "no" under symmetric, semi-definite, uniform, to 0; empty if not there
   */
  private record Kind(String name, Clipping clipping, List<Boolean> printed) {
    /** In a training the rate makes up for factors that are small for every example. */
    double rate() {
      return clipping.rule == Rule.GLOBAL
          ? RATE * (clipping.parameter.orElseThrow() / clipping.threshold)
          : RATE;
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind("none", Clipping.of(Rule.NONE, 1), List.of(true, true, true, true)),
          new Kind(
              "flat, C = 0.1", Clipping.of(Rule.FLAT, SMALL), List.of(false, true, false, true)),
          new Kind(
              "by layer, C = 0.1",
              new Clipping(Rule.FLAT, Optional.empty(), SMALL, true),
              List.of(false, false, false, false)),
          new Kind(
              "flat, C = 1000", Clipping.of(Rule.FLAT, LARGE), List.of(true, true, true, true)),
          new Kind("global, Z = 1000", Clipping.of(Rule.GLOBAL, LARGE, SMALL), List.of()),
          new Kind("global, Z = 1", Clipping.of(Rule.GLOBAL, 1, SMALL), List.of()),
          new Kind("automatic, γ = 0.01", Clipping.of(Rule.AUTOMATIC, 0.01, SMALL), List.of()));

  /**
   * A column of the document's table.
   *
   * @param printed its place there; two of ours are readings of one
   * @param ofKernel whether a kernel of which nothing is left has no part in it
   * @param proof whether what is seen once refutes a yes; else one might have to look for longer
   */
  private record Column(
      String name,
      String measure,
      DoublePredicate yes,
      int printed,
      boolean ofKernel,
      boolean proof) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("symmetric", "asymmetry", value -> value < 1e-6, 0, true, true),
          new Column("semi-definite: xᵀKx ≥ 0", "form", value -> value > -1e-9, 1, true, true),
          new Column(
              "semi-definite: eigenvalues ≥ 0", "real", value -> value > -1e-6, 1, true, true),
          new Column("loss never rises", "rise", value -> value < 1e-4, 2, false, true),
          new Column("loss goes to 0", "least", value -> value < 0.01, 3, false, false));

  private ConvergenceTable(Setup setup) {
    super(setup);
  }

  private final long steps = effort.pick(1_000L, 100_000L);

  /** One for each network. */
  private List<Trial> trials(Kind kind) {
    return seeds(
        12,
        seed ->
            new ClippedFit(kind.clipping, kind.rate(), steps, 200, seed == 1, new TinyFit(seed)));
  }

  /**
   * The tangent kernel of a network at its start, and the loss of its descent.
   *
   * @param looks how often the loss is looked at
   * @param curve whether all of these are kept
   */
  private record ClippedFit(
      Clipping clipping, double rate, long steps, int looks, boolean curve, TinyFit fit)
      implements Trial {
    @Override
    public Outcome run(Workshop workshop) {
      ClippingRule rule = clipping.clippingRule();
      TangentKernel tangent =
          TangentKernel.of(
              fit.layout(),
              fit.start(),
              new TestSet.Public(fit.examples()),
              Engine.standard().withThreads(1));
      ClippedKernel kernel =
          clipping.layers
              ? tangent.clippedByLayer(rule, clipping.threshold)
              : tangent.clipped(rule, clipping.threshold);
      PrivacyPlanBuilder plan = PrivacyPlan.nonPrivate().steps(steps);
      if (clipping.rule != Rule.NONE) {
        if (clipping.layers) {
          plan.clipEvenly(clipping.threshold, 2);
        } else {
          plan.clip(clipping.threshold);
        }
        plan.clipping(rule);
      }
      List<Double> losses = fit.losses(workshop, plan, new Optimizer.Sgd(), rate, steps / looks);
      double least = Double.POSITIVE_INFINITY;
      double rise = 0;
      for (double loss : losses) {
        least = Math.min(least, loss);
        rise = Math.max(rise, loss - least);
      }
      // Against the largest entry, so that rounding is told from a sign.
      double size = largest(kernel.matrix());
      double scale = Math.max(size, Double.MIN_NORMAL);
      return Outcome.of("empty", size == 0 ? 1 : 0)
          .with("asymmetry", brief(kernel.asymmetry()))
          .with("form", brief(kernel.leastForm() / scale))
          .with("real", brief(kernel.leastRealPart() / scale))
          .with("descent", brief(kernel.descent() / scale))
          .with("rise", brief(rise / losses.get(0)))
          .with("least", brief(least / losses.get(0)))
          .with("losses", curve ? brief(losses) : List.of());
    }
  }

  private static double largest(double[][] matrix) {
    return Arrays.stream(matrix).flatMapToDouble(Arrays::stream).map(Math::abs).max().orElse(0);
  }

  /** 100 for each network of which it is true, 0 for each of which it is not. */
  private Sample sample(Column column, Kind kind) {
    return Sample.of(
        outcomes.of(trials(kind)).stream()
            .filter(outcome -> !column.ofKernel || outcome.value("empty") == 0)
            .toList(),
        outcome -> column.yes.test(outcome.value(column.measure)) ? 100.0 : 0.0);
  }

  /** {@code 10 of 12 (52% to 98%)}: with the interval of 95% of Clopper and Pearson. */
  private String share(Sample sample) {
    int n = sample.size();
    int k = (int) Math.round(sample.mean() * n / 100);
    ClopperPearson share = ClopperPearson.of(k, n, 0.025);
    return format("%d of %d (%.0f%% to %.0f%%)", k, n, 100 * share.low(), 100 * share.high());
  }

  private String printed(Kind kind, Column column) {
    return kind.printed.isEmpty() ? "—" : kind.printed.get(column.printed) ? "yes" : "no";
  }

  @Override
  protected void write() {
    question(
        """
        The document's table says for each kind of clipping whether the tangent kernel is symmetric
        and positive semi-definite, whether the loss falls uniformly, and whether it goes to 0.
        Published yes is 100, no is 0.
        """,
        "networks of which it is true, %");
    PageTable printed =
        table(
            "The document's table: printed / ours (interval of 95%)",
            "clipping | " + COLUMNS.stream().map(Column::name).collect(Collectors.joining(" | ")));
    PageTable figures =
        table(
            "The same in figures, over all networks",
            "clipping | networks of whose gradients nothing is left | mean asymmetry | loss rises"
                + " at the start | largest rise on the way | highest of the least losses");
    Picture picture = picture("loss", "loss of the first network", "step", "mean loss").even();
    for (Kind kind : KINDS) {
      List<Outcome> done = outcomes.of(trials(kind));
      List<Object> row = new ArrayList<>(List.of(kind.name));
      for (Column column : COLUMNS) {
        Sample sample = sample(column, kind);
        row(
            "clipping: " + kind.name,
            column.name,
            kind.printed.isEmpty() ? Double.NaN : kind.printed.get(column.printed) ? 100 : 0,
            sample,
            0);
        row.add(printed(kind, column) + " / " + (sample.size() == 0 ? "—" : share(sample)));
      }
      printed.row(row.toArray());
      if (!done.isEmpty()) {
        figures(figures, kind, done);
        picture.fromStart(
            kind.name,
            !kind.printed.isEmpty() && kind.printed.get(0),
            steps,
            done.get(0).curve("losses"));
      }
    }
    picture.caption("The loss of the network of seed 1 over the steps.");
    verdicts();
    assumed(
        """
        The document names no network. Here: dense(8) tanh dense(1), four examples, mean squared
        error, targets of very different size; descent of %s steps with all examples and no noise,
        through the trainer, at a rate of %s. With more parameters than outputs the kernel can be
        definite, which "to 0" needs.

        A printed no is read as "not of every network": one counterexample confirms it, none in so
        few decides nothing. A yes is of every network. Intervals of shares are Clopper and
        Pearson's, of 95%%.

        "Never rises": by less than 1e-4 of the first loss between 200 looks. "To 0": the least loss
        below 1%% of the first. By layer, each layer has C/√2. Where clipping leaves nothing of any
        gradient there is no kernel to judge.

        No command takes this network; the one below shows the same kernels of another, on generated
        digits.
        """,
        steps,
        KINDS.stream()
            .collect(
                Collectors.groupingBy(
                    Kind::rate,
                    TreeMap::new,
                    Collectors.mapping(Kind::name, Collectors.joining(", "))))
            .entrySet()
            .stream()
            .map(rate -> show(rate.getKey()) + " (" + rate.getValue() + ")")
            .collect(Collectors.joining("; ")));
    command("discreet geometry --data digits --kernel-examples 4 --clip 0.1");
  }

  private void figures(PageTable table, Kind kind, List<Outcome> done) {
    table.row(
        kind.name,
        format("%.0f", of(done, "empty").sum()),
        format(
            "%.3f",
            of(done.stream().filter(o -> o.value("empty") == 0).toList(), "asymmetry")
                .average()
                .orElse(0)),
        of(done, "descent").filter(descent -> descent < 0).count(),
        format("%.2g", of(done, "rise").max().orElse(0)),
        format("%.2g", of(done, "least").max().orElse(0)));
  }

  private static DoubleStream of(List<Outcome> done, String measure) {
    return done.stream().mapToDouble(outcome -> outcome.value(measure));
  }

  /** A "no" of the table can only mean "not always", and is seen where one network shows it. */
  private Verdict verdict(Kind kind, Column column, Sample sample) {
    boolean always = sample.mean() == 100;
    boolean yes = kind.printed.get(column.printed);
    Ruling ruling =
        yes && always || !yes && !always && column.proof
            ? Ruling.CONFIRMED
            : yes && column.proof ? Ruling.REFUTED : Ruling.INCONCLUSIVE;
    return Verdict.of(
        "%s %s %s, %s%s",
        column.name,
        yes ? "yes" : "no",
        ruling,
        share(sample),
        always || column.proof ? "" : " within these steps");
  }

  private void verdicts() {
    for (Kind kind : KINDS) {
      if (kind.printed.isEmpty()) {
        continue;
      }
      List<Verdict> said =
          COLUMNS.stream()
              .filter(column -> sample(column, kind).size() > 0)
              .map(column -> verdict(kind, column, sample(column, kind)))
              .toList();
      verdict(
          "Clipping %s: %s.", kind.name, said.isEmpty() ? Verdict.NOT_RUN : Verdict.joined(said));
    }
    verdict(
        """
        "Positive semi-definite" has two readings, and the table's answers for flat clipping and for
        clipping by layer fit no single one. Under flat clipping K = H·diag(c) is similar to a
        symmetric matrix, so its eigenvalues are never negative; xᵀKx can be, as the document's own
        text says two paragraphs before its table. By layer eigenvalues can be negative too, as the
        table says (26 of 300 networks of another draw, docs/algorithms/clipping-geometry.md).

        The document calls f "the gradient flow"; in H = ∂f/∂w·∂f/∂wᵀ it can only be the vector of
        predictions, as two sentences later it says. And adaptive thresholds by layer do not
        preserve positivity: they give the same sum of products.
        """);
  }
}

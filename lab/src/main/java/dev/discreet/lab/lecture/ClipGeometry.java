package dev.discreet.lab.lecture;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;
import static dev.discreet.lab.lecture.GradientLooks.at;
import static dev.discreet.lab.lecture.GradientLooks.coordinate;
import static dev.discreet.lab.lecture.GradientLooks.under;

import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.PageTable;
import dev.discreet.lab.Ruling;
import dev.discreet.lab.Sample;
import dev.discreet.lab.Study;
import dev.discreet.lab.Trial;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import dev.discreet.report.Article.Figure;
import dev.discreet.report.PanelPlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Document 002, part 1: how gradients are spread while DP-SGD trains. */
public final class ClipGeometry extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "clip-geometry",
          "002",
          "part 1",
          "cosines and clouds of gradients while DP-SGD trains on MNIST and CIFAR-10",
          ClipGeometry::new);

  /** How far off the score of chance can be that 200 drawings give. */
  private static final double KNOWN = 0.001;

  private static final int SIDES = 8;
  private static final List<Double> THRESHOLDS = List.of(1.0, 0.1);

  /**
   * One training to look into; as {@link GradientLooks} has them.
   *
   * @param data the name of the set
   */
  private record Run(
      String data,
      String network,
      double lot,
      double epochs,
      List<Double> looks,
      double manySides,
      int gradients,
      int truth) {

    /** The same training, so many times shorter, with as many looks. */
    Run shorter(double times) {
      return new Run(
          data,
          network,
          100,
          epochs / times,
          looks.stream().map(epoch -> epoch / times).toList(),
          manySides / times,
          gradients / 10,
          500);
    }

    Recipe recipe() {
      return Recipes.of(
          data,
          network,
          "lot-size=%s epochs=%s clip=1 epsilon=3 delta=1e-5 learning-rate=0.5",
          lot,
          epochs);
    }
  }

  private static final List<Run> FULL =
      List.of(
          new Run(
              "mnist", "mnist-cnn", 600, 60, List.of(0.0, 4.0, 9.0, 10.0, 59.0), 9, 400, 60_000),
          new Run("cifar10", "cifar-cnn", 500, 10, List.of(0.0, 1.0, 4.0, 9.0), 9, 200, 10_000));

  private final List<Run> runs =
      effort.quick() ? FULL.stream().map(run -> run.shorter(500)).toList() : FULL;

  private List<Trial> trials(Run run) {
    return seeds(
        1,
        seed ->
            new GradientLooks(
                Training.of(run.recipe(), seed).tested(effort.pick(1000, 10_000)),
                run.looks,
                run.manySides,
                run.gradients,
                run.truth,
                THRESHOLDS,
                40,
                SIDES,
                200,
                10,
                200,
                4,
                1));
  }

  /** As pages call the data. */
  private String label(Run run) {
    return run.data.equals("cifar10") ? outcomes.cifar(trials(run)) : "MNIST";
  }

  private ClipGeometry(Setup setup) {
    super(setup);
  }

  @Override
  protected void write() {
    question(
        """
        The slides show histograms of the cosine between single gradients and the true one, and
        clouds of gradients under random projections, and ask whether a symmetric distribution
        explains why clipping does little harm.
        """,
        "symmetry of the gradients around ∇f: 1 is a mirror image");
    PageTable scores =
        table(
            "Symmetry, and what 19 of 20 symmetric samples with the same lengths score at least",
            "setting | along ∇f | by chance | at random | by chance");
    PageTable biases =
        table(
            "What clipping does to a step along ∇f: all divided by ‖∇f‖",
            "setting | C | ‖∇f‖ | E⟨∇f, clip⟩ | if symmetric | bound | bias");
    for (Run run : runs) {
      String label = label(run);
      List<Outcome> done = outcomes.of(trials(run));
      for (double epoch : run.looks()) {
        String setting = label + ", after epoch " + show(epoch);
        Sample along = along(done, "symmetry", epoch);
        Sample random = random(done, "symmetry", epoch);
        row(setting, "along ∇f", along, 3);
        row(setting, "along random directions, mean of four", random, 3);
        if (!done.isEmpty()) {
          scores.row(
              setting,
              along.text(3),
              along(done, "chance", epoch).text(3),
              random.text(3),
              random(done, "chance", epoch).text(3));
          THRESHOLDS.forEach(c -> bias(biases, setting, done, c, epoch));
        }
      }
      if (done.isEmpty()) {
        verdict("%s: not run yet.", label);
      } else {
        pictures(run, label, done.get(0));
        verdicts(run, label, done);
      }
    }
    assumed(
        """
        DP-SGD with C = 1 at ε = 3, the slides' figures; δ = 1e-5, lot 600 and rate 0.5 on MNIST,
        500 and 0.5 on CIFAR-10, which the document does not give. Epochs of the clouds are not
        readable on the slides but for 9; CIFAR-10 is trained for 10 epochs only, for two cores.

        400 gradients of MNIST and 200 of CIFAR-10 are looked at. The true gradient ∇f is that of
        all 60,000 training images of MNIST, and of 10,000 other ones of CIFAR-10.

        Symmetry is E‖ξ − ξ′‖/E‖ξ + ξ′‖ of deviations ξ = g − ∇f along a direction. A small sample
        of a symmetric distribution scores below 1 too, and the more the heavier its tails: "chance"
        is the score of the same deviations with signs drawn anew, 200 times.

        Intervals are over ten parts of the gradients at one place of one training, not over
        trainings.
        """);
    runFile(runs.get(0).recipe().yaml());
  }

  /** Along ∇f, over seeds. */
  private Sample along(List<Outcome> done, String measure, double epoch) {
    return Sample.of(done, each -> each.curve(measure + at(epoch)).get(0));
  }

  private Sample random(List<Outcome> done, String measure, double epoch) {
    return Sample.of(
        done,
        each -> {
          List<Double> scores = each.curve(measure + at(epoch));
          return new Sample(scores.subList(1, scores.size())).mean();
        });
  }

  /** One for each part of the gradients. */
  private Sample parts(List<Outcome> done, String what, double threshold, double epoch) {
    return new Sample(
        done.stream().flatMap(each -> each.curve(under(what, threshold, epoch)).stream()).toList());
  }

  private Contrast alignment(List<Outcome> done, double threshold, double epoch) {
    return Contrast.paired(parts(done, "alignment", threshold, epoch));
  }

  private Contrast bias(List<Outcome> done, double threshold, double epoch) {
    List<Double> alignment = parts(done, "alignment", threshold, epoch).values();
    List<Double> symmetric = parts(done, "symmetric", threshold, epoch).values();
    List<Double> biases = new ArrayList<>();
    for (int i = 0; i < alignment.size(); i++) {
      biases.add(alignment.get(i) - symmetric.get(i));
    }
    return Contrast.paired(new Sample(biases));
  }

  private void bias(PageTable table, String setting, List<Outcome> done, double c, double epoch) {
    table.row(
        setting,
        c,
        format("%.3g", mean(done, "length" + at(epoch))),
        alignment(done, c, epoch).text(),
        format("%.3g", parts(done, "symmetric", c, epoch).mean()),
        format("%.2g", parts(done, "bound", c, epoch).mean()),
        bias(done, c, epoch).text());
  }

  private static double mean(List<Outcome> done, String measure) {
    return done.stream().mapToDouble(each -> each.value(measure)).average().orElse(0);
  }

  private void pictures(Run run, String label, Outcome outcome) {
    List<PanelPlot.Panel> bars = new ArrayList<>();
    List<PanelPlot.Panel> clouds = new ArrayList<>();
    for (double epoch : run.looks()) {
      String name = "epoch " + show(epoch);
      bars.add(
          new PanelPlot.Bars(
              name,
              outcome.curve("cosines" + at(epoch)).stream().mapToLong(Double::longValue).toArray(),
              -1,
              1));
      clouds.add(cloud(name, outcome, 0, epoch));
    }
    List<PanelPlot.Panel> sides = new ArrayList<>();
    for (int side = 0; side < SIDES; side++) {
      sides.add(cloud("side " + (side + 1), outcome, side, run.manySides()));
    }
    panels(
        run,
        "cosines",
        label + ": cosine between single gradients and ∇f",
        run.looks().size(),
        bars,
        label + ": histograms of the cosine between single gradients and ∇f.");
    panels(
        run,
        "clouds",
        label + ": gradients along two random directions",
        run.looks().size(),
        clouds,
        label
            + ": gradients under one random projection; the orange cross is their mean, the"
            + " grey lines meet at 0.");
    panels(
        run,
        "sides",
        label + ": gradients from eight sides, epoch " + show(run.manySides()),
        4,
        sides,
        label + ": the same gradients under eight random projections.");
  }

  private void panels(
      Run run, String what, String title, int columns, List<PanelPlot.Panel> all, String caption) {
    String svg = new PanelPlot(title, columns, all).svg();
    figure(new Figure(file(run.data() + "-" + what) + ".svg", svg, caption));
  }

  private PanelPlot.Dots cloud(String name, Outcome outcome, int side, double epoch) {
    List<Double> x = outcome.curve(coordinate(side, 0, epoch));
    List<Double> y = outcome.curve(coordinate(side, 1, epoch));
    double[][] points = new double[x.size()][];
    Arrays.setAll(points, i -> new double[] {x.get(i), y.get(i)});
    return new PanelPlot.Dots(name, points);
  }

  private void verdicts(Run run, String label, List<Outcome> done) {
    int looks = run.looks().size() * done.size();
    long below =
        run.looks().stream()
            .mapToLong(
                epoch ->
                    done.stream()
                        .filter(
                            each ->
                                each.curve("symmetry" + at(epoch)).get(0) + KNOWN
                                    < each.curve("chance" + at(epoch)).get(0))
                        .count())
            .sum();
    verdict(
        """
        %s: gradients are symmetric along ∇f, the direction that clipping's bias is about: %s. At %d
        of %d looks the score is below that of 19 in 20 symmetric samples with the same lengths by
        more than %s (of symmetric ones about one in twenty would be).
        """,
        label, 2 * below >= looks ? Ruling.REFUTED : Ruling.INCONCLUSIVE, below, looks, KNOWN);
    for (double c : THRESHOLDS) {
      List<Contrast> down = run.looks().stream().map(epoch -> alignment(done, c, epoch)).toList();
      List<Order> orders = down.stream().map(Contrast::order).toList();
      List<Order> bent = run.looks().stream().map(epoch -> bias(done, c, epoch).order()).toList();
      verdict(
          """
          %s: steps clipped to C = %s point downhill at all of these epochs: %s (along ∇f the least
          is %s). What is asymmetric helps at %d of %d of them and harms at %d.
          """,
          label,
          c,
          orders.contains(Order.BELOW)
              ? Ruling.REFUTED
              : orders.contains(Order.UNDECIDED) ? Ruling.INCONCLUSIVE : Ruling.CONFIRMED,
          down.stream().min(Comparator.comparingDouble(Contrast::difference)).orElseThrow().text(),
          bent.stream().filter(order -> order == Order.ABOVE).count(),
          bent.size(),
          bent.stream().filter(order -> order == Order.BELOW).count());
    }
    long bounded =
        run.looks().stream().filter(epoch -> parts(done, "bound", 1, epoch).mean() > 0).count();
    verdict(
        """
        %s: the theorem's bound needs gradients within C/4 of ∇f, and with C = 1 is above 0 at %s of
        %s epochs: %s%s
        """,
        label,
        bounded,
        run.looks().size(),
        bounded == 0 ? "it says nothing about this training." : "elsewhere it says nothing.",
        format(" Test accuracy at the end: %.1f%%.", mean(done, "accuracy")));
    if (run.looks().get(run.looks().size() - 1) < 1) {
      verdict("%s: shortened, so \"epoch\" is a small part of one.", label);
    }
  }
}

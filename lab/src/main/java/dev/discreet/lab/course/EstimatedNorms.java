package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;
import static dev.discreet.lab.Numbers.show;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Optimizer;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataSet;
import dev.discreet.lab.Contrast;
import dev.discreet.lab.Contrast.Order;
import dev.discreet.lab.Drawn;
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
import dev.discreet.report.Article.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Document 001 §7 and §8: DP-SGD-JL and DP-Adam-JL beside DP-SGD. */
public final class EstimatedNorms implements Experiment {
  private static final double CLIP = 0.25;

  /**
   * A way to train.
   *
   * @param projections r of estimated norms; 0 for exact ones
   */
  private record Method(String name, Optimizer optimizer, double rate, int projections) {}

  /**
   * A way to take a step, for its time and memory.
   *
   * @param projections as above; −1 for a step without clipping or noise
   */
  private record Step(String network, int lot, int projections) {
    String method() {
      return projections < 0
          ? "batch gradient, not private"
          : projections == 0 ? "DP-SGD, exact norms" : "DP-SGD-JL, r = " + projections;
    }
  }

  private static List<Method> methods(Effort effort) {
    int r = effort.pick(5, 30);
    return List.of(
        new Method("DP-SGD", new Optimizer.Sgd(), 1, 0),
        new Method("DP-SGD-JL", new Optimizer.Sgd(), 1, r),
        new Method("DP-Adam", new Optimizer.Adam(), 0.002, 0),
        new Method("DP-Adam-JL", new Optimizer.Adam(), 0.002, r));
  }

  /** Stating what estimated norms cost takes the accountant half a minute: no quick run. */
  private static List<Method> run(Effort effort) {
    return methods(effort).stream().filter(m -> !effort.quick() || m.projections == 0).toList();
  }

  private static List<Step> steps(Effort effort) {
    List<Step> all = new ArrayList<>();
    for (String network : effort.pick(List.of("mnist-cnn"), List.of("mnist-cnn", "mlp(1000)"))) {
      for (int projections : effort.pick(List.of(-1, 0, 5), List.of(-1, 0, 1, 5, 30))) {
        all.add(new Step(network, 256, projections));
      }
      if (!effort.quick()) {
        all.add(new Step(network, 1024, 0));
        all.add(new Step(network, 1024, 5));
      }
    }
    return all;
  }

  @Override
  public String name() {
    return "jl";
  }

  @Override
  public String document() {
    return "001 §7 and §8";
  }

  @Override
  public String summary() {
    return "DP-SGD, DP-SGD-JL and DP-Adam-JL: accuracy, speed and memory";
  }

  @Override
  public List<Trial> trials(Effort effort) {
    List<Trial> all = new ArrayList<>();
    run(effort).forEach(method -> all.addAll(runs(method, effort)));
    steps(effort).forEach(step -> all.add(timed(step, effort)));
    return all;
  }

  private static List<Trial> runs(Method method, Effort effort) {
    int size = effort.pick(1000, 10_000);
    long steps = effort.pick(20L, 500L);
    return effort
        .seeds(3)
        .mapToObj(
            seed ->
                new Trial(
                    "fashion-mnist, "
                        + size
                        + " images, mnist-cnn, lot "
                        + size / 100
                        + ", "
                        + steps
                        + " steps, C = "
                        + show(CLIP)
                        + ", rate "
                        + show(method.rate)
                        + ", ε = 3 at δ = 1e-5, "
                        + method.name
                        + (method.projections > 0 ? ", r = " + method.projections : "")
                        + ", seed "
                        + seed,
                    workshop -> train(workshop, method, size, steps, seed)))
        .toList();
  }

  private static Outcome train(Workshop workshop, Method method, int size, long steps, long seed)
      throws IOException {
    DataSet data = workshop.data("fashion-mnist");
    Examples all = data.train().examples();
    PrivacyPlan.Builder plan =
        PrivacyPlan.target(3, 1e-5).samplingRate(0.01).steps(steps).clip(CLIP);
    if (method.projections > 0) {
      plan.estimatedNorms(method.projections);
    }
    PrivacyPlan built = plan.build();
    Trainer trainer =
        Trainer.of(Network.named("mnist-cnn"), built)
            .optimizer(method.optimizer)
            .learningRate(method.rate)
            .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
            .insecureSeed(seed);
    var result =
        workshop.train(
            trainer,
            Drawn.of(all, Drawn.order(all.size(), seed), 0, size),
            TestSet.declaredPublic(
                Drawn.some(data.test().orElseThrow().examples(), size < 10_000 ? 1000 : 10_000)));
    return Workshop.outcome(result)
        .with(
            "noise",
            Double.parseDouble(
                result.provenance().configuration().get("noiseMultiplier").toString()));
  }

  /** The time and memory of steps, with nothing beside. */
  private static Trial timed(Step step, Effort effort) {
    long steps = effort.pick(6L, 24L);
    return new Trial(
        "mnist, time and memory of the gradients of "
            + steps
            + " steps, "
            + step.network
            + ", lot "
            + step.lot
            + ", "
            + step.method(),
        true,
        workshop -> measure(workshop, step, steps));
  }

  private static Outcome measure(Workshop workshop, Step step, long steps) throws IOException {
    Examples all = workshop.data("mnist").train().examples();
    Examples lot = Drawn.of(all, Drawn.order(all.size(), 1), 0, step.lot);
    Layout layout = Network.named(step.network).on(all.input());
    float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, 1);
    Cpu cpu = Cpu.all().withThreads(workshop.threads());
    double before = used();
    // The engine alone: a trainer's accounting of estimated norms takes longer than these steps.
    if (step.projections < 0) {
      try (PublicGradients engine = cpu.open(layout, lot)) {
        int[] each = IntStream.range(0, step.lot).toArray();
        double[] sum = new double[theta.length];
        return timed(
            workshop, steps, before, layout, release -> engine.gradientSum(theta, each, sum));
      }
    }
    int slices = layout.slices().size();
    ClippingRule rule =
        step.projections == 0
            ? new ClippingRule.Flat()
            : new ClippingRule.Estimated(step.projections);
    try (GradientSource engine =
        cpu.source(
            layout,
            new UnitRule(rule, new int[slices], 0, new boolean[slices]),
            lot,
            Units.each(step.lot),
            new Sampler.FullBatch(step.lot),
            Grid.of(step.lot, cpu.unitsPerChunk(layout), 4))) {
      return timed(
          workshop,
          steps,
          before,
          layout,
          release ->
              engine.clippedSum(new StepRequest(release, theta, CLIP, SamplingKey.insecure(1))));
    }
  }

  private static Outcome timed(
      Workshop workshop, long steps, double before, Layout layout, LongConsumer step) {
    List<Double> seconds = new ArrayList<>();
    double during = Double.NaN;
    for (long release = 0; release < steps; release++) {
      workshop.checkStopped();
      long began = System.nanoTime();
      step.accept(release);
      // The first third only warms up.
      if (release >= steps / 3) {
        seconds.add((System.nanoTime() - began) * 1e-9);
      } else {
        during = used() - before;
      }
    }
    return Outcome.of("milliseconds", 1000 * median(seconds))
        .with("threads", workshop.threads())
        .with("mebibytes", during / (1 << 20))
        .with("parameters", layout.parameters());
  }

  /** Bytes of the heap that are reachable. */
  private static double used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(x -> x).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  @Override
  public Finding finding(Effort effort, Outcomes outcomes) throws IOException {
    Finding.Builder finding =
        new Finding.Builder(
            "Per-example gradient norms are said to make DP-SGD \"very slow\"; estimating them by"
                + " Johnson–Lindenstrauss projections is to bring time and memory near non-private"
                + " training, at a good privacy and accuracy. §8 plans the comparison.",
            "Fashion-MNIST test accuracy, %");
    Picture picture =
        new Picture(name() + "-accuracy", "Fashion-MNIST, ε = 3", "step", "test accuracy, %")
            .even();
    for (Method method : run(effort)) {
      List<Trial> runs = runs(method, effort);
      Sample noise = outcomes.sample(runs, "noise");
      finding.row(
          new Row(
              "ε = 3, δ = 1e-5" + (noise.size() > 0 ? format(", σ = %.3f", noise.mean()) : ""),
              method.name + (method.projections > 0 ? ", r = " + method.projections : ""),
              outcomes.sample(runs, "accuracy"),
              2));
      List<Double> curve = outcomes.meanCurve(runs, "accuracy");
      picture.looks(method.name, method.projections == 0, effort.pick(20.0, 500.0), curve);
    }
    picture.into(finding, "Test accuracy over the steps, mean over seeds, at the same ε.");
    finding.table(cost(effort, outcomes));
    verdicts(finding, effort, outcomes);
    return finding
        .assumed(
            "10,000 images, 1% a lot, 500 steps, C = "
                + show(CLIP)
                + ", rate 1 for SGD and 0.002 for Adam, r = 30 as in Bu et al. 2021; noise is"
                + " calibrated to the same certified ε for each.")
        .assumed(
            "Time is the median sum of clipped gradients (without noise and update, which are the"
                + " same for all) with nothing beside, memory what the heap holds more after a"
                + " sum than before the engine was made, images left out. Both are of this engine on"
                + " this machine: its exact norms need no stored per-example gradients, unlike the"
                + " frameworks' that the document has in mind. Its private path estimates norms"
                + " from the backward pass, not by forward mode.")
        .runFile(
            "data: fashion-mnist\nmodel: mnist-cnn\nlot-size: 600\nepochs: 5\nclip: 0.25\n"
                + "epsilon: 3\ndelta: 1e-5\nnorm-projections: 30\noptimizer: adam\n"
                + "learning-rate: 0.002\n")
        .build();
  }

  private static Table cost(Effort effort, Outcomes outcomes) {
    List<List<String>> cells = new ArrayList<>();
    for (Step step : steps(effort)) {
      Optional<Outcome> done = outcomes.of(timed(step, effort));
      double plain = time(new Step(step.network, 256, -1), effort, outcomes);
      cells.add(
          List.of(
              step.network,
              String.valueOf(step.lot),
              step.method(),
              done.map(outcome -> format("%.1f ms", outcome.value("milliseconds"))).orElse("—"),
              done.map(
                      outcome ->
                          format("%.2f", outcome.value("milliseconds") / plain * 256 / step.lot))
                  .orElse("—"),
              done.map(outcome -> format("%.1f MiB", outcome.value("mebibytes"))).orElse("—"),
              done.map(
                      outcome ->
                          format(
                              "%.0f MiB", 4 * step.lot * outcome.value("parameters") / (1 << 20)))
                  .orElse("—")));
    }
    return new Table(
        "Speed and memory of a step",
        List.of(
            "network",
            "lot",
            "method",
            "time",
            "an example's time ÷ not private",
            "memory",
            "stored per-example gradients would take"),
        cells);
  }

  private static double time(Step step, Effort effort, Outcomes outcomes) {
    return outcomes.sample(List.of(timed(step, effort)), "milliseconds").mean();
  }

  private static void verdicts(Finding.Builder finding, Effort effort, Outcomes outcomes) {
    for (int i = 0; i < run(effort).size() - 2; i += 2) {
      Method exact = methods(effort).get(i);
      Method estimated = methods(effort).get(i + 1);
      finding.verdict(
          estimated.name
              + " as accurate as "
              + exact.name
              + " or better at the same ε: "
              + Contrast.of(
                      outcomes.sample(runs(estimated, effort), "accuracy"),
                      outcomes.sample(runs(exact, effort), "accuracy"))
                  .verdict(Order.ABOVE)
              + ". Estimates cost privacy: a norm that comes out too small lets a unit weigh more"
              + " than C, so the same ε needs more noise.");
    }
    List<Step> all = steps(effort);
    for (String network : all.stream().map(Step::network).distinct().toList()) {
      double plain = time(new Step(network, 256, -1), effort, outcomes);
      double exact = time(new Step(network, 256, 0), effort, outcomes);
      int r = all.stream().filter(s -> s.lot == 256).mapToInt(Step::projections).max().orElse(0);
      double estimated = time(new Step(network, 256, r), effort, outcomes);
      finding.verdict(
          Double.isNaN(plain + exact + estimated)
              ? network + ", speed: not run yet."
              : format(
                  "%s: \"DP-SGD is very slow\": here %.2f times a batch gradient. \"DP-SGD-JL is"
                      + " significantly faster\": %s, it takes %.1f times as long as exact norms"
                      + " (r = %d).",
                  network,
                  exact / plain,
                  estimated < exact ? "confirmed" : "refuted for this engine",
                  estimated / exact,
                  r));
    }
  }
}

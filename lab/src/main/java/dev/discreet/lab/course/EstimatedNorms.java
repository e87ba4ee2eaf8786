package dev.discreet.lab.course;

import static dev.discreet.lab.Numbers.format;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.train.Result;
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
import dev.discreet.lab.training.RandomSubset;
import dev.discreet.lab.training.Recipes;
import dev.discreet.lab.training.Training;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Document 001 §7 and §8: DP-SGD-JL and DP-Adam-JL beside DP-SGD. */
public final class EstimatedNorms extends Study {
  public static final Experiment EXPERIMENT =
      new Experiment(
          "jl",
          "001",
          "§7 and §8",
          "DP-SGD, DP-SGD-JL and DP-Adam-JL: accuracy, speed and memory",
          EstimatedNorms::new);

  private static final double CLIP = 0.25;

  /** How far below the other one may be that is called as accurate, in percent. */
  private static final double MARGIN = 1;

  /**
   * A way to train.
   *
   * @param projections r of estimated norms; 0 for exact ones
   */
  private record Method(String name, String optimizer, double rate, int projections) {}

  /** How a step comes to its gradient. */
  private enum Kind {
    PLAIN("batch gradient, not private"),
    EXACT("DP-SGD, exact norms"),
    BACKWARD("DP-SGD-JL, this library's, from the backward pass"),
    FORWARD("DP-SGD-JL, as its paper, by forward mode");

    final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  /**
   * A way to take a step, for its time and memory.
   *
   * @param projections r of estimated norms, else 0
   */
  private record Step(String network, int lot, Kind kind, int projections) {
    String method() {
      return kind.label + (projections > 0 ? ", r = " + projections : "");
    }
  }

  private List<Method> methods() {
    int r = effort.pick(5, 30);
    return List.of(
        new Method("DP-SGD", "sgd", 1, 0),
        new Method("DP-SGD-JL", "sgd", 1, r),
        new Method("DP-Adam", "adam", 0.002, 0),
        new Method("DP-Adam-JL", "adam", 0.002, r));
  }

  private List<String> networks() {
    return effort.pick(List.of("mnist-cnn"), List.of("mnist-cnn", "mlp(1000)"));
  }

  private List<Step> steps() {
    List<Step> all = new ArrayList<>();
    for (String network : networks()) {
      for (int lot : effort.pick(List.of(256), List.of(256, 1024))) {
        all.add(new Step(network, lot, Kind.PLAIN, 0));
        all.add(new Step(network, lot, Kind.EXACT, 0));
        for (int r : effort.pick(List.of(5), lot == 256 ? List.of(1, 5, 30) : List.of(5))) {
          all.add(new Step(network, lot, Kind.BACKWARD, r));
          all.add(new Step(network, lot, Kind.FORWARD, r));
        }
      }
    }
    return all;
  }

  private EstimatedNorms(Setup setup) {
    super(setup);
  }

  private Recipe recipe(Method method) {
    return Recipes.of(
        "fashion-mnist",
        "mnist-cnn",
        "sampling-rate=0.01 steps=%s clip=%s epsilon=3 delta=1e-5 optimizer=%s learning-rate=%s%s",
        effort.pick(20, 500),
        CLIP,
        method.optimizer,
        method.rate,
        method.projections == 0 ? "" : " norm-projections=" + method.projections);
  }

  /** None of estimated norms in a quick run: stating their cost takes half a minute. */
  private List<Trial> runs(Method method) {
    if (effort.quick() && method.projections > 0) {
      return List.of();
    }
    Recipe recipe = recipe(method);
    return seeds(
        3,
        seed ->
            new NoiseOfTraining(
                Training.of(recipe, seed)
                    .rows(effort.pick(1000, 60_000))
                    .tested(effort.pick(1000, 10_000))));
  }

  /** A training, and the noise multiplier that its ε took. */
  record NoiseOfTraining(Training training) implements Trial {
    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Result result = training.result(workshop);
      double noise = result.provenance().configuration().plan().noise().at(0);
      return Workshop.outcome(result).with("noise", noise);
    }
  }

  private Trial timed(Step step) {
    return new TimedSteps("mnist", step, effort.pick(6L, 24L), CLIP, 1);
  }

  /**
   * The quartiles of time and memory of the gradients of steps, with nothing beside.
   *
   * @param seed of the lot, the parameters and the directions
   */
  private record TimedSteps(String data, Step step, long steps, double clip, long seed)
      implements Trial {
    @Override
    public boolean alone() {
      return true;
    }

    @Override
    public Outcome run(Workshop workshop) throws IOException {
      Examples all = workshop.data(data).train().examples();
      Examples lot = RandomSubset.of(all, RandomSubset.order(all.size(), seed), 0, step.lot);
      Layout layout = Network.named(step.network, 10).on(all.input());
      float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, seed);
      Engine cpu = Engine.standard().withThreads(workshop.threads());
      double before = used();
      // The engine alone: a trainer's accounting of estimated norms takes longer than these steps.
      if (step.kind == Kind.PLAIN || step.kind == Kind.FORWARD) {
        try (PublicGradients engine = cpu.open(layout, lot)) {
          int[] each = IntStream.range(0, step.lot).toArray();
          double[] sum = new double[theta.length];
          float[] direction = new float[step.projections > 0 ? theta.length : 0];
          SplittableRandom random = new SplittableRandom(seed);
          return timed(
              workshop,
              before,
              layout,
              release -> {
                for (int r = 0; r < step.projections; r++) {
                  for (int i = 0; i < direction.length; i++) {
                    direction[i] = (float) random.nextGaussian();
                  }
                  engine.directionalDerivatives(theta, each, direction);
                }
                // The paper's is of the losses weighted by min(1, C/norm): the same work.
                engine.gradientSum(theta, each, sum);
              });
        }
      }
      int slices = layout.slices().size();
      ClippingRule rule =
          step.kind == Kind.EXACT
              ? new ClippingRule.Flat()
              : new ClippingRule.Estimated(step.projections);
      try (GradientSource engine =
          cpu.source(
              layout,
              new UnitRule(rule, new int[slices], 0, new boolean[slices]),
              PrivateData.each(lot),
              new Sampler.FullBatch(step.lot),
              Grid.of(step.lot, cpu.unitsPerChunk(layout), 4))) {
        SamplingKey key = SamplingKey.insecure(seed);
        return timed(
            workshop,
            before,
            layout,
            release -> engine.clippedSum(new StepRequest(release, theta, clip, key)));
      }
    }

    private Outcome timed(Workshop workshop, double before, Layout layout, LongConsumer one) {
      List<Double> milliseconds = new ArrayList<>();
      List<Double> mebibytes = new ArrayList<>();
      for (long release = 0; release < steps; release++) {
        workshop.checkStopped();
        long began = System.nanoTime();
        one.accept(release);
        // The first third only warms up.
        if (release >= steps / 3) {
          milliseconds.add((System.nanoTime() - began) * 1e-6);
        } else {
          mebibytes.add((used() - before) / (1 << 20));
        }
      }
      return new Outcome(Map.of())
          .with("milliseconds", quartiles(milliseconds))
          .with("mebibytes", quartiles(mebibytes))
          .with("threads", workshop.threads())
          .with("parameters", layout.parameters());
    }
  }

  /** Bytes of the heap that are reachable. */
  private static double used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static List<Double> quartiles(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(x -> x).sorted().toArray();
    int n = sorted.length;
    return List.of(sorted[n / 4], sorted[n / 2], sorted[3 * n / 4]);
  }

  @Override
  protected void write() {
    question(
        """
        Per-example gradient norms are said to make DP-SGD "very slow"; estimating them by
        Johnson–Lindenstrauss projections is to bring time and memory near non-private training, at
        a good privacy and accuracy. §8 plans the comparison.
        """,
        "Fashion-MNIST test accuracy, %");
    Picture picture =
        picture("accuracy", "Fashion-MNIST, ε = 3", "step", "test accuracy, %").even();
    for (Method method : methods()) {
      List<Trial> runs = runs(method);
      if (runs.isEmpty()) {
        continue;
      }
      Sample noise = sample(runs, "noise");
      row(
          "ε = 3, δ = 1e-5" + (noise.size() > 0 ? format(", σ = %.3f", noise.mean()) : ""),
          method.name + (method.projections > 0 ? ", r = " + method.projections : ""),
          accuracy(runs));
      List<Double> curve = meanCurve(runs, "accuracy");
      picture.looks(method.name, method.projections == 0, effort.pick(20.0, 500.0), curve);
    }
    picture.caption("Test accuracy over the steps, mean over seeds, at the same ε.");
    costs();
    verdicts();
    assumed(
        """
        All images, lots of 600, 500 steps, C = %s, rate 1 for SGD and 0.002 for Adam, r = 30 as in
        Bu et al. 2021; noise is calibrated to the same certified ε for each.

        Time is that of a sum of clipped gradients (without noise and update, which are the same for
        all) with nothing beside, over 16 sums after 8 to warm up; memory what the heap holds more
        after a sum than before the engine was made, images left out. Two are told apart where their
        quartiles do not overlap. Both are of this engine on this machine: its exact norms need no
        stored per-example gradients, unlike the frameworks' that the document has in mind.

        As its paper has it, a step of DP-SGD-JL is r passes of forward mode along directions drawn
        anew and one gradient of the weighted losses. This library's private path estimates the same
        norms from one backward pass. Accuracy is that of the latter.
        """,
        CLIP);
    runFile(recipe(methods().get(3)).yaml());
  }

  private void costs() {
    PageTable table =
        table(
            "Speed and memory of a step: median (and quartiles)",
            "network | lot | method | time, ms | ÷ not private | memory, MiB | stored per-example"
                + " gradients would take, MiB");
    for (Step step : steps()) {
      Optional<Outcome> done = outcomes.of(timed(step));
      Optional<Outcome> plain = outcomes.of(timed(new Step(step.network, step.lot, Kind.PLAIN, 0)));
      table.row(
          step.network,
          step.lot,
          step.method(),
          done.map(outcome -> range(outcome, "milliseconds")).orElse("—"),
          done.flatMap(outcome -> plain.map(than -> ratio(outcome, than, "milliseconds")))
              .map(ratio -> format("%.2f", ratio))
              .orElse("—"),
          done.map(outcome -> range(outcome, "mebibytes")).orElse("—"),
          done.map(o -> format("%.0f", 4 * step.lot * o.value("parameters") / (1 << 20)))
              .orElse("—"));
    }
  }

  private String range(Outcome outcome, String measure) {
    List<Double> q = outcome.curve(measure);
    return format("%.1f (%.1f to %.1f)", q.get(1), q.get(0), q.get(2));
  }

  private double ratio(Outcome first, Outcome second, String measure) {
    return first.curve(measure).get(1) / second.curve(measure).get(1);
  }

  /** Whether the first is less than the second; decided where their quartiles do not overlap. */
  private Verdict less(Outcome first, Outcome second, String measure) {
    List<Double> a = first.curve(measure);
    List<Double> b = second.curve(measure);
    Ruling ruling =
        a.get(2) < b.get(0)
            ? Ruling.CONFIRMED
            : a.get(0) > b.get(2) ? Ruling.REFUTED : Ruling.INCONCLUSIVE;
    return Verdict.of(
        "%s%s (%.2f times)",
        ruling,
        ruling == Ruling.INCONCLUSIVE ? ", their quartiles overlap" : "",
        ratio(first, second, measure));
  }

  private void verdicts() {
    List<Method> methods = methods();
    for (int i = 0; i < methods.size(); i += 2) {
      List<Trial> exact = runs(methods.get(i));
      List<Trial> estimated = runs(methods.get(i + 1));
      double noise = sample(exact, "noise").mean();
      double more = sample(estimated, "noise").mean() / noise;
      verdict(
          "%s as accurate as %s at the same ε, within %s point: %s.%s",
          methods.get(i + 1).name,
          methods.get(i).name,
          MARGIN,
          paired(estimated, exact).notBelow(MARGIN),
          Double.isNaN(more)
              ? ""
              : format(
                  " A norm that is estimated too small lets an example weigh more than C: the"
                      + " same ε takes %.3f times the noise.",
                  more));
    }
    int r = effort.pick(5, 30);
    for (String network : networks()) {
      Optional<Outcome> plain = cost(network, Kind.PLAIN, 0);
      Optional<Outcome> exact = cost(network, Kind.EXACT, 0);
      if (plain.isEmpty() || exact.isEmpty()) {
        verdict("%s, speed and memory: not run yet.", network);
        continue;
      }
      verdict(
          "%s: a batch gradient faster than DP-SGD, which is \"very slow\": %s.",
          network, less(plain.get(), exact.get(), "milliseconds"));
      for (Kind kind : List.of(Kind.FORWARD, Kind.BACKWARD)) {
        cost(network, kind, r)
            .ifPresent(
                done ->
                    verdict(
                        "%s, %s, r = %d, against DP-SGD with this engine's exact norms:"
                            + " \"significantly faster\" %s; less memory %s. Against a batch"
                            + " gradient: %.2f times the time, %.2f times the memory.",
                        network,
                        kind.label,
                        r,
                        less(done, exact.get(), "milliseconds"),
                        less(done, exact.get(), "mebibytes"),
                        ratio(done, plain.get(), "milliseconds"),
                        ratio(done, plain.get(), "mebibytes")));
      }
    }
  }

  private Optional<Outcome> cost(String network, Kind kind, int r) {
    return outcomes.of(timed(new Step(network, 256, kind, r)));
  }
}

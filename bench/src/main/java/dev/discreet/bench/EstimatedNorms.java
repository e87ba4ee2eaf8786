package dev.discreet.bench;

import dev.discreet.accounting.Digits;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.ClippingRule;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacyPlanBuilder;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.format.Idx;
import dev.discreet.data.rows.ByteImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * DP-SGD-JL beside exact norms. {@code EstimatedNorms steps LOT ROUNDS}: the least milliseconds a
 * clipped sum takes, all ways in turns. {@code EstimatedNorms accuracy FOLDER PROJECTIONS LOT
 * EPOCHS RATE CLIP sgd|adam SEED NOISE}: a private run on images in IDX files; 0 projections are
 * exact norms, noise 0 is as much as ε = 3, δ = 1e-5 asks for.
 */
public final class EstimatedNorms {
  private EstimatedNorms() {}

  public static void main(String[] args) throws IOException {
    if (args[0].equals("steps")) {
      for (String network : new String[] {"mnist-cnn", "mlp(1000)"}) {
        steps(network, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
      }
    } else {
      accuracy(args);
    }
  }

  private static void steps(String name, int lot, int rounds) {
    Layout layout = Network.named(name, 10).on(new Shape(28, 28, 1));
    SplittableRandom dice = new SplittableRandom(1);
    float[] inputs = new float[lot * layout.input().size()];
    float[] labels = new float[lot];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = (float) dice.nextDouble(-0.4, 2.8);
    }
    for (int i = 0; i < lot; i++) {
      labels[i] = dice.nextInt(10);
    }
    Examples set = Examples.of(layout.input(), inputs, 1, labels);
    Engine cpu = Engine.standard();
    float[] theta = layout.initial(Initialiser.PYTORCH_UNIFORM, 0);
    Map<String, GradientSource> sources = new LinkedHashMap<>();
    for (int r : new int[] {0, 1, 5, 30}) {
      int slices = layout.slices().size();
      ClippingRule rule = r == 0 ? new ClippingRule.Flat() : new ClippingRule.Estimated(r);
      sources.put(
          r == 0 ? "exact" : "estimated, r = " + r,
          cpu.source(
              layout,
              new UnitRule(rule, new int[slices], 0, new boolean[slices]),
              PrivateData.each(set),
              new Sampler.FullBatch(lot),
              Grid.of(lot, cpu.unitsPerChunk(layout), 4)));
    }
    int[] all = IntStream.range(0, lot).toArray();
    float[] v = theta.clone();
    double[] sum = new double[theta.length];
    Map<String, double[]> times = new LinkedHashMap<>();
    try (PublicGradients open = cpu.open(layout, set)) {
      for (int round = 0; round < rounds + 2; round++) {
        int at = round - 2;
        for (Map.Entry<String, GradientSource> each : sources.entrySet()) {
          StepRequest request = new StepRequest(round, theta, 1, SamplingKey.insecure(1));
          time(times, each.getKey(), at, rounds, () -> each.getValue().clippedSum(request));
        }
        time(times, "batch gradient", at, rounds, () -> open.gradientSum(theta, all, sum));
        time(
            times,
            "forward mode, one direction",
            at,
            rounds,
            () -> open.directionalDerivatives(theta, all, v));
      }
    }
    sources.values().forEach(GradientSource::close);
    double exact = least(times.get("exact"));
    times.forEach(
        (what, each) ->
            System.out.printf(
                Locale.ROOT,
                "%s, lot %d, %s: %.1f ms, %.2f of exact%n",
                name,
                lot,
                what,
                least(each),
                least(each) / exact));
  }

  private static void time(
      Map<String, double[]> times, String what, int at, int rounds, Runnable action) {
    long began = System.nanoTime();
    action.run();
    if (at >= 0) {
      times.computeIfAbsent(what, key -> new double[rounds])[at] =
          (System.nanoTime() - began) * 1e-6;
    }
  }

  /** The least disturbed one. */
  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static void accuracy(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    int projections = Integer.parseInt(args[2]);
    double clip = Double.parseDouble(args[6]);
    double noise = Double.parseDouble(args[9]);
    PrivacyPlanBuilder plan =
        (noise > 0 ? PrivacyPlan.noise(noise) : PrivacyPlan.target(3, 1e-5))
            .lotSize(Double.parseDouble(args[3]))
            .epochs(Double.parseDouble(args[4]))
            .clip(clip);
    if (projections > 0) {
      plan.estimatedNorms(projections);
    }
    boolean adam = args[7].equals("adam");
    Network network = Network.parse(Network.named("mnist-cnn").toString().replace("relu", "tanh"));
    long began = System.nanoTime();
    Result result =
        Trainer.of(network, plan.build())
            .initialiser(Initialiser.PYTORCH_UNIFORM, Long.parseLong(args[8]))
            .learningRate(Double.parseDouble(args[5]))
            .optimizer(adam ? new Optimizer.Adam() : new Optimizer.Sgd())
            .train(images(folder, "train"), TestSet.allPublished(images(folder, "t10k")));
    System.out.printf(
        Locale.ROOT,
        "%s: accuracy %.4f, epsilon %.4f, noise multiplier %s, %d steps, %.0f s%n",
        String.join(" ", Arrays.asList(args).subList(2, args.length)),
        ((Evaluation.Classification) result.evaluation().orElseThrow()).accuracy(),
        result.epsilon(),
        Digits.shortest(result.provenance().configuration().plan().noise().at(0)),
        result.steps(),
        (System.nanoTime() - began) * 1e-9);
  }

  private static ByteImages images(Path folder, String part) throws IOException {
    Idx pixels = Idx.read(folder.resolve(part + "-images-idx3-ubyte.gz"));
    Idx labels = Idx.read(folder.resolve(part + "-labels-idx1-ubyte.gz"));
    return new ByteImages(
        new Shape(28, 28, 1),
        pixels.values(),
        labels.values(),
        new double[] {0.2860},
        new double[] {0.3530});
  }
}

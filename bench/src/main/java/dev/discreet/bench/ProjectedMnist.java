package dev.discreet.bench;

import dev.discreet.algorithms.projected.ProjectedGradients;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.cpu.Cpu;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Evaluation;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.TestSet;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.format.Idx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Projected against plain DP-SGD as in Zhou, Wu and Banerjee 2021: 10,000 private images of MNIST
 * and 100 public ones, lots of 250, 30 epochs, C = 1. {@code ProjectedMnist FOLDER NOISE K EVERY
 * RATE SEED...}; NOISE = 0 stands for what ε = 0.23, δ = 1e-5 needs, K = 0 for no projection. A
 * seed draws the images and the first parameters; lots and noise are fresh in every run.
 */
public final class ProjectedMnist {
  private static final Shape SHAPE = new Shape(28, 28, 1);

  private ProjectedMnist() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    double noise = Double.parseDouble(args[1]);
    int k = Integer.parseInt(args[2]);
    PrivacyPlan plan =
        (noise > 0 ? PrivacyPlan.noise(noise) : PrivacyPlan.target(0.23, 1e-5))
            .lotSize(250)
            .epochs(30)
            .clip(1)
            .build();
    for (int a = 5; a < args.length; a++) {
      long seed = Long.parseLong(args[a]);
      int[] order = shuffled(60_000, seed);
      Trainer trainer =
          Trainer.of(Network.named("mnist-cnn"), plan)
              .initialiser(Initialiser.PYTORCH_UNIFORM, seed)
              .learningRate(Double.parseDouble(args[4]))
              .engine(Cpu.all().withThreads(1))
              .evaluateEvery(1_000_000);
      double[] share = new double[1];
      if (k > 0) {
        trainer =
            trainer.transform(
                ProjectedGradients.of(images(folder, "train", order, 10_000, 100), k)
                    .every(Long.parseLong(args[3]))
                    .watch((spectrum, step) -> share[0] = spectrum.share(k)));
      }
      long began = System.nanoTime();
      Result result =
          trainer.train(
              images(folder, "train", order, 0, 10_000),
              TestSet.declaredPublic(
                  images(folder, "t10k", IntStream.range(0, 10_000).toArray(), 0, 10_000)));
      System.out.printf(
          Locale.ROOT,
          "noise %s k %d every %s rate %s seed %d: accuracy %.4f, epsilon %.4f, %d steps, %.0f s, share %.3f%n",
          result.provenance().configuration().get("noiseMultiplier"),
          k,
          args[3],
          args[4],
          seed,
          ((Evaluation.Classification) result.evaluation().orElseThrow()).accuracy(),
          result.epsilon(),
          result.steps(),
          (System.nanoTime() - began) * 1e-9,
          share[0]);
    }
  }

  private static int[] shuffled(int size, long seed) {
    int[] order = IntStream.range(0, size).toArray();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    return order;
  }

  private static Examples images(Path folder, String part, int[] order, int from, int size)
      throws IOException {
    byte[] pixels = Idx.read(folder.resolve(part + "-images-idx3-ubyte.gz")).values();
    byte[] labels = Idx.read(folder.resolve(part + "-labels-idx1-ubyte.gz")).values();
    float[] inputs = new float[size * SHAPE.size()];
    float[] targets = new float[size];
    for (int i = 0; i < size; i++) {
      int image = order[from + i];
      targets[i] = labels[image] & 0xff;
      for (int p = 0; p < SHAPE.size(); p++) {
        int value = pixels[image * SHAPE.size() + p] & 0xff;
        inputs[i * SHAPE.size() + p] = (float) ((value / 255.0 - 0.1307) / 0.3081);
      }
    }
    return Examples.of(SHAPE, inputs, 1, targets);
  }
}

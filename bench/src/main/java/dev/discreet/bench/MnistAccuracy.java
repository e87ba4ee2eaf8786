package dev.discreet.bench;

import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.format.Idx;
import dev.discreet.data.rows.ByteImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Accuracy of private training on MNIST at ε = 3, δ = 1e-5: {@code MnistAccuracy FOLDER relu|tanh
 * LOT EPOCHS RATE THRESHOLD EMA RUNS}. Every run draws fresh keys.
 */
public final class MnistAccuracy {
  private MnistAccuracy() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    double threshold = Double.parseDouble(args[5]);
    Network cnn = Network.named("mnist-cnn");
    Network network =
        args[1].equals("tanh") ? Network.parse(cnn.toString().replace("relu", "tanh")) : cnn;
    PrivacyPlan plan =
        PrivacyPlan.target(3, 1e-5)
            .lotSize(Double.parseDouble(args[2]))
            .epochs(Double.parseDouble(args[3]))
            .clip(threshold)
            .build();
    ByteImages train = images(folder, "train");
    ByteImages test = images(folder, "t10k");
    int runs = Integer.parseInt(args[7]);
    double sum = 0;
    for (int run = 0; run < runs; run++) {
      long began = System.nanoTime();
      double[] waited = new double[1];
      Result result =
          Trainer.of(network, plan)
              .initialiser(dev.discreet.core.nn.Initialiser.PYTORCH_UNIFORM, run)
              .learningRate(Double.parseDouble(args[4]) / threshold)
              .ema(Double.parseDouble(args[6]))
              .evaluateEvery(1_000_000)
              .listener(e -> waited[0] += e instanceof Event.Timing t ? t.seconds() : 0)
              .train(train, TestSet.allPublished(test));
      double accuracy = ((Evaluation.Classification) result.evaluation().orElseThrow()).accuracy();
      sum += accuracy;
      System.out.printf(
          Locale.ROOT,
          "%s run %d: accuracy %.4f, epsilon %.4f, %d steps, %.1f s of steps, %.1f s in all%n",
          String.join(" ", args).substring(args[0].length() + 1),
          run,
          accuracy,
          result.epsilon(),
          result.steps(),
          waited[0],
          (System.nanoTime() - began) * 1e-9);
    }
    System.out.printf(Locale.ROOT, "mean of %d: %.4f%n", runs, sum / runs);
  }

  private static ByteImages images(Path folder, String part) throws IOException {
    Idx pixels = Idx.read(folder.resolve(part + "-images-idx3-ubyte.gz"));
    Idx labels = Idx.read(folder.resolve(part + "-labels-idx1-ubyte.gz"));
    return new ByteImages(
        new Shape(28, 28, 1),
        pixels.values(),
        labels.values(),
        new double[] {0.1307},
        new double[] {0.3081});
  }
}

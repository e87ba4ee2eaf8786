package dev.discreet.report;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.evaluate.Evaluation.Classification;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.evaluate.ScoreNoise;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Event;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import dev.discreet.report.TrainingReport.Misread;
import dev.discreet.report.TrainingReport.Reproduce;
import dev.discreet.report.TrainingReport.Row;
import dev.discreet.report.TrainingReport.Score;
import dev.discreet.report.TrainingReport.Spent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reports of real, small trainings on generated examples. */
final class Samples {
  static final List<String> CLOTHES =
      List.of(
          "T-shirt/top",
          "Trouser",
          "Pullover",
          "Dress",
          "Coat",
          "Sandal",
          "Shirt",
          "Sneaker",
          "Bag",
          "Ankle boot");
  private static final Shape PICTURE = new Shape(28, 28, 1);
  private static final Score PUBLIC = new Score.PublicTest(List.of());

  private Samples() {}

  // Each is trained once, for all tests.
  private static final Map<String, TrainingReport> MADE = new ConcurrentHashMap<>();

  private static TrainingReport once(
      String title, List<String> classes, Score score, Supplier<Result> training) {
    return MADE.computeIfAbsent(
        title,
        t -> {
          Result result = training.get();
          return report(title, result, classes, spent(result), score);
        });
  }

  private static Trainer trainer(String network, double epsilon) {
    PrivacyPlan plan =
        PrivacyPlan.target(epsilon, 1e-5)
            .unit("patient")
            .oneRowEach()
            .lotSize(100)
            .steps(60)
            .clip(1)
            .build();
    return Trainer.of(Network.parse(network), plan).learningRate(1).evaluateEvery(4);
  }

  /** Points around one centre a class. */
  private static Examples points(int count, int classes, long seed) {
    Random random = new Random(seed);
    float[] values = new float[count * 2];
    float[] labels = new float[count];
    for (int i = 0; i < count; i++) {
      labels[i] = i % classes;
      double angle = 2 * Math.PI * labels[i] / classes;
      values[2 * i] = (float) (Math.cos(angle) + 0.6 * random.nextGaussian());
      values[2 * i + 1] = (float) (Math.sin(angle) + 0.6 * random.nextGaussian());
    }
    return Examples.of(Shape.vector(2), values, 1, labels);
  }

  /** A blob, a stripe or a ring at a place of its class, in noise. */
  private static float[] picture(int label, Random random) {
    float[] pixels = new float[PICTURE.size()];
    double cx = 9 + label % 3 * 5 + random.nextGaussian();
    double cy = 8 + label / 3 * 4 + random.nextGaussian();
    for (int y = 0; y < 28; y++) {
      for (int x = 0; x < 28; x++) {
        double far = Math.hypot((x - cx) * (label % 2 == 0 ? 1 : 0.4), y - cy);
        double ink = Math.exp(-Math.pow(far - label % 4, 2) / 6) + 0.15 * random.nextGaussian();
        pixels[28 * y + x] = (float) Math.max(0, Math.min(1, ink));
      }
    }
    return pixels;
  }

  private static Examples pictures(int count, long seed) {
    Random random = new Random(seed);
    float[] values = new float[count * PICTURE.size()];
    float[] labels = new float[count];
    for (int i = 0; i < count; i++) {
      labels[i] = i % 10;
      System.arraycopy(picture(i % 10, random), 0, values, i * PICTURE.size(), PICTURE.size());
    }
    return Examples.of(PICTURE, values, 1, labels);
  }

  private static List<Misread> misread(int count) {
    Random random = new Random(3);
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              float[] ink = picture(i % 10, random);
              byte[] pixels = new byte[ink.length];
              for (int j = 0; j < ink.length; j++) {
                pixels[j] = (byte) Math.round(255 * ink[j]);
              }
              String taken = CLOTHES.get((i + 6) % 10);
              return new Misread(PICTURE, pixels, CLOTHES.get(i % 10), taken, 0.99 - 0.01 * i);
            })
        .toList();
  }

  /** As a caller would know them: what the first steps of the ledger cost. */
  private static List<Spent> spent(Result result) {
    List<Spent> spent = new ArrayList<>(List.of(new Spent(0, 0)));
    if (result.privacy() instanceof Guaranteed kept) {
      Ledger ledger = kept.ledger();
      for (long step = 4; step <= result.steps(); step += 4) {
        Ledger until = Ledger.of(ledger.neighbouring(), ledger.entries().get(0).mechanism(), step);
        double delta = kept.guarantee().delta();
        spent.add(new Spent(step, new PldAccountant(1e-3).epsilon(until, delta).epsilon()));
      }
    }
    return spent;
  }

  private static TrainingReport report(
      String title, Result result, List<String> classes, List<Spent> spent, Score score) {
    return new TrainingReport(
        title,
        "generated examples",
        result,
        classes,
        spent,
        score,
        List.of(
            new Row("data", "generated examples, 600 declared"),
            new Row("model", result.provenance().configuration().texts().get("network")),
            new Row("lot", "100 expected of 600, Poisson"),
            new Row("steps", "60, about 10 epochs"),
            new Row("clipping", "flat, threshold 1"),
            new Row(
                "noise multiplier",
                result.provenance().configuration().texts().get("noiseMultiplier"))),
        new Reproduce(
            "discreet train --data gaussians --epsilon 3 --delta 1e-5 --lot-size 100 --out run",
            "data: gaussians\nmodel: dense(3)\nepsilon: 3\ndelta: 1e-5\nlot-size: 100\nclip: 1\n"));
  }

  static TrainingReport threeClasses() {
    return once(
        "Three kinds of points",
        List.of("red", "green", "blue"),
        PUBLIC,
        () ->
            trainer("dense(3)", 3)
                .train(points(600, 3, 1), TestSet.declaredPublic(points(300, 3, 2))));
  }

  static TrainingReport clothes() {
    return once(
        "Clothes",
        CLOTHES,
        new Score.PublicTest(misread(20)),
        () ->
            trainer("flatten dense(10)", 8)
                .train(pictures(600, 1), TestSet.declaredPublic(pictures(400, 2))));
  }

  static TrainingReport regression() {
    Random random = new Random(5);
    float[] values = new float[600];
    float[] targets = new float[600];
    for (int i = 0; i < 600; i++) {
      values[i] = (float) random.nextGaussian();
      targets[i] = 0.7f * values[i] + 0.2f + 0.1f * (float) random.nextGaussian();
    }
    Examples examples = Examples.of(Shape.vector(1), values, 1, targets);
    return once(
        "A line",
        List.of(),
        PUBLIC,
        () -> trainer("dense(1) loss=squared", 2).train(examples, TestSet.allPublished(examples)));
  }

  static Score noised(boolean accuracy, double value, double deviation) {
    ScoreNoise noise = new ScoreNoise(deviation, accuracy ? 0.1 : 11 / 12.0);
    return new Score.Noised(new NoisyScore(accuracy, value, noise, 1_000, 9, Double.NaN));
  }

  /** Without a public test set. */
  static TrainingReport unseen(Score score) {
    TrainingReport run =
        once(
            "Held out",
            List.of(),
            new Score.ConsoleOnly(),
            () -> trainer("dense(3)", 1).train(points(600, 3, 1)));
    return report("Held out", run.result(), List.of(), run.spent(), score);
  }

  static TrainingReport insecure() {
    return once(
        "From a seed",
        List.of("no", "yes"),
        PUBLIC,
        () ->
            trainer("dense(2)", 3)
                .insecureSeed(7)
                .train(points(600, 2, 1), TestSet.declaredPublic(points(300, 2, 2))));
  }

  static TrainingReport nonPrivate() {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(100).steps(30).build();
    return once(
        "Without privacy",
        List.of(),
        PUBLIC,
        () ->
            Trainer.nonPrivate(Network.parse("dense(2)"), plan)
                .learningRate(1)
                .train(points(600, 2, 1), TestSet.declaredPublic(points(300, 2, 2))));
  }

  /** Many classes, or many evaluations, on a run of three classes: only the counts are made up. */
  static TrainingReport with(int classes, int evaluations) {
    Random random = new Random(11);
    TrainingReport small = threeClasses();
    List<List<Integer>> confusion =
        IntStream.range(0, classes)
            .mapToObj(
                i ->
                    IntStream.range(0, classes)
                        .mapToObj(j -> i == j ? 80 : random.nextInt(40) == 0 ? 5 : 0)
                        .toList())
            .toList();
    int examples = confusion.stream().flatMap(List::stream).mapToInt(Integer::intValue).sum();
    List<Event.Evaluated> events =
        IntStream.rangeClosed(1, evaluations)
            .mapToObj(
                step ->
                    new Event.Evaluated(
                        step, new Classification(examples, 100.0 / step, confusion)))
            .toList();
    Result run = small.result();
    Result result = new Result(run.privacy(), run.model(), run.steps(), events, run.provenance());
    List<String> names =
        Stream.iterate(0, i -> i + 1).limit(classes).map(i -> "a rather long name " + i).toList();
    return report("Of " + classes + " classes", result, names, small.spent(), PUBLIC);
  }
}

package dev.discreet.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.PublicRows;
import dev.discreet.core.evaluate.Evaluation;
import dev.discreet.core.evaluate.Metrics;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.MovingAverage;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.optimize.OptimizerState;
import dev.discreet.core.optimize.ParameterRange;
import dev.discreet.core.parallel.ThreadTeam;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.internal.RowFingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * {@code LinearCosts [MOST]}: what is linear in the rows or the parameters of a run beside its
 * gradients, for 1,000 to 10^MOST of them (7 unless told), as a table in Markdown. A cell has the
 * nanoseconds of all threads together for each row or parameter, because processor time depends
 * less on what else the machine does; the last column says how many cores worked at the largest
 * number.
 */
public final class LinearCosts {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final double SECONDS = 0.2;
  private static final int INPUTS = 10;

  private LinearCosts() {}

  /**
   * Something to be timed.
   *
   * @param when how often a run does it
   * @param most how many it is tried with; above that it takes too long or too much memory here
   * @param make gets everything ready for so many
   */
  private record Cost(String name, String when, int most, IntFunction<Runnable> make) {}

  public static void main(String[] args) throws IOException {
    int most = (int) Math.pow(10, args.length == 0 ? 7 : Integer.parseInt(args[0]));
    Path folder = Files.createTempDirectory("linear");
    int threads = Runtime.getRuntime().availableProcessors();
    try (ThreadTeam team = ThreadTeam.forThisThread(threads)) {
      table("rows", rows(), most);
      System.out.println();
      table("parameters", parameters(folder), most);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(each);
        }
      }
    }
  }

  private static void table(String what, List<Cost> costs, int most) {
    StringBuilder head = new StringBuilder("| " + what + ", ns each | when |");
    StringBuilder rule = new StringBuilder("| --- | --- |");
    for (int n = 1000; n <= most; n *= 10) {
      head.append(String.format(Locale.ROOT, " %,d |", n));
      rule.append(" --- |");
    }
    System.out.println(head + " cores |\n" + rule + " --- |");
    for (Cost cost : costs) {
      System.out.print("| " + cost.name() + " | " + cost.when() + " |");
      double cores = 0;
      for (int n = 1000; n <= most; n *= 10) {
        if (n > cost.most()) {
          System.out.print(" – |");
          continue;
        }
        Runnable task = cost.make().apply(n);
        task.run();
        long cpu = SYSTEM.getProcessCpuTime();
        long began = System.nanoTime();
        int times = 0;
        do {
          task.run();
          times++;
        } while (System.nanoTime() - began < SECONDS * 1e9 || times < 3);
        double worked = SYSTEM.getProcessCpuTime() - cpu;
        cores = worked / (System.nanoTime() - began);
        System.out.printf(Locale.ROOT, " %.3g |", worked / times / n);
        System.out.flush();
      }
      System.out.printf(Locale.ROOT, " %.1f |%n", cores);
    }
  }

  private static List<Cost> rows() {
    SamplingKey key = SamplingKey.insecure(1);
    Layout layout = Network.named("logistic", 2).on(Shape.vector(INPUTS));
    PublicRows few = new PublicRows(examples(1000, 7), true);
    byte[] row = new byte[40];
    return List.of(
        new Cost(
            "units of owners that are numbers",
            "once a run",
            Integer.MAX_VALUE,
            n -> {
              long[] owners = owners(n);
              return () -> Units.byOwner(owners);
            }),
        new Cost(
            "units of owners that are names",
            "once a run",
            1_000_000,
            n -> {
              List<UnitName> names =
                  Arrays.stream(owners(n)).mapToObj(each -> UnitName.of("p" + each)).toList();
              return () -> Units.byOwner(names);
            }),
        new Cost(
            "at most two rows of a unit",
            "once a run",
            Integer.MAX_VALUE,
            n -> {
              Units units = Units.byOwner(owners(n));
              return () -> units.atMost(2);
            }),
        new Cost(
            "fingerprint of a row of 40 bytes",
            "once a run",
            Integer.MAX_VALUE,
            n ->
                () -> {
                  RowFingerprint print = new RowFingerprint("bench");
                  for (int i = 0; i < n; i++) {
                    print.clear();
                    print.add(row, 0, row.length);
                    print.value();
                  }
                }),
        new Cost(
            "public rows are hashed",
            "once a run",
            1_000_000,
            n -> {
              Examples rows = examples(n, 1);
              return () -> new PublicRows(rows, true);
            }),
        new Cost(
            "private rows beside 1,000 public ones",
            "once a run",
            Integer.MAX_VALUE,
            n -> {
              Examples rows = examples(n, 1);
              return () -> few.findIn(rows);
            }),
        lots("Poisson lot of 1,000", n -> new Sampler.Poisson(Math.min(1, 1000.0 / n), n), key),
        lots("fixed-size lot of 1,000", n -> new Sampler.FixedSize(Math.min(1000, n), n), key),
        lots(
            "one of the lots of an epoch",
            n -> new Sampler.ShuffledEpochs(Math.max(1, n / 1000), n),
            key),
        new Cost(
            "evaluation of a logistic model",
            "each evaluation",
            Integer.MAX_VALUE,
            n -> {
              Examples rows = examples(n, 1);
              PublicGradients gradients = Engine.standard().open(layout, rows);
              float[] theta = layout.initial(Initialiser.STANDARD, 1);
              return () -> Evaluation.of(gradients, layout, theta, rows);
            }),
        new Cost(
            "figures of an evaluation with intervals",
            "each evaluation",
            Integer.MAX_VALUE,
            n -> {
              Examples rows = examples(n, 1);
              Evaluation found;
              try (PublicGradients gradients = Engine.standard().open(layout, rows)) {
                found =
                    Evaluation.of(gradients, layout, layout.initial(Initialiser.STANDARD, 1), rows);
              }
              return () -> Metrics.of(found, null);
            }));
  }

  private static Cost lots(String name, IntFunction<Sampler> sampler, SamplingKey key) {
    long[] release = new long[1];
    return new Cost(
        name,
        "each step",
        Integer.MAX_VALUE,
        n -> {
          Units units = Units.each(n);
          Sampler of = sampler.apply(n);
          return () -> of.lot(key, release[0]++, units);
        });
  }

  private static List<Cost> parameters(Path folder) {
    return List.of(
        new Cost(
            "initial parameters",
            "once a run",
            Integer.MAX_VALUE,
            n -> {
              Layout layout = linear(n);
              return () -> layout.initial(Initialiser.STANDARD, 1);
            }),
        new Cost(
            "noise of a release",
            "each step",
            Integer.MAX_VALUE,
            n -> {
              GridVector value = new GridVector(new long[n], -22, Norm.L2, 1);
              PrivacySession session = PrivacySession.open(Neighbouring.ADD_REMOVE);
              return () -> session.release(new Mechanism.Gaussian(1.3), value);
            }),
        update("SGD", new Optimizer.Sgd()),
        update("Adam", new Optimizer.Adam(0.9, 0.999, 1e-8)),
        new Cost(
            "moving average",
            "each step",
            Integer.MAX_VALUE,
            n -> {
              MovingAverage average = new MovingAverage(0.99, new float[n]);
              float[] theta = new float[n];
              return () -> average.add(theta);
            }),
        new Cost(
            "norm of the noisy gradient",
            "each step",
            Integer.MAX_VALUE,
            n -> {
              float[] gradient = new float[n];
              List<ParameterRange> ranges = List.of(new ParameterRange(0, n, 0, true));
              return () -> ParameterRange.norm(ranges, gradient);
            }),
        new Cost(
            "model is saved",
            "end of a run",
            Integer.MAX_VALUE,
            n -> {
              Model model = model(n);
              return () -> save(model, folder);
            }),
        new Cost(
            "model is loaded",
            "before predictions",
            Integer.MAX_VALUE,
            n -> {
              save(model(n), folder);
              return () -> {
                try {
                  Model.load(folder);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              };
            }));
  }

  private static Cost update(String name, Optimizer optimizer) {
    return new Cost(
        "update by " + name,
        "each step",
        Integer.MAX_VALUE,
        n -> {
          OptimizerState state =
              new OptimizerState(optimizer, 0, n, 1, List.of(new ParameterRange(0, n, 0, true)));
          float[] theta = new float[n];
          float[] gradient = new float[n];
          double[] variances = {1e-6};
          return () -> state.update(theta, gradient, 0.1, variances);
        });
  }

  private static Layout linear(int parameters) {
    return Network.named("linear").on(Shape.vector(parameters - 1));
  }

  private static Model model(int parameters) {
    Layout layout = linear(parameters);
    return new Model(
        layout,
        layout.initial(Initialiser.STANDARD, 1),
        ModelPrivacy.none("NOT PRIVATE: made up."));
  }

  private static void save(Model model, Path folder) {
    try {
      model.save(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** About three rows of each. */
  private static long[] owners(int rows) {
    SplittableRandom random = new SplittableRandom(1);
    return LongStream.range(0, rows).map(i -> random.nextLong(1 + rows / 3)).toArray();
  }

  private static Examples examples(int rows, long seed) {
    float[] values = new float[rows * INPUTS];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    float[] labels = new float[rows];
    IntStream.range(0, rows).forEach(i -> labels[i] = i & 1);
    return Examples.of(Shape.vector(INPUTS), values, 1, labels);
  }
}

package dev.discreet.spark;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Steps on two executors of one core against steps of one machine on two threads, taken by turns.
 * No test: {@code -Dspark.bench=all} runs it and prints the tables of bench/results/spark.md.
 */
@EnabledIfSystemProperty(named = "spark.bench", matches = ".+")
class SparkStepsBenchmark {
  private static SparkSession spark;
  private static final AtomicLong RESULT_BYTES = new AtomicLong();
  private static final AtomicLong LONGEST_TASK = new AtomicLong();

  @BeforeAll
  static void start() {
    spark = LocalCluster.start("local-cluster[2,1,3072]", Map.of("spark.executor.memory", "3g"));
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                RESULT_BYTES.addAndGet(end.taskMetrics().resultSize());
                LONGEST_TASK.accumulateAndGet(end.taskMetrics().executorRunTime(), Math::max);
              }
            });
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** One example, the same wherever it is made. */
  private static float[] row(long id, int inputs, int classes) {
    SplittableRandom random = new SplittableRandom(id);
    float[] row = new float[inputs + 1];
    for (int i = 0; i < inputs; i++) {
      row[i] = (float) random.nextDouble(-1, 1);
    }
    row[inputs] = random.nextInt(classes);
    return row;
  }

  private record Work(String name, Layout layout, int classes, int rows, int lot) {
    Sampler sampler() {
      return new Sampler.Poisson((double) lot / rows, rows);
    }

    Grid grid(Engine engine) {
      return Grid.of(lot, engine.unitsPerChunk(layout), 1, engine.buckets());
    }

    GradientSource open(Engine engine, PrivateData data) {
      return engine.source(layout, UnitRule.flat(layout), data, sampler(), grid(engine));
    }

    StepRequest request(long release) {
      return new StepRequest(
          release, layout.initial(Initialiser.STANDARD, 1), 1.0, SamplingKey.insecure(1));
    }
  }

  private static PrivateData here(Shape input, int classes, int rows) {
    float[] inputs = new float[rows * input.size()];
    float[] labels = new float[rows];
    IntStream.range(0, rows)
        .parallel()
        .forEach(
            i -> {
              float[] row = row(i, input.size(), classes);
              System.arraycopy(row, 0, inputs, i * input.size(), input.size());
              labels[i] = row[input.size()];
            });
    return PrivateData.each(Examples.of(input, inputs, 1, labels));
  }

  private static SparkData there(Shape input, int classes, int rows) {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(SparkSession.active().sparkContext());
    int inputs = input.size();
    int part = 10_000;
    List<Integer> parts = IntStream.range(0, (rows + part - 1) / part).boxed().toList();
    return new SparkData(
        context,
        context
            .parallelize(parts, 8)
            .flatMap(
                number ->
                    LongStream.range((long) number * part, Math.min(rows, (number + 1L) * part))
                        .mapToObj(id -> new UnitRow(id, 0, row(id, inputs, classes)))
                        .iterator()),
        false,
        input,
        1,
        true,
        rows);
  }

  private static double seconds(GradientSource source, StepRequest request) {
    long begun = System.nanoTime();
    source.clippedSum(request);
    return (System.nanoTime() - begun) * 1e-9;
  }

  private static double median(List<Double> times) {
    double[] sorted = times.stream().mapToDouble(each -> each).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** Medians of steps here and there, taken by turns. */
  private static double[] byTurns(GradientSource here, GradientSource there, Work work, int steps) {
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      StepRequest request = work.request(step);
      double one = seconds(here, request);
      double other = seconds(there, request);
      if (step >= steps / 3) {
        ours.add(one);
        theirs.add(other);
      }
    }
    return new double[] {median(ours), median(theirs)};
  }

  private static void print(String form, Object... values) {
    System.out.printf(Locale.ROOT, "BENCH " + form + "%n", values);
  }

  @Test
  void throughput() throws InterruptedException {
    Shape image = new Shape(28, 28, 1);
    Layout digits = Network.named("mnist-cnn").on(image);
    throughput(image, 10, 60_000, digits, "mnist-cnn", new int[] {600, 6_000, 20_000});
    Shape table = Shape.vector(100);
    Layout logistic = Network.named("logistic", 2).on(table);
    throughput(table, 2, 1_000_000, logistic, "logistic, 100 features", new int[] {10_000});
  }

  private static void throughput(
      Shape input, int classes, int rows, Layout layout, String name, int[] lots)
      throws InterruptedException {
    PrivateData here = here(input, classes, rows);
    SparkData there = there(input, classes, rows);
    for (int lot : lots) {
      Work work = new Work(name, layout, classes, rows, lot);
      long begun = System.nanoTime();
      try (GradientSource local = work.open(Engine.standard().withThreads(2), here);
          GradientSource cluster = work.open(new SparkEngine(), there)) {
        cluster.clippedSum(work.request(1_000_000));
        double layoutSeconds = (System.nanoTime() - begun) * 1e-9;
        double[] medians = byTurns(local, cluster, work, lot > 5_000 ? 45 : 150);
        LONGEST_TASK.set(0);
        double whole = seconds(cluster, work.request(2_000_000));
        Thread.sleep(300);
        print(
            "| %s | %,d | %,.0f | %,.0f | %.0f%% | %.1f ms | %.1f ms | %.1f s |",
            name,
            lot,
            lot / medians[0],
            lot / medians[1],
            100 * medians[0] / medians[1],
            1e3 * (medians[1] - medians[0]),
            1e3 * whole - LONGEST_TASK.get(),
            layoutSeconds);
      }
    }
  }

  @Test
  void partitions() {
    Shape image = new Shape(28, 28, 1);
    Work work = new Work("mnist-cnn", Network.named("mnist-cnn").on(image), 10, 20_000, 600);
    SparkData there = there(image, 10, 20_000);
    for (int partitions : new int[] {1, 2, 4, 8, 16, 32, 64}) {
      try (GradientSource cluster =
          work.open(new SparkEngine().withPartitions(partitions), there)) {
        List<Double> times = new ArrayList<>();
        long bytes = 0;
        for (int step = 0; step < 40; step++) {
          RESULT_BYTES.set(0);
          double each = seconds(cluster, work.request(step));
          if (step >= 15) {
            times.add(each);
          }
          bytes = RESULT_BYTES.get();
        }
        print("| %d | %.1f ms | %,d |", partitions, 1e3 * median(times), bytes);
      }
    }
  }

  /** What Spark itself takes for a task, whatever it does. */
  @Test
  void emptyTasks() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    for (int tasks : new int[] {2, 64, 1_000}) {
      List<Double> times = new ArrayList<>();
      List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
      var rows = context.parallelize(numbers, tasks);
      for (int i = 0; i < 20; i++) {
        long begun = System.nanoTime();
        rows.treeReduce(Integer::sum);
        times.add((System.nanoTime() - begun) * 1e-9);
      }
      print("| %,d | %.1f ms |", tasks, 1e3 * median(times.subList(7, 20)));
    }
  }

  @Test
  void parameters() throws InterruptedException {
    Shape table = Shape.vector(100);
    PrivateData here = here(table, 10, 10_000);
    SparkData there = there(table, 10, 10_000);
    for (int hidden : new int[] {9, 90, 900, 9_000, 90_000}) {
      Layout layout = Network.parse("dense(" + hidden + ") relu dense(10)").on(table);
      Work work = new Work("mlp(" + hidden + ")", layout, 10, 10_000, 200);
      try (GradientSource local = work.open(Engine.standard().withThreads(2), here);
          GradientSource cluster =
              work.open(new SparkEngine().withBuckets(hidden > 1_000 ? 4 : 64), there)) {
        cluster.clippedSum(work.request(1_000_000));
        double[] medians = byTurns(local, cluster, work, hidden > 1_000 ? 12 : 45);
        RESULT_BYTES.set(0);
        LONGEST_TASK.set(0);
        double whole = seconds(cluster, work.request(2_000_000));
        Thread.sleep(300);
        print(
            "| %,d | %.1f ms | %.1f ms | %.1f ms | %,d | %,d |",
            layout.parameters(),
            1e3 * medians[0],
            1e3 * medians[1],
            1e3 * whole - LONGEST_TASK.get(),
            4L * layout.parameters(),
            RESULT_BYTES.get());
      }
    }
  }
}

package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.GradientSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import scala.Tuple2;

/** Whatever Spark loses, runs again or runs twice, the sum is that of the undisturbed run. */
@Isolated("ends the session")
class TasksRunAgainTest {
  @TempDir static Path folder;

  private static SparkSession session;
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    session = LocalCluster.watched();
    spark = new JavaSparkContext(session.sparkContext());
  }

  private static JavaRDD<UnitRow> rows() {
    return SparkData.of(spark, Steps.data()).rows();
  }

  /** Whether this is the first time that anybody on this machine comes here. */
  private static boolean isFirst(String mark) {
    try {
      Files.createFile(Path.of(mark));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** An executor's JVM ends while it reads rows. */
  @Test
  void anExecutorThatEndsWhileRowsAreLaidOut() {
    String mark = folder.resolve("ended").toString();
    JavaRDD<UnitRow> deadly =
        rows()
            .map(
                row -> {
                  if (row.unit().low() == 77 && isFirst(mark)) {
                    Runtime.getRuntime().halt(9);
                  }
                  return row;
                });
    long[] found = Steps.sum(new SparkEngine(), Steps.of(spark, deadly), 7);
    assertTrue(Files.exists(Path.of(mark)), "an executor ended");
    assertArrayEquals(Steps.undisturbed(7), found);
  }

  /** An executor is killed as soon as it begins to sum rows that it has laid out before. */
  @Test
  void anExecutorThatIsKilledInMidStep() {
    Map<String, Long> processes = processes();
    try (GradientSource source = Steps.open(new SparkEngine().withPartitions(64), Steps.data())) {
      assertArrayEquals(Steps.undisturbed(1), Steps.sum(source, 1));
      Killer killer = new Killer(processes);
      spark.sc().addSparkListener(killer);
      try {
        assertArrayEquals(Steps.undisturbed(2), Steps.sum(source, 2));
      } finally {
        spark.sc().removeSparkListener(killer);
      }
      assertEquals(1, killer.killed.get());
      assertTrue(killer.lost.get() > 0, "tasks were lost with it");
      assertArrayEquals(Steps.undisturbed(3), Steps.sum(source, 3));
    }
  }

  /** The process of each executor. */
  private static Map<String, Long> processes() {
    Map<String, Long> found = new HashMap<>();
    for (int i = 0; found.isEmpty() || found.size() < 2 && i < 20; i++) {
      spark
          .parallelize(List.of(1, 2, 3, 4), 4)
          .map(
              each -> {
                Thread.sleep(50);
                return new Tuple2<>(SparkEnv.get().executorId(), ProcessHandle.current().pid());
              })
          .collect()
          .forEach(each -> found.put(each._1(), each._2()));
    }
    return found;
  }

  /** Kills the process of the first executor that begins a task. */
  private static final class Killer extends SparkListener {
    private final Map<String, Long> processes;
    private final AtomicInteger killed = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    Killer(Map<String, Long> processes) {
      this.processes = processes;
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      Long process = processes.get(start.taskInfo().executorId());
      if (process != null && killed.compareAndSet(0, 1)) {
        ProcessHandle.of(process).orElseThrow().destroyForcibly();
      }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      lost.addAndGet(end.reason() instanceof ExecutorLostFailure ? 1 : 0);
    }
  }

  /** One attempt sleeps; Spark starts another, which is not told from the first by anything. */
  @Test
  void aStragglerThatIsOvertaken() {
    AtomicInteger speculative = new AtomicInteger();
    SparkListener watch =
        new SparkListener() {
          @Override
          public void onTaskStart(SparkListenerTaskStart start) {
            speculative.addAndGet(start.taskInfo().speculative() ? 1 : 0);
          }
        };
    spark.sc().addSparkListener(watch);
    JavaRDD<UnitRow> slow =
        rows()
            .repartition(6)
            .mapPartitions(
                each -> {
                  TaskContext task = TaskContext.get();
                  if (task.partitionId() == 3 && task.attemptNumber() == 0) {
                    Thread.sleep(600_000);
                  }
                  return each;
                });
    long before = System.nanoTime();
    try {
      assertArrayEquals(
          Steps.undisturbed(7), Steps.sum(new SparkEngine(), Steps.of(spark, slow), 7));
    } finally {
      spark.sc().removeSparkListener(watch);
    }
    assertTrue(System.nanoTime() - before < 500e9, "nobody waited for the straggler");
    assertTrue(speculative.get() > 0, "a task ran twice");
  }

  @Test
  void blocksThatAreLostBetweenSteps() {
    try (GradientSource source = Steps.open(new SparkEngine().withPartitions(7), Steps.data())) {
      assertArrayEquals(Steps.undisturbed(1), Steps.sum(source, 1));
      Steps.lose(spark);
      assertArrayEquals(Steps.undisturbed(2), Steps.sum(source, 2));
    }
  }

  @Test
  void inputThatIsCutInOtherWays() {
    List<UnitRow> shuffled = new ArrayList<>(rows().collect());
    Collections.shuffle(shuffled, new Random(1));
    long[] expected = Steps.undisturbed(5);
    JavaRDD<UnitRow> rows = spark.parallelize(shuffled, 5);
    for (JavaRDD<UnitRow> each :
        List.of(rows.coalesce(1), rows.repartition(9), spark.parallelize(shuffled, 64))) {
      long[] found = Steps.sum(new SparkEngine().withPartitions(3), Steps.of(spark, each), 5);
      assertArrayEquals(expected, found, each.getNumPartitions() + " partitions of the input");
    }
  }

  /** A file is written anew while a run goes on, and blocks are lost. */
  @Test
  void aSourceThatHasChangedIsRefused() throws IOException {
    Path file = folder.resolve("rows.csv");
    write(file, 0);
    SparkData data =
        FrameRows.of(
            session
                .read()
                .schema(
                    new StructType()
                        .add("who", DataTypes.LongType)
                        .add("value", DataTypes.FloatType))
                .csv(file.toString()),
            "who",
            new String[] {"value"},
            Steps.LAYOUT.input(),
            1,
            row -> {
              float[] values = new float[Steps.VALUES];
              Arrays.fill(values, 0, 36, row.getFloat(1));
              return values;
            });
    try (GradientSource source = Steps.open(new SparkEngine(), data)) {
      long[] first = Steps.sum(source, 1);
      Steps.lose(spark);
      assertArrayEquals(first, Steps.sum(source, 1), "as long as the file stays");
      assertFalse(Arrays.stream(first).allMatch(i -> i == 0));
      write(file, 1);
      Steps.lose(spark);
      String message =
          assertThrows(IllegalStateException.class, () -> Steps.sum(source, 1)).getMessage();
      assertTrue(message.startsWith("the rows of a partition that was lost are others"), message);
    }
  }

  /** One value of one row is another. */
  private static void write(Path file, int of) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append(i).append(",0.").append(i == 40 ? 3 + of : 5).append('\n');
    }
    Files.writeString(file, text);
  }
}

package dev.discreet.spark;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicRows;
import dev.discreet.core.engine.UnitSum;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import dev.discreet.spark.BucketedRows.Grouping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.spark.SparkThrowable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Private rows on a cluster. They never come to the driver; only sums over units do.
 *
 * <pre>{@code
 * RecipeData opened = RecipeData.open(Recipe.read(path).with("engine", "spark"), Preparation.QUIET);
 * boolean there = opened.data().train() instanceof SparkData;
 * }</pre>
 */
@PublicApi
public final class SparkData implements PrivateData {
  private final JavaSparkContext spark;
  private final JavaRDD<UnitRow> rows;
  private final boolean named;
  private final Shape input;
  private final int targets;
  private final boolean rowsAreUnits;
  private final int mostExamples;
  // Null where units are no groups.
  private final Grouping grouping;
  // Negative until it is counted.
  private long unitCount;

  /**
   * @param named whether units have names of 128 bits, and not numbers
   * @param unitCount negative where nobody has counted yet
   */
  SparkData(
      JavaSparkContext spark,
      JavaRDD<UnitRow> rows,
      boolean named,
      Shape input,
      int targets,
      boolean rowsAreUnits,
      long unitCount) {
    this(spark, rows, named, input, targets, rowsAreUnits, Integer.MAX_VALUE, null, unitCount);
  }

  private SparkData(
      JavaSparkContext spark,
      JavaRDD<UnitRow> rows,
      boolean named,
      Shape input,
      int targets,
      boolean rowsAreUnits,
      int mostExamples,
      Grouping grouping,
      long unitCount) {
    this.spark = spark;
    this.rows = rows;
    this.named = named;
    this.input = input;
    this.targets = targets;
    this.rowsAreUnits = rowsAreUnits;
    this.mostExamples = mostExamples;
    this.grouping = grouping;
    this.unitCount = unitCount;
  }

  /** Rows of this machine are sent to the cluster. */
  static SparkData of(JavaSparkContext spark, PrivateData data) {
    if (data instanceof SparkData there) {
      return there;
    }
    LocalData here = LocalData.required(data, "the engine " + SparkEngine.NAME);
    Examples examples = here.examples();
    Units units = here.units();
    units.check(examples.size());
    int values = examples.input().size() + examples.targets();
    List<UnitRow> rows = new ArrayList<>();
    for (int unit = 0; unit < units.count(); unit++) {
      UnitName name = units.areNamed() ? units.name(unit) : new UnitName(0, units.id(unit));
      for (int i = 0; i < units.size(unit); i++) {
        float[] row = new float[values];
        Arrays.fill(row, Float.NaN);
        try {
          examples.input(units.example(unit, i), row, 0);
          examples.target(units.example(unit, i), row, examples.input().size());
        } catch (RuntimeException e) {
          // A row that cannot be read is an example that cannot be used.
          Arrays.fill(row, Float.NaN);
        }
        rows.add(new UnitRow(name, i, row));
      }
      if (units.size(unit) == 0) {
        rows.add(new UnitRow(name, 0, null));
      }
    }
    return new SparkData(
        spark,
        spark.parallelize(rows),
        units.areNamed(),
        examples.input(),
        examples.targets(),
        here.rowsAreUnits(),
        units.count());
  }

  BucketedRows bucketed(SamplingKey key, int buckets, int partitions) {
    return BucketedRows.of(
        spark, rows, named, input, targets, mostExamples, grouping, key, buckets, partitions);
  }

  /** The rows, in whatever order and place. */
  JavaRDD<UnitRow> rows() {
    return rows;
  }

  @Override
  public Shape input() {
    return input;
  }

  @Override
  public int targets() {
    return targets;
  }

  @Override
  public synchronized long unitCount() {
    if (unitCount < 0) {
      unitCount = told(() -> rows.map(UnitRow::unit).distinct().count());
    }
    return unitCount;
  }

  /** Whoever reads a statement should know whom it takes for trusted. */
  @Override
  public String declared(String unit) {
    return "The rows lay on a Spark cluster, whose machines are trusted as this one is.";
  }

  @Override
  public boolean rowsAreUnits() {
    return rowsAreUnits;
  }

  @Override
  public OptionalInt find(PublicRows wanted) {
    Shape shape = input;
    int answers = targets;
    Broadcast<PublicRows> sent = spark.broadcast(wanted);
    try {
      return told(
              () ->
                  rows.mapPartitions(
                          each ->
                              List.of(new RowSearch(shape, answers, sent.value()).in(each))
                                  .iterator())
                      .collect())
          .stream()
          .filter(found -> found >= 0)
          .mapToInt(found -> found)
          .min();
    } finally {
      sent.destroy();
    }
  }

  /** Exact sums, so it does not matter into which parts the units are cut for them. */
  @Override
  public long[] sum(UnitSum sum) {
    int parts = spark.defaultParallelism();
    return told(
        () -> {
          try (BucketedRows whole = bucketed(SamplingKey.fresh(), parts, parts)) {
            return whole
                .rows()
                .map(part -> sum.over(part.data().examples(), part.data().units()))
                .treeReduce(SparkData::added);
          }
        });
  }

  /** Does something on the cluster; what fails there may quote a row, and is not passed on. */
  static <T> T told(Supplier<T> work) {
    try {
      return work.get();
    } catch (Exception e) {
      // Spark throws what it does not declare.
      throw e instanceof RuntimeException unchecked && !isOfTask(e) ? unchecked : failed(e);
    }
  }

  private static boolean isOfTask(Exception e) {
    return e instanceof SparkThrowable || e.getCause() instanceof SparkThrowable;
  }

  private static IllegalStateException failed(Exception e) {
    return new IllegalStateException(
        "a job failed on the cluster, and its log says why (outside the guarantee, for your eyes)",
        e);
  }

  private static long[] added(long[] one, long[] other) {
    for (int i = 0; i < one.length; i++) {
      one[i] += other[i];
    }
    return one;
  }

  @Override
  public PrivateData atMost(int examplesPerUnit) {
    Check.that(examplesPerUnit >= 1, "examples per unit", "at least 1", examplesPerUnit);
    return new SparkData(
        spark,
        rows,
        named,
        input,
        targets,
        rowsAreUnits,
        Math.min(mostExamples, examplesPerUnit),
        grouping,
        unitCount);
  }

  /** Rows are put into their groups when they are laid out, and the key is sent then. */
  @Override
  public PrivateData grouped(MicroBatches batches, SamplingKey key) {
    if (grouping != null) {
      throw new IllegalStateException("these units are groups already");
    }
    return new SparkData(
        spark,
        rows,
        named,
        input,
        targets,
        false,
        mostExamples,
        new Grouping(batches, key),
        batches.groups());
  }
}

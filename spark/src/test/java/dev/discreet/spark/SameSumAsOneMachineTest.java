package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same integers as on one machine, to the bit, wherever the buckets lie. */
class SameSumAsOneMachineTest {

  @BeforeAll
  static void start() {
    LocalCluster.two();
  }

  @Test
  void whateverTheNumberOfPartitions() {
    Grid grid = Grid.of(370, 4, 1, 64);
    SamplingKey key = SamplingKey.insecure(3);
    float[] theta = Steps.LAYOUT.initial(Initialiser.STANDARD, 1);
    for (Sampler sampler :
        new Sampler[] {new Sampler.Poisson(0.3, 370), new Sampler.FullBatch(370)}) {
      StepRequest request = new StepRequest(7, theta, 1.0, key);
      ClippedSum expected = sum(Engine.standard(), sampler, grid, request);
      assertFalse(Arrays.stream(expected.integers()).allMatch(i -> i == 0));
      for (int partitions : new int[] {1, 2, 7, 64}) {
        SparkEngine engine = new SparkEngine().withPartitions(partitions);
        ClippedSum found = sum(engine, sampler, grid, request);
        assertArrayEquals(expected.integers(), found.integers(), partitions + " partitions");
        assertArrayEquals(expected.sensitivities(), found.sensitivities());
      }
    }
  }

  /** One unit has nearly all rows, and all rows lie in one of 64 partitions of the input. */
  @Test
  void whereMostPartitionsAreEmptyAndOneIsNot() {
    long[] owners = new long[Steps.ROWS];
    Arrays.setAll(owners, i -> i % 100 == 0 ? i : 7);
    LocalData data = PrivateData.of(Steps.examples(), Units.byOwner(owners));
    JavaSparkContext spark = SparkEngine.context();
    JavaRDD<UnitRow> skewed =
        SparkData.of(spark, data)
            .rows()
            .keyBy(row -> 0)
            .partitionBy(new HashPartitioner(64))
            .values();
    for (long release = 0; release < 2; release++) {
      long[] expected = Steps.sum(Engine.standard(), data, release);
      for (int partitions : new int[] {2, 64}) {
        SparkEngine engine = new SparkEngine().withPartitions(partitions);
        assertArrayEquals(expected, Steps.sum(engine, Steps.of(spark, skewed), release));
      }
    }
  }

  /** Texts as ids, in groups and by themselves; a frame gives what local rows give. */
  @Test
  void unitsWithNames() {
    List<String> owners =
        Arrays.stream(Steps.owners()).mapToObj(id -> "patient-" + id + "-\u00e9").toList();
    LocalData named =
        PrivateData.of(Steps.examples(), Units.byOwner(owners.stream().map(UnitName::of).toList()));
    long[] expected = Steps.sum(Engine.standard(), named, 7);
    assertFalse(Arrays.equals(expected, Steps.undisturbed(7)), "other ids, other lots");
    for (int partitions : new int[] {1, 7}) {
      SparkEngine engine = new SparkEngine().withPartitions(partitions);
      assertArrayEquals(expected, Steps.sum(engine, named, 7), partitions + " partitions");
    }
    assertArrayEquals(
        Steps.sum(Engine.standard(), PrivateData.of(Steps.examples(), each(owners)), 7),
        Steps.sum(new SparkEngine(), frame(owners), 7),
        "a frame");
  }

  /** Each row is a unit, for the order of a unit's rows is not that of a frame. */
  private static Units each(List<String> owners) {
    List<UnitName> names = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      names.add(UnitName.of(owners.get(i) + i));
    }
    return Units.byOwner(names);
  }

  private static SparkData frame(List<String> owners) {
    Examples examples = Steps.examples();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      Float[] values = new Float[37];
      float[] row = new float[37];
      examples.input(i, row, 0);
      examples.target(i, row, 36);
      Arrays.setAll(values, v -> row[v]);
      rows.add(RowFactory.create(owners.get(i) + i, values));
    }
    Dataset<Row> frame =
        LocalCluster.two()
            .createDataFrame(
                rows,
                new StructType()
                    .add("who", DataTypes.StringType)
                    .add("values", DataTypes.createArrayType(DataTypes.FloatType)));
    return FrameRows.of(
        frame,
        "who",
        new String[] {"values"},
        Steps.LAYOUT.input(),
        1,
        row -> {
          List<Float> values = row.getList(1);
          float[] found = new float[values.size()];
          for (int i = 0; i < found.length; i++) {
            found[i] = values.get(i);
          }
          return found;
        });
  }

  @Test
  void unitsInGroups() {
    MicroBatches batches = new MicroBatches(4, Steps.UNITS);
    List<UnitName> names =
        Arrays.stream(Steps.owners()).mapToObj(id -> UnitName.of("p" + id)).toList();
    for (LocalData data :
        List.of(Steps.data(), PrivateData.of(Steps.examples(), Units.byOwner(names)))) {
      long[] expected = Steps.sum(Engine.standard(), data.grouped(batches, Steps.KEY), 7);
      SparkData sent = SparkData.of(SparkEngine.context(), data);
      assertArrayEquals(
          expected, Steps.sum(new SparkEngine(), sent.grouped(batches, Steps.KEY), 7));
    }
  }

  private static ClippedSum sum(Engine engine, Sampler sampler, Grid grid, StepRequest request) {
    try (GradientSource source =
        engine.source(Steps.LAYOUT, UnitRule.flat(Steps.LAYOUT), Steps.data(), sampler, grid)) {
      ClippedSum sum = source.clippedSum(request);
      return new ClippedSum(
          sum.integers().clone(), sum.exponent(), sum.groupEnds(), sum.sensitivities());
    }
  }
}

package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.nn.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose rows count, and which. */
class FrameRowsTest {
  private static final StructType SCHEMA =
      new StructType().add("who", DataTypes.StringType).add("value", DataTypes.FloatType);
  private static SparkSession session;

  @BeforeAll
  static void start() {
    session = LocalCluster.two();
  }

  private static SparkData data(Dataset<Row> frame) {
    return FrameRows.of(
        frame,
        "who",
        new String[] {"value"},
        Shape.vector(1),
        1,
        row -> new float[] {row.getFloat(1), 0});
  }

  private static Dataset<Row> frame(List<Row> rows) {
    return session.createDataFrame(rows, SCHEMA);
  }

  /** The sum of all values, which must be whole numbers. */
  private static long[] sum(SparkData data) {
    return data.sum(
        (examples, units) -> {
          long[] sums = new long[2];
          float[] value = new float[1];
          for (int unit = 0; unit < units.count(); unit++) {
            for (int i = 0; i < units.size(unit); i++) {
              examples.input(units.example(unit, i), value, 0);
              sums[0] += (long) value[0];
              sums[1]++;
            }
          }
          return sums;
        });
  }

  /** Of rows from 0 to 9, one row of each person: by a hash, and so about 4.5 on average. */
  @Test
  void theRowsThatCountAreNotTheSmallest() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      rows.add(RowFactory.create("person " + i / 10, (float) (i % 10)));
    }
    long[] one = sum((SparkData) data(frame(rows)).atMost(1));
    assertEquals(400, one[1]);
    assertTrue(Math.abs(one[0] / 400.0 - 4.5) < 1, "mean " + one[0] / 400.0);
    java.util.Collections.shuffle(rows, new java.util.Random(1));
    assertEquals(one[0], sum((SparkData) data(frame(rows)).atMost(1))[0], "in any order");
  }

  /** As in a table of text: blanks around a name are no part of it, and no name is nobody. */
  @Test
  void blankAndGarbledNamesAreNobodys() {
    SparkData data =
        data(
            frame(
                List.of(
                    RowFactory.create("", 1f),
                    RowFactory.create("  ", 1f),
                    RowFactory.create(null, 1f),
                    RowFactory.create("M\uFFFDller", 1f),
                    RowFactory.create("12", 2f),
                    RowFactory.create("12 ", 3f))));
    assertEquals(1, data.unitCount());
    assertEquals(5, sum(data)[0]);
  }

  /** A checkpoint mends what comes out different, and not what depends on the rows before it. */
  @Test
  void rowsThatDependOnOthersAreRefusedWithACheckpointToo(@TempDir Path folder) {
    session.sparkContext().setCheckpointDir(folder.toString());
    try {
      Dataset<Row> people = frame(List.of(RowFactory.create("a", 1f), RowFactory.create("b", 2f)));
      for (Dataset<Row> each :
          List.of(
              people.withColumn(
                  "who", functions.monotonically_increasing_id().cast(DataTypes.StringType)),
              people
                  .withColumn(
                      "who", functions.monotonically_increasing_id().cast(DataTypes.StringType))
                  .withColumn("value", Steps.anyNumber()),
              people.withColumn("value", functions.rand(1).cast("float")),
              people.limit(1),
              people.sample(0.5, 1))) {
        assertThrows(IllegalArgumentException.class, () -> data(each));
      }
      Dataset<Row> noisy = people.withColumn("value", Steps.anyNumber());
      assertEquals(2, data(noisy).unitCount());
    } finally {
      session.sparkContext().checkpointDir_$eq(scala.Option.empty());
    }
  }

  /** What Spark tells of a failure may quote a cell. */
  @Test
  void aFailureOnTheClusterQuotesNoCell() {
    Dataset<Row> frame =
        frame(List.of(RowFactory.create("a", 1f), RowFactory.create("b", 2f)))
            .withColumn("value", functions.expr("cast(concat('secret', who) as float)"));
    String why =
        assertThrows(IllegalStateException.class, () -> FrameRows.Fit.of(data(frame))).getMessage();
    assertFalse(why.contains("secret"), why);
  }

  @Test
  void asManyBucketsAsTheSessionSets() {
    assertEquals(64, new SparkEngine().buckets());
    session.sparkContext().conf().set(SparkEngine.BUCKETS, "256");
    try {
      assertEquals(256, new SparkEngine().buckets());
      assertEquals(7, new SparkEngine().withBuckets(7).buckets());
    } finally {
      session.sparkContext().conf().remove(SparkEngine.BUCKETS);
    }
  }
}

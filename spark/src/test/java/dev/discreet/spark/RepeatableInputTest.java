package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.GradientSource;
import dev.discreet.spark.plan.RepeatableInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.JdbcRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import scala.Option;

/** Frames that may come out different are refused before anything is spent, or written down. */
@Isolated("loses what the session keeps")
class RepeatableInputTest {
  private static final StructType SCHEMA =
      new StructType().add("who", DataTypes.LongType).add("value", DataTypes.FloatType);

  @TempDir static Path folder;

  private static SparkSession session;
  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    session = LocalCluster.two();
    spark = new JavaSparkContext(session.sparkContext());
  }

  @AfterEach
  void forget() {
    spark.sc().checkpointDir_$eq(Option.empty());
  }

  private static Dataset<Row> people() {
    return session
        .range(0, 100, 1, 3)
        .select(
            functions.col("id").as("who"),
            functions.col("id").divide(100).cast("float").as("value"));
  }

  private static SparkData data(Dataset<Row> frame) {
    return FrameRows.of(
        frame,
        "who",
        new String[] {"value"},
        Steps.LAYOUT.input(),
        1,
        row -> {
          float[] values = new float[Steps.VALUES];
          Arrays.fill(values, 0, 36, row.getFloat(1));
          return values;
        });
  }

  private static Dataset<Row> of(JavaRDD<Row> rows) {
    return session.createDataFrame(rows, SCHEMA);
  }

  /** Frames, and what their refusal ends with. */
  private static Map<String, Dataset<Row>> doubtful() {
    JavaRDD<Row> rows = people().toJavaRDD();
    Map<String, Dataset<Row>> frames = new LinkedHashMap<>();
    frames.put("a plan with rand()", people().withColumn("value", functions.rand(1).cast("float")));
    frames.put("a plan with randn()", people().where(functions.randn(1).gt(0)));
    frames.put(
        "a plan with monotonically_increasing_id()",
        people().withColumn("who", functions.monotonically_increasing_id()));
    frames.put("a plan with scalaudf()", people().withColumn("value", Steps.anyNumber()));
    frames.put("a plan with a sample", people().sample(0.5, 1));
    frames.put("a plan with a limit", people().limit(10));
    // One row more displaces another.
    frames.put(" a plan with a limit", people().orderBy("who").limit(10));
    frames.put(
        "a plan with a window over rows of several units",
        people().withColumn("who", functions.row_number().over(Window.orderBy("value"))));
    frames.put(
        " a plan with a window over rows of several units",
        people().withColumn("value", functions.lag("value", 1).over(Window.orderBy("who"))));
    frames.put(
        "a plan that puts rows of several units together",
        people()
            .crossJoin(people().agg(functions.avg("value").as("mean")))
            .select(functions.col("who"), functions.expr("value - mean").as("value")));
    people().createOrReplaceTempView("everybody");
    frames.put(
        " a plan that puts rows of several units together",
        session.sql(
            "SELECT who, value - (SELECT avg(value) FROM everybody) AS value FROM everybody"));
    frames.put(
        "rows that are numbered or drawn by their place",
        of(rows.zipWithIndex().map(each -> RowFactory.create(each._2(), each._1().getFloat(1)))));
    frames.put(
        " rows that are numbered or drawn by their place",
        of(rows.sample(false, 0.5, 1)).withColumn("value", Steps.anyNumber()));
    frames.put(
        "a plan with first()", people().groupBy("who").agg(functions.first("value").as("value")));
    frames.put(
        "a plan that keeps one row of several, whichever it is",
        people().dropDuplicates(new String[] {"who"}));
    frames.put(
        "rows whose order decides where they go, and who have none",
        of(rows.keyBy(row -> row.getLong(0)).repartition(4).values().repartition(3)));
    frames.put(
        "rows of a source that may change under the run, JdbcRDD",
        of(
            JdbcRDD.create(
                spark,
                () -> {
                  throw new IllegalStateException("nobody may connect");
                },
                "select who, value from people where ? <= who and who <= ?",
                0,
                99,
                2,
                found -> RowFactory.create(found.getLong(1), found.getFloat(2)))));
    return frames;
  }

  @Test
  void isRefusedWhereItMayComeOutDifferent() {
    doubtful()
        .forEach(
            (reason, frame) -> {
              String message =
                  assertThrows(IllegalArgumentException.class, () -> data(frame), reason)
                      .getMessage();
              assertTrue(message.startsWith("frame of a private run must "), message);
              // A checkpoint would not mend what depends on the rows before it.
              boolean mends =
                  !reason.matches(
                      ".*(rand|monotonically|sample|limit|whichever|several units|place).*");
              assertEquals(mends, message.contains("SparkContext.setCheckpointDir"), message);
              assertTrue(message.endsWith("Provided value: " + reason.strip()), message);
            });
  }

  @Test
  void isTakenAsItIsWhereSparkSaysThatItComesOutTheSame() throws IOException {
    Path csv = folder.resolve("people.csv");
    Files.writeString(csv, "1,0.5\n2,0.25\n");
    assertEquals(100, data(people()).unitCount());
    for (Dataset<Row> frame :
        List.of(
            session.read().schema(SCHEMA).csv(csv.toString()),
            of(people().toJavaRDD()),
            session.createDataFrame(List.of(RowFactory.create(1L, 2f)), SCHEMA),
            people().orderBy("who"),
            people().repartition(5),
            people().distinct(),
            people().groupBy("who").agg(functions.max("value").as("value")),
            people()
                .withColumnRenamed("who", "person")
                .groupBy("person")
                .agg(functions.max("value").as("value"))
                .select(functions.col("person").cast("int").as("who"), functions.col("value")),
            people()
                .withColumn(
                    "number",
                    functions.row_number().over(Window.partitionBy("who").orderBy("value")))
                .where("number < 3"),
            people().join(people().select("who"), "who"))) {
      assertSame(frame, RepeatableInput.of(frame, "who"), frame.toString());
    }
  }

  /** What was written down stays, whatever is lost; without that the step would be refused. */
  @Test
  void isWrittenDownWhereThereIsACheckpointDirectory() {
    spark.setCheckpointDir(folder.resolve("checkpoints").toString());
    Dataset<Row> random = people().withColumn("value", Steps.anyNumber());
    SparkData data = data(random);
    try (GradientSource source = Steps.open(new SparkEngine(), data)) {
      long[] first = Steps.sum(source, 1);
      assertFalse(Arrays.stream(first).allMatch(i -> i == 0));
      Steps.lose(spark);
      assertArrayEquals(first, Steps.sum(source, 1));
    }
    assertArrayEquals(Steps.sum(new SparkEngine(), data, 2), Steps.sum(new SparkEngine(), data, 2));
  }

  @Test
  void anIdThatIsNoNumberAndNoTextIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> data(people().withColumn("who", functions.col("who").cast("double"))))
            .getMessage();
    assertEquals(
        "column who, which tells whose a row is, must be of whole numbers or of texts."
            + " Provided value: double",
        message);
  }
}

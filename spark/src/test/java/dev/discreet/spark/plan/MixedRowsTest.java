package dev.discreet.spark.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.spark.ml.LocalSpark;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapGroupsFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.api.python.PythonEvalType;
import org.apache.spark.rdd.JdbcRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.PythonUDF;
import org.apache.spark.sql.catalyst.expressions.PythonUDTF;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Frames in which one person more changes rows of other persons are refused, with a checkpoint
 * directory too. With {@code -Dspark.kit=all} each query is asked with and without one person, and
 * the rows of the others show whether it belongs here.
 */
class MixedRowsTest implements Serializable {
  /** Asking all queries of all rows takes long. */
  private static final boolean THOROUGH = "all".equals(System.getProperty("spark.kit"));

  @TempDir static Path folder;

  private static SparkSession session;

  @BeforeAll
  static void start() {
    session = LocalSpark.session();
    session.sparkContext().setCheckpointDir(folder.resolve("checkpoints").toString());
    List<Row> people = new ArrayList<>();
    List<Row> visits = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      people.add(RowFactory.create("p" + i, i / 8f, "city " + i % 3, "p" + (i + 1) % 12));
      visits.add(RowFactory.create(i % 4 == 0 ? "p7" : "p" + i, i % 5, "city " + i % 3));
    }
    files(
        "people",
        people,
        new StructType()
            .add("who", DataTypes.StringType)
            .add("value", DataTypes.FloatType)
            .add("city", DataTypes.StringType)
            .add("friend", DataTypes.StringType));
    files(
        "visits",
        visits,
        new StructType()
            .add("who", DataTypes.StringType)
            .add("day", DataTypes.IntegerType)
            .add("city", DataTypes.StringType));
    files(
        "cities",
        List.of(RowFactory.create("city 0", 3f), RowFactory.create("city 1", 5f)),
        new StructType().add("city", DataTypes.StringType).add("income", DataTypes.FloatType));
  }

  @AfterAll
  static void forget() {
    session.sparkContext().checkpointDir_$eq(Option.empty());
    for (String each : List.of("people", "visits", "cities")) {
      session.catalog().dropTempView(each);
    }
  }

  /** One file each for everybody, and for everybody but p7, who stands in the middle. */
  private static void files(String name, List<Row> rows, StructType schema) {
    Dataset<Row> all = session.createDataFrame(rows, schema).coalesce(1);
    all.write().parquet(folder.resolve("all/" + name).toString());
    (name.equals("cities") ? all : all.where("who <> 'p7'"))
        .write()
        .parquet(folder.resolve("less/" + name).toString());
    open("all");
  }

  private static void open(String place) {
    for (String name : List.of("people", "visits", "cities")) {
      Path path = folder.resolve(place + "/" + name);
      if (path.toFile().exists()) {
        session.read().parquet(path.toString()).createOrReplaceTempView(name);
      }
    }
  }

  /** The rows of all but p7, where p7 is there or not. */
  private static Set<String> others(String sql, String place) {
    open(place);
    Set<String> rows = new TreeSet<>();
    List<Row> all = session.sql(sql).collectAsList();
    for (int i = 0; i < all.size(); i++) {
      String row = all.get(i).toString();
      if (all.get(i).get(0) != null && !all.get(i).get(0).equals("p7")) {
        // Equal ones are told apart.
        while (!rows.add(row)) {
          row += "+";
        }
      }
    }
    open("all");
    return rows;
  }

  private static void refused(Dataset<Row> frame, String ending) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> RepeatableInput.of(frame, "who"),
                frame::toString)
            .getMessage();
    assertTrue(
        message
            .toLowerCase(Locale.ROOT)
            .endsWith("provided value: " + ending.toLowerCase(Locale.ROOT)),
        message);
    assertTrue(message.contains("such that a row depends on no other unit's"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Joins of one's own table, and of another that says whose its rows are.
        "SELECT a.who, b.value FROM people a JOIN people b ON a.city = b.city",
        "SELECT a.who, a.value FROM people a LEFT ANTI JOIN people b ON a.value = b.value - 0.125",
        "SELECT a.who, b.value FROM people a CROSS JOIN people b",
        "SELECT a.who, b.value FROM people a JOIN people b ON a.friend = b.who",
        "SELECT /*+ BROADCAST(b) */ a.who, b.value FROM people a JOIN people b ON a.city = b.city",
        "SELECT a.who, b.day FROM people a JOIN visits b ON a.city = b.city",
        "SELECT a.who, b.day FROM people a JOIN visits b ON a.who = b.who OR b.day = 4",
        "SELECT a.who, b.day FROM people a JOIN visits b ON substr(a.who, 1, 1) = substr(b.who, 1, 1)",
        // Somewhere else the same columns are equal.
        "SELECT who, day FROM (SELECT a.who, b.day FROM people a JOIN visits b ON a.city = b.city"
            + " WHERE a.who = b.who) UNION ALL SELECT a.who, b.day FROM people a JOIN visits b ON"
            + " a.city = b.city",
        // A column that passes for the unit.
        "SELECT p.who, g.mean FROM people p JOIN (SELECT city AS who, avg(value) AS mean FROM people"
            + " GROUP BY city) g ON p.city = g.who",
        "SELECT p.who, g.mean FROM people p JOIN (SELECT friend AS who, avg(value) AS mean FROM"
            + " people GROUP BY friend) g ON p.who = g.who",
        "SELECT coalesce(g.who, 'nobody') AS who, g.mean FROM (SELECT who, city, avg(value) AS mean"
            + " FROM people GROUP BY ROLLUP(who, city)) g",
        "SELECT who, avg(value) AS value FROM (SELECT concat(if(value < 0.5, 'p', 'P'), substr(city,"
            + " 6)) COLLATE UTF8_LCASE AS who, value FROM people) GROUP BY who",
        // Subqueries.
        "SELECT who, value FROM people WHERE city IN (SELECT city FROM people WHERE value = 0.875)",
        "SELECT who, value FROM people WHERE value + 0.125 NOT IN (SELECT value FROM people)",
        "SELECT who, value FROM people a WHERE EXISTS (SELECT 1 FROM people WHERE value = 0.875)",
        "SELECT who, value FROM people a WHERE EXISTS (SELECT 1 FROM people b WHERE b.friend = a.who)",
        "SELECT who, (SELECT value FROM people WHERE value = 0.875) AS value FROM people",
        "SELECT who, value FROM people WHERE 4 IN (SELECT day FROM visits WHERE who = 'p7')",
        "WITH m AS (SELECT avg(value) AS mean FROM people) SELECT who, value, mean FROM people, m",
        "WITH c AS (SELECT city FROM people WHERE value = 0.875) SELECT who, value FROM people WHERE"
            + " city IN (SELECT city FROM c)",
        // Sets of rows without whose they are.
        "SELECT p.who, d.value FROM people p JOIN (SELECT value, city FROM people EXCEPT SELECT 0.5F,"
            + " 'city 1') d ON p.city = d.city",
        "SELECT p.who, d.value FROM people p JOIN (SELECT DISTINCT value, city FROM people) d ON"
            + " p.city = d.city",
        "SELECT who, value FROM people EXCEPT SELECT friend, value + 0.125F FROM people",
        "SELECT who, value FROM people INTERSECT SELECT friend, value + 0.125F FROM people",
        // Windows.
        "SELECT who, rank() OVER (PARTITION BY city ORDER BY value) AS place FROM people",
        "SELECT who, value FROM people WHERE value IN (SELECT value FROM (SELECT value, rank() OVER"
            + " (ORDER BY value) AS place FROM people) WHERE place > 8)",
      })
  void oneMoreChangesOthers(String sql) {
    assertTrue(mixed(session.sql(sql)).isPresent());
    if (THOROUGH) {
      assertNotEquals(others(sql, "all"), others(sql, "less"), "this query shows nothing");
    }
  }

  /** Below or beside, another column may have the name of the unit's. */
  @Test
  void columnsOfOneNameAreTwo() {
    for (String sql :
        List.of(
            "SELECT friend AS who, who AS doctor, avg(value) OVER (PARTITION BY who) AS mean FROM"
                + " people",
            "SELECT p.who, g.mean FROM (SELECT friend AS who, city FROM people) p JOIN (SELECT city"
                + " AS friend, avg(day) AS mean FROM visits GROUP BY city) g ON p.city = g.friend")) {
      assertTrue(mixed(session.sql(sql)).isPresent(), sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a.who, b.value FROM people a JOIN people b ON a.who = b.who",
        "SELECT a.who, b.day FROM people a, visits b WHERE a.who = b.who AND a.city = b.city",
        "SELECT coalesce(a.who, b.who) AS who, day FROM people a FULL OUTER JOIN visits b ON a.who ="
            + " b.who",
        "SELECT who, value, mean FROM people JOIN (SELECT who, avg(day) AS mean FROM visits GROUP BY"
            + " who) USING (who)",
        "SELECT who, day FROM people FULL OUTER JOIN visits USING (who)",
        "SELECT a.who, a.value FROM people a LEFT ANTI JOIN visits b ON a.who = b.who",
        // Tables that say nothing of whose they are: public ones, twice too.
        "SELECT who, income FROM people JOIN cities USING (city)",
        "SELECT who, a.income, b.income FROM people p JOIN cities a ON p.city = a.city LEFT JOIN"
            + " cities b ON b.city = 'city 0'",
        "SELECT who, value FROM people WHERE city IN (SELECT city FROM cities WHERE income > 4)",
        "SELECT who, value, id FROM people CROSS JOIN range(3)",
        // By the unit.
        "SELECT who, value FROM people WHERE who IN (SELECT who FROM visits WHERE day > 2)",
        "SELECT who, value FROM people WHERE (city, who) IN (SELECT city, who FROM people)",
        "SELECT who, value FROM people a WHERE NOT EXISTS (SELECT 1 FROM people b WHERE a.who ="
            + " b.who AND b.value > 1)",
        "SELECT who, max(value) AS value FROM people GROUP BY who, city",
        "SELECT who, rank() OVER (PARTITION BY city, who ORDER BY day) AS place FROM visits",
        "WITH v AS (SELECT who, max(day) AS last FROM visits GROUP BY who) SELECT a.who, a.last,"
            + " b.last FROM v a JOIN v b ON a.who = b.who",
        "SELECT who, value FROM people UNION ALL SELECT who, day FROM visits",
        "SELECT who, friend, value FROM people EXCEPT SELECT who, friend, 0.5F FROM people",
        "SELECT DISTINCT who, city FROM visits",
        "SELECT who, part FROM people LATERAL VIEW explode(array(value, value + 1)) AS part",
        "SELECT upper(who) AS who, day FROM (SELECT who, max(day) AS day FROM visits GROUP BY who)",
        "SELECT concat(who, city) AS who, day FROM (SELECT who, city, day FROM visits)",
        "SELECT * FROM (SELECT who, city, day FROM visits) UNPIVOT (v FOR n IN (day))",
      })
  void oneMoreChangesNoOther(String sql) {
    assertEquals(Optional.empty(), mixed(session.sql(sql)));
    if (THOROUGH && !sql.contains("concat(") && !sql.contains("upper(")) {
      assertEquals(others(sql, "all"), others(sql, "less"));
    }
  }

  private static Optional<String> mixed(Dataset<Row> frame) {
    return MixedRows.in(analyzed(frame), "who");
  }

  private static LogicalPlan analyzed(Dataset<Row> frame) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) frame).queryExecution().analyzed();
  }

  /** Functions that are given rows of several units. */
  @Test
  void functionsOverPartitionsAndGroups() {
    Dataset<Row> people = session.table("people").select("who", "value");
    StructType schema = people.schema();
    refused(
        people.mapPartitions((MapPartitionsFunction<Row, Row>) rows -> rows, Encoders.row(schema)),
        "a plan with MapPartitions, of which Spark does not tell what rows it puts together");
    refused(
        people.flatMap(
            (FlatMapFunction<Row, Row>) row -> List.of(row).iterator(), Encoders.row(schema)),
        "a plan with MapPartitions, of which Spark does not tell what rows it puts together");
    refused(
        people
            .groupByKey((MapFunction<Row, String>) row -> row.getString(0), Encoders.STRING())
            .mapGroups(
                (MapGroupsFunction<String, Row, Row>) (who, rows) -> rows.next(),
                Encoders.row(schema)),
        "a plan with MapGroups, of which Spark does not tell what rows it puts together");
    for (Dataset<Row> each :
        List.of(
            people.map((MapFunction<Row, Row>) row -> row, Encoders.row(schema)),
            people.filter((FilterFunction<Row>) row -> row.getFloat(1) > 0.5f),
            people.observe("rows", functions.count(functions.lit(1)).as("rows")),
            people.coalesce(1),
            people.cache())) {
      assertEquals(each, RepeatableInput.of(each, "who"));
    }
    people.unpersist();
  }

  /** Python's functions: of one row, of batches of rows, and tables that end with what they saw. */
  @Test
  void functionsOfPython() {
    LogicalPlan people = analyzed(session.table("people"));
    Seq<Expression> columns =
        CollectionConverters.asScala(
                List.<Expression>copyOf(CollectionConverters.asJava(people.output())))
            .toSeq();
    for (int kind :
        List.of(
            PythonEvalType.SQL_BATCHED_UDF(),
            PythonEvalType.SQL_SCALAR_PANDAS_UDF(),
            PythonEvalType.SQL_SCALAR_PANDAS_ITER_UDF(),
            PythonEvalType.SQL_SCALAR_ARROW_UDF(),
            PythonEvalType.SQL_SCALAR_ARROW_ITER_UDF())) {
      Filter kept =
          new Filter(
              new PythonUDF(
                  "keep",
                  null,
                  DataTypes.BooleanType,
                  columns,
                  kind,
                  true,
                  NamedExpression.newExprId()),
              people);
      assertEquals(
          kind == PythonEvalType.SQL_BATCHED_UDF()
              ? Optional.empty()
              : Optional.of(
                  "a plan with a function that is given rows of several units, pythonudf"),
          MixedRows.in(kept, "who"));
    }
    Generate table =
        new Generate(
            new PythonUDTF(
                "table",
                null,
                new StructType(),
                Option.empty(),
                columns,
                PythonEvalType.SQL_TABLE_UDF(),
                true,
                NamedExpression.newExprId(),
                Option.empty(),
                Option.empty()),
            CollectionConverters.asScala(List.of()).toSeq(),
            false,
            Option.empty(),
            CollectionConverters.asScala(List.<Attribute>of()).toSeq(),
            people);
    assertTrue(MixedRows.in(table, "who").isPresent());
  }

  /** What is cached or a view has its plan all the same. */
  @Test
  void cachedFramesAndViews() {
    Dataset<Row> few = session.table("people").limit(3).cache();
    few.count();
    refused(few, "a plan with a limit");
    few.createOrReplaceTempView("few");
    refused(
        session.sql("SELECT * FROM people WHERE who IN (SELECT who FROM few)"),
        "a plan with a limit");
    session.catalog().dropTempView("few");
    few.unpersist();
  }

  /** Numbers that follow from how many rows stand before one, with a checkpoint too. */
  @Test
  void whereRowsStand() {
    Dataset<Row> people = session.table("people");
    for (String each :
        List.of(
            "rand(1)",
            "randn(1)",
            "spark_partition_id()",
            "input_file_block_start()",
            "uniform(1, 9, 3)",
            "shuffle(array(1, 2))[0]")) {
      String name = each.replaceFirst("\\(.*", "");
      refused(people.selectExpr("who", each + " AS value"), "a plan with " + name + "()");
    }
  }

  @Test
  void whereRowsStandInTheirFile() {
    Dataset<Row> file = session.read().parquet(folder.resolve("all/people").toString());
    for (String each : List.of("row_index", "file_size", "file_block_start")) {
      refused(
          file.selectExpr("who", "_metadata." + each + " AS value"),
          "a plan with _metadata, which tells where in its file a row is");
    }
    refused(
        file.selectExpr("concat('p', _metadata.row_index) AS who", "value"),
        "a plan with _metadata, which tells where in its file a row is");
  }

  @Test
  void aStream() {
    refused(
        session
            .readStream()
            .schema(session.table("people").schema())
            .parquet(folder.resolve("all").toString()),
        "a stream, whose rows are never all there");
  }

  /** What is sent to all executors is in no lineage of the frame. */
  @Test
  void aSourceThatMayChangeBehindABroadcast() {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    session.sparkContext().checkpointDir_$eq(Option.empty());
    try {
      Dataset<Row> changing =
          session.createDataFrame(
              JdbcRDD.create(
                  spark,
                  () -> {
                    throw new IllegalStateException("nobody may connect");
                  },
                  "select who from people where ? <= who and who <= ?",
                  0,
                  99,
                  2,
                  found -> RowFactory.create(found.getString(1))),
              new StructType().add("who", DataTypes.StringType));
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      RepeatableInput.of(
                          session.table("people").join(functions.broadcast(changing), "who"),
                          "who"))
              .getMessage();
      assertTrue(
          message.endsWith("rows of a source that may change under the run, JdbcRDD"), message);
    } finally {
      session.sparkContext().setCheckpointDir(folder.resolve("checkpoints").toString());
    }
  }
}

package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a table is told by its column, before anything is spent. */
class BadTablesTest {
  @TempDir private static Path folder;

  @BeforeAll
  static void start() {
    // What an operator ought to know of this session is told once: here.
    TrustBoundary.untold(LocalCluster.two().sparkContext());
  }

  /** A table of some rows, and a hundred that fit for each of them. */
  private static Path table(String name, String sql) {
    Path place = folder.resolve(name + ".parquet");
    SparkEngine.session().orElseThrow().sql(sql).coalesce(1).write().parquet(place.toString());
    return place;
  }

  /** The same without files, which take long to write. */
  private static String view(String name, String sql) {
    SparkEngine.session().orElseThrow().sql(sql).createOrReplaceTempView(name);
    return name;
  }

  private static final String GOOD =
      "SELECT id AS person, CAST(id % 100 AS DOUBLE) AS age, 'male' AS sex, CAST(id % 2 AS INT) AS"
          + " employed FROM range(1000)";

  private static String refused(int code, Object data, String... more) {
    Path out = folder.resolve("never");
    List<String> all = new ArrayList<>(People.onSpark(data, more));
    if (data instanceof String) {
      all.add("--pass-over-account");
    }
    String line = Command.of(all, "--out", out.toString()).refused(code);
    assertTrue(Files.notExists(out) && Files.notExists(folder.resolve("never.unfinished")));
    return line;
  }

  @Test
  void aMissingColumn() {
    String place = view("missing", "SELECT person, age, employed FROM (" + GOOD + ")");
    assertEquals(
        "discreet train: missing must have the column sex. Its columns: person, age," + " employed",
        refused(2, place));
    String nobodys = view("nobodys", "SELECT age, sex, employed FROM (" + GOOD + ")");
    assertEquals(
        "discreet train: nobodys must have the unit column person. Its columns: age, sex,"
            + " employed",
        refused(2, nobodys));
  }

  @Test
  void columnsOfTheWrongType() {
    assertEquals(
        "discreet train: label column employed of label must be of text or numbers, as the"
            + " declared categories are. Provided value: array<int>",
        refused(
            2,
            view(
                "label",
                "SELECT person, age, sex, array(employed) AS employed FROM (" + GOOD + ")")));
    assertEquals(
        "discreet train: column age of date must be of numbers, or of text that has them."
            + " Provided value: date",
        refused(
            2,
            view(
                "date",
                "SELECT person, DATE'2020-01-01' AS age, sex, employed FROM (" + GOOD + ")")));
    assertEquals(
        "discreet train: column sex of codes must be of text, as the declared categories"
            + " are. Provided value: int",
        refused(2, view("codes", "SELECT person, age, 1 AS sex, employed FROM (" + GOOD + ")")));
  }

  @Test
  void noRows() {
    assertEquals(
        "discreet train: empty.parquet must have at least one row.",
        refused(1, table("empty", GOOD + " WHERE id < 0")));
  }

  /** Nulls, NaN, infinity, a label that is no class, another category, and nobody's row. */
  @Test
  void rowsThatDoNotFitCountAsZeroAndAreCounted() throws IOException {
    String bad =
        " UNION ALL SELECT 2001L, CAST(NULL AS DOUBLE), 'male', 1"
            + " UNION ALL SELECT 2002L, CAST('NaN' AS DOUBLE), 'male', 1"
            + " UNION ALL SELECT 2003L, CAST('Infinity' AS DOUBLE), 'male', 1"
            + " UNION ALL SELECT 2004L, 5D, 'male', 2"
            + " UNION ALL SELECT 2005L, 5D, CAST(NULL AS STRING), 1"
            + " UNION ALL SELECT CAST(NULL AS BIGINT), 5D, 'male', 1";
    Path few = table("few", GOOD + bad);
    Path out = folder.resolve("few");
    Command run = Command.of(People.onSpark(few), "--out", out.toString()).done();
    List<String> told =
        run.err().lines().filter(line -> !line.contains("the public number is")).toList();
    assertEquals(
        List.of(
            "discreet train: 6 of 1,006 rows of few.parquet do not fit what was declared; they are"
                + " left out, and count as zero (outside the guarantee, for your eyes):",
            "discreet train:   column age: 3 rows",
            "discreet train:   column employed: 1 rows",
            "discreet train:   column person, which says whose a row is: 1 rows;"
                + " column sex: 1 rows"),
        told);
    for (String file : List.of("run.json", "privacy.txt", "report.html", "run.yaml")) {
      String text = Files.readString(out.resolve(file));
      assertTrue(!text.contains("1,006") && !text.contains("1006"), file);
    }

    Path many = table("many", GOOD.replace("1000", "100") + bad);
    String line = refused(1, many);
    assertTrue(line.contains("6 of 106 rows of many.parquet do not fit"), line);
    assertTrue(line.contains("That is over 1%, so nothing is done or spent"), line);
    String[] accepted = {"--accept-misfits", "--out", folder.resolve("accepted").toString()};
    Command.of(People.onSpark(many), accepted).done();
  }

  @Test
  void aSamplerThatNeedsAnOrderOfAll() {
    String place = view("order", GOOD);
    assertEquals(
        "discreet train: sampling on a cluster must be poisson, full-batch or cyclic, which draw each"
            + " unit by itself. Provided value: FixedSize",
        refused(2, place, "--sampler", "fixed-size"));
    String line = refused(2, place, "--sampler", "shuffled", "--neighbouring", "zero-out");
    assertTrue(line.contains("sampling on a cluster must be poisson, full-batch or cyclic"), line);
  }

  @Test
  void aTextTableWithoutAColumn() throws IOException {
    Path parts = Files.createDirectories(folder.resolve("parts"));
    Files.writeString(parts.resolve("a.csv"), People.csv());
    Files.writeString(parts.resolve("b.csv"), "person,age,employed\n7,3,1\n");
    String line = refused(2, parts);
    assertTrue(line.contains("b.csv must have the column sex. Its columns: person, age"), line);
    Path open = Files.writeString(folder.resolve("open.csv"), People.csv() + "900,\"3,male,1\n");
    assertTrue(refused(1, open).contains("a quoted field must end with a quote"));
  }

  @Test
  void publicRowsToTestOn() throws IOException {
    Path place = table("tested", GOOD);
    Path known = folder.resolve("public.csv");
    Files.write(known, List.of("person,age,sex,employed", "a,7.5,male,1", "b,90.5,female,0"));
    Path out = folder.resolve("tested");
    Command.of(People.onSpark(place, "--public-test", known.toString()), "--out", out.toString())
        .done();
    assertTrue(Files.readString(out.resolve("metrics.csv")).contains("testAccuracy"));
    // A row of the cluster's is no public one.
    Files.write(known, List.of("person,age,sex,employed", "a,7,male,1", "b,90.5,female,0"));
    assertTrue(refused(2, place, "--public-test", known.toString()).contains("public"));
  }

  @Test
  void otherSettingsThanThoseOfTheSession() {
    String place = view("session", GOOD);
    assertTrue(
        refused(2, place, "--master", "local[7]")
            .contains("master must be that of the session that is there, local-cluster[2,1,1024]"));
    assertTrue(
        refused(2, place, "--spark-conf", "spark.task.maxFailures=9")
            .contains("spark-conf spark.task.maxFailures must be that of the session"));
  }
}

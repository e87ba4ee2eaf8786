package dev.discreet.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Command;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Event;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.text.TextDialect;
import dev.discreet.data.text.VocabularyFile;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a cluster, from its options to the files of a run. */
class CommandOnSparkTest {
  private static final String MASTER = "local-cluster[2,1,1024]";

  @TempDir private static Path folder;
  private static Path csv;
  private static Path parquet;

  @BeforeAll
  static void start() throws IOException {
    LocalCluster.two();
    csv = Files.writeString(folder.resolve("people.csv"), People.csv());
    Command.of(
            People.onSpark(
                csv, "--master", MASTER, "--spark-conf", "spark.sql.shuffle.partitions=2"),
            "--out",
            folder.resolve("first").toString())
        .done();
    parquet = folder.resolve("people.parquet");
    typed().write().parquet(parquet.toString());
  }

  private static SparkSession spark() {
    return SparkEngine.session().orElseThrow();
  }

  /** The table with the types that its columns have in a database. */
  private static Dataset<Row> typed() {
    return spark()
        .read()
        .option("header", true)
        .schema("person bigint, age double, sex string, employed int")
        .csv(csv.toString());
  }

  private static byte[] model(Path run) throws IOException {
    return Files.readAllBytes(run.resolve("model.safetensors"));
  }

  @Test
  void leavesTheFilesOfARunThatOneMachineUses() throws IOException {
    Path run = folder.resolve("first");
    assertEquals(MASTER, spark().sparkContext().master());
    String yaml = Files.readString(run.resolve("run.yaml"));
    assertTrue(yaml.contains("engine: spark") && yaml.contains("test-share: 0"), yaml);
    for (Path file : Files.list(run).toList()) {
      String text = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
      assertFalse(
          text.contains("local-cluster") || text.contains("shuffle.partitions"), file.toString());
    }
    assertTrue(Files.exists(run.resolve("report.html")));
    String data = csv.toString();
    Command tested = Command.of(List.of("evaluate", "--run", run.toString(), "--data", data));
    assertTrue(
        tested.done().out().matches("(?s).*examples +" + People.COUNT + "\n.*"), tested.out());
    Command told = Command.of(List.of("predict", "--run", run.toString(), "--data", data));
    assertEquals(People.COUNT + 1, told.done().out().lines().count(), told.out());
  }

  /** To the bit, where one machine has its units in as many buckets. */
  @Test
  void theSameModelAsOnOneMachineFromTextParquetFolderAndTable() throws IOException {
    String[] seeded = {"--noise-multiplier", "1", "--insecure-seed", "5"};
    List<String> here = new ArrayList<>(People.declared(csv));
    Collections.addAll(here, "--engine", "cpu-in-buckets", "--test-share", "0");
    Collections.addAll(here, seeded);
    Path expected = folder.resolve("here");
    Command.of(here, "--out", expected.toString()).done();

    Path parts = Files.createDirectories(folder.resolve("parts"));
    List<String> lines = People.csv().lines().toList();
    Files.write(parts.resolve("a.csv"), lines.subList(0, 100));
    List<String> rest = new ArrayList<>(lines.subList(100, lines.size()));
    rest.add(0, lines.get(0));
    Files.write(parts.resolve("b.csv"), rest);
    Files.writeString(parts.resolve("_SUCCESS"), "");
    spark().sql("CREATE TABLE people USING parquet LOCATION '" + parquet + "'");
    assertArrayEquals(model(expected), model(seeded(parquet)));
    assertArrayEquals(model(expected), model(seeded("people", "--pass-over-account")));

    // In a text, units have names and not numbers: they fall into other lots.
    Path texts = folder.resolve("texts.parquet");
    Dataset<Row> typed = typed();
    typed
        .withColumn("person", typed.col("person").cast("string"))
        .write()
        .parquet(texts.toString());
    byte[] named = model(seeded(texts));
    assertArrayEquals(named, model(seeded(csv)));
    assertArrayEquals(named, model(seeded(parts)));
    assertFalse(Arrays.equals(named, model(expected)));
  }

  private static Path seeded(Object data, String... more) {
    Path out = folder.resolve("there-" + Path.of(data.toString()).getFileName());
    List<String> all = People.onSpark(data, "--insecure-seed", "5", "--out", out.toString());
    Command.of(all, more).done();
    return out;
  }

  /** Rows that no two readers of CSV agree about. */
  @Test
  void readsTheRowsOfATextTableAsOneMachineDoes() throws IOException {
    String text =
        """
        person,age,sex,employed
        a,30,male,1
        a," 31 ",female,0
        b,"3""2",male,1
        c,33,male
        d,34,male,1,more
        e,35,"ma
        le",1
        ,36,male,1
        f,37,other,1
        g,38,male,2
        h,1e2,"male",1.0
        i,-5,female,0
        j,39,"male"x,1

        k,,male,1
        l,NaN,male,1
        """;
    Path file = Files.writeString(folder.resolve("odd.csv"), text);
    DataOptions options =
        DataOptions.builder()
            .label("employed=0|1")
            .columns(List.of("age=0..120", "sex=male|female"))
            .unit("person")
            .testShare(0)
            .build();
    TrainingRows there = sameRows(file, options, 10);
    assertEquals(
        List.of(
            "column age: 3 rows",
            "column sex: 3 rows",
            "number of fields: 2 rows; column employed: 1 rows; column person, which says whose a"
                + " row is: 1 rows"),
        there.misfits().first());
  }

  /** Dates, missing cells, others, ordered values and free text, in a table written otherwise. */
  @Test
  void readsEveryKindOfColumnAsOneMachineDoes() throws IOException {
    String text =
        """
        a;1.234,5;M\u00fcnchen;klein;31.12.2024 23:59;'Fieber; und ''Husten''';30;1
        a;1234,5;Bonn;mittel;01.01.2015 00:00;;NA;0
        b;99;;gro\u00df;29.02.2023 10:00;Husten;;1
        c;-99,0;Ulm;winzig;29.02.2024 10:00;na;31;0
        d;1.5;Ulm;klein;29.02.2024 10:00;ja;32;1
        e;;Ulm;klein;1.1.2020;ja;33;0
        f;7;M\u00dcNCHEN;klein;;ja 'so';99;1
        ;7;Bonn;klein;05.05.2016 05:05;ja;34;1
        g;1.23,5;Bonn;klein;05.05.2016 05:05;ja;35;2
        h;99,0;Bonn;;05.05.2016 05:05;'nein
        und ja';36;NA
        i;7;Bonn;klein;05.05.2016 05:05;ja
        j;400.000;Bonn;gro\u00df;05.07.2016 05:05;\u0178;37;0
        """;
    Path file = folder.resolve("written-otherwise.csv");
    Files.write(file, text.getBytes("windows-1252"));
    DataOptions.Builder declared =
        DataOptions.builder()
            .label("ill=0|1")
            .columns(
                List.of(
                    "income=0..500000,missing=indicator(7),missing-cells=99|-99",
                    "city=M\u00fcnchen|Bonn,other=elsewhere,missing=own",
                    "size=klein<mittel<gro\u00df,missing=mittel",
                    "visit=2015-01-01..2024-12-31+month+weekday,pattern=dd.MM.yyyy HH:mm,missing=own",
                    "note=text,hash=8,words=1..2,letters=3,missing=own,missing-cells=na",
                    "age=0..120,missing=row,missing-cells=NA"))
            .unit("who")
            .testShare(0)
            .dialect(
                TextDialect.STANDARD
                    .delimitedBy(";")
                    .quotedBy("'")
                    .numbers(
                        new NumberMarks(NumberMarks.Decimal.COMMA, NumberMarks.Thousands.POINT))
                    .in("windows-1252")
                    .named(
                        List.of("who", "income", "city", "size", "visit", "note", "age", "ill")));
    TrainingRows there = sameRows(file, declared.build(), 9);
    assertEquals(10, there.train().unitCount());
    Path vocabulary = Files.writeString(folder.resolve("words.txt"), "husten\nfieber\nja\n");
    sameRows(
        file,
        declared
            .columns(
                VocabularyFile.expanded(
                    List.of("note=tokens,vocabulary=" + vocabulary + ",length=3"), words -> {}))
            .build(),
        5);
  }

  private static TrainingRows sameRows(Path file, DataOptions options, int misfits)
      throws IOException {
    DataSet here = DataSets.open(file.toString(), options);
    TrainingRows there = new ClusterTable(spark(), TablePlace.of(file.toString()), options).open();
    assertEquals(misfits, here.misfits().count(), here.misfits()::toString);
    assertEquals(misfits, there.misfits().count(), there.misfits()::toString);
    assertEquals(here.misfits().of(), there.misfits().of());
    assertEquals(here.train().unitCount(), there.train().unitCount());
    assertEquals(values(here.train()), values((SparkData) there.train()));
    return there;
  }

  /** The rows of each unit; of local units only the sizes of their names are known. */
  private static List<String> values(DataSet.Part rows) {
    List<String> all = new ArrayList<>();
    Units units = rows.units();
    for (int unit = 0; unit < units.count(); unit++) {
      List<String> own = new ArrayList<>();
      for (int i = 0; i < units.size(unit); i++) {
        int inputs = rows.examples().input().size();
        float[] row = new float[inputs + 1];
        rows.examples().input(units.example(unit, i), row, 0);
        rows.examples().target(units.example(unit, i), row, inputs);
        own.add(Arrays.toString(row));
      }
      Collections.sort(own);
      all.add(own.toString());
    }
    Collections.sort(all);
    return all;
  }

  private static List<String> values(SparkData rows) {
    Map<UnitName, List<String>> units = new HashMap<>();
    for (UnitRow row : rows.rows().collect()) {
      List<String> own = units.computeIfAbsent(row.unit(), none -> new ArrayList<>());
      if (row.values() != null) {
        own.add(Arrays.toString(row.values()));
      }
    }
    units.values().forEach(Collections::sort);
    return units.values().stream().map(Object::toString).sorted().toList();
  }

  @Test
  void aRunThatWasCutShortGoesOn() throws IOException {
    Path checkpoints = folder.resolve("checkpoints");
    Path out = folder.resolve("resumed");
    PreparedRecipe prepared =
        Recipe.parse(
                "label: employed=0|1\ncolumn: [age=0..120, sex=male|female]\nunit-column: person\n"
                    + "declared-units: 400\nmodel: logistic\nlot-size: 100\nsteps: 3\n"
                    + "noise-multiplier: 1\nengine: spark\ncheckpoint-every: 1\n")
            .with("data", csv.toString())
            .with("checkpoints", checkpoints.toString())
            .prepare();
    assertThrows(
        IllegalStateException.class,
        () ->
            prepared.start(
                event -> {
                  if (event instanceof Event.Timing timing && timing.step() >= 2) {
                    throw new IllegalStateException("cut short");
                  }
                }));
    List<String> again =
        People.onSpark(csv, "--checkpoint-every", "1", "--resume", checkpoints.toString());
    again.remove("--quiet");
    Command run = Command.of(again, "--out", out.toString()).done();
    assertTrue(run.out().contains("steps    3 of 3"), run.out());
    assertTrue(run.err().contains("goes on after step "), run.err());
  }

  @Test
  void anAccountOfARowsIsChargedAndATableNeedsOne() throws IOException {
    spark().sql("CREATE TABLE IF NOT EXISTS staff USING parquet LOCATION '" + parquet + "'");
    String line = Command.of(People.onSpark("staff")).refused(2);
    assertTrue(line.contains("account of staff must be named with --account"), line);

    Path account = folder.resolve("people.account");
    Command.of(
            List.of(
                "account",
                "open",
                account.toString(),
                "--epsilon",
                "10",
                "--delta",
                "1e-5",
                "--unit",
                "person",
                "--unit-column",
                "person"))
        .done();
    Command.of(
            People.onSpark("staff", "--unit", "person", "--account", account.toString()),
            "--out",
            folder.resolve("charged").toString())
        .done();
    Command shown = Command.of(List.of("account", "show", account.toString())).done();
    assertTrue(shown.out().contains("train"), shown.out());

    // A file on this machine has its account found beside it.
    Path covered = Files.copy(csv, folder.resolve("covered.csv"));
    Files.copy(account, folder.resolve("covered.csv.account"));
    Files.copy(folder.resolve("people.account.head"), folder.resolve("covered.csv.account.head"));
    String other = Command.of(People.onSpark(covered, "--unit", "patient")).refused(2);
    assertTrue(other.contains("unit must be that of the account, person"), other);
  }
}

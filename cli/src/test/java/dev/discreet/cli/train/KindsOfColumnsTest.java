package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From declared columns of every kind to predictions of raw cells, by the command and in Java. */
class KindsOfColumnsTest {
  @TempDir private Path folder;

  private Path table(String header, List<String> rows) throws IOException {
    return Files.writeString(
        folder.resolve("rows.csv"), header + "\n" + String.join("\n", rows) + "\n");
  }

  /** Each text 100 times. */
  private static List<String> often(String... rows) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.addAll(Arrays.asList(rows));
    }
    return all;
  }

  private Path train(Path data, String... options) {
    Path run = folder.resolve("run");
    List<String> all = new ArrayList<>(List.of("train", "--data", data.toString()));
    all.addAll(List.of("--model", "dense(2)", "--out", run.toString(), "--quiet"));
    all.addAll(List.of("--non-private", "--steps", "300", "--learning-rate", "3"));
    all.addAll(List.of("--held-out", "none", "--insecure-seed", "1", "--force"));
    all.addAll(Arrays.asList(options));
    Run.of(all.toArray(String[]::new)).done();
    return run;
  }

  /** The class of each row, by the command, and the same in Java. */
  private List<String> predicted(Path run, String header, List<String> rows) throws IOException {
    Path others =
        Files.writeString(
            folder.resolve("others.csv"), header + ",note\n" + String.join(",x\n", rows) + ",x\n");
    List<String> lines =
        Run.of("predict", "--run", run.toString(), "--data", others.toString())
            .done()
            .out()
            .lines()
            .toList();
    List<String> classes = lines.stream().skip(1).map(line -> line.split(",")[1]).toList();
    Model model = Model.load(run);
    for (int i = 0; i < rows.size(); i++) {
      List<String> cells = Arrays.asList(rows.get(i).split(",", -1));
      assertEquals(classes.get(i), model.predict(cells).label(), rows.get(i));
      double p = model.probabilities(cells).get(classes.get(i));
      assertTrue(p > 0.8, rows.get(i) + " " + p);
    }
    return classes;
  }

  /** The rows of missing cells tell the classes apart only where a policy keeps them. */
  @ParameterizedTest
  @CsvSource({
    "'age=0..100,missing=100', ''",
    "'age=0..100,missing=own', NA",
    "'age=0..100,missing=indicator(0),missing-cells=NA|99', 99",
    "'age=0..100', ''",
  })
  void whatMissingCellsBecomeIsDeclared(String column, String cell) throws IOException {
    boolean forAll = !column.contains("missing=");
    Path data = table("age,ok", often("0,no", "10,no", cell + ",yes", ",yes"));
    Path run =
        forAll
            ? train(data, "--label", "ok=no|yes", "--column", column, "--missing", "own")
            : train(
                data,
                "--label",
                "ok=no|yes",
                "--column",
                column,
                "--missing-cells",
                "NA",
                "--missing",
                "row");
    assertEquals(List.of("no", "yes", "yes"), predicted(run, "age", List.of("5", cell, "")));
    String use = Files.readString(run.resolve("model.json"));
    assertTrue(use.contains("\"missing\""), use);
  }

  @Test
  void aMissingLabelCountsAsZeroWhateverInputsBecome() throws IOException {
    List<String> rows = often("0,0", "1,100", "0,1");
    rows.add("1,99"); // in bounds, yet declared missing
    rows.add("1,");
    Path data = table("x,y", rows);
    List<String> lines =
        Run.of(
                "train",
                "--data",
                data.toString(),
                "--label",
                "y=0..100",
                "--column",
                "x=0..1",
                "--missing",
                "own",
                "--missing-cells",
                "99",
                "--model",
                "linear",
                "--epsilon",
                "1",
                "--dry-run")
            .err()
            .lines()
            .filter(line -> line.contains("rows.csv line"))
            .toList();
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("line 302, column y must be there"), lines.toString());
    assertTrue(lines.get(1).contains("line 303, column y must be"), lines.toString());
  }

  @Test
  void datesAsNumbersAndWeekdays() throws IOException {
    List<String> rows =
        often(
            "02.01.2024,2020-01-01 08:00,no", // a Tuesday
            "06.01.2024,2020-03-01T08:00,yes", // a Saturday
            "07.01.2024,2020-02-01,yes",
            "01.01.2024,2029-01-01,no");
    Path run =
        train(
            table("visit,born,ok", rows),
            "--label",
            "ok=no|yes",
            "--column",
            "visit=weekday,pattern=dd.MM.yyyy",
            "--column",
            "born=2020-01-01..2030-01-01,missing=2025-01-01");
    assertEquals(
        List.of("yes", "yes", "no", "no"),
        predicted(
            run,
            "visit,born",
            List.of(
                "13.01.2024,2020-02-02", // a Saturday again
                "14.01.2024,2020-03-03T23:59:59Z",
                "09.01.2024,2020-01-31",
                "08.01.2024,")));
  }

  @Test
  void orderedAndOtherCategories() throws IOException {
    String header = "region,grade,ok";
    List<String> rows =
        often("north,low,no", "north,mid,no", "south,low,no", "west,high,yes", "east,high,yes");
    Path run =
        train(
            table(header, rows),
            "--label",
            "ok=no|yes",
            "--column",
            "region=north|south,other=elsewhere",
            "--column",
            "grade=low<mid<high");
    assertEquals(
        List.of("no", "no", "yes", "yes"),
        predicted(
            run,
            "region,grade",
            List.of("north,low", "south,mid", "never seen,high", "elsewhere,high")));
  }
}

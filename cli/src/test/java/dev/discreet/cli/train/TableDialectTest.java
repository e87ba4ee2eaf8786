package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table and the same table as an office exports it: every verb reads the same rows in both. */
class TableDialectTest {
  private static final List<String> WRITTEN =
      List.of(
          "--delimiter",
          "semicolon",
          "--decimal",
          "comma",
          "--thousands",
          "point",
          "--charset",
          "windows-1252",
          "--quote",
          "single",
          "--header",
          "who,income,grade,town,sick");

  @TempDir private Path folder;
  private Path plain;
  private Path office;

  @BeforeEach
  void tables() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder plainText = new StringBuilder("who,income,grade,town,sick\n");
    StringBuilder officeText = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      int cents = random.nextInt(1_000_000);
      String grade = random.nextBoolean() ? "1.5" : "2";
      String town = random.nextBoolean() ? "Köln" : "Ulm";
      String sick = cents > 500_000 ? "yes" : "no";
      plainText.append(
          "p%d,%d.%02d,%s,%s,%s\n".formatted(i, cents / 100, cents % 100, grade, town, sick));
      String whole =
          cents < 100_000
              ? "" + cents / 100
              : cents / 100_000 + ".%03d".formatted(cents / 100 % 1000);
      officeText.append(
          "p%d;%s,%02d;%s;'%s';%s\r\n"
              .formatted(i, whole, cents % 100, grade.replace('.', ','), town, sick));
    }
    plain = Files.writeString(folder.resolve("plain.csv"), plainText);
    office = write("office.csv", officeText.toString());
  }

  private Path write(String name, String text) throws IOException {
    return Files.write(folder.resolve(name), text.getBytes(Charset.forName("windows-1252")));
  }

  private static Run both(List<String> verb, Path data, List<String> more) {
    List<String> all = new ArrayList<>(verb);
    all.addAll(List.of("--data", data.toString()));
    all.addAll(more);
    return Run.of(all.toArray(String[]::new));
  }

  private Path trained(String name, Path data, List<String> more) {
    Path run = folder.resolve(name);
    List<String> verb =
        new ArrayList<>(
            List.of(
                "train",
                "--label",
                "sick=no|yes",
                "--column",
                "income=0..10000",
                "--column",
                "grade=1.5|2",
                "--column",
                "town=Köln|Ulm",
                "--unit-column",
                "who",
                "--steps",
                "6",
                "--lot-size",
                "40",
                "--noise-multiplier",
                "2",
                "--insecure-seed",
                "1",
                "--held-out",
                "none",
                "--quiet",
                "--out"));
    verb.add(run.toString());
    both(verb, data, more).done();
    return run;
  }

  @Test
  void aModelKnowsHowItsCellsWereWritten() throws IOException {
    Path one = trained("one", plain, List.of());
    Path two = trained("two", office, WRITTEN);
    assertEquals(
        Model.load(one).probabilities(List.of("1234.5", "1.5", "Köln")),
        Model.load(two).probabilities(List.of("1.234,50", "1,5", "Köln")));
    String model = Files.readString(two.resolve("model.json"));
    assertTrue(model.contains("\"decimal\" : \"comma\""), model);
    Path rows = Files.writeString(folder.resolve("new.csv"), "income,grade,town\n1234.5,2,Ulm\n");
    Path others = write("others.csv", "x;1.234,5;2,0;'Ulm';\n");
    Run said = Run.of("predict", "--run", one.toString(), "--data", rows.toString());
    said.done();
    assertEquals(
        said.out(), Run.of("predict", "--run", two.toString(), "--data", others.toString()).out());
    // Other rows may be written otherwise.
    List<String> otherwise =
        List.of(
            "--delimiter",
            "comma",
            "--decimal",
            "point",
            "--thousands",
            "none",
            "--charset",
            "UTF-8",
            "--header",
            "first-line",
            "--quote",
            "double");
    assertEquals(
        said.out(), both(List.of("predict", "--run", two.toString()), rows, otherwise).out());
    // A folder may have lost its run file; its model says which numbers its cells have.
    Files.delete(two.resolve("run.yaml"));
    Path cells = Files.writeString(folder.resolve("c.csv"), "income;grade;town\n1.234,5;2,0;Ulm\n");
    assertEquals(
        said.out(), Run.of("predict", "--run", two.toString(), "--data", cells.toString()).out());
  }

  @Test
  void everyVerbReadsIt() throws IOException {
    for (List<String> verb :
        List.of(
            List.of(
                "query",
                "mean",
                "--column",
                "income",
                "--bounds",
                "0..10000",
                "--epsilon",
                "1",
                "--insecure-seed",
                "1",
                "--json"),
            List.of(
                "query",
                "histogram",
                "--column",
                "grade",
                "--categories",
                "1.5|2",
                "--epsilon",
                "1",
                "--insecure-seed",
                "1",
                "--json"),
            List.of(
                "regress",
                "--label",
                "income=0..10000",
                "--column",
                "grade=1..2",
                "--method",
                "least-squares",
                "--test-share",
                "0",
                "--json"),
            List.of(
                "geometry",
                "--label",
                "sick=no|yes",
                "--column",
                "income=0..10000",
                "--test-share",
                "0",
                "--outside-the-guarantee",
                "--json"))) {
      Run one = both(verb, plain, List.of());
      Run two = both(verb, office, WRITTEN);
      assertEquals(0, one.code(), verb + one.err());
      assertEquals(one.out().replace("plain.csv", "office.csv"), two.out(), verb + two.err());
    }
    Run open =
        Run.of(
            "account",
            "open",
            office.toString(),
            "--epsilon",
            "1",
            "--delta",
            "1e-6",
            "--unit",
            "person",
            "--unit-column",
            "who",
            "--header",
            "who,a,b,c,d",
            "--delimiter",
            ";");
    assertEquals(0, open.code(), open.err());
  }

  @Test
  void whatCannotBeReadIsRefused() throws IOException {
    Path rows = Files.writeString(folder.resolve("rows.csv"), "a\n", StandardCharsets.UTF_8);
    for (String[] wrong :
        new String[][] {
          {"--delimiter", "ab", "delimiter must be one character"},
          {"--quote", "x", "quote must be one character"},
          {"--decimal", "dot", "decimal must be one of point, comma"},
          {"--charset", "latin-77", "charset must be UTF-8, or one that this Java knows"},
          {"--header", "a,,b", "header must be without gaps"},
          {"--header", "a,a", "names of columns must be distinct"}
        }) {
      String line =
          Run.of(
                  "query",
                  "count",
                  "--data",
                  rows.toString(),
                  "--column",
                  "a",
                  "--epsilon",
                  "1",
                  wrong[0],
                  wrong[1])
              .line(2);
      assertTrue(line.contains(wrong[2]), line);
    }
    String named = Run.of("train", "--data", "digits", "--decimal", "comma").line(2);
    assertTrue(named.contains("must be left out for digits"), named);
  }
}

package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateAndPredictTest {
  @TempDir private Path folder;

  private Path trained(Path data) {
    Path run = folder.resolve("run");
    Small.run(
            data,
            run,
            "--non-private",
            "--steps",
            "200",
            "--learning-rate",
            "3",
            "--quiet",
            "--held-out",
            "none",
            "--insecure-seed",
            "1")
        .done();
    return run;
  }

  @Test
  void otherRowsOfTheSameKindNeedNoDeclarations() throws IOException {
    Path run = trained(Small.table(folder, 400, 1));
    Path others = Small.table(folder, 300, 2);
    Run table = Run.of("evaluate", "--run", run.toString(), "--data", others.toString());
    table.done();
    assertTrue(table.out().contains("private rows: outside the guarantee, for your eyes"));
    assertTrue(table.out().contains("NOT PRIVATE"), table.out());
    Run json = Run.of("evaluate", "--run", run.toString(), "--data", others.toString(), "--json");
    assertEquals(300, json.number("examples"));
    assertTrue(json.number("testAccuracy") > 0.8, json.out());
    // The run's own data: the rows that were held out.
    Run own = Run.of("evaluate", "--run", run.toString(), "--json");
    assertTrue(own.number("examples") < 150 && own.number("examples") > 30, own.out());
  }

  @Test
  void predictionsNeedNoLabels() throws IOException {
    Path run = trained(Small.table(folder, 400, 1));
    Path rows = Files.writeString(folder.resolve("new.csv"), "sex,age\nf,5\nm,99\n");
    List<String> lines =
        Run.of("predict", "--run", run.toString(), "--data", rows.toString())
            .done()
            .out()
            .lines()
            .toList();
    assertEquals("row,class,p(no),p(yes)", lines.get(0));
    assertTrue(lines.get(1).startsWith("1,no,0.9"), lines.get(1));
    assertTrue(lines.get(2).startsWith("2,yes,"), lines.get(2));
    assertEquals(3, lines.size());
    Path out = folder.resolve("predicted.csv");
    Run.of("predict", "--run", run.toString(), "--data", rows.toString(), "--out", out.toString())
        .done();
    assertEquals(lines, Files.readAllLines(out));
    Path bad = Files.writeString(folder.resolve("bad.csv"), "sex,age\nf,5\nm,old\n");
    Run failed =
        Run.of(
            "predict", "--run", run.toString(), "--data", bad.toString(), "--out", out.toString());
    assertTrue(failed.line(1).contains("bad.csv"), failed.err());
    assertTrue(failed.line(1).contains("line 3, column age"), failed.err());
    assertEquals(lines, Files.readAllLines(out));
    assertFalse(Small.names(folder).stream().anyMatch(name -> name.endsWith(".draft")));
  }

  @Test
  void numbersComeBackInTheirOwnUnits() throws IOException {
    Path run = folder.resolve("line");
    Run.of(
            "train --data linear-1d --non-private --epochs 60 --learning-rate 1 --quiet --out "
                + run)
        .done();
    Run table = Run.of("evaluate --data linear-1d --run " + run).done();
    assertTrue(table.out().startsWith("error "), table.out());
    List<String> lines = Run.of("predict --run " + run).done().out().lines().toList();
    assertEquals("row,value", lines.get(0));
    double largest =
        lines.stream()
            .skip(1)
            .mapToDouble(line -> Math.abs(Double.parseDouble(line.split(",")[1])))
            .max()
            .orElse(0);
    assertTrue(largest > 5 && largest < 100, "y is in -100..100, most of it in -30..30");
  }

  @Test
  void whatDoesNotFitIsOneLine() throws IOException {
    Path run = trained(Small.table(folder, 200, 1));
    String none = Run.of("evaluate", "--run", folder.toString()).line(2);
    assertTrue(none.contains("run must be a folder that discreet train wrote"), none);
    String other = Run.of("evaluate", "--run", run.toString(), "--data", "linear-1d").line(2);
    assertTrue(other.contains("shape of linear-1d must be that of the model, 3"), other);
    String missing = Run.of("predict").line(2);
    assertTrue(missing.contains("--run"), missing);
  }
}

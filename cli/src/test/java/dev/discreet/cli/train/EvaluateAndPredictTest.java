package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.model.Model;
import dev.discreet.core.model.ModelPrivacy;
import dev.discreet.core.model.ModelUse;
import dev.discreet.core.model.Prediction;
import dev.discreet.core.model.RawInputs;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.generate.GeneratedSets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** A database is not even asked for the names of columns before. */
  @Test
  void whoAnswersForRowsIsDecidedFirst() throws IOException {
    Path run = trained(Small.table(folder, 400, 1));
    String nobody = "jdbc:postgresql://localhost:1/none";
    for (List<String> verb : List.of(List.of("evaluate", "--run", "" + run), List.of("geometry"))) {
      List<String> words = new ArrayList<>(verb);
      words.addAll(List.of("--data", nobody, "--table", "t", "--column", "a*=0..1"));
      words.addAll(List.of("--label", "ill=0|1"));
      if (verb.size() == 1) {
        words.add("--outside-the-guarantee");
      }
      String line = Run.of(words.toArray(String[]::new)).line(2);
      assertTrue(line.contains("account of " + nobody + " must be named"), line);
    }
  }

  @Test
  void otherRowsOfTheSameKindNeedNoDeclarations() throws IOException {
    Path run = trained(Small.table(folder, 400, 1));
    Path others = Small.table(folder, 300, 2);
    Run table = Run.of("evaluate", "--run", run.toString(), "--data", others.toString());
    table.done();
    assertTrue(table.out().contains("private rows: outside the guarantee, for your eyes"));
    assertTrue(table.out().contains("NOT PRIVATE"), table.out());
    String seen = "may be among those it was trained on";
    String dependent = "too narrow where one patient has several";
    assertTrue(table.out().contains(seen) && !table.out().contains(dependent), table.out());
    Run json = Run.of("evaluate", "--run", run.toString(), "--data", others.toString(), "--json");
    assertEquals(300, json.number("examples"));
    assertTrue(json.number("testAccuracy") > 0.8, json.out());
    // The run's own data: the rows that were held out.
    Run own = Run.of("evaluate", "--run", run.toString(), "--json");
    assertTrue(own.number("examples") < 150 && own.number("examples") > 30, own.out());
    Path visits = folder.resolve("visits");
    Small.run(others, visits, "--non-private", "--unit-column", "id", "--unit", "patient").done();
    String held = Run.of("evaluate", "--run", visits.toString()).done().out();
    assertTrue(held.contains(dependent) && !held.contains(seen), held);
  }

  /** A run that names its engine is evaluated and asked on that one. */
  @Test
  void theEngineIsTheOneOfTheRun() throws IOException {
    Path run = folder.resolve("run");
    Small.run(Small.table(folder, 400, 1), run, "--engine", "counted", "--quiet").done();
    assertTrue(CountedEngine.SOURCES.get() > 0);
    assertTrue(Files.readString(run.resolve("run.yaml")).contains("engine: counted"));
    for (String verb : List.of("evaluate", "predict")) {
      int before = CountedEngine.OPENED.get();
      Run.of(verb, "--run", run.toString()).done();
      assertEquals(before + 1, CountedEngine.OPENED.get(), verb);
    }
  }

  /** A program trains and saves a model, and the command reads it, and a raw row is one to both. */
  @Test
  void aFolderThatJavaSavedIsReadAndSaysTheSame() throws IOException {
    ModelUse use =
        new ModelUse(
            new RawInputs.Columns(
                List.of(
                    new InputColumn.Number("age", 20, 120),
                    new InputColumn.Category("sex", List.of("female", "male")))),
            new Task.Classes(List.of("well", "ill")));
    Layout layout = Network.parse("dense(2)").on(Shape.vector(3));
    float[] parameters = layout.initial(Initialiser.HE_NORMAL, 3);
    Path saved = folder.resolve("java");
    new Model(layout, parameters, ModelPrivacy.none("NOT PRIVATE: a test")).usedAs(use).save(saved);
    Path rows = folder.resolve("rows.csv");
    Files.writeString(rows, "sex,age\nmale,45\nfemale,100\n");
    Run said = Run.of("predict", "--run", saved.toString(), "--data", rows.toString());
    said.done();
    List<String> lines = said.out().lines().toList();
    assertEquals("row,class,p(well),p(ill)", lines.get(0));
    Prediction one = Model.load(saved).predict(List.of("45", "male"));
    Prediction two = Model.load(saved).predict(List.of("100", "female"));
    assertTrue(lines.get(1).startsWith("1," + one.label() + ","), said.out());
    assertTrue(lines.get(2).startsWith("2," + two.label() + ","), said.out());
    assertEquals(
        one.probabilities().get("well"), Double.parseDouble(lines.get(1).split(",")[2]), 1e-6);
  }

  /** What the command trained, Java loads: raw rows go in, names of classes come out. */
  @Test
  void aFolderThatTheCommandWroteIsAskedInJava() throws IOException {
    Path run = trained(Small.table(folder, 400, 1));
    Path others = Small.table(folder, 40, 2);
    Run said = Run.of("predict", "--run", run.toString(), "--data", others.toString());
    said.done();
    List<String> lines = said.out().lines().toList();
    Model model = Model.load(run);
    List<String> names =
        ((RawInputs.Columns) model.use().orElseThrow().inputs())
            .columns().stream().map(InputColumn::name).toList();
    List<String> header = List.of(Files.readAllLines(others).get(0).split(","));
    for (int i = 1; i <= 40; i++) {
      List<String> cells = List.of(Files.readAllLines(others).get(i).split(","));
      List<String> row = names.stream().map(name -> cells.get(header.indexOf(name))).toList();
      assertEquals(lines.get(i).split(",")[1], model.predict(row).label(), "row " + i);
    }
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
    String failing = folder.resolve("failing.csv").toString();
    Run failed =
        Run.of("predict", "--run", run.toString(), "--data", bad.toString(), "--out", failing);
    assertTrue(failed.line(1).contains("bad.csv"), failed.err());
    assertTrue(failed.line(1).contains("line 3, column age"), failed.err());
    assertFalse(Files.exists(Path.of(failing)));
    assertFalse(Small.names(folder).stream().anyMatch(name -> name.endsWith(".draft")));
    String kept = Files.readString(rows);
    for (Path there : List.of(rows, out, folder)) {
      Run refused = Run.of("predict", "--run", "" + run, "--data", "" + rows, "--out", "" + there);
      assertEquals(
          "discreet predict: out must be a new file. Provided value: " + there, refused.line(2));
    }
    assertEquals(kept, Files.readString(rows));
    assertEquals(lines, Files.readAllLines(out));
  }

  /** The same images by a name and as a file are the same to the model. */
  @Test
  void aFileOfANamedSetsImagesIsReadAsTheSet() throws IOException {
    Path run = folder.resolve("digits");
    Run.of("train --data digits --model logistic --non-private --steps 3 --quiet --out " + run)
        .done();
    Examples images = GeneratedSets.make("digits", 0, 1, 20).test().orElseThrow().examples();
    int rows = 20;
    int size = images.input().size();
    ByteBuffer idx = ByteBuffer.allocate(16 + rows * size);
    idx.putInt(0x803).putInt(rows).putInt(images.input().height()).putInt(images.input().width());
    float[] pixels = new float[size];
    double mean = GeneratedSets.describe("digits").mean().get(0);
    double deviation = GeneratedSets.describe("digits").deviation().get(0);
    for (int i = 0; i < rows; i++) {
      images.input(i, pixels, 0);
      for (float pixel : pixels) {
        idx.put((byte) Math.round(255 * (pixel * deviation + mean)));
      }
    }
    Path file = Files.write(folder.resolve("images-idx3-ubyte"), idx.array());
    String told = Run.of("predict --run " + run).done().out();
    assertEquals(
        told.lines().limit(rows + 1).toList(),
        Run.of("predict --run " + run + " --data " + file).done().out().lines().toList());
    String plain =
        Run.of("predict --run " + run + " --mean 0 --deviation 1 --data " + file).done().out();
    assertFalse(told.startsWith(plain), "what is given goes before what the run had");
  }

  @Test
  void numbersComeBackInTheirOwnUnits() throws IOException {
    Path run = folder.resolve("line");
    Run.of(
            "train --data linear-1d --non-private --epochs 60 --learning-rate 1 --quiet --out "
                + run)
        .done();
    Run table = Run.of("evaluate --data linear-1d --run " + run).done();
    assertTrue(
        table.out().matches("(?s)RMSE +0\\.[0-9]+ y \\(95%: .*R² .*always the mean: 10\\..*"),
        table.out());
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

  @ParameterizedTest
  @ValueSource(strings = {"predict", "evaluate"})
  void helpTellsTheDefaultsThatHoldHere(String verb) {
    String help = Run.of(verb + " --help").done().out().replaceAll("\\s+", " ");
    assertTrue(help.contains("Default: the rows to test on of the run's own data."), help);
    assertFalse(help.contains("Default: digits"), help);
  }

  @Test
  void whatDoesNotFitIsOneLine() throws IOException {
    Path run = trained(Small.table(folder, 200, 1));
    String none = Run.of("evaluate", "--run", folder.toString()).line(2);
    assertTrue(none.contains("run must be a folder that discreet train wrote"), none);
    String other = Run.of("evaluate", "--run", run.toString(), "--data", "linear-1d").line(2);
    assertTrue(other.contains("shape of linear-1d must be that of the model, 3"), other);
    Path nowhere = folder.resolve("nowhere");
    String out = Run.of("predict", "--run", run.toString(), "--out", nowhere + "/x.csv").line(2);
    assertTrue(
        out.contains("out must be a file in a folder that exists. Provided value: " + nowhere),
        out);
    assertFalse(out.contains("draft"), out);
    String file = Run.of("predict", "--run", run.toString(), "--data", "nofile.csv").line(2);
    assertTrue(
        file.endsWith("data must be a file or folder that exists. Provided value: nofile.csv"),
        file);
    String missing = Run.of("predict").line(2);
    assertTrue(missing.contains("--run"), missing);
  }
}

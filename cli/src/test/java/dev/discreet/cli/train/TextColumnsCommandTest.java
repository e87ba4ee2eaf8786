package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Free text from the table to predictions: the same words mean the same everywhere. */
class TextColumnsCommandTest {
  private static final List<String> BAD = List.of("fever", "Cough", "pain");
  private static final List<String> GOOD = List.of("well", "Rested", "hungry");

  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void table() throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    List<String> lines = new ArrayList<>(List.of("id,note,sick"));
    for (int i = 0; i < 400; i++) {
      boolean sick = random.nextBoolean();
      List<String> words = sick ? BAD : GOOD;
      lines.add(
          "p%d,\"%s, patient%d is %s.\",%s"
              .formatted(
                  i,
                  words.get(random.nextInt(3)),
                  i,
                  words.get(random.nextInt(3)),
                  sick ? "yes" : "no"));
    }
    table = Files.write(folder.resolve("notes.csv"), lines);
  }

  private Run train(Path out, String column, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "train",
                "--data",
                table.toString(),
                "--label",
                "sick=no|yes",
                "--column",
                column,
                "--non-private",
                "--quiet",
                "--insecure-seed",
                "1",
                "--steps",
                "100",
                "--learning-rate",
                "2",
                "--lot-size",
                "40",
                "--held-out",
                "none",
                "--out",
                out.toString()));
    all.addAll(List.of(more));
    return Run.of(all.toArray(String[]::new));
  }

  /** Predictions of the command and of Java agree, and are right. */
  private void understood(Path run) throws IOException {
    Path others =
        Files.writeString(
            folder.resolve("others.csv"),
            "note\nFEVER: he is (cough)\nwell; she is rested!\nHungry; it is well\n");
    Run predicted = Run.of("predict", "--run", run.toString(), "--data", others.toString());
    predicted.done();
    List<String> lines = predicted.out().lines().skip(1).toList();
    Model model = Model.load(run);
    List<String> cells =
        List.of("FEVER: he is (cough)", "well; she is rested!", "Hungry; it is well");
    for (int i = 0; i < 3; i++) {
      String answer = model.predict(List.of(cells.get(i))).label();
      assertEquals(i == 0 ? "yes" : "no", answer);
      assertTrue(lines.get(i).contains(answer), predicted.out());
    }
    String json = Files.readString(run.resolve("model.json"));
    assertFalse(json.contains("patient"), json);
    Run.of("evaluate", "--run", run.toString(), "--data", table.toString(), "--json").done();
    Run export =
        Run.of(
            "export",
            "--run",
            run.toString(),
            "--to",
            folder.resolve("m.onnx").toString(),
            "--force");
    assertEquals(2, export.code(), export.err());
    assertTrue(export.err().contains("no operator of ONNX reads dates or free text"), export.err());
  }

  @Test
  void countedWordsAreUnderstood() throws IOException {
    Path run = folder.resolve("run");
    train(run, "note=text,hash=64,words=1..2").done();
    understood(run);
    Path rows = Files.writeString(folder.resolve("rows.csv"), "note\n\n\"\"\n");
    Run none = Run.of("predict", "--run", run.toString(), "--data", rows.toString());
    assertTrue(none.code() != 0 && !none.err().contains("Exception"), none.err());
  }

  @Test
  void tokensOfAVocabularyFileAreUnderstood() throws IOException {
    Path words =
        Files.writeString(
            folder.resolve("words.txt"), "fever\ncough\npain\n\nwell\nrested\nhungry\n");
    Path run = folder.resolve("run");
    String tokens = "note=tokens,vocabulary=" + words + ",length=6";
    String model = "embedding(8,4) flatten dense(2)";
    train(run, tokens, "--model", model).done();
    assertFalse(Files.readString(run.resolve("run.yaml")).contains("words.txt"));
    understood(run);
    // The run file holds the words, and a file of declarations may name the file too.
    Files.delete(words);
    Path again = folder.resolve("again");
    Run.of("train", run.resolve("run.yaml").toString(), "--quiet", "--out", again.toString())
        .done();
    assertEquals(
        Files.readString(run.resolve("model.json")), Files.readString(again.resolve("model.json")));
    Run gone = train(folder.resolve("o"), tokens, "--model", model);
    assertTrue(gone.err().contains("vocabulary must be a file that exists"), gone.err());
  }

  @Test
  void aVocabularyIsNotTheRunsOwnRows() throws IOException {
    table = Files.writeString(folder.resolve("own.csv"), "note\nfever\nwell\n");
    Path link = Files.createSymbolicLink(folder.resolve("words.txt"), table);
    for (Path file : List.of(table, link)) {
      Run own = train(folder.resolve("o"), "note=tokens,vocabulary=" + file + ",length=2");
      assertEquals(2, own.code(), own.err());
      assertTrue(own.err().contains("none with rows of --data"), own.err());
    }
  }

  @Test
  void aFileOfDeclarationsMayNameTheVocabulary() throws IOException {
    Path words = Files.writeString(folder.resolve("w.txt"), "fever\nwell\n");
    Path columns =
        Files.writeString(
            folder.resolve("columns.yaml"),
            "label: sick\ncolumns:\n  note: tokens,vocabulary=%s,length=3\n  sick: no|yes\n"
                .formatted(words));
    Path run = folder.resolve("run");
    List<String> all =
        List.of(
            "train",
            "--data",
            table.toString(),
            "--columns",
            columns.toString(),
            "--model",
            "embedding(4,2) flatten dense(2)",
            "--non-private",
            "--quiet",
            "--steps",
            "2",
            "--lot-size",
            "40",
            "--held-out",
            "none",
            "--out",
            run.toString());
    Run.of(all.toArray(String[]::new)).done();
    assertTrue(Files.readString(run.resolve("model.json")).contains("\"fever\""));
  }

  @Test
  void aRegressionTakesCountedWordsAndNoTokens() throws IOException {
    Path out = folder.resolve("fit");
    String[] fit = {
      "regress",
      "--data",
      table.toString(),
      "--label",
      "sick=no|yes",
      "--epsilon",
      "50",
      "--delta",
      "1e-5",
      "--declared-units",
      "400",
      "--out",
      out.toString(),
      "--column",
      ""
    };
    fit[fit.length - 1] = "note=tokens,vocabulary=fever|well,length=3";
    Run tokens = Run.of(fit);
    assertEquals(2, tokens.code(), tokens.err());
    assertTrue(tokens.err().contains("must be an embedding"), tokens.err());
    assertFalse(Files.exists(out));
    fit[fit.length - 1] = "note=text,hash=4";
    Run words = Run.of(fit).done();
    assertTrue(words.out().contains("note input 3"), words.out());
  }

  @Test
  void whatGoesWrongIsSaidBeforeTheFirstRow() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.txt"), "fever\nhigh fever\n");
    for (String[] wrong :
        new String[][] {
          {"note=text", "hash of column note must be how many inputs"},
          {"note=tokens,length=3", "vocabulary of column note must be declared"},
          {"note=tokens,vocabulary=" + bad + ",length=3", "bad.txt, line 2 must be one word"},
          {"note=tokens,vocabulary=a|b,length=3", "must be an embedding"},
        }) {
      Run run = train(folder.resolve("o"), wrong[0]);
      assertEquals(2, run.code(), run.err());
      assertTrue(run.err().contains(wrong[1]), run.err());
      assertFalse(run.err().contains("high fever"), run.err());
    }
  }
}

package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that do not fit: a few are told, many stop the run, and none is in a file. */
class MisfitRowsTest {
  private static final String FEW = " of 300 rows of rows.csv do not fit what was declared";

  @TempDir private Path folder;

  /** A table of 300 rows, of which so many have no age. */
  private Path table(int misfits) throws IOException {
    StringBuilder text = new StringBuilder("age,sex,sick\n");
    for (int i = 0; i < 300; i++) {
      text.append(i < misfits ? "unknown" : i % 90).append(i % 3 == 0 ? ",f," : ",m,");
      text.append(i % 2 == 0 ? "yes\n" : "no\n");
    }
    return Files.writeString(folder.resolve("rows.csv"), text);
  }

  private static Run run(String arguments, List<String> more) {
    List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
    all.addAll(more);
    return Run.of(all.toArray(String[]::new));
  }

  /** Everyone is in each lot: what that costs is known without a search. */
  private Run train(Path data, String more) {
    return train(data, "--sampler full-batch", more);
  }

  private Run train(Path data, String sampler, String more) {
    String options = " --noise-multiplier 1 --steps 2 --quiet " + sampler;
    String place = " --data " + data + " --out " + folder.resolve("out");
    return run("train" + place + options + (more.isEmpty() ? "" : " " + more), Small.DECLARED);
  }

  private String written(Path out) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return all.toString();
  }

  @Test
  void aFewAreToldAndInNoFile() throws IOException {
    Run run = train(table(2), "--lot-size 50", "");
    assertEquals(0, run.code(), run.err());
    assertTrue(run.err().contains("2" + FEW), run.err());
    assertTrue(run.err().contains("for your eyes"), run.err());
    assertTrue(run.err().contains("rows.csv line 2, column age must be a number"), run.err());
    assertFalse(run.out().contains("fit"), run.out());
    String files = written(folder.resolve("out"));
    assertFalse(files.contains("do not fit") || files.contains("unknown"), "in a file");
  }

  @Test
  void manyStopTheRunUnlessAsked() throws IOException {
    Run run = train(table(4), "");
    String line = run.line(1);
    assertTrue(line.contains("4" + FEW) && line.contains("over 1%"), line);
    assertTrue(line.contains("--accept-misfits"), line);
    assertFalse(Files.exists(folder.resolve("out")));
    assertEquals(0, train(table(4), "--accept-misfits").code());
  }

  /** A wrong declaration that is insisted on: noise is learnt from, and the run ends as others. */
  @ParameterizedTest
  @ValueSource(strings = {"--held-out released", "--held-out console", "--test-share 0"})
  void allOfThem(String how) throws IOException {
    Run run = train(table(300), "--accept-misfits " + how);
    assertEquals(0, run.code(), run.err());
  }

  @Test
  void otherVerbsStopBeforeTheySpend() throws IOException {
    Path data = table(4);
    Path ledger = folder.resolve("ledger");
    String of = " --data " + data + " --ledger " + ledger;
    List<String> columns = List.of("--label", "sick=no|yes", "--column", "age=0..100");
    List<String> refused =
        List.of(
            run("regress --epsilon 1 --method functional" + of, columns).line(1),
            run("data describe --spend 1" + of, columns).line(1),
            run("query mean --column age --bounds 0..100 --epsilon 1" + of, List.of()).line(1));
    for (String line : refused) {
      assertTrue(line.contains("4" + FEW) && line.contains("--accept-misfits"), line);
    }
    assertTrue(!Files.exists(ledger) || !Files.readString(ledger).contains("step"), "spent");
    Run asked =
        run(
            "query mean --accept-misfits --column age --bounds 0..100 --epsilon 1 --data " + data,
            List.of());
    assertEquals(0, asked.code(), asked.err());
    assertTrue(asked.err().contains("rows.csv line 2, column age has \"unknown\""), asked.err());
  }

  @Test
  void aModelIsTriedOnTheRowsThatFit() throws IOException {
    assertEquals(0, train(table(0), "").code());
    Path data = table(2);
    String of = " --run " + folder.resolve("out") + " --data " + data;
    Run evaluated = Run.of(("evaluate --json" + of).split(" "));
    assertTrue(evaluated.out().contains("\"examples\":298"), evaluated.out());
    assertTrue(evaluated.err().contains("2" + FEW), evaluated.err());
    String line = Run.of(("predict" + of).split(" ")).line(1);
    assertTrue(line.contains("line 2, column age"), line);
  }

  private Path images(String name, String... classes) throws IOException {
    for (String each : classes) {
      for (int i = 0; i < 10; i++) {
        Path file = folder.resolve(name).resolve(each).resolve(i + ".png");
        Files.createDirectories(file.getParent());
        BufferedImage image = new BufferedImage(5, 4, BufferedImage.TYPE_BYTE_GRAY);
        image.setRGB(1, 2, 0x10101 * (i + each.hashCode() % 50));
        ImageIO.write(image, "png", file.toFile());
      }
    }
    return folder.resolve(name);
  }

  /** What images are like is taken from public ones or from a run, and kept with the new run. */
  @Test
  void asInPublicImagesOrAnEarlierRun() throws IOException {
    Path data = images("private", "cat", "dog");
    Path known = images("public", "dog", "eel", "cat");
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    String options = " --noise-multiplier 1 --sampler full-batch --steps 1 --quiet --data " + data;
    Run one = Run.of(("train --as-in " + known + " --out " + first + options).split(" "));
    assertEquals(0, one.code(), one.err());
    String settings = Files.readString(first.resolve("run.yaml"));
    assertTrue(settings.contains("input: 4x5x1\nclasses: cat|dog|eel\n"), settings);
    assertFalse(settings.contains("as-in"), settings);
    Run two = Run.of(("train --as-in " + first + " --out " + second + options).split(" "));
    assertEquals(0, two.code(), two.err());
    assertEquals(settings, Files.readString(second.resolve("run.yaml")));
    String run = Files.readString(second.resolve("run.json"));
    assertTrue(run.contains("\"eel\""), run);
    String from = "Input and classes were taken from ";
    assertTrue(run.contains(from + first + ", an earlier run."), run);
    for (String file : List.of("run.json", "privacy.txt")) {
      String text = Files.readString(first.resolve(file)).replaceAll("\\s+", " ");
      assertTrue(text.contains(from + known + ", declared public."), text);
    }
    // Other images need not be declared again.
    Run evaluated = Run.of(("evaluate --run " + second + " --data " + known).split(" "));
    assertEquals(0, evaluated.code(), evaluated.err());
    images("copy", "cat", "dog");
    for (String own : List.of(data.toString(), data + "/cat", data + "/..", folder + "/copy")) {
      Run same = Run.of(("train --dry-run --as-in " + own + options).split(" "));
      assertTrue(same.line(2).contains("as in must be other images than the private"), same.err());
    }
    String both = "train --classes a|b --as-in " + known + options;
    assertTrue(Run.of(both.split(" ")).line(2).contains("--classes is taken from --as-in"));
  }
}

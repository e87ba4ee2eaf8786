package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights and a threshold of classes, from the option to what is predicted. */
class ClassBalanceTest {
  @TempDir private Path folder;

  private Run train(String out, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("--non-private", "--held-out", "none", "--insecure-seed", "1", "--quiet"));
    all.addAll(List.of("--steps", "60"));
    all.addAll(List.of(more));
    return Small.run(Small.table(folder, 400, 1), folder.resolve(out), all.toArray(String[]::new));
  }

  private String file(String out, String name) throws IOException {
    return Files.readString(folder.resolve(out).resolve(name));
  }

  private List<String> predicted(String out, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "predict",
                "--run",
                folder.resolve(out).toString(),
                "--data",
                Small.table(folder, 200, 2).toString()));
    all.addAll(List.of(more));
    return Run.of(all.toArray(String[]::new)).done().out().lines().skip(1).toList();
  }

  @Test
  void theModelKeepsTheThresholdAndDecidesByIt() throws IOException {
    train("low", "--threshold", "0.2").done();
    assertTrue(file("low", "model.json").contains("loss=softmax(threshold=0.2)"));
    assertTrue(file("low", "run.yaml").contains("threshold: 0.2"));
    int below = 0;
    for (String line : predicted("low")) {
      String[] cells = line.split(",");
      double yes = Double.parseDouble(cells[3]);
      assertEquals(yes > 0.2 ? "yes" : "no", cells[1], line);
      below += yes > 0.2 && yes < 0.5 ? 1 : 0;
    }
    assertTrue(below > 5, "rows that the threshold decides: " + below);
    // Another threshold may be asked for afterwards.
    for (String line : predicted("low", "--threshold", "0.7")) {
      String[] cells = line.split(",");
      assertEquals(Double.parseDouble(cells[3]) > 0.7 ? "yes" : "no", cells[1], line);
    }
  }

  /** The lower the threshold, the more rows are said to be of the second class. */
  @Test
  void evaluateCountsByTheThreshold() throws IOException {
    train("run").done();
    double before = 1000;
    for (String threshold : List.of("0.1", "0.4", "0.9")) {
      Run run =
          Run.of(
              "evaluate",
              "--json",
              "--run",
              folder.resolve("run").toString(),
              "--data",
              Small.table(folder, 300, 3).toString(),
              "--threshold",
              threshold);
      List<?> confusion = (List<?>) run.done().object().get("confusion");
      double said = 0;
      for (Object row : confusion) {
        said += ((Number) ((List<?>) row).get(1)).doubleValue();
      }
      assertTrue(said < before, threshold + ": " + said + " after " + before);
      before = said;
    }
  }

  @Test
  void weightsMoveWhatIsLearnt() throws IOException {
    train("even").done();
    train("weighed", "--class-weights", "yes=20").done();
    assertTrue(file("weighed", "model.json").contains("loss=softmax(weights=1|20)"));
    assertTrue(file("weighed", "run.yaml").contains("class-weights: yes=20"));
    long even = predicted("even").stream().filter(line -> line.contains(",yes,")).count();
    long weighed = predicted("weighed").stream().filter(line -> line.contains(",yes,")).count();
    assertTrue(weighed > even + 10, weighed + " after " + even);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--class-weights; maybe=2; class-weights must be of the classes [no, yes]",
        "--class-weights; yes=0; class-weights must be in [1e-6, 1e6]. Provided value: 0",
        "--class-weights; yes=1e25; class-weights must be in [1e-6, 1e6]. Provided value: 1e25",
        "--class-weights; yes; class-weights must be CLASS=WEIGHT with | between them",
        "--class-weights; yes=1|yes=2; class-weights must be one for each class",
        "--threshold; 1; threshold must be in (0, 1). Provided value: 1",
      })
  void refusesWhatDoesNotFit(String option, String value, String message) throws IOException {
    Run run = train("bad", option, value);
    assertTrue(run.code() != 0 && run.err().contains(message), run.err());
  }
}

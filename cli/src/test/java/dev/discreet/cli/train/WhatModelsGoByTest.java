package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.cli.Run;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatModelsGoByTest {
  @TempDir private Path folder;

  private Path trained(String... more) throws IOException {
    Path out = folder.resolve("run");
    Run run =
        Small.run(
            Small.table(folder, 400, 1),
            out,
            Stream.concat(
                    List.of("--non-private", "--held-out", "none", "--insecure-seed", "1").stream(),
                    List.of(more).stream())
                .toArray(String[]::new));
    run.done();
    return out;
  }

  private static double logOdds(Model model, String age, String sex) {
    double yes = model.probabilities(List.of(age, sex)).get("yes");
    return Math.log(yes / (1 - yes));
  }

  /** A coefficient is how much log-odds differ between two rows that differ in one thing. */
  @Test
  void coefficientsAreDifferencesOfLogOdds() throws IOException {
    Path run = trained("--steps", "40", "--quiet");
    List<String> lines = Files.readAllLines(run.resolve("coefficients.csv"));
    Model model = Model.load(run);
    double[] expected = {
      logOdds(model, "0", "f"),
      (logOdds(model, "60", "m") - logOdds(model, "40", "m")) / 20,
      logOdds(model, "50", "m") - logOdds(model, "50", "f")
    };
    String[] names = {"(intercept),\"0 of numbers", "age,1 of age", "sex = m,instead of f"};
    assertEquals(4, lines.size());
    for (int i = 0; i < 3; i++) {
      String line = lines.get(1 + i);
      assertTrue(line.startsWith(names[i]), line);
      assertTrue(line.endsWith(",log-odds of yes,NOT PRIVATE"), line);
      String[] cells = line.split(",");
      assertEquals(expected[i], Double.parseDouble(cells[cells.length - 3]), 2e-5, line);
    }
  }

  @Test
  void evaluateSaysWhatAColumnIsWorth() throws IOException {
    Path run = trained("--steps", "100", "--quiet");
    Path others = Small.table(folder, 500, 2);
    String[] asked = {
      "evaluate", "--run", run.toString(), "--data", others.toString(), "--importance", "--json"
    };
    Map<?, ?> fields = Run.of(asked).done().object();
    List<?> importance = (List<?>) fields.get("importance");
    Map<?, ?> first = (Map<?, ?>) importance.get(0);
    Map<?, ?> second = (Map<?, ?>) importance.get(1);
    assertEquals("age", first.get("column"));
    assertEquals("sex", second.get("column"));
    List<?> worse = (List<?>) first.get("accuracy");
    double value = ((Number) worse.get(0)).doubleValue();
    assertTrue(value > 0.2 && ((Number) worse.get(1)).doubleValue() > 0.1, "" + worse);
    assertEquals(3, ((List<?>) fields.get("coefficients")).size());
    assertTrue(fields.get("rows").toString().contains("outside the guarantee"));
    String text =
        Run.of("evaluate", "--run", run.toString(), "--data", others.toString(), "--importance")
            .done()
            .out();
    assertTrue(text.contains("without age"), text);
    assertTrue(text.matches("(?s).*accuracy lower by [0-9.]+ points \\(95%: .*"), text);
    assertTrue(text.contains("(1 of age) in the model"), text);
  }

  /** Outputs that are no probabilities adding up to 1 have none. */
  @ParameterizedTest
  @CsvSource({
    "dense(2) loss=squared, false",
    "dense(2) loss=logistic, false",
    "dense(2) loss=softmax, true",
    "dense(1) loss=logistic, true"
  })
  void onlyProbabilitiesHaveLogOdds(String model, boolean has) throws IOException {
    Path run = trained("--steps", "5", "--quiet", "--model", model);
    assertEquals(has, Files.exists(run.resolve("coefficients.csv")));
  }

  @Test
  void hiddenLayersHaveNoCoefficients() throws IOException {
    Path run = trained("--steps", "5", "--quiet", "--model", "mlp(4)");
    assertFalse(Files.exists(run.resolve("coefficients.csv")));
    Map<?, ?> fields =
        Run.of("evaluate", "--run", run.toString(), "--importance", "--json").done().object();
    assertEquals(2, ((List<?>) fields.get("importance")).size());
    assertFalse(fields.containsKey("coefficients"));
  }

  @Test
  void rowsWithoutColumnsAreRefused() {
    Path out = folder.resolve("digits");
    Run.of(
            ("train --data digits --model logistic --non-private --steps 1 --quiet --out " + out)
                .split(" "))
        .done();
    Run run = Run.of("evaluate", "--run", out.toString(), "--importance");
    assertEquals(2, run.code());
    assertTrue(
        run.err().contains("importance must be of a model whose rows are a table"), run.err());
  }
}

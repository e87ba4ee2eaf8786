package dev.discreet.lab.course;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.lab.Bench;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Outcome;
import dev.discreet.lab.Outcomes;
import dev.discreet.lab.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages say once all is run, on made-up outcomes, and that the real trials run. */
class FilledFindingsTest {
  private static final Pattern SEED = Pattern.compile("\\bseed = (\\d+)");

  /** The verdicts of a full run whose accuracies are these, and a little more with each seed. */
  private static String said(Experiment experiment, ToDoubleFunction<String> accuracy)
      throws IOException {
    Map<String, Outcome> all = new HashMap<>();
    for (Trial trial : experiment.trials(Effort.full())) {
      double mean = accuracy.applyAsDouble(trial.text());
      Matcher named = SEED.matcher(trial.text());
      double seed = named.find() ? Double.parseDouble(named.group(1)) : 0;
      boolean estimated = trial.text().matches(".*(norm-projections|projections = [1-9]).*");
      double time = estimated ? 30 : 10;
      all.put(
          trial.text(),
          Outcome.of("epsilon", 2)
              .with("accuracy", List.of(mean / 2, mean + seed / 100))
              .with("noise", estimated ? 1.2 : 1)
              .with("milliseconds", List.of(time - 1, time, time + 1))
              .with("mebibytes", List.of(5.0, 5.0, 5.0))
              .with("parameters", 26010));
    }
    Finding finding = experiment.finding(Effort.full(), new Outcomes(all));
    assertFalse(finding.figures().isEmpty());
    finding.rows().forEach(row -> assertTrue(row.ours().size() > 0, row.toString()));
    String said = String.join("\n", finding.verdicts());
    assertFalse(said.contains("not run yet"), said);
    return said;
  }

  @Test
  void theAnswerAboutThresholdsIsThatOfTheBestRates() throws IOException {
    // At C = 30 one rate of four is as good as the best of C = 1; at C = 0.1 none is.
    String said =
        said(
            MnistClip.EXPERIMENT,
            text ->
                text.contains(" clip=1 ") && text.contains("learning-rate=2,")
                    ? 92
                    : text.contains(" clip=30 ") && text.contains("learning-rate=0.02,")
                        ? 91.8
                        : 80);
    assertTrue(said.contains("Against the best, C = 1: C = 0.1 refuted (-12.00"), said);
    assertTrue(said.contains("C = 30 confirmed (-0.20"), said);
    assertTrue(said.contains("at η = 0.02 (the least tried)"), said);
  }

  @Test
  void bothEstimatesAreJudgedByAccuracyAndCost() throws IOException {
    String said =
        said(
            EstimatedNorms.EXPERIMENT,
            text -> text.contains("adam") && text.contains("norm-projections") ? 77 : 80);
    assertTrue(
        said.contains("DP-SGD-JL as accurate as DP-SGD at the same ε, within 1 point: confirmed"),
        said);
    assertTrue(
        said.contains("DP-Adam-JL as accurate as DP-Adam at the same ε, within 1 point: refuted"),
        said);
    assertTrue(said.contains("takes 1.200 times the noise"), said);
    assertTrue(
        said.contains(
            "forward mode, r = 30, against DP-SGD with this engine's exact norms: \"significantly faster\" refuted (3.00 times); less memory inconclusive"),
        said);
  }

  @Test
  void aMethodIsJudgedAtItsBestRate() throws IOException {
    // Larger rates are better up to 4, and the head is far from what it is without privacy.
    String said =
        said(
            TransferLearning.EXPERIMENT,
            text ->
                (text.contains("epsilon=") ? 80 : 95)
                    + (text.contains("rate=4,") || text.contains("rate=0.1,") ? 5 : 0)
                    + (text.contains("head only = false") ? 9 : 0));
    assertTrue(
        said.contains(
            "all layers trained, better than from scratch: digits → mnist at ε = 0.5 confirmed (+9.0"),
        said);
    assertTrue(
        said.contains(
            "frozen, better than from scratch: digits → mnist at ε = 0.5 inconclusive (+0.00"),
        said);
    assertTrue(
        said.contains(
            "frozen, preserves the accuracy of the best without privacy, within 2 points:"
                + " digits → mnist at ε = 0.5 refuted (-24.00"),
        said);
  }

  @Test
  void theTrialsRun(@TempDir Path folder) throws IOException {
    Finding transfer =
        Bench.runOnRealData(Bench.only("head only = false", TransferLearning.EXPERIMENT), folder);
    assertEquals(2, transfer.rows().stream().filter(row -> row.ours().size() > 0).count());
    Finding clip = Bench.runOnRealData(Bench.only("mnist-cnn", MnistClip.EXPERIMENT), folder);
    assertTrue(Bench.ours(clip, "002", "C = 1,") > 10);
    Finding norms =
        Bench.runOnRealData(Bench.only("projections = 5", EstimatedNorms.EXPERIMENT), folder);
    assertTrue(norms.tables().get(0).cells().get(3).get(3).contains(" to "));
  }
}

package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The algorithms of the seed documents, each from the command line to its ledger. */
class AlgorithmsTest {
  @TempDir private Path folder;

  private Path out(String name) {
    return folder.resolve(name);
  }

  private static String text(Path out, String file) throws IOException {
    return Files.readString(out.resolve(file));
  }

  private Path run(String name, String options) {
    Path out = out(name);
    Run run = Run.of("train " + options + " --quiet --out " + out);
    assertEquals(0, run.code(), run.err());
    return out;
  }

  /** The ledger of a run, whose cost by the accountant is the one that its files state. */
  private static Map<Mechanism, Long> ledger(Path out) throws IOException {
    Ledger ledger = Ledger.parse(text(out, "ledger.json"));
    Map<String, Object> json = JSON.std.mapFrom(text(out, "run.json"));
    double delta = ((Number) json.get("delta")).doubleValue();
    assertEquals(
        new PldAccountant().epsilon(ledger, delta).epsilon(),
        ((Number) json.get("epsilon")).doubleValue(),
        1e-9);
    return ledger.totals();
  }

  private static void has(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), "'" + part + "' is not in: " + text);
    }
  }

  @Test
  void adaptiveClipping() throws IOException {
    Path out =
        run("adaptive", "--data gaussians --steps 4 --noise-multiplier 2 --clip-quantile 0.3");
    // A lot of 1000, so counts have noise 50 and multiplier 100.
    double gradient = 2 / Math.sqrt(1 - 4 / 1e4);
    Map<Mechanism, Long> ledger = ledger(out);
    assertEquals(1, ledger.size());
    Mechanism.PoissonSampled step = (Mechanism.PoissonSampled) ledger.keySet().iterator().next();
    assertEquals(4, ledger.get(step));
    List<Double> noise = ((Mechanism.JointGaussian) step.inner()).noiseMultipliers();
    assertEquals(List.of(100.0), noise.subList(1, noise.size()));
    assertEquals(gradient, noise.get(0), 1e-9);
    has(text(out, "run.yaml"), "clip-quantile: 0.3\n", "clip-quantile-rate: 0.2\n");
    has(text(out, "run.json"), "quantile=0.3");
    has(text(out, "report.html"), "then to the quantile 0.3 of their norms");
    // As it was, again, and with a target: the counts come out of it.
    Run again =
        Run.of(
            "train "
                + out.resolve("run.yaml")
                + " --epsilon 2 --count-noise 3 --json --quiet --out "
                + out("again"));
    assertTrue(again.number("epsilon") <= 2 && again.number("epsilon") > 1.99, again.out());
    assertEquals(1, ((List<?>) again.object().get("thresholds")).size());
  }

  @Test
  void langevin() throws IOException {
    Path out =
        run(
            "langevin",
            "--data gaussians --steps 4 --noise-multiplier 2 --optimizer langevin"
                + " --temperature 0.01 --temperature-schedule linear --langevin-seed 7");
    // Its noise is on no ledger.
    assertEquals(
        Map.of(new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2)), 4L), ledger(out));
    has(text(out, "run.yaml"), "optimizer: langevin\n", "temperature-schedule: linear\n");
    has(text(out, "run.json"), "Langevin[");
    has(text(out, "privacy.txt"), "Langevin: The optimizer adds noise from a public seed");
    has(text(out, "report.html"), "temperature 0.01 linear; its noise protects no one");
  }

  /** η = 0.5, L = 1000, C = 2: σ = √(2T/η)·L/C. */
  @Test
  void theNoiseOfATemperature() throws IOException {
    Path out =
        run(
            "temperature",
            "--data gaussians --steps 3 --noise-temperature 4e-6 --learning-rate 0.5 --clip 2");
    assertEquals(
        Map.of(new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2)), 3L), ledger(out));
    has(text(out, "report.html"), "the private noise is that of temperature 4e-6");
    assertEquals(ledger(out), ledger(run("again", out.resolve("run.yaml") + "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --clip-quantile 1 | clipping quantile must be in (0, 1). Provided value: 1
          --clip-quantile 0 | clipping quantile must be in (0, 1). Provided value: 0
          --clip-quantile-rate 1 | --clip-quantile-rate needs --clip-quantile
          --count-noise 1 | --count-noise needs --clip-quantile
          --clip-quantile 0.5 --clip-schedule linear | --clip-schedule is not for --clip-quantile
          --clip-quantile 0.5 --clipping automatic | clipping rule of adaptive clipping must be flat
          --clip-quantile 0.5 --noise-multiplier 9 --count-noise 4 | count noise must be greater than 4.5
          --clip-quantile 0.5 --non-private | --clip-quantile needs --clip
          --temperature 1 | --temperature is for --optimizer langevin
          --optimizer langevin --temperature -1 | temperature must be in [0, infinity). Provided value: -1
          --noise-temperature 0 | noise temperature must be in (0, infinity). Provided value: 0
          --noise-temperature 1 | noise temperature must be given with a --learning-rate
          --noise-temperature 1 --learning-rate 1 --warm-up 3 | --warm-up is not for --noise-temperature
          --noise-temperature 1 --learning-rate 1 --schedule linear | --schedule is not for --noise-temperature
          --noise-temperature 1 --learning-rate 1 --optimizer adam | --noise-temperature is for --optimizer sgd
          --noise-temperature 1 --epsilon 1 | --epsilon and --noise-temperature cannot stand together
          """)
  void refused(String options, String line) {
    Run run = Run.of("train --data gaussians --steps 2 " + options + " --out " + out("refused"));
    has(run.line(2), line);
  }
}

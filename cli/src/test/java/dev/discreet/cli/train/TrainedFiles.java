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
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Runs of the command line in a folder of their own, and what their files say. */
abstract class TrainedFiles {
  /** Three steps, and what their ledger is where lots have a tenth of the data. */
  static final String STEP = " --steps 3 --noise-multiplier 2 ";

  static final Map<Mechanism, Long> THREE =
      Map.of(new Mechanism.PoissonSampled(0.1, new Mechanism.Gaussian(2)), 3L);

  @TempDir Path folder;

  Path out(String name) {
    return folder.resolve(name);
  }

  static String text(Path out, String file) throws IOException {
    return Files.readString(out.resolve(file));
  }

  Path run(String name, String options) {
    Path out = out(name);
    Run run = Run.of("train " + options + " --quiet --out " + out);
    assertEquals(0, run.code(), run.err());
    return out;
  }

  /** The ledger of a run, whose cost by the accountant is the one that its files state. */
  static Map<Mechanism, Long> ledger(Path out) throws IOException {
    Ledger ledger = Ledger.parse(text(out, "ledger.json"));
    Map<String, Object> json = JSON.std.mapFrom(text(out, "run.json"));
    double delta = ((Number) json.get("delta")).doubleValue();
    assertEquals(
        new PldAccountant().epsilon(ledger, delta).epsilon(),
        ((Number) json.get("epsilon")).doubleValue(),
        1e-9);
    return ledger.totals();
  }

  static void has(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), "'" + part + "' is not in: " + text);
    }
  }
}

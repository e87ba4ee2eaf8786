package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DP-SGD-JL and DP-Adam-JL from the command line. */
class NormProjectionsTest {
  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void makeData() throws IOException {
    data = Small.table(folder, 400, 1);
  }

  /** Full batches, of which a statement takes the accountant a fraction of the time. */
  @Test
  void planLedgerStatementAndRunFileSayIt() throws IOException {
    Path out = folder.resolve("adam");
    Run run =
        Run.of(
            "train --data gaussians --sampler full-batch --steps 2 --noise-multiplier 100"
                + " --optimizer adam --norm-projections 30 --out "
                + out);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains(", norms estimated from 30 projections"), run.out());
    String ledger = Files.readString(out.resolve("ledger.json"));
    assertTrue(
        ledger.contains("\"estimated-norm-gaussian\",\"noiseMultiplier\":100.0,\"projections\":30"),
        ledger);
    String statement = Files.readString(out.resolve("privacy.txt")).replaceAll("\\s+", " ");
    assertTrue(statement.contains("norms estimated from 30 projections"), statement);
    String file = Files.readString(out.resolve("run.yaml"));
    assertTrue(file.contains("\nnorm-projections: 30\n"), file);
    // It costs what the accountant says of a random sensitivity: more than exact norms do.
    Ledger flat = Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Gaussian(100), 2);
    double exact = new PldAccountant().epsilon(flat, 1e-5).epsilon();
    String metrics = Files.readString(out.resolve("metrics.csv"));
    String last = metrics.lines().filter(line -> line.startsWith("2,")).findFirst().orElseThrow();
    double epsilon = Double.parseDouble(last.split(",")[1]);
    assertTrue(epsilon > 1.05 * exact && epsilon < 2 * exact, epsilon + " beside " + exact);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --norm-projections 0 | norm projections must be a whole number in [1, 4096]. Provided value: 0
          --norm-projections 5000 | norm projections must be a whole number in [1, 4096]. Provided value: 5000
          --norm-projections 3 --clipping automatic | clipping must be flat beside --norm-projections
          --norm-projections 3 --model mlp(5) --clip-per-layer 1 | clipping groups with estimated norms must be 1
          --norm-projections 3 --sampler fixed-size | sampler with estimated norms must be Poisson or full batch
          --norm-projections 3 --neighbouring replace-one | neighbouring with estimated norms must be add/remove or zero-out
          --norm-projections 3 --noise-before-clipping 0.1 | noise before clipping must be 0 beside --norm-projections
          --norm-projections 3 --weight-decay 0.1 --weight-decay-mode before-clipping | weight decay mode must be decoupled beside --norm-projections
          --norm-projections 3 --unit-column id --unit patient | --unit-column cannot stand beside --norm-projections
          --norm-projections 3 --non-private | --norm-projections is not for a run that is --non-private
          """)
  void whatHasNoProofIsRefusedBeforeTheRun(String options, String message) throws IOException {
    String noise = options.contains("--non-private") ? "" : " --noise-multiplier 1";
    Path out = folder.resolve("refused");
    String line = Small.run(data, out, (options + noise).split(" ")).line(2);
    assertTrue(line.contains(message), line);
    assertTrue(Files.notExists(out));
  }
}

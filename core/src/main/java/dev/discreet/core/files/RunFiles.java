package dev.discreet.core.files;

import java.nio.file.Path;
import java.util.Set;

/**
 * The names of the files in a run's folder: whoever writes or reads one takes its name from here.
 */
public final class RunFiles {
  /** The result, and by this file the folder of a run is known. */
  public static final String RESULT = "run.json";

  public static final String RECIPE = "run.yaml";
  public static final String LEDGER = "ledger.json";
  public static final String STATEMENT = "privacy.txt";
  public static final String MODEL = "model.json";
  public static final String WEIGHTS = "model.safetensors";
  public static final String METRICS = "metrics.csv";
  public static final String REPORT = "report.html";

  /** Of a model without hidden layers: names and units, and of a regression intervals. */
  public static final String COEFFICIENTS = "coefficients.csv";

  /** What is remembered of the account that was charged, if one was. */
  public static final String ACCOUNT_HEAD = "account.head";

  /** Of a search: the file to search again. */
  public static final String SEARCH = "tune.yaml";

  /** Of a grid: the scores of all runs. */
  public static final String SCORES = "scores.csv";

  /** Of a grid: the folder of all runs. */
  public static final String CANDIDATES = "candidates";

  /** What the folder of a run may hold. */
  public static final Set<String> ALL =
      Set.of(
          RESULT,
          RECIPE,
          LEDGER,
          STATEMENT,
          MODEL,
          WEIGHTS,
          METRICS,
          REPORT,
          COEFFICIENTS,
          ACCOUNT_HEAD,
          SEARCH,
          SCORES,
          CANDIDATES);

  /** Beside checkpoints and unfinished runs: what was charged, before it was released. */
  public static final String JOURNAL = "ledger.journal";

  /** Beside that journal: what a run that was cut short goes on with. */
  public static final String CHECKPOINT = "checkpoint.safetensors";

  private RunFiles() {}

  /** Beside a journal that is in no folder of a run: what is remembered of the account. */
  public static Path accountHead(Path journal) {
    return journal.resolveSibling(journal.getFileName() + "." + ACCOUNT_HEAD);
  }
}

package dev.discreet.cli;

import dev.discreet.accounting.Check;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.train.StopSignal;
import dev.discreet.data.DataOptions;
import dev.discreet.lab.Effort;
import dev.discreet.lab.Experiment;
import dev.discreet.lab.Finding;
import dev.discreet.lab.Laboratory;
import dev.discreet.lab.Row;
import dev.discreet.lab.catalog.Experiments;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The laboratory from the command line. */
@Command(
    name = "reproduce",
    description = {
      "Does the experiments of the documents that Discreet grew from again, the published figure"
          + " beside ours. What was run is kept in --out and not run again. Ctrl-C stops; the same"
          + " command goes on from there."
    })
final class ReproduceCommand implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "list|all|NAME",
      description = "What to run; list says what there is.")
  private List<String> what;

  @Option(
      names = "--quick",
      description = "A shortened run of each, in seconds: it shows that it works, not its figures.")
  private boolean quick;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      converter = Quantity.Seeds.class,
      description = "Seeds for every setting (default: as many as each experiment thinks right).")
  private Long seeds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where pages and kept trials go (default: results, or results-quick with --quick).")
  private Path chosen;

  @Option(
      names = "--pages-only",
      description = "Run nothing; write the pages again from the trials that are kept.")
  private boolean pagesOnly;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where named sets are looked for first.")
  private Path dataDir;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Quantity.Threads.class,
      description = "Trials side by side (default: one for each core).")
  private Long threads;

  @Option(names = "--json", description = "Print the rows as one JSON array.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Check.that(what.size() == 1, "what to reproduce", "one name, list or all", what);
    String name = what.get(0);
    if (name.equals("list")) {
      list(out);
      return 0;
    }
    List<Experiment> experiments =
        name.equals("all") ? Experiments.all() : List.of(Experiments.named(name));
    Effort effort =
        new Effort(quick, seeds == null ? OptionalInt.empty() : OptionalInt.of(seeds.intValue()));
    Check.that(
        dataDir == null || Files.isDirectory(dataDir), "data dir", "a folder that exists", dataDir);
    Path folder = chosen != null ? chosen : Path.of(quick ? "results-quick" : "results");
    check(folder);
    try (StopSignal stop = new StopSignal(this::say)) {
      Laboratory laboratory = new Laboratory(folder, workers(), data(), watch(stop));
      List<Finding> findings;
      IOException failure = null;
      try {
        findings =
            pagesOnly ? laboratory.write(experiments, effort) : laboratory.run(experiments, effort);
      } catch (Laboratory.TrialsFailed e) {
        // The others are done, and their rows are worth having.
        failure = new IOException(e.getMessage(), e);
        findings = e.findings();
      }
      print(out, folder, experiments, findings, effort);
      if (stop.asked()) {
        say("stopped; the same command goes on from there");
      }
      out.flush();
      if (failure != null) {
        throw failure;
      }
      return stop.code() != 0 ? stop.code() : stop.asked() ? 1 : 0;
    }
  }

  /** Refuses, before hours are spent, what could not be written after. */
  private static void check(Path folder) throws IOException {
    Check.that(
        !folder.toString().isEmpty() && (!Files.exists(folder) || Files.isDirectory(folder)),
        "out",
        "a folder",
        folder.toString().isEmpty() ? "(empty)" : folder);
    if (!Files.exists(folder)) {
      try {
        Files.createDirectories(folder);
      } catch (AccessDeniedException e) {
        throw new AccessDeniedException(folder.toString());
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "out must be a folder that can be made. Provided value: " + folder, e);
      }
    }
    if (!Files.isWritable(folder)) {
      throw new AccessDeniedException(folder.toString());
    }
  }

  private int workers() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads.intValue();
  }

  private DataOptions data() {
    return DataOptions.named(Optional.ofNullable(dataDir), 0, this::say);
  }

  private synchronized void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** A line for each trial that is done and, soon and every half minute, for one that is not. */
  private Laboratory.Watch watch(StopSignal stop) {
    return new Laboratory.Watch() {
      private long told = System.nanoTime() - 25_000_000_000L;

      @Override
      public void say(String line) {
        ReproduceCommand.this.say(line);
      }

      @Override
      public synchronized void progress(String trial, String how) {
        long now = System.nanoTime();
        if (now - told > 30_000_000_000L) {
          told = now;
          ReproduceCommand.this.say("  " + trial + ": " + how);
        }
      }

      @Override
      public boolean stopped() {
        return stop.asked();
      }
    };
  }

  private void list(PrintWriter out) throws IOException {
    if (json) {
      List<Object> all = new ArrayList<>();
      for (Experiment each : Experiments.all()) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", each.name());
        fields.put("document", each.document());
        fields.put("summary", each.summary());
        all.add(fields);
      }
      out.println(Json.text(all));
      return;
    }
    Table table = new Table();
    for (Experiment each : Experiments.all()) {
      table.row(each.name(), each.document(), each.summary());
    }
    table.print(out);
  }

  private void print(
      PrintWriter out,
      Path folder,
      List<Experiment> experiments,
      List<Finding> findings,
      Effort effort)
      throws IOException {
    if (json) {
      List<Object> rows = new ArrayList<>();
      for (int i = 0; i < findings.size(); i++) {
        if (!findings.get(i).isEmpty()) {
          rows.addAll(findings.get(i).json(experiments.get(i), effort));
        }
      }
      out.println(Json.textWithNulls(rows));
      return;
    }
    for (int i = 0; i < findings.size(); i++) {
      Finding finding = findings.get(i);
      if (finding.isEmpty()) {
        continue;
      }
      out.println(
          (quick ? "QUICK RUN, shortened, decides nothing: " : "")
              + (experiments.get(i).name() + " (" + finding.measure() + ")"));
      Table table = new Table();
      table.row("setting", "method", "published", "ours");
      for (Row row : finding.rows()) {
        table.row(
            row.setting(), row.method(), row.publishedText(), row.ours().text(row.decimals()));
      }
      table.print(out);
      finding.verdicts().forEach(verdict -> out.println("- " + verdict));
      out.println("page: " + folder.resolve(experiments.get(i).name() + ".html"));
      out.println();
    }
  }
}

package dev.discreet.cli.audit;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.audit.membership.MembershipAudit;
import dev.discreet.audit.membership.MembershipGame;
import dev.discreet.audit.membership.MembershipRows;
import dev.discreet.audit.membership.ShadowJournal;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Threads;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.RunFiles;
import dev.discreet.core.files.TextFile;
import dev.discreet.data.DataSet;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setup.ColumnChoices;
import dev.discreet.recipe.setup.DataChoices;
import dev.discreet.recipe.setup.MisfitRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** How well an attacker tells who was in the data of a model. */
@Command(
    name = "membership",
    description = {
      "Attacks a trained model: who was in its data? Prints how many members are found at few false"
          + " alarms, what that proves of epsilon at least, and what the ledger certifies at most.",
      "With --run, the model of that run is attacked: what it held out are the others. Without, a"
          + " model is trained here with a random half of the rows, as RUN.yaml and options say.",
      "All of it is computed from rows without noise: this is for public rows, or for the operator's"
          + " eyes with --outside-the-guarantee, and nothing of it goes into the folder of a run."
          + " Models that are trained here are kept nowhere."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfAudit.class,
    footerHeading = "%n",
    footer = {
      "Exit code 1 also where a guarantee is refuted.",
      "An attack proves a lower bound. A low figure proves nothing: another attack may do better.",
      "Example: discreet audit membership --attack lira --shadows 16 --out audits/digits"
    })
public final class AuditMembershipCommand implements Callable<Integer> {
  private static final int ROWS = 2000;

  /** What may be said about a run that is finished: where its rows are now. */
  private static final Set<Setting<?>> BESIDE_RUN =
      Set.of(
          DataSettings.DATA,
          DataSettings.TABLE,
          DataSettings.QUERY,
          DataSettings.DRIVER,
          DataSettings.DATA_DIR,
          DataSettings.LABELS,
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          CallSettings.ACCEPT_MISFITS);

  @Parameters(
      paramLabel = "RUN.yaml",
      arity = "0..1",
      description = "Without --run: a run file that says what to train. Options override.")
  private Path runFile;

  @Option(names = "--run", paramLabel = "DIR", description = "The folder of a finished run.")
  private Path run;

  @Option(
      names = "--attack",
      paramLabel = "loss|lira",
      defaultValue = "loss",
      description = {
        "loss: a threshold of the loss (Yeom et al. 2018). lira: also likelihood ratios, for which"
            + " shadow models are trained (Carlini et al. 2022). Default: ${DEFAULT-VALUE}."
      })
  private String attack;

  @Option(
      names = "--shadows",
      paramLabel = "N",
      defaultValue = "16",
      description = "How many shadow models, an even number from 4. Default: ${DEFAULT-VALUE}.")
  private int shadows;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "How many play, drawn at random: half of them members. Default: "
              + ROWS
              + "; with --run all that can.")
  private Integer most;

  @Option(
      names = "--confidence",
      paramLabel = "C",
      defaultValue = "0.95",
      description = "That a lower bound holds, in (0, 1). Default: ${DEFAULT-VALUE}.")
  private double confidence;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Decides who plays, and who is in. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = AuditLeave.OPTION,
      description = "Attack with private rows, unprotected, for your eyes only.")
  private boolean outside;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = {
        "Keep scores there, a page and the figures: private, as the rows are. The same command goes"
            + " on with the scores that it finds."
      })
  private Path out;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Check.that(confidence > 0 && confidence < 1, "confidence", "in (0, 1)", confidence);
    boolean ratios = attack.equals("lira");
    Check.that(ratios || attack.equals("loss"), "attack", "loss or lira", attack);
    Check.that(
        !ratios || shadows >= 4 && shadows % 2 == 0, "shadows", "an even number from 4", shadows);
    if (out != null) {
      out = AuditLeave.toWrite(out);
    }
    SettingValues given = SettingOptions.given(spec);
    Optional<SavedRun> saved = run == null ? Optional.empty() : Optional.of(SavedRun.read(run));
    Recipe asked = saved.isPresent() ? ofRun(saved.get(), given) : toTrain(given);
    boolean ofEveryone =
        given.get(DataSettings.DATA).filter(DataSets.names()::contains).isPresent();
    Recipe left =
        AuditLeave.ofAccounts(
            asked,
            run == null && !ofEveryone ? runFile : run,
            given.has(PrivacySettings.PASS_OVER_ACCOUNT),
            "audit membership");
    Recipe recipe = Recipe.of(ColumnChoices.expanded(left.values()));
    Threads.limit(recipe.get(RunSettings.THREADS), spec);
    MembershipGame game = game(recipe, saved, given.has(CallSettings.ACCEPT_MISFITS));
    MembershipAudit audit;
    try (ShadowJournal journal = journal(game)) {
      audit =
          MembershipAudit.of(
              game, saved.map(SavedRun::model), ratios ? shadows : 0, journal, this::say);
    }
    MembershipFindings found = findings(audit, saved);
    if (out != null) {
      AtomicFile.write(out.resolve("membership.json"), Json.text(found.fields()) + "\n");
      AtomicFile.write(out.resolve("membership.html"), found.page(command()).html());
      say(
          "the page, the figures and the scores are in "
              + out
              + ": keep them as you keep the rows");
    }
    PrintWriter to = spec.commandLine().getOut();
    if (json) {
      to.println(Json.text(found.fields()));
    } else {
      found.print(to);
    }
    return found.refuted().orElse(false) ? 1 : 0;
  }

  private Recipe ofRun(SavedRun saved, SettingValues given) {
    Check.that(runFile == null, "RUN.yaml", "left out beside --run", runFile);
    Check.that(
        Files.exists(run.resolve(RunFiles.RECIPE)),
        "run",
        "a folder with " + RunFiles.RECIPE + ", which says what the model was trained on",
        run);
    given
        .values()
        .keySet()
        .forEach(
            each ->
                Check.that(
                    BESIDE_RUN.contains(each),
                    each.option(),
                    "left out beside --run, which says it",
                    "given"));
    return Recipe.of(given.only(Setting::inRunFile).over(saved.recipe().values()));
  }

  private Recipe toTrain(SettingValues given) throws IOException {
    SettingValues file = runFile == null ? SettingValues.nothing() : RunFile.read(runFile);
    return Recipe.of(ColumnChoices.declared(given.over(file).only(Setting::inRunFile)));
  }

  private MembershipGame game(Recipe recipe, Optional<SavedRun> saved, boolean acceptMisfits)
      throws IOException {
    EffectiveSettings choices = new EffectiveSettings(recipe.values());
    DataSet opened =
        saved.isPresent()
            ? saved.get().open(choices, this::say)
            : DataSets.open(DataChoices.name(choices), DataChoices.options(choices, this::say));
    AuditLeave.ofRows(opened.rows().isPublic(), outside, opened.name());
    DataSet data = MisfitRows.told(opened, acceptMisfits, this::say);
    MembershipRows rows =
        saved.isEmpty()
            ? MembershipRows.halves(data, most == null ? ROWS : most, seed)
            : MembershipRows.ofRun(
                data,
                choices.or(DataSettings.TEST_SHARE),
                most == null ? Integer.MAX_VALUE : most,
                seed);
    return MembershipGame.of(
        recipe,
        rows,
        seed,
        new Preparation() {
          @Override
          public void progress(String line) {
            say(line);
          }

          @Override
          public void warning(String line) {
            say(line);
          }
        });
  }

  /** Makes the folder only now, when all that can be refused was looked at. */
  private ShadowJournal journal(MembershipGame game) throws IOException {
    return out == null
        ? new ShadowJournal()
        : new ShadowJournal(Files.createDirectories(out), MembershipGame.NOTICE, game.digest());
  }

  /** Of a run, what its own ledger certifies; of a target that was trained here, its plan. */
  private MembershipFindings findings(MembershipAudit audit, Optional<SavedRun> saved)
      throws IOException {
    Optional<Ledger> ledger = audit.game().ledger();
    if (saved.isPresent()) {
      Path file = run.resolve(RunFiles.LEDGER);
      ledger =
          Files.exists(file)
              ? Optional.of(LedgerFile.parse(TextFile.read(file)).ledger())
              : Optional.empty();
    }
    return new MembershipFindings(
        audit, saved.map(each -> each.model().privacy()), ledger, confidence);
  }

  private String command() {
    return "discreet "
        + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(spec.qualifiedName() + ": " + line);
    err.flush();
  }
}

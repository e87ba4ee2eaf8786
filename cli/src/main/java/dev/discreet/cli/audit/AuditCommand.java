package dev.discreet.cli.audit;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.audit.canary.CanaryAudit;
import dev.discreet.audit.canary.TrainingAudit;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Table;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.RecipeData;
import dev.discreet.recipe.SavedRun;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setup.PayingAccount;
import dev.discreet.recipe.setup.TrainingSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries to prove the guarantee of a training run wrong. */
@Command(
    name = "audit",
    description = {
      "Trains a run again and again with canaries among its rows, attacks what it releases, and"
          + " says how large epsilon must be at least (docs/trust/canaries.md).",
      "With no options: a small run on generated digits.",
      "The rows are trained on once more in each run, and the figures have no noise: this is for"
          + " public rows, or for the operator's eyes with --outside-the-guarantee."
    },
    sortOptions = false,
    subcommands = {AuditMechanismCommand.class, AuditMembershipCommand.class},
    synopsisSubcommandLabel = "[VERB]",
    footerHeading = "%n",
    footer = {
      "Exit code 1 also where a guarantee is refuted.",
      "Example: discreet audit --recipe run.yaml --runs 20"
    })
public final class AuditCommand implements Callable<Integer> {
  private static final String LABEL =
      "OUTSIDE THE GUARANTEE: computed from the rows without noise, for the operator's eyes only";

  /** Settings of what a run writes and shows, which an audit does not. */
  private static final List<Setting<?>> WRITTEN =
      List.of(
          RunSettings.OUT,
          RunSettings.CHECKPOINTS,
          RunSettings.CHECKPOINT_EVERY,
          RunSettings.WATCH_PRIVATE);

  @Option(
      names = "--recipe",
      paramLabel = "RUN",
      description = "A run file, or the folder of a finished run. Default: a small run.")
  private Path recipe;

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      description = "The data. Default: those of the recipe; generated digits without one.")
  private String data;

  @Option(
      names = "--epsilon",
      paramLabel = "E[,E…]",
      split = ",",
      description = "Audit the run at each of these epsilons. Default: that of the recipe.")
  private List<Double> epsilons = List.of();

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "10",
      description = "How often to train. More prove more. Default: ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--canaries",
      paramLabel = "M",
      defaultValue = "128",
      description = "How many, half of them in each run. Default: ${DEFAULT-VALUE}.")
  private int canaries;

  @Option(
      names = "--confidence",
      paramLabel = "P",
      defaultValue = "0.95",
      description = "Of what is found, all together. Default: ${DEFAULT-VALUE}.")
  private double confidence;

  @Option(
      names = AuditLeave.OPTION,
      description = "Audit on private rows, unprotected, for your eyes only.")
  private boolean outside;

  @Option(
      names = "--account",
      paramLabel = "PLACE",
      description = "The account of the rows, where neither they nor the recipe tell of it.")
  private String account;

  @Option(
      names = "--pass-over-account",
      description = "Also where the rows have an account, which records it.")
  private boolean passOver;

  @Option(names = "--out", paramLabel = "DIR", description = "Also write audit.json there.")
  private Path out;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Path folder = out == null ? null : AuditLeave.toWrite(out);
    Check.that(
        out == null || Files.notExists(folder.resolve("audit.json")),
        "out",
        "a folder without an audit",
        out);
    Recipe base =
        AuditLeave.ofAccounts(recipe(), isOfEveryone() ? null : recipe, passOver, "audit");
    List<Map<String, Object>> found = new ArrayList<>();
    List<CanaryAudit> audits = new ArrayList<>();
    boolean isPublic = true;
    for (Recipe each : audited(base)) {
      RecipeData opened = RecipeData.open(each, preparation(), PayingAccount.NONE);
      isPublic = opened.data().isPublic();
      AuditLeave.ofRows(isPublic, outside, opened.data().name());
      TrainingSetup setup =
          TrainingSetup.of(
              new EffectiveSettings(opened.recipe().values()),
              opened.data(),
              PayingAccount.NONE,
              this::say);
      CanaryAudit audit = TrainingAudit.of(setup, runs, canaries, confidence, this::say);
      audits.add(audit);
      found.add(fields(audit, setup, isPublic));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!isPublic) {
      fields.put("label", LABEL);
    }
    fields.put("audits", found);
    if (out != null) {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("audit.json"), Json.text(fields) + "\n");
    }
    PrintWriter console = spec.commandLine().getOut();
    if (json) {
      console.println(Json.text(fields));
    } else {
      print(console, audits, isPublic);
    }
    return audits.stream().anyMatch(CanaryAudit::refuted) ? 1 : 0;
  }

  private Recipe recipe() throws IOException {
    Recipe base =
        recipe == null
            ? small()
            : Files.isDirectory(recipe) ? SavedRun.read(recipe).recipe() : Recipe.read(recipe);
    for (Setting<?> setting : WRITTEN) {
      base = base.without(setting);
    }
    if (isOfEveryone()) {
      base = base.without(PrivacySettings.ACCOUNT);
    }
    if (account != null) {
      base = base.with(PrivacySettings.ACCOUNT, account);
    }
    return data == null ? base : base.with(DataSettings.DATA, data);
  }

  /**
   * Whether a named set takes the place of the recipe's rows: the people of its account are no
   * part.
   */
  private boolean isOfEveryone() {
    return data != null && DataSets.names().contains(data);
  }

  /** A linear model: milliseconds a step, and canaries with parameters of their own. */
  private static Recipe small() {
    return Recipe.of()
        .with("data", "digits")
        .with("model", "flatten dense(10,bias=false)")
        .with("epsilon", "3")
        .with("delta", "1e-5")
        .with("sampling-rate", "0.05")
        .with("steps", "200")
        .with("clip", "1");
  }

  private List<Recipe> audited(Recipe base) {
    return epsilons.isEmpty()
        ? List.of(base)
        : epsilons.stream().map(each -> base.with(PrivacySettings.EPSILON, each)).toList();
  }

  private Preparation preparation() {
    return new Preparation() {
      @Override
      public void progress(String line) {
        say(line);
      }

      @Override
      public void warning(String line) {
        say("discreet audit: " + line);
      }
    };
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private static Map<String, Object> fields(
      CanaryAudit audit, TrainingSetup setup, boolean isPublic) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("data", setup.data().name());
    fields.put("model", setup.layout().network().toString());
    fields.put("epsilon", audit.epsilon());
    fields.put("delta", audit.delta());
    fields.put("epsilonLower", audit.proven().epsilon());
    fields.put("method", audit.proven().method());
    fields.put("epsilonEstimate", audit.estimated().epsilon());
    fields.put("estimateMethod", audit.estimated().method());
    fields.put("estimateAssumes", audit.estimated().assumes());
    fields.put("confidence", audit.confidence());
    fields.put("refuted", audit.refuted());
    fields.put("saysNothing", audit.saysNothing());
    fields.put("runs", audit.runs());
    fields.put("canaries", audit.canaries());
    fields.put("steps", setup.plan().steps());
    fields.put("samplingRate", setup.plan().expectedLot() / setup.plan().sampler().units());
    fields.put("noiseMultiplier", setup.plan().multiplier(0));
    List<Map<String, Object>> findings = new ArrayList<>();
    for (CanaryAudit.Finding each : audit.findings()) {
      Map<String, Object> finding = new LinkedHashMap<>();
      finding.put("method", each.method());
      finding.put("assumes", each.assumes());
      finding.put("epsilonLower", each.epsilon());
      finding.put("refutes", each.refutes());
      findings.add(finding);
    }
    fields.put("findings", findings);
    fields.put("leftOut", audit.leftOut());
    fields.put("scoresWith", audit.whole().with());
    fields.put("scoresWithout", audit.whole().without());
    return fields;
  }

  static void print(PrintWriter console, List<CanaryAudit> audits, boolean isPublic) {
    if (!isPublic) {
      console.println(LABEL);
      console.println();
    }
    Table table = new Table();
    List<String> head = new ArrayList<>(List.of("certified epsilon"));
    audits.forEach(each -> head.add(Digits.up(each.epsilon())));
    table.row(head.toArray(String[]::new));
    row(table, "at delta", audits.stream().map(each -> Digits.plain(each.delta())).toList());
    row(
        table,
        "epsilon is at least, proven",
        audits.stream().map(each -> Digits.down(each.proven().epsilon())).toList());
    row(
        table,
        "epsilon is at least, if (*)",
        audits.stream().map(each -> Digits.down(each.estimated().epsilon())).toList());
    row(table, "by", audits.stream().map(each -> each.estimated().method()).toList());
    row(table, "verdict", audits.stream().map(AuditCommand::verdict).toList());
    table.row("");
    // A run may leave out what another allows.
    audits.stream()
        .flatMap(each -> each.findings().stream().map(CanaryAudit.Finding::method))
        .distinct()
        .forEach(
            method ->
                row(table, method, audits.stream().map(each -> found(each, method)).toList()));
    table.print(console);
    CanaryAudit first = audits.get(0);
    console.println();
    audits.stream()
        .flatMap(
            each ->
                Stream.concat(
                    Stream.of(each.estimated()),
                    each.findings().stream().filter(CanaryAudit.Finding::refutes)))
        .map(each -> "(*) " + each.method() + ": assumes that " + each.assumes())
        .filter(each -> !each.endsWith("assumes that " + CanaryAudit.Finding.NOTHING))
        .distinct()
        .forEach(console::println);
    audits.stream()
        .flatMap(each -> each.leftOut().stream())
        .distinct()
        .forEach(left -> console.println("not judged" + where(audits, left) + ": " + left));
    console.println(
        first.runs()
            + (first.runs() == 1 ? " run, " : " runs, ")
            + first.canaries()
            + " canaries, confidence "
            + Digits.plain(first.confidence())
            + " in all that is found of a run, where what it assumes holds");
    if (audits.stream().anyMatch(CanaryAudit::saysNothing)) {
      console.println(
          "Where there are dashes, nothing above 0 follows. More runs can show more: --runs "
              + 10 * (long) first.runs());
    }
  }

  private static String found(CanaryAudit audit, String method) {
    return audit.findings().stream()
        .filter(each -> each.method().equals(method))
        .map(
            each ->
                each.refutes()
                    ? "REFUTED"
                        + (each.isProof() ? "" : " (*)")
                        + ", at least "
                        + Digits.down(each.epsilon())
                    : each.epsilon() == 0 ? "-" : Digits.down(each.epsilon()))
        .findFirst()
        .orElse("not judged");
  }

  /** At which certified epsilons something was left out; nothing where it was at all of them. */
  private static String where(List<CanaryAudit> audits, String left) {
    List<String> at =
        audits.stream()
            .filter(each -> each.leftOut().contains(left))
            .map(each -> Digits.up(each.epsilon()))
            .toList();
    return at.size() == audits.size() ? "" : " at epsilon " + String.join(", ", at);
  }

  private static String verdict(CanaryAudit audit) {
    if (audit.refuted()) {
      return audit.proven().refutes() ? "REFUTED" : "REFUTED (*)";
    }
    return audit.saysNothing()
        ? "not refuted, for nothing could be shown: this audit says nothing"
        : "not refuted";
  }

  private static void row(Table table, String name, List<String> cells) {
    List<String> all = new ArrayList<>(List.of(name));
    all.addAll(cells);
    table.row(all.toArray(String[]::new));
  }
}

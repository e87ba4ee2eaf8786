package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.statement.GroupPrivacy;
import dev.discreet.accounting.statement.PrivacyStatement;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a plan or a ledger costs: ε at a δ, or δ at an ε. */
@Command(
    name = "epsilon",
    description = "Says what a training costs: epsilon at a delta, or delta at an epsilon.",
    abbreviateSynopsis = true,
    sortOptions = false,
    footerHeading = "%n",
    footer =
        "Example: discreet epsilon --noise-multiplier 4 --sampling-rate 0.01 --steps 10000"
            + " --delta 1e-5")
final class EpsilonCommand implements Callable<Integer> {

  @Mixin private SubjectOptions what;

  @Mixin private DeltaOption at;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      converter = Quantity.Epsilon.class,
      description = "In place of --delta: the epsilon at which to give delta.")
  private Double epsilon;

  @Mixin private AccountantOption by;

  @Option(
      names = "--group",
      paramLabel = "K",
      defaultValue = "1",
      converter = Quantity.Group.class,
      description = "Units that are protected together. Default: ${DEFAULT-VALUE}.")
  private long group;

  @Option(
      names = "--unit",
      paramLabel = "NAME",
      description =
          "Who is protected, as a singular noun. Default: what --ledger says, else example.")
  private String unit;

  @Option(
      names = "--statement",
      description = "Print the privacy statement, in plain words for the person who signs.")
  private boolean statement;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  private static final String UNTOLD =
      "units that the file does not name; --unit NAME tells of whom it was written";

  @Override
  public Integer call() throws IOException {
    List<String> lacking = new ArrayList<>(what.missing());
    if (!lacking.isEmpty()) {
      lacking.addAll(lackingDelta());
    }
    Usage.needed(lacking);
    Subject subject = what.subject();
    Double delta = epsilon == null ? at.delta(subject.units()) : at.delta();
    checkTogether(subject, delta);
    PrintWriter out = spec.commandLine().getOut();
    // A ledger was recorded while it happened; options are only what somebody says.
    PrivacyStatement signed =
        statement
            ? PrivacyStatement.of(unit, subject.ledger(), delta, what.plan() != null)
                .among(subject.units())
            : null;
    Cost cost = signed != null ? signed.guarantee() : cost(subject, delta);
    String text = signed == null ? "" : signed.on(subject.conditions(cost.delta())).text();
    if (json) {
      Map<String, Object> fields = fields(subject, cost);
      if (signed != null) {
        fields.put("statement", text);
      }
      out.println(Json.text(fields));
    } else if (signed != null) {
      out.print(text);
    } else {
      print(subject, cost, out);
    }
    return 0;
  }

  private List<String> lackingDelta() {
    return epsilon == null
        ? at.missing().stream().map(each -> each + " (or --epsilon E, to ask for delta)").toList()
        : List.of();
  }

  private void checkTogether(Subject subject, Double delta) {
    Usage.needed(delta == null ? lackingDelta() : List.of());
    if (delta != null && epsilon != null) {
      throw new IllegalArgumentException(
          "--delta and --epsilon cannot stand together: one is asked for at the other");
    }
    String said = subject.file() == null ? "" : subject.file().unit();
    Check.that(
        unit == null || said.isEmpty() || said.equals(unit),
        "unit of the ledger",
        "as the file says, " + said,
        unit);
    unit = unit != null ? unit : said.isEmpty() ? "example" : said;
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    String name = by.accountant().name();
    if (statement) {
      Usage.needed(
          told(subject) ? List.of() : List.of("--unit NAME (the file does not say whose it is)"));
      Check.that(name.equals("pld"), "accountant", "pld for a statement", name);
      Check.that(group == 1, "group", "1 for a statement", group);
    }
    if (epsilon != null) {
      Check.that(!statement, "a statement", "asked for with --delta", "--epsilon");
      Check.that(group == 1, "group", "1 with --epsilon", group);
    }
  }

  private Cost cost(Subject subject, Double delta) {
    Accountant accountant = by.accountant();
    if (epsilon != null) {
      return accountant.delta(subject.ledger(), epsilon);
    }
    return group == 1
        ? accountant.epsilon(subject.ledger(), delta)
        : GroupPrivacy.epsilon(accountant, subject.ledger(), (int) group, delta);
  }

  private Map<String, Object> fields(Subject subject, Cost cost) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("epsilon", cost.epsilon());
    if (epsilon == null) {
      fields.put("epsilonLower", Costs.epsilonLower(cost));
    }
    fields.put("delta", cost.delta());
    if (epsilon != null) {
      fields.put("deltaLower", Costs.deltaLower(cost));
    }
    fields.putAll(subject.fields());
    if (told(subject)) {
      fields.put("unit", unit);
    }
    if (subject.units() > 0) {
      fields.put("units", subject.units());
    }
    fields.putAll(Costs.weakFields(cost, unit, subject.units()));
    fields.put("group", group);
    fields.putAll(Costs.fields(cost, subject.ledger().neighbouring()));
    fields.putAll(subject.conditionFields(cost.delta()));
    return fields;
  }

  /** Whether anyone said who is protected: a ledger of an older version does not. */
  private boolean told(Subject subject) {
    return subject.file() == null
        || !subject.file().unit().isEmpty()
        || spec.commandLine().getParseResult().hasMatchedOption("--unit");
  }

  /** What a file says about the number of units. */
  private static String of(Subject subject) {
    if (subject.file() == null || subject.units() == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        " of %,d, a number that was %s",
        subject.units(),
        subject.file().declared() ? "declared public" : "taken as public");
  }

  private void print(Subject subject, Cost cost, PrintWriter out) {
    Table table = new Table();
    String conditions = subject.conditionsText(cost.delta());
    boolean alone = conditions.isEmpty();
    if (epsilon == null) {
      table.row("epsilon", Costs.stated(cost.epsilon(), cost, alone));
      Costs.bracket(table, Costs.epsilonLower(cost), cost.epsilon(), cost);
      table.row("delta", Digits.exact(cost.delta()));
    } else {
      table.row("delta", Costs.stated(cost.delta(), cost, alone));
      Costs.bracket(table, Costs.deltaLower(cost), cost.delta(), cost);
      table.row("epsilon", Digits.exact(epsilon));
    }
    if (!alone) {
      table.row("conditions", conditions);
    }
    table.row("accountant", cost.accountant());
    table.row("plan", subject.words());
    Costs.weak(table, cost, unit, subject.units());
    String who = group == 1 ? "each single " + unit : "any " + group + " " + unit + "s together";
    String relation = " (" + subject.ledger().neighbouring().label() + ")";
    table.row("protects", (told(subject) ? who + of(subject) : UNTOLD) + relation);
    Costs.note(table, cost);
    table.print(out);
  }
}

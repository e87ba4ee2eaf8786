package dev.discreet.cli;

import dev.discreet.accounting.Accountant;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Cost;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.GroupPrivacy;
import dev.discreet.accounting.PrivacyStatement;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
      defaultValue = "example",
      description = "Who is protected, as a singular noun. Default: ${DEFAULT-VALUE}.")
  private String unit;

  @Option(
      names = "--statement",
      description = "Print the privacy statement, in plain words for the person who signs.")
  private boolean statement;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Double delta = at.delta();
    checkTogether(delta);
    Subject subject = what.subject();
    PrintWriter out = spec.commandLine().getOut();
    // A ledger is a record; options are what somebody says.
    PrivacyStatement signed =
        statement ? PrivacyStatement.of(unit, subject.ledger(), delta, what.plan() != null) : null;
    Cost cost = signed != null ? signed.guarantee() : cost(subject, delta);
    if (json) {
      Map<String, Object> fields = fields(subject, cost);
      if (signed != null) {
        fields.put("statement", signed.text());
      }
      out.println(Json.text(fields));
    } else if (signed != null) {
      out.print(signed.text());
    } else {
      print(subject, cost, out);
    }
    return 0;
  }

  private void checkTogether(Double delta) {
    List<String> missing = new ArrayList<>(what.missing());
    if (epsilon == null) {
      at.missing().forEach(option -> missing.add(option + " (or --epsilon E, to ask for delta)"));
    }
    Usage.needed(missing);
    if (delta != null && epsilon != null) {
      throw new IllegalArgumentException(
          "--delta and --epsilon cannot stand together: one is asked for at the other");
    }
    Check.that(!unit.isBlank() && Check.oneLine(unit), "unit", "a singular noun on one line", unit);
    String name = by.accountant().name();
    if (statement) {
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
    fields.put("unit", unit);
    fields.put("group", group);
    fields.putAll(Costs.fields(cost, subject));
    return fields;
  }

  private void print(Subject subject, Cost cost, PrintWriter out) {
    Table table = new Table();
    if (epsilon == null) {
      table.row("epsilon", Costs.stated(cost.epsilon(), cost));
      Costs.bracket(table, Costs.epsilonLower(cost), cost.epsilon(), cost);
      table.row("delta", Digits.exact(cost.delta()));
    } else {
      table.row("delta", Costs.stated(cost.delta(), cost));
      Costs.bracket(table, Costs.deltaLower(cost), cost.delta(), cost);
      table.row("epsilon", Digits.exact(epsilon));
    }
    table.row("accountant", cost.accountant());
    table.row("plan", subject.words());
    String who = group == 1 ? "each single " + unit : "any " + group + " " + unit + "s together";
    table.row("protects", who + " (" + subject.ledger().neighbouring().label() + ")");
    Costs.note(table, cost);
    table.print(out);
  }
}

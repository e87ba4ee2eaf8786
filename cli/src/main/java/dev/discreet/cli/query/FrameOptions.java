package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.NewFile;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.SingleMechanism;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.data.DataOptions;
import dev.discreet.recipe.setting.ColumnsFile;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import dev.discreet.report.IntervalPlot;
import dev.discreet.report.LinePlot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all questions that are asked together have: a table, a price, who is protected, a ledger.
 */
final class FrameOptions {
  static final double LEAST_EPSILON = 1e-6;

  // Not marked as required: picocli would then complain of this first, and hide the hint for a
  // table that was written without --data.
  @Option(
      names = "--data",
      paramLabel = "TABLE",
      description =
          "A file with a table: CSV or TSV, plain or gzip, a workbook, or Parquet; or a database,"
              + " jdbc:...")
  private String data;

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      required = true,
      converter = Quantity.TargetEpsilon.class,
      description = "What the answer may cost.")
  private double epsilon;

  @Mixin private DeltaOption at;

  @Option(
      names = "--mechanism",
      paramLabel = "NAME",
      description =
          "laplace, or gaussian with a --delta above 0. Default: gaussian where there is such a"
              + " delta. A quantile has its own, the exponential mechanism.")
  private SingleMechanism mechanism;

  @Option(
      names = "--examples-per-unit",
      paramLabel = "B",
      converter = Quantity.ExamplesPerUnit.class,
      description =
          "How many rows of a unit count, in each cell of a table: its first B that have a number.")
  private Long examplesPerUnit;

  @Option(
      names = "--declared-units",
      paramLabel = "N",
      converter = Quantity.Units.class,
      description =
          "The public number of units, where there is one: a delta for gaussian is made from it, or"
              + " held against it.")
  private Long declaredUnits;

  @Option(
      names = "--confidence",
      paramLabel = "C",
      defaultValue = "0.95",
      converter = Quantity.Confidence.class,
      description =
          "How often intervals contain the exact answer on these rows, over the noise. Default:"
              + " ${DEFAULT-VALUE}.")
  private double confidence;

  @Mixin private LedgerOptions ledger;

  @Option(
      names = "--insecure-seed",
      paramLabel = "N",
      converter = Quantity.Seed.class,
      description = "For tests on public data: noise that anyone can repeat, and so remove.")
  private Long insecureSeed;

  @Option(
      names = "--accept-misfits",
      description =
          "Go on though over 1%% of the rows have a value that is none of those declared; they count"
              + " as missing.")
  private boolean acceptMisfits;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "FILE.csv",
      description = "A new CSV file with the answers too: a line for each number.")
  private Path out;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "A new .svg or .png file with the answers as dots on their intervals.")
  private Path plot;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  // Set when questions are asked.
  private AccountedSpending account;
  private AskedRows table;
  private String unit;
  private boolean oneRowEach;
  // Null where each row is a unit.
  private String unitColumn;
  // Null where no file declares columns.
  private ColumnsFile columnsFile;

  /** Of the intervals. */
  double confidence() {
    return confidence;
  }

  double epsilon() {
    return epsilon;
  }

  /** Null for the default. */
  SingleMechanism mechanism() {
    return mechanism;
  }

  /** 0 for none. */
  double delta() {
    Double delta = declaredDelta();
    return delta == null ? 0 : delta;
  }

  private Double declaredDelta() {
    long number = declaredUnits == null ? 0 : declaredUnits;
    return mechanism == SingleMechanism.GAUSSIAN ? at.delta(number) : at.delta();
  }

  /** What options and the declarations file say together. */
  private SettingValues given() {
    SettingValues typed = SettingOptions.given(verb);
    Optional<Path> columns = typed.get(DataSettings.COLUMNS);
    if (columns.isEmpty()) {
      return typed.checked();
    }
    if (columnsFile == null) {
      try {
        columnsFile = ColumnsFile.read(columns.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return typed
        .over(columnsFile.settings())
        .only(setting -> setting != DataSettings.COLUMNS && setting != DataSettings.LABEL)
        .checked();
  }

  /** The marks of numbers in cells. */
  NumberMarks marks() {
    return written().dialect().numbers();
  }

  private DataOptions written() {
    return SettingOptions.written(given());
  }

  /** The declaration of a column: as it was typed, or that of the file for a name alone. */
  String declared(String typed) {
    SettingValues given = given();
    String name = typed.strip();
    if (columnsFile == null || name.indexOf('=') >= 0 || !columnsFile.columns().containsKey(name)) {
      return name;
    }
    return ColumnSyntax.withMissing(
        columnsFile.columns().get(name),
        given.get(DataSettings.MISSING),
        given.get(DataSettings.MISSING_CELLS));
  }

  /** The noise that a question gets for a part of the price. */
  Protection protection(boolean isChoice, double part) {
    Double delta = declaredDelta();
    boolean withDelta = delta != null && delta > 0;
    if (isChoice) {
      Usage.refuse(verb, "is not for a quantile: it has the exponential mechanism", "--mechanism");
      Check.that(!withDelta, "delta", "0 or left out for a quantile", at.delta());
    }
    Check.that(
        mechanism != SingleMechanism.CLASSICAL_GAUSSIAN,
        "mechanism",
        "one of laplace, gaussian",
        "classical-gaussian");
    if (mechanism == SingleMechanism.LAPLACE) {
      Check.that(!withDelta, "delta", "0 or left out for laplace", at.delta());
    }
    if (mechanism == SingleMechanism.GAUSSIAN) {
      Usage.needed(delta == null ? at.missing() : List.of());
    }
    // Of several questions one may have less than any answer costs, where it is tried what fits.
    double price = part == 1 ? epsilon : Math.max(LEAST_EPSILON, part * epsilon);
    return mechanism == SingleMechanism.GAUSSIAN || withDelta
        ? new Protection.Gaussian(price, delta)
        : new Protection.Laplace(price);
  }

  /**
   * Asks questions, all of one plan: it is set aside on ledger and account before the first is
   * answered.
   *
   * @param what the verb
   */
  int ask(String what, List<Question> questions) throws IOException {
    Usage.needed(data == null ? List.of("--data TABLE") : List.of());
    DatabaseAddress.refuseSecrets(data);
    // Before anything is spent: what is paid for is not lost.
    if (out != null) {
      NewFile.check("out", out);
    }
    if (plot != null) {
      NewFile.check("plot", plot);
      LinePlot.Format.of(plot);
    }
    try {
      SettingValues typed = given().with(DataSettings.DATA, data);
      account = AccountedSpending.of(typed, "query " + what, ledger.file());
      SettingValues completed = account.completed(typed);
      table = AskedRows.of(data, completed);
      Question.Who who = who(completed, typed);
      return asked(questions, who, what.equals("ask"));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Question.Who who(SettingValues given, SettingValues typed) {
    unitColumn = given.get(UnitSettings.UNIT_COLUMN).orElse(null);
    oneRowEach = given.has(UnitSettings.ONE_ROW_EACH);
    if ((unitColumn == null) != (examplesPerUnit == null)) {
      throw new IllegalArgumentException(
          typed.isSet(UnitSettings.UNIT_COLUMN) || unitColumn == null
              ? "--unit-column and --examples-per-unit go together"
              : "--examples-per-unit N is missing: the account tells people apart by the column "
                  + unitColumn);
    }
    unit =
        ProtectedUnit.of(
                given.get(UnitSettings.UNIT).orElse(null),
                "--unit-column",
                unitColumn != null,
                oneRowEach)
            .noun();
    return new Question.Who(
        given.get(PrivacySettings.NEIGHBOURING).orElse(Neighbouring.ADD_REMOVE),
        examplesPerUnit == null ? OptionalInt.empty() : OptionalInt.of(examplesPerUnit.intValue()),
        table.isSelected());
  }

  static Ledger cost(List<? extends Question> questions, double part, Question.Who who) {
    return questions.stream()
        .map(question -> question.cost(part, who))
        .reduce(Ledger::plus)
        .orElseThrow();
  }

  private int asked(List<Question> questions, Question.Who who, boolean together)
      throws IOException {
    Randomness randomness =
        insecureSeed == null ? Randomness.secure() : Randomness.insecure(insecureSeed);
    double delta = questions.stream().mapToDouble(each -> each.price().delta()).sum();
    questions.forEach(question -> question.check(who));
    Costs.warn(
        verb.commandLine().getErr(),
        epsilon,
        delta,
        unit,
        declaredUnits == null ? 0 : declaredUnits);
    account.checkRoom(unit, epsilon, price -> cost(questions, price / epsilon, who));
    Ledger cost = cost(questions, 1, who);
    // The budget is asked before the file is so much as opened.
    PrivacySession session = ledger.open(cost, unit, randomness, account.budget(unit));
    try (session) {
      new AskedTable(table, unitColumn, account.isCharged(), acceptMisfits, verb).read(questions);
      session.condition(new PrivacyUnit(unit, oneRowEach).declared());
      session.condition(table.declared());
      if (questions.size() > 1 || cost.entries().size() > 1) {
        session.reserve(new LedgerFile(cost, unit, 0, false, ""));
      }
      questions.forEach(question -> question.ask(session, who));
    }
    // The session is closed, so the account has settled what the answers cost.
    account.keepHead(ledger.file());
    tell(questions, together, who, delta, session);
    String caveat = session.caveat().strip();
    if (out != null) {
      AtomicFile.write(out, AnswerLine.csv(questions, confidence, caveat));
    }
    if (plot != null) {
      String note =
          CellsQuestion.meaning(confidence, true) + "\n" + AnswerLine.keys(questions) + caveat;
      new IntervalPlot(
              note.strip(),
              questions.stream().map(each -> AnswerLine.panel(each, confidence)).toList())
          .write(plot);
    }
    return 0;
  }

  private void tell(
      List<Question> questions,
      boolean together,
      Question.Who who,
      double delta,
      PrivacySession session)
      throws IOException {
    PrintWriter to = verb.commandLine().getOut();
    String caveat = session.caveat().strip();
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      if (!caveat.isEmpty()) {
        fields.put("caveat", caveat);
      }
      if (together) {
        fields.put("answers", questions.stream().map(this::answer).toList());
      } else {
        fields.putAll(questions.get(0).fields(confidence));
      }
      fields.put("confidence", confidence);
      fields.put("epsilon", epsilon);
      fields.put("delta", delta);
      if (!together) {
        fields.put("mechanism", questions.get(0).noise());
      }
      putFrame(fields, who, delta, session);
      to.println(Json.text(fields));
      return;
    }
    if (!caveat.isEmpty()) {
      to.println(caveat);
    }
    for (Question question : questions) {
      Table notes = new Table();
      question.print(to, notes, confidence);
      Question.Price paid = question.price();
      String cost = together ? part(paid) : cost(paid.epsilon(), paid.delta());
      notes.row("cost", cost + " (" + question.noise() + ")");
      if (together) {
        notes.print(to);
        to.println();
      } else {
        frame(notes, who, delta, session).print(to);
      }
    }
    if (together) {
      String cost = "epsilon " + Digits.exact(epsilon) + ", delta " + Digits.up(delta);
      frame(new Table().row("cost of all", cost), who, delta, session).print(to);
    }
  }

  private Map<String, Object> answer(Question question) {
    Map<String, Object> fields = question.fields(confidence);
    Question.Price paid = question.price();
    fields.put("epsilon", paid.epsilon());
    fields.put("delta", paid.delta());
    fields.put("mechanism", question.noise());
    return fields;
  }

  private void putFrame(
      Map<String, Object> fields, Question.Who who, double delta, PrivacySession session) {
    fields.put("neighbouring", who.relation().label());
    fields.put("unit", unit);
    String declared = new PrivacyUnit(unit, oneRowEach).declared() + " " + table.declared();
    if (!declared.isBlank()) {
      fields.put("declared", declared.strip());
    }
    if (unitColumn != null) {
      fields.put("examplesPerUnit", examplesPerUnit);
    }
    fields.putAll(ledger.fields(session, delta));
    fields.putAll(account.fields());
  }

  /** A share has digits that say nothing. */
  private static String part(Question.Price paid) {
    return "epsilon " + Digits.up(paid.epsilon()) + ", delta " + Digits.up(paid.delta());
  }

  private static String cost(double epsilon, double delta) {
    return "epsilon " + Digits.exact(epsilon) + ", delta " + Digits.exact(delta);
  }

  private Table frame(Table notes, Question.Who who, double delta, PrivacySession session) {
    notes.row("neighbouring", who.relation().label());
    notes.row(
        "unit",
        unit
            + (oneRowEach ? ", of which each was declared to have one row" : "")
            + (unitColumn == null ? "" : ", of which at most " + examplesPerUnit + " rows count"));
    if (!table.declared().isEmpty()) {
      notes.row("declared", table.declared());
    }
    ledger.row(notes, session, delta, account.isCharged());
    account.told().ifPresent(each -> notes.row("account", each.words()));
    return notes;
  }
}

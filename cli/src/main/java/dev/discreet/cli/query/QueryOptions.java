package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Answer;
import dev.discreet.algorithms.query.NoiseInterval;
import dev.discreet.algorithms.query.NoisyNumber;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.DeltaOption;
import dev.discreet.cli.console.Json;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.SingleMechanism;
import dev.discreet.cli.console.Table;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.data.ColumnText;
import dev.discreet.data.DataFormats;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Misfits;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import dev.discreet.recipe.setup.MisfitRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every question has: a column, a price, who is protected, a ledger. */
final class QueryOptions {
  // Not marked as required: picocli would then complain of this first, and hide the hint for a
  // table that was written without --data.
  @Option(
      names = "--data",
      paramLabel = "TABLE",
      description = "A CSV or TSV file with a header, plain or gzip.")
  private Path file;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      required = true,
      description = "The column. A cell that is no number counts as missing.")
  private String column;

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
      description = "How many rows of a unit count: its first B that have a number.")
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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  // Set when a question is asked.
  private AccountedSpending account;
  private Neighbouring neighbouring;
  private String unit;
  private boolean oneRowEach;
  // Null where each row is a unit.
  private String unitColumn;

  /** Of the intervals. */
  double confidence() {
    return confidence;
  }

  /** Of a column of numbers. */
  int answer(Query query, String name) throws IOException {
    return answer(query, name, marks()::of);
  }

  /** The marks of numbers in cells. */
  NumberMarks marks() {
    return written().dialect().numbers();
  }

  private DataOptions written() {
    return SettingOptions.written(SettingOptions.given(verb));
  }

  /**
   * @param number what a cell stands for; NaN for a missing value
   */
  int answer(Query query, String name, ToDoubleFunction<String> number) throws IOException {
    Usage.needed(file == null ? List.of("--data TABLE") : List.of());
    SettingValues typed = SettingOptions.given(verb).checked();
    account =
        AccountedSpending.of(
            typed.with(DataSettings.DATA, file.toString()), "query " + name, ledger.file());
    SettingValues given = account.completed(typed);
    neighbouring = given.get(PrivacySettings.NEIGHBOURING).orElse(Neighbouring.ADD_REMOVE);
    unitColumn = given.get(UnitSettings.UNIT_COLUMN).orElse(null);
    oneRowEach = given.has(UnitSettings.ONE_ROW_EACH);
    Protection protection = protection(query);
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
    Randomness randomness =
        insecureSeed == null ? Randomness.secure() : Randomness.insecure(insecureSeed);
    List<String> columns = unitColumn == null ? List.of(column) : List.of(column, unitColumn);
    Costs.warn(
        verb.commandLine().getErr(),
        epsilon,
        protection.delta(),
        unit,
        declaredUnits == null ? 0 : declaredUnits);
    account.checkRoom(unit, epsilon, price -> query.cost(protection(query, price), neighbouring));
    // The budget is asked before the file is so much as opened.
    try {
      PrivacySession session =
          ledger.open(query.cost(protection, neighbouring), unit, randomness, account.budget(unit));
      Answer answer;
      try (session) {
        DataFormats.table(file).checkColumns(file, written(), columns);
        QueryColumn values = read(columns, number);
        session.condition(new PrivacyUnit(unit, oneRowEach).declared());
        answer = query.ask(session, protection, () -> values);
      }
      // The session is closed, so the account has settled what the answer cost.
      account.keepHead(ledger.file());
      PrintWriter out = verb.commandLine().getOut();
      if (json) {
        out.println(Json.text(fields(query, name, protection, answer, session)));
      } else {
        print(query, name, protection, answer, session, out);
      }
      return 0;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Protection protection(Query query) {
    return protection(query, epsilon);
  }

  private Protection protection(Query query, double price) {
    long number = declaredUnits == null ? 0 : declaredUnits;
    Double delta = mechanism == SingleMechanism.GAUSSIAN ? at.delta(number) : at.delta();
    boolean withDelta = delta != null && delta > 0;
    if (query instanceof Query.Quantile) {
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
    return mechanism == SingleMechanism.GAUSSIAN || withDelta
        ? new Protection.Gaussian(price, delta)
        : new Protection.Laplace(price);
  }

  /** A cell that is empty is missing; one that is none of the declared values counts as missing. */
  private QueryColumn read(List<String> columns, ToDoubleFunction<String> number)
      throws IOException {
    DoubleStream.Builder values = DoubleStream.builder();
    IntStream.Builder unitOf = IntStream.builder();
    Map<String, Integer> units = new HashMap<>();
    BitSet misfits = new BitSet();
    List<String> reasons = new ArrayList<>();
    int[] rows = {0};
    DataFormats.table(file)
        .readCells(
            file,
            written(),
            columns,
            cells -> {
              // A row without an owner counts for no one. Nor does one with a garbled owner:
              // several people may have the same garbled name.
              String owner = unitColumn == null ? "row" : cells.get(1);
              boolean owned = !owner.isEmpty() && owner.indexOf(ColumnText.GARBLED) < 0;
              double value = owned ? number.applyAsDouble(cells.get(0)) : Double.NaN;
              values.add(value);
              if (unitColumn != null) {
                unitOf.add(units.computeIfAbsent(cells.get(1), name -> units.size()));
              }
              if (Double.isNaN(value) && (!owned || !cells.get(0).isEmpty())) {
                misfits.set(rows[0]);
                if (reasons.size() < Misfits.SHOWN) {
                  reasons.add(misfit(rows[0] + 1, owned ? column : unitColumn, cells));
                }
              }
              rows[0]++;
            });
    MisfitRows.tell(
        new Misfits(misfits, rows[0], reasons),
        file.getFileName().toString(),
        acceptMisfits,
        line -> verb.commandLine().getErr().println(verb.qualifiedName() + ": " + line));
    return unitColumn == null
        ? QueryColumn.ofRows(values.build().toArray())
        : QueryColumn.ofUnits(
            values.build().toArray(), unitOf.build().toArray(), examplesPerUnit.intValue());
  }

  private String misfit(int row, String name, List<String> cells) {
    String cell = cells.get(name.equals(column) ? 0 : 1).replaceAll("\\p{Cntrl}", "?");
    String shown = cell.length() <= 60 ? cell : cell.substring(0, 59) + "…";
    return file + " row " + row + ", column " + name + " has \"" + shown + "\"";
  }

  private static List<String> bins(Query query) {
    return query.match(
        number -> List.<String>of(), counts -> counts.bins().names(), choice -> List.of());
  }

  private static String by(Query query, Protection protection) {
    return query.match(
        number -> protection.label(), counts -> protection.label(), choice -> "exponential");
  }

  private Map<String, Object> fields(
      Query query, String name, Protection protection, Answer answer, PrivacySession session) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!session.caveat().isEmpty()) {
      fields.put("caveat", session.caveat().strip());
    }
    fields.put("query", name);
    fields.put("column", column);
    query.match(
        number -> putValue(fields, answer),
        counts -> {
          fields.put("bins", bins(query));
          fields.put("counts", answer.values());
          List<NoiseInterval> all = answer.estimates().stream().map(this::interval).toList();
          fields.put("lows", all.stream().map(NoiseInterval::low).toList());
          return fields.put("highs", all.stream().map(NoiseInterval::high).toList());
        },
        choice -> {
          fields.put("quantile", choice.q());
          return putValue(fields, answer);
        });
    answer.deviation().ifPresent(deviation -> fields.put("deviation", deviation));
    fields.put("confidence", confidence);
    fields.put("epsilon", epsilon);
    fields.put("delta", protection.delta());
    fields.put("mechanism", by(query, protection));
    fields.put("neighbouring", neighbouring.label());
    fields.put("unit", unit);
    if (oneRowEach) {
      fields.put("declared", new PrivacyUnit(unit, true).declared());
    }
    if (unitColumn != null) {
      fields.put("examplesPerUnit", examplesPerUnit);
    }
    fields.putAll(ledger.fields(session, protection.delta()));
    fields.putAll(account.fields());
    return fields;
  }

  private NoiseInterval interval(NoisyNumber estimate) {
    return estimate.interval(confidence);
  }

  private Object putValue(Map<String, Object> fields, Answer answer) {
    fields.put("value", answer.value());
    fields.put("low", answer.interval(confidence).low());
    return fields.put("high", answer.interval(confidence).high());
  }

  private void print(
      Query query,
      String name,
      Protection protection,
      Answer answer,
      PrivacySession session,
      PrintWriter out) {
    if (!session.caveat().isEmpty()) {
      out.println(session.caveat().strip());
    }
    Table table = new Table();
    List<String> bins = bins(query);
    double precision = precision(query, answer);
    for (int i = 0; i < bins.size(); i++) {
      NoisyNumber count = answer.estimates().get(i);
      table.row(bins.get(i), shown(count.value(), precision), words(count, precision));
    }
    if (bins.isEmpty()) {
      table.row(name + " of " + column, shown(answer.value(), precision));
      table.row("interval", words(answer.estimates().get(0), precision));
    }
    table.row(
        "confidence",
        Digits.plain(100 * confidence)
            + "%, of the exact answer on these rows, over the noise"
            + (bins.isEmpty() ? "" : "; each by itself"));
    answer
        .deviation()
        .ifPresent(
            deviation -> table.row("noise", "standard deviation " + Digits.plain(deviation)));
    table.row(
        "cost",
        "epsilon "
            + Digits.exact(epsilon)
            + ", delta "
            + Digits.exact(protection.delta())
            + " ("
            + by(query, protection)
            + ")");
    table.row("neighbouring", neighbouring.label());
    table.row(
        "unit",
        unit
            + (oneRowEach ? ", of which each was declared to have one row" : "")
            + (unitColumn == null ? "" : ", of which at most " + examplesPerUnit + " rows count"));
    ledger.row(table, session, protection.delta(), account.isCharged());
    account.told().ifPresent(each -> table.row("account", each.words()));
    table.print(out);
  }

  private String words(NoisyNumber estimate, double precision) {
    NoiseInterval where = interval(estimate);
    return shown(where.low(), precision) + " to " + shown(where.high(), precision);
  }

  /** What the last digit that is worth showing stands for. */
  private static double precision(Query query, Answer answer) {
    return query.<Double>match(
        number -> answer.deviation().orElseThrow() / 100,
        counts -> answer.deviation().orElseThrow() / 100,
        choice -> choice.bounds().width() / choice.candidates());
  }

  /** A number to the digits that noise leaves. */
  private static String shown(double value, double precision) {
    int digits = precision > 0 ? (int) -Math.floor(Math.log10(precision)) : 6;
    BigDecimal rounded =
        new BigDecimal(value).setScale(Math.max(0, digits), RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}

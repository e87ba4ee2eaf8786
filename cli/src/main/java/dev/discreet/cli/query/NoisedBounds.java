package dev.discreet.cli.query;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.cli.console.Costs;
import dev.discreet.cli.console.Quantity;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.console.Usage;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.model.CellNumber;
import dev.discreet.core.model.ColumnSyntax;
import dev.discreet.core.model.InputColumn;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.data.DataOptions;
import dev.discreet.data.TableHeader;
import dev.discreet.data.text.ColumnPatterns;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.ProtectedUnit;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.AccountedSpending;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Proposes bounds for columns of numbers: two noised quantiles of each, which are those of {@code
 * query quantile}, at one price that is set aside before the first is asked.
 */
public final class NoisedBounds {
  private static final List<Double> SHARES = List.of(0.025, 0.975);

  /** With fewer rows for each column and epsilon of 1, noise moves a choice beyond all rows. */
  private static final double ROWS = 2000;

  private static final String WORDS = "noised 2.5% and 97.5% quantiles";

  @Option(
      names = "--spend",
      paramLabel = "EPSILON",
      converter = Quantity.TargetEpsilon.class,
      description =
          "Also look at the rows, at this cost: each --column gets bounds from its noised quantiles"
              + " of 1%% and 99%%.")
  private Double spend;

  @Option(
      names = "--column",
      paramLabel = "NAME=LOW..HIGH",
      description =
          "With --spend: a column of numbers, or a pattern of such columns, and the bounds to look"
              + " within, which are wide and known without looking at the rows.")
  private List<String> columns = List.of();

  @Mixin private LedgerOptions ledger;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  /**
   * What was paid for.
   *
   * @param settings those given, with the unit column of the account
   * @param declarations the columns with their bounds, by name
   * @param beside what is to be said of each of them, by name
   * @param lines what is to be said of all of them
   */
  public record Paid(
      SettingValues settings,
      Map<String, String> declarations,
      Map<String, String> beside,
      List<String> lines) {}

  /**
   * Of each column two questions, one for each share.
   *
   * @param whole the declarations, with what holds for missing cells of all columns
   */
  private record Asked(
      Map<String, String> declared,
      List<String> whole,
      List<RowNumber> numbers,
      List<PlainQuestion> questions) {}

  /** Whether somebody pays; otherwise what is for that alone is refused. */
  public boolean isGiven() {
    Usage.refuse(
        verb,
        "is for --spend",
        spend == null
            ? List.of(
                "--column",
                "--ledger",
                "--budget-epsilon",
                "--budget-delta",
                "--unit",
                "--one-row-each",
                "--account",
                "--pass-over-account",
                "--break-account",
                "--accept-misfits")
            : List.of());
    Usage.needed(
        spend != null && columns.isEmpty() ? List.of("--column NAME=LOW..HIGH") : List.of());
    return spend != null;
  }

  /** Charges the price, and then asks. */
  public Paid pay(SettingValues given, TableHeader header) throws IOException {
    String data = SettingOptions.data(given);
    Check.that(
        !DatabaseAddress.is(data) && Files.isRegularFile(Path.of(data)),
        "data",
        "a table in a file, for --spend",
        DatabaseAddress.is(data) ? "a database" : data);
    AccountedSpending account = AccountedSpending.of(given, "data declare", ledger.file());
    if (ledger.file() == null && !account.isCharged()) {
      throw new IllegalArgumentException(
          "--spend needs --ledger FILE or an account, which keeps what was spent on these rows");
    }
    SettingValues all = account.completed(given);
    String unitColumn = all.get(UnitSettings.UNIT_COLUMN).orElse(null);
    PrivacyUnit protects =
        ProtectedUnit.of(
            all.get(UnitSettings.UNIT).orElse(null),
            "--unit-column",
            unitColumn != null,
            all.has(UnitSettings.ONE_ROW_EACH));
    String unit = protects.noun();
    Question.Who who =
        new Question.Who(
            all.get(PrivacySettings.NEIGHBOURING).orElse(Neighbouring.ADD_REMOVE),
            unitColumn == null ? OptionalInt.empty() : OptionalInt.of(1),
            false);
    DataOptions written = SettingOptions.written(all);
    Asked asked = asked(all, written, header, unitColumn);
    Costs.warn(verb.commandLine().getErr(), spend, 0, unit, 0);
    account.checkRoom(unit, spend, price -> FrameOptions.cost(asked.questions, price / spend, who));
    Ledger cost = FrameOptions.cost(asked.questions, 1, who);
    // The budget is asked before a row is read.
    PrivacySession session = ledger.open(cost, unit, Randomness.secure(), account.budget(unit));
    try (session) {
      Check.that(
          session.caveat().isEmpty(), "ledger", "of private releases only", session.caveat());
      new AskedTable(
              new AskedRows(data, written),
              unitColumn,
              account.isCharged(),
              all.has(CallSettings.ACCEPT_MISFITS),
              verb)
          .read(asked.questions);
      session.condition(protects.declared());
      session.reserve(new LedgerFile(cost, unit, 0, false, ""));
      asked.questions.forEach(question -> question.ask(session, who));
    }
    account.keepHead(ledger.file());
    tell(session, account, unit);
    return paid(all, asked, protects, account.isCharged());
  }

  private Asked asked(
      SettingValues all, DataOptions written, TableHeader header, String unitColumn) {
    String label = all.get(DataSettings.LABEL).orElse("");
    Set<String> taken = new HashSet<>();
    if (label.indexOf('=') >= 0) {
      taken.add(ColumnPatterns.name(label));
    }
    if (unitColumn != null) {
      header.find(unitColumn, "unit column");
      taken.add(unitColumn);
    }
    Asked asked =
        new Asked(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<String> each = ColumnPatterns.expanded(header.name(), columns, header.columns(), taken);
    double price = AskCommand.LESS * spend / (SHARES.size() * each.size());
    for (String typed : each) {
      String name = ColumnPatterns.name(typed);
      Check.that(!taken.contains(name), "column", "neither the unit nor a declared label", name);
      header.find(name, "column");
      String before = asked.declared.put(name, typed);
      Check.that(before == null, "column " + name, "declared once", typed);
      String whole =
          ColumnSyntax.withMissing(
              typed, all.get(DataSettings.MISSING), all.get(DataSettings.MISSING_CELLS));
      RowNumber number = RowNumber.column(whole, written.dialect().numbers());
      Check.that(
          number.bounds().isPresent(),
          "column " + name,
          "given with bounds to look within, as in " + name + "=0..1000",
          typed);
      asked.whole.add(whole);
      asked.numbers.add(number);
      for (double share : SHARES) {
        asked.questions.add(
            new PlainQuestion(
                new Query.Quantile(share, number.bounds().get(), Query.Quantile.CANDIDATES),
                "quantile",
                number,
                part ->
                    new Protection.Laplace(
                        part == 1 ? price : Math.max(FrameOptions.LEAST_EPSILON, part * price))));
      }
    }
    return asked;
  }

  private void tell(PrivacySession session, AccountedSpending account, String unit) {
    PrintWriter err = verb.commandLine().getErr();
    ledger
        .standing(session)
        .ifPresent(
            words ->
                err.println(
                    "The ledger "
                        + ledger.file()
                        + " now stands at "
                        + words
                        + ", for each single "
                        + unit
                        + "."));
    account.told().ifPresent(each -> err.println("Account: " + each.words() + "."));
  }

  private Paid paid(SettingValues all, Asked asked, PrivacyUnit protects, boolean isCharged) {
    List<String> books = new ArrayList<>();
    if (ledger.file() != null) {
      books.add("the ledger " + Check.line(ledger.file().getFileName().toString()));
    }
    if (isCharged) {
      books.add("the account");
    }
    String charged = "charged to " + String.join(" and ", books);
    Map<String, String> declarations = new LinkedHashMap<>();
    Map<String, String> beside = new LinkedHashMap<>();
    List<String> names = List.copyOf(asked.declared.keySet());
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String typed = asked.declared.get(name);
      int comma = typed.indexOf(',', typed.indexOf('='));
      int end = comma < 0 ? typed.length() : comma;
      String within = typed.substring(typed.indexOf('=') + 1, end).strip();
      String bounds =
          bounds(
                  asked.numbers.get(i),
                  constant(asked.whole.get(i)),
                  asked.questions.subList(SHARES.size() * i, SHARES.size() * (i + 1)))
              .orElse(within);
      declarations.put(name, name + "=" + bounds + typed.substring(end));
      beside.put(
          name,
          WORDS
              + " within "
              + within
              + ", epsilon "
              + Digits.up(spend / names.size())
              + ", "
              + charged);
    }
    List<String> lines = new ArrayList<>();
    lines.add("A draft. Where a line says so, its bounds are " + WORDS + " of the rows,");
    lines.add("which were paid for: epsilon " + Digits.exact(spend) + " in all, for each single");
    lines.add(Check.line(protects.noun()) + ", " + charged + ".");
    if (all.isSet(UnitSettings.UNIT_COLUMN)) {
      lines.add("Of each, the first row counted that has a number in the column.");
    }
    if (protects.oneRowEach()) {
      lines.add(Check.line(protects.declared()));
    }
    lines.add(
        "They are far off where there are fewer than about "
            + Digits.plain(Math.ceil(ROWS * names.size() / spend))
            + " rows. To ask once more is to");
    lines.add("pay once more; bounds that you know without looking at the rows cost nothing.");
    lines.add("Of other columns nothing but the names was looked at.");
    return new Paid(all, declarations, beside, lines);
  }

  /** What missing cells become for a model. */
  private static Optional<Double> constant(String declared) {
    return InputColumn.parse(declared)
        .match(
            number -> Optional.<Double>empty(),
            values -> Optional.<Double>empty(),
            values -> Optional.<Double>empty(),
            date -> Optional.<Double>empty(),
            text -> Optional.<Double>empty(),
            tokens -> Optional.<Double>empty(),
            missing -> missing.policy().constant().map(CellNumber::of));
  }

  /** The two answers in their order, with what missing cells become; empty for less than two. */
  private static Optional<String> bounds(
      RowNumber number, Optional<Double> constant, List<PlainQuestion> answered) {
    double low = Math.min(answered.get(0).answer().value(), answered.get(1).answer().value());
    double high = Math.max(answered.get(0).answer().value(), answered.get(1).answer().value());
    if (constant.isPresent()) {
      low = Math.min(low, constant.get());
      high = Math.max(high, constant.get());
    }
    double step = number.bounds().orElseThrow().width() / (Query.Quantile.CANDIDATES - 1);
    String lowest = AnswerLine.shown(low, step);
    String highest = AnswerLine.shown(high, step);
    return Double.parseDouble(lowest) < Double.parseDouble(highest)
        ? Optional.of(lowest + ".." + highest)
        : Optional.empty();
  }
}

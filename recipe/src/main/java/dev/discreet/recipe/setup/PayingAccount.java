package dev.discreet.recipe.setup;

import dev.discreet.account.Account;
import dev.discreet.account.AccountOutlook;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountStore;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.CoveringAccounts;
import dev.discreet.account.KnownRun;
import dev.discreet.account.PassedOverAccount;
import dev.discreet.account.Purpose;
import dev.discreet.account.RunAccount;
import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacyUnit;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.privacy.Target;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.data.DataSets;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import dev.discreet.recipe.setting.PretrainSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RegressionSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The account that pays for what settings describe. One that covers the data is found without being
 * named, and is passed over only by a setting, which it records.
 *
 * @param account empty where nobody keeps one, and where it is passed over
 * @param passedOver an account that is passed over, if one is
 * @param breaks whether to go on where the account can promise nothing afterwards
 * @param conditions without which what is charged is no promise
 */
public record PayingAccount(
    Optional<Account> account,
    Optional<RunAccount> passedOver,
    boolean breaks,
    List<String> conditions) {
  /** Where nobody keeps an account. */
  public static final PayingAccount NONE =
      new PayingAccount(Optional.empty(), Optional.empty(), false, List.of());

  /** Settings that say which account pays, and how. */
  private static final List<Setting<?>> ACCOUNTS =
      List.of(
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT);

  /** Settings that name files with rows of people. */
  private static final List<Setting<?>> PEOPLE =
      List.of(DataSettings.DATA, DataSettings.JOIN, DataSettings.LABELS, UnitSettings.UNIT_MAP);

  /** Settings that name files whose rows are declared public by that. */
  private static final List<Setting<?>> PUBLIC =
      List.of(
          DataSettings.JOIN,
          DataSettings.PUBLIC_TEST,
          DataSettings.AS_IN,
          OptimizerSettings.PUBLIC_DATA,
          PretrainSettings.PRETRAIN_DATA);

  /**
   * Finds the account that the settings name, or the one that covers the data that they name.
   *
   * @param verb what is going to be done, for the record
   */
  public static PayingAccount of(SettingValues given, String verb) {
    for (Setting<Boolean> setting :
        List.of(PrivacySettings.PASS_OVER_ACCOUNT, PrivacySettings.BREAK_ACCOUNT)) {
      Check.that(
          !given.has(setting) || isOption(given, setting),
          place(given, setting) + setting.name(),
          "given as an option, --" + setting.name() + ": no file may decide it, whoever wrote it",
          "a key");
    }
    checkDatabase(given);
    Optional<Account> named = namedAccount(given);
    Map<String, Account> others = covering(given);
    named.ifPresent(each -> others.remove(each.state().id()));
    Optional<RunAccount> passed = Optional.empty();
    if (passesOver(given)) {
      Check.that(
          named.isEmpty() || !others.isEmpty(),
          "account to pass over",
          "another one than --account names, which is charged",
          given.text(PrivacySettings.ACCOUNT));
      others.values().forEach(each -> each.passOver(new Purpose(verb, "", "")));
      passed = others.values().stream().findFirst().map(each -> PassedOverAccount.of(each.state()));
      others.clear();
    }
    List<Account> all = Stream.concat(named.stream(), others.values().stream()).toList();
    Check.that(
        all.size() <= 1,
        "account of the data",
        "one alone (a run on two populations is not supported: use the files of one, or let one"
            + " account import what the other has spent, and close that for it by account open"
            + " --follows)",
        all.stream().map(Account::place).toList());
    boolean breaks = given.has(PrivacySettings.BREAK_ACCOUNT);
    Check.that(!breaks || !all.isEmpty(), "account to break", "there", "none");
    Check.that(
        breaks || all.isEmpty() || !given.isSet(PrivacySettings.INSECURE_SEED),
        "run on the account " + all.stream().map(Account::place).findFirst().orElse(""),
        "one with secret keys",
        "one with a seed that anyone can guess");
    return new PayingAccount(all.stream().findFirst(), passed, breaks, conditions(given));
  }

  /**
   * Refuses rows that lie elsewhere where nobody says which account pays: none can be looked for
   * beside them.
   *
   * @param data as the settings name it
   */
  public static void checkDecided(SettingValues given, String data) {
    Check.that(
        given.isSet(PrivacySettings.ACCOUNT) || passesOver(given),
        "account of " + data,
        "named with --account, since no file of this machine is beside these rows to tell of one"
            + " (or --pass-over-account says that none is to be charged)",
        "none");
  }

  /** The same for rows of a database, and of a query that nobody says whom it protects. */
  private static void checkDatabase(SettingValues given) {
    String data = given.text(DataSettings.DATA);
    if (DatabaseAddress.is(data)) {
      checkDecided(given, data);
      boolean unprotected =
          given.has(PrivacySettings.NON_PRIVATE)
              || !given.orDefault(RegressionSettings.METHOD).isPrivate();
      Check.that(
          !given.isSet(DataSettings.QUERY) || given.isSet(UnitSettings.UNIT) || unprotected,
          "unit",
          PrivacyUnit.RETURNED_ROW + " for a query, said as such with --unit",
          "none");
    }
  }

  /**
   * Refuses to show what rows say without noise, where an account covers them or is named for them,
   * unless it is told to be passed over.
   *
   * @param verb what is going to be done, for the record
   */
  public static void refuseUnprotected(SettingValues given, String verb) {
    refuseUnprotected(given, Optional.empty(), verb);
  }

  /**
   * The same for the rows of a run that may have had an account, and remembers it, but not where it
   * is kept.
   *
   * @param run what the run remembers; empty where that is nothing, or the rows are not its own
   */
  public static void refuseUnprotected(SettingValues given, Optional<KnownRun> run, String verb) {
    checkDatabase(given);
    Map<String, Account> found = covering(given);
    Optional<Account> named = namedAccount(given);
    run.ifPresent(
        each ->
            refuseOthers(Stream.concat(named.stream(), found.values().stream()).toList(), each));
    named.ifPresent(each -> found.putIfAbsent(each.state().id(), each));
    Collection<Account> all = found.values();
    Check.that(
        all.isEmpty() || passesOver(given),
        verb + " of rows of the account " + String.join(", ", places(all)),
        "done with --pass-over-account, which the account records: it tells of them without noise",
        "without");
    all.forEach(each -> each.passOver(new Purpose(verb, "", "")));
  }

  /**
   * Refuses a vocabulary that is read off people's rows: its words go into models and run files.
   * Passing accounts over does not help.
   */
  static void refuseVocabulary(SettingValues given, Path file) {
    for (Setting<?> setting : PEOPLE) {
      Check.that(
          paths(given, setting, false).noneMatch(rows -> isIn(file, rows)),
          "vocabulary",
          "a file of public words, and none with rows of " + setting.option(),
          file);
    }
    List<Account> accounts = CoveringAccounts.of(file, named(given));
    Check.that(
        accounts.isEmpty(),
        "vocabulary",
        "a file of public words, which no account covers (this one does: "
            + String.join(", ", places(accounts))
            + ")",
        file);
  }

  /** Whether one file is another, or lies in it. */
  private static boolean isIn(Path file, Path rows) {
    try {
      return Files.exists(rows)
          && (Files.isSameFile(file, rows) || file.toRealPath().startsWith(rows.toRealPath()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Refuses accounts among which there is not the one that a run had. */
  private static void refuseOthers(Collection<Account> accounts, KnownRun run) {
    Check.that(
        accounts.stream().anyMatch(each -> each.isOf(run)),
        "account",
        "that of the run in "
            + run.source()
            + " (--account names it; where another account follows it, name the earlier one)",
        accounts.isEmpty() ? "none" : String.join(", ", places(accounts)));
  }

  /**
   * The settings for someone who pays nothing: without accounts, and with unit, relation and δ of
   * the one that they name.
   */
  public static SettingValues unpaid(SettingValues given) {
    return new PayingAccount(namedAccount(given), Optional.empty(), false, List.of())
        .completed(given)
        .only(setting -> !ACCOUNTS.contains(setting));
  }

  /** What is taken on somebody's word: other data than the account's own may name people so. */
  private static List<String> conditions(SettingValues given) {
    return given.isSet(UnitSettings.UNIT_MAP)
        ? List.of("The unit map was taken to tell the account's units apart as the account does.")
        : List.of();
  }

  /** Where a setting stands in a file; empty for one that this call or a program gives. */
  private static String place(SettingValues given, Setting<?> setting) {
    return given.isSet(setting) ? given.values().get(setting).place() : "";
  }

  private static boolean isOption(SettingValues given, Setting<?> setting) {
    return place(given, setting).isEmpty();
  }

  private static boolean passesOver(SettingValues given) {
    return given.has(PrivacySettings.PASS_OVER_ACCOUNT)
        && isOption(given, PrivacySettings.PASS_OVER_ACCOUNT);
  }

  private static Optional<AccountStore> named(SettingValues given) {
    return given
        .get(PrivacySettings.ACCOUNT)
        .map(
            account ->
                isOption(given, PrivacySettings.ACCOUNT)
                    ? AccountPlaces.of(account)
                    : AccountPlaces.namedIn(
                        place(given, PrivacySettings.ACCOUNT).replaceFirst(": $", ""), account));
  }

  private static Optional<Account> namedAccount(SettingValues given) {
    return named(given).map(each -> Account.at(each).last());
  }

  /** By their ids. */
  private static Map<String, Account> covering(SettingValues given) {
    Optional<AccountStore> named = named(given);
    Map<String, Account> found = new LinkedHashMap<>();
    for (Setting<?> setting : PEOPLE) {
      paths(given, setting, false)
          .flatMap(path -> CoveringAccounts.of(path, named).stream())
          .forEach(each -> found.putIfAbsent(each.state().id(), each));
    }
    for (Setting<?> setting : PUBLIC) {
      paths(given, setting, true)
          .forEach(
              path ->
                  CoveringAccounts.of(path, named)
                      .forEach(
                          each -> {
                            Check.that(
                                passesOver(given),
                                setting.option(),
                                "public rows, which no account covers (this one does: "
                                    + each.place()
                                    + ")",
                                path);
                            found.putIfAbsent(each.state().id(), each);
                          }));
    }
    return found;
  }

  /**
   * The paths that a setting names: of joined files those that are public, or those that are not.
   */
  private static Stream<Path> paths(SettingValues given, Setting<?> setting, boolean isPublic) {
    return setting == DataSettings.JOIN
        ? DatabaseChoices.joinedFiles(given, isPublic).flatMap(PayingAccount::path)
        : path(given.text(setting));
  }

  /** The path that a text is; that of a public set only where an account lies beside it. */
  private static Stream<Path> path(String text) {
    try {
      boolean path =
          !text.isBlank() && !text.equals(DataSettings.GIVEN_IN_JAVA) && !DatabaseAddress.is(text);
      return path
              && (!DataSets.names().contains(text)
                  || Files.isRegularFile(Path.of(text + AccountPlaces.SUFFIX)))
          ? Stream.of(Path.of(text))
          : Stream.empty();
    } catch (InvalidPathException e) {
      return Stream.empty(); // Whoever opens it says so.
    }
  }

  /** Where the accounts are kept that cover the data which settings name. */
  public static List<String> places(SettingValues given) {
    return places(covering(given).values());
  }

  private static List<String> places(Collection<Account> accounts) {
    return accounts.stream().map(Account::place).toList();
  }

  /**
   * The settings with unit, relation and δ of the account, where they say nothing themselves.
   * Another unit or relation is refused: a cost to others is no cost to the account's people.
   */
  public SettingValues completed(SettingValues given) {
    if (account.isEmpty()) {
      return given;
    }
    AccountTerms terms = terms();
    SettingValues all = completedBesideRows(given);
    if (terms.unitColumn().isEmpty()) {
      new EffectiveSettings(given)
          .refuse(
              "cannot stand beside the account "
                  + account.get().place()
                  + ", which was opened for a "
                  + terms.unit()
                  + " of one row each",
              UnitSettings.UNIT_COLUMN,
              UnitSettings.UNIT_MAP);
      return or(all, UnitSettings.ONE_ROW_EACH, true);
    }
    Check.that(
        !given.has(UnitSettings.ONE_ROW_EACH),
        "unit",
        "told by the column " + terms.unitColumn() + ", as in the account " + account.get().place(),
        UnitSettings.ONE_ROW_EACH.option());
    if (given.isSet(UnitSettings.UNIT_MAP)) {
      return all;
    }
    SettingValues owned = or(all, UnitSettings.UNIT_COLUMN, terms.unitColumn());
    String column = owned.get(UnitSettings.UNIT_COLUMN).orElseThrow();
    Check.that(
        column.equals(terms.unitColumn()),
        "unit column",
        "that of the account " + account.get().place() + ", " + terms.unitColumn(),
        column);
    return owned;
  }

  /** The same beside rows that are there already, and carry their units themselves. */
  public SettingValues completedBesideRows(SettingValues given) {
    if (account.isEmpty()) {
      return given;
    }
    AccountTerms terms = terms();
    SettingValues all =
        or(
            or(given, UnitSettings.UNIT, terms.unit()),
            PrivacySettings.NEIGHBOURING,
            terms.neighbouring());
    String unit = all.get(UnitSettings.UNIT).orElseThrow();
    Check.that(unit.equals(terms.unit()), "unit", "that of the account, " + terms.unit(), unit);
    Neighbouring relation = all.get(PrivacySettings.NEIGHBOURING).orElseThrow();
    // Of what is made for add/remove, the account knows for each release what it is for others.
    Check.that(
        relation == terms.neighbouring() || relation == Neighbouring.ADD_REMOVE,
        "neighbouring",
        "that of the account, " + terms.neighbouring().label(),
        relation.label());
    double delta = terms.ceiling().delta();
    return delta > 0 ? or(all, PrivacySettings.DELTA, delta) : all;
  }

  private AccountTerms terms() {
    return account.orElseThrow().state().terms();
  }

  private static <T> SettingValues or(SettingValues given, Setting<T> setting, T value) {
    return given.isSet(setting) ? given : given.with(setting, value);
  }

  /**
   * A share of the account's ceiling, as what a run may cost.
   *
   * @param delta at which the run's own ε is stated
   */
  public Target target(double share, double delta) {
    Check.that(
        account.isPresent(), "share", "given with an account, which it is a share of", share);
    return new Target.OfCeiling(share, delta, terms().ceiling(), terms().neighbouring());
  }

  /** What releases would take of the account; empty where there is none that promises anything. */
  public Optional<AccountOutlook> outlook(Ledger planned) {
    return account
        .map(Account::state)
        .filter(state -> state.broken().isEmpty())
        .map(state -> state.outlook(planned));
  }

  /**
   * Refuses releases that the account has no room for.
   *
   * @param instead what would fit, as a sentence without its stop
   */
  public void checkRoom(LedgerFile planned, Function<AccountState, String> instead) {
    account.filter(each -> !breaks).ifPresent(each -> each.checkRoom(planned, instead));
  }

  /** Refuses a run that the account has no room for, with what would fit. */
  public void checkRoom(ResolvedPlan plan) {
    if (account.isEmpty() || breaks || !plan.isPrivate()) {
      return;
    }
    AccountState state = account.get().state();
    if (plan.target().orElse(null) instanceof Target.OfCeiling asked) {
      double left = state.limit() - state.share();
      Check.that(
          asked.share() <= left * (1 + 1e-9),
          "share",
          "at most what is left of the account below its limit, " + Digits.down(Math.max(0, left)),
          asked.share());
    }
    checkRoom(
        new LedgerFile(plan.ledger(), plan.unit(), plan.publicNumber(), false, ""),
        now -> new FittingPlan(now, plan).words());
  }

  /**
   * What one run may spend; anything where there is no account.
   *
   * @param run names it, as {@link Account#newRun} or {@link #run} does
   * @param unit who is protected
   */
  public Budget budget(String run, Purpose purpose, String unit) {
    return account
        .map(each -> each.budget(run, purpose, unit, conditions, breaks))
        .orElseGet(Budget::unlimited);
  }

  /**
   * Asks for something that adds no noise and opens no session: the account refuses it, or its
   * promise ends.
   */
  public void unprotected(Purpose purpose) {
    account.ifPresent(
        each ->
            budget(Account.newRun(), purpose, terms().unit())
                .begin(new Budget.Session(terms().neighbouring(), true, false, "", Set.of(), "")));
  }

  /** Records that something is shown without noise beside what is charged. */
  public void shown(Purpose purpose) {
    account.ifPresent(each -> each.passOver(purpose));
  }

  /**
   * Refuses to go on with a run for which another account pays: what it releases now would be
   * charged nowhere, or to other people. Passing accounts over does not help: they may be others.
   *
   * @param journal of the run, there or not
   */
  public void refuseResumingOthers(Path journal) {
    if (Files.notExists(journal)) {
      return;
    }
    try {
      KnownRun.find(journal).ifPresent(run -> refuseOthers(account.stream().toList(), run));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the run that keeps this journal, which may be one that was cut short. */
  public String run(Path journal) {
    return account
        .filter(each -> Files.exists(journal))
        .flatMap(each -> each.runOf(Journal.read(journal)))
        .orElseGet(Account::newRun);
  }

  /**
   * What a run that has ended says of the account: what it took, or that it passed it over.
   *
   * @param run as {@link #budget} was told; nothing is said of one that charged nothing
   */
  public Optional<RunAccount> told(String run) {
    return account
        .map(Account::state)
        .filter(state -> state.run(run).isPresent())
        .<RunAccount>map(state -> state.shareOf(run))
        .or(() -> passedOver);
  }
}

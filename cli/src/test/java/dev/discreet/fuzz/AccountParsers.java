package dev.discreet.fuzz;

import dev.discreet.account.Account;
import dev.discreet.account.AccountFile;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.CoveringAccounts;
import dev.discreet.account.EarlierSpending;
import dev.discreet.account.KnownHead;
import dev.discreet.account.KnownRun;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.core.files.Sha256;
import dev.discreet.core.privacy.Budget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Readers of accounts, of what runs remember of them, and of what was spent before. */
final class AccountParsers {
  private static final AccountTerms TERMS =
      new AccountTerms("person", "", LedgerParsers.RELATION, new PrivacyFilter(8, 1e-6));
  private static final Purpose PURPOSE = new Purpose("train", "", "runs/one");
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}");
  private static final String ID = "123e4567-e89b-12d3-a456-426614174000";

  private static final List<List<String>> ACCOUNTS =
      List.of(
          seed(
              account -> {
                String run = Account.newRun();
                Budget budget = account.budget(run, PURPOSE, "person");
                budget.begin(
                    new Budget.Session(
                        LedgerParsers.RELATION, true, true, Account.newRun(), Set.of(), "file"));
                budget.reserve(LedgerParsers.PLAN, Ledger.empty(LedgerParsers.RELATION));
                account.limit(0.5);
                account.settle(run, Optional.empty());
                account.passOver(PURPOSE);
              }),
          seed(
              account -> {
                account.add(EarlierSpending.declared("ann, by memory", TERMS, 0.5, 1e-7), false);
                account.breakFor(PURPOSE, "it must be so");
                account.close("the study is over");
              }));
  private static final List<String> FRAMES =
      List.of(
          "{\"private\":true,\"account\":{\"id\":\"" + ID + "\",\"run\":\"" + ID + "\"}}",
          "{\"private\":false}",
          "{\"account\":{\"id\":\"a\",\"run\":\"b\",\"charged\":"
              + LedgerParsers.PLAN.ledger().toJson()
              + "}}");

  private AccountParsers() {}

  private interface Use {
    void of(Account account);
  }

  /** The lines of an account, with the same names and times whenever it is made. */
  private static List<String> seed(Use use) {
    HostileFiles files =
        HostileFiles.written(
            folder -> use.of(Account.open(new AccountFile(folder.resolve("a.account")), TERMS)));
    List<String> lines = new ArrayList<>();
    for (String line : LedgerParsers.lines(files.get("a.account"))) {
      lines.add(
          RANDOM
              .matcher(line)
              .replaceAll(ID)
              .replaceAll("\"at\":\"[^\"]*\"", "\"at\":\"2026-01-31T12:00:00Z\"")
              .replaceAll("\"by\":\"[^\"]*\"", "\"by\":\"ann\""));
    }
    return lines;
  }

  static List<HostileParser> all() {
    return List.of(
        HostileParser.ofFiles(
            "account",
            random -> HostileFiles.of("a.account", account(random)),
            (folder, files) -> {
              Account account = Account.at(new AccountFile(folder.resolve("a.account")));
              use(account);
            }),
        HostileParser.ofFiles("covering-account", AccountParsers::covering, AccountParsers::cover),
        HostileParser.ofText(
            "account-head",
            random -> HostileFiles.of("head", Mutations.text(random, "12 " + "9f".repeat(32))),
            (folder, files) -> {
              KnownHead head = KnownHead.parse("a file", files.text());
              TableParsers.same(head, KnownHead.parse("a file", head.text()));
            }),
        HostileParser.ofFiles(
            "known-run", AccountParsers::run, (folder, files) -> KnownRun.of(folder)),
        HostileParser.ofFiles(
            "earlier-spending", AccountParsers::run, (folder, files) -> EarlierSpending.of(folder)),
        HostileParser.ofFiles(
            "earlier-ledger",
            random -> HostileFiles.of("l.json", json(random, LedgerParsers.PLAN.toJson())),
            (folder, files) -> EarlierSpending.of(folder.resolve("l.json"))));
  }

  private static byte[] json(SplittableRandom random, String json) {
    return JsonMutations.json(random, json).getBytes(StandardCharsets.UTF_8);
  }

  private static void use(Account account) {
    AccountState state = account.state();
    state.share();
    state.history();
    state.chosenAfterLooking();
    account.verify(List.of());
  }

  /** Lines that are changed and then numbered and chained as a writer would. */
  private static byte[] account(SplittableRandom random) {
    List<String> lines = new ArrayList<>(Mutations.pick(random, ACCOUNTS));
    for (int i = Mutations.times(random); i > 0 && !lines.isEmpty(); i--) {
      int at = random.nextInt(lines.size());
      int other = random.nextInt(lines.size());
      switch (random.nextInt(8)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(other, lines.get(at));
        case 2 -> lines.set(at, lines.set(other, lines.get(at)));
        default ->
            lines.set(
                at,
                JsonMutations.json(random, LedgerParsers.safe(lines.get(at))).replace("\n", " "));
      }
    }
    boolean chained = !Mutations.chance(random, 8);
    String previous = "";
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String line = chained ? framed(lines.get(i), i, previous) : lines.get(i);
      previous = Sha256.hex(line);
      all.append(LedgerParsers.checked(line));
    }
    byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
    return Mutations.chance(random, 10) ? Mutations.bytes(random, bytes) : bytes;
  }

  private static String framed(String line, int number, String previous) {
    if (!(JsonMutations.parse(LedgerParsers.safe(line)) instanceof Map<?, ?> map)) {
      return line;
    }
    Map<Object, Object> fields = new LinkedHashMap<>(map);
    fields.put("number", number);
    fields.put("previous", previous);
    return JsonMutations.written(fields);
  }

  private static HostileFiles covering(SplittableRandom random) {
    HostileFiles data = HostileFiles.of("data.csv", "a,b\n1,2\n");
    if (Mutations.chance(random, 3)) {
      String post = Mutations.text(random, "jdbc:postgresql://127.0.0.1:9/x#people\n");
      return data.with("data.csv.account", post.getBytes(StandardCharsets.UTF_8));
    }
    if (Mutations.chance(random, 3)) {
      // An account that was closed for another one, perhaps for itself.
      String next =
          Mutations.pick(random, List.of("data.csv.account", "../outside.png", "/etc/passwd", ""));
      String closed =
          framed(
              "{\"at\":\"2026-01-31T12:00:00Z\",\"by\":\"ann\",\"closed\":{\"reason\":\"r\",\"next\":\""
                  + ID
                  + "\",\"place\":\""
                  + HostileArchives.name(random, next).replaceAll("[\\p{Cntrl}\"\\\\]", "")
                  + "\"}}",
              1,
              Sha256.hex(framed(ACCOUNTS.get(0).get(0), 0, "")));
      String all =
          LedgerParsers.checked(framed(ACCOUNTS.get(0).get(0), 0, ""))
              + LedgerParsers.checked(closed);
      return data.with("data.csv.account", all.getBytes(StandardCharsets.UTF_8));
    }
    return data.with("data.csv.account", account(random));
  }

  private static void cover(Path folder, HostileFiles files) {
    CoveringAccounts.of(folder.resolve("data.csv"), Optional.empty()).forEach(Account::state);
  }

  private static HostileFiles run(SplittableRandom random) {
    HostileFiles folder =
        HostileFiles.of("run.json", json(random, Mutations.pick(random, FRAMES)))
            .with("ledger.json", LedgerParsers.PLAN.toJson().getBytes(StandardCharsets.UTF_8))
            .with(
                "account.head",
                Mutations.text(random, "12 " + "9f".repeat(32)).getBytes(StandardCharsets.UTF_8));
    return Mutations.chance(random, 3)
        ? folder.with("ledger.json", json(random, LedgerParsers.PLAN.toJson()))
        : folder;
  }
}

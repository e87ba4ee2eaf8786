package dev.discreet.report;

import dev.discreet.account.AccountHistory;
import dev.discreet.account.AccountHistory.Event;
import dev.discreet.account.AccountHistory.Kind;
import dev.discreet.account.AccountHistory.Moment;
import dev.discreet.account.AccountState;
import dev.discreet.account.AccountState.Item;
import dev.discreet.account.AccountState.Standing;
import dev.discreet.account.AccountTerms;
import dev.discreet.account.KnownHead;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Accounts at one moment, as a few months of work leave them. */
final class AccountSamples {
  static final PrivacyFilter CEILING = new PrivacyFilter(3, 1e-6);
  private static final Neighbouring RELATION = Neighbouring.ADD_REMOVE;
  private static final Instant OPENED = Instant.parse("2026-03-02T08:30:00Z");
  private static final String DIGEST =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final Spending NOTHING = CEILING.cost(Ledger.empty(RELATION));

  private final List<Item> items = new ArrayList<>();
  private final List<Moment> moments = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Purpose> passedOver = new ArrayList<>();
  private String who = "mara";
  private String broken = "";
  private String closed = "";
  private double limit = 1;
  private Spending charged = NOTHING;
  private Instant now = OPENED;

  private AccountSamples() {
    moment(NOTHING);
    event(Kind.OPENED, "");
  }

  static Map<String, Supplier<AccountReport>> all() {
    Map<String, Supplier<AccountReport>> all = new LinkedHashMap<>();
    all.put("fresh", AccountSamples::fresh);
    all.put("used", AccountSamples::used);
    all.put("broken", AccountSamples::broken);
    all.put("many", () -> many(2_000).report(300));
    all.put("hostile", () -> hostile("<script>alert(\"1\")</script>'&" + "x".repeat(90)));
    return all;
  }

  static AccountReport fresh() {
    return new AccountSamples().report(300);
  }

  static AccountReport used() {
    AccountSamples made = new AccountSamples();
    made.later(Duration.ofDays(3)).spent("query mean", "", "queries.ledger", 0.1, Standing.SETTLED);
    made.later(Duration.ofDays(9)).spent("train", DIGEST, "runs/first", 0.6, Standing.SETTLED);
    made.later(Duration.ofDays(2)).limited(0.8);
    made.who = "jo";
    made.later(Duration.ofDays(20)).spent("tune", DIGEST, "runs/tuned", 0.5, Standing.WHOLE);
    made.later(Duration.ofDays(5)).spent("import", "", "old/ledger.json", 0.2, Standing.DECLARED);
    made.passedOver.add(new Purpose("train", "", "runs/public"));
    made.event(Kind.PASSED_OVER, "train to runs/public");
    made.later(Duration.ofDays(12)).spent("train", DIGEST, "runs/second", 0.4, Standing.OPEN);
    return made.report(300);
  }

  static AccountReport broken() {
    AccountSamples made = new AccountSamples();
    made.later(Duration.ofHours(1)).spent("import", "", "a.json", 9, Standing.IMPORTED);
    made.broken = "what was spent before is more than the ceiling";
    made.event(Kind.BROKEN, made.broken);
    return made.report(300);
  }

  static AccountSamples many(int count) {
    AccountSamples made = new AccountSamples();
    for (int i = 0; i < count; i++) {
      made.later(Duration.ofMinutes(7)).spent("query count", "", "", 1e-4, Standing.SETTLED);
    }
    made.closed = "the study is over";
    made.event(Kind.CLOSED, made.closed);
    return made;
  }

  /** What other people may write into an account. */
  static AccountReport hostile(String text) {
    AccountSamples made = new AccountSamples();
    made.who = text;
    made.later(Duration.ofMinutes(2)).spent(text, text, text, 0.1, Standing.SETTLED);
    made.passedOver.add(new Purpose(text, text, text));
    made.event(Kind.PASSED_OVER, text);
    made.event(Kind.LISTED, text);
    made.closed = text;
    made.event(Kind.CLOSED, text);
    return made.report(300);
  }

  private AccountSamples later(Duration by) {
    now = now.plus(by);
    return this;
  }

  private void spent(String verb, String recipe, String folder, double epsilon, Standing standing) {
    Ledger ledger = Ledger.of(RELATION, new Mechanism.Laplace(1 / epsilon), 1);
    Spending cost = CEILING.cost(ledger);
    items.add(
        new Item(
            "run-" + items.size(),
            new Purpose(verb, recipe, folder),
            who,
            now,
            new LedgerFile(ledger, "patient", 1000, true, "pld"),
            cost,
            standing));
    moment(cost);
    if (standing != Standing.OPEN) {
      charged = charged.plus(cost);
      now = now.plus(Duration.ofMinutes(40));
      moment(NOTHING);
    }
  }

  private void limited(double share) {
    limit = share;
    moment(NOTHING);
    event(Kind.LIMITED, "80%");
  }

  private void moment(Spending reserved) {
    moments.add(new Moment(now, charged, reserved, limit));
  }

  private void event(Kind kind, String text) {
    events.add(new Event(now, who, kind, text));
  }

  AccountReport report(int entries) {
    return new AccountReport(
        new AccountState(
            "0f8fad5b-d9cb-469f-a165-70867728950e",
            "patients.csv.account",
            new AccountTerms("patient", "id", RELATION, CEILING),
            "",
            items,
            limit,
            List.of(),
            passedOver,
            broken,
            closed,
            new AccountHistory(moments, events),
            Optional.empty(),
            new KnownHead("the account", moments.size() + events.size(), DIGEST)),
        entries);
  }
}

package dev.discreet.account;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.accounting.math.Bisection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An account at one moment.
 *
 * <pre>{@code
 * AccountState state = account.state();
 * System.out.printf("%.0f%% spent%n", 100 * state.share());
 * }</pre>
 *
 * @param id tells accounts apart
 * @param name what people call it, without where it lies
 * @param terms what was fixed at opening
 * @param follows what the account took over from another one, in words; empty for none
 * @param items what was spent, in the order in which it was begun
 * @param limit the working limit, as a share of the ceiling
 * @param files what else holds rows of the population
 * @param passedOver for what the data was used without charging it
 * @param broken why nothing is promised any more; empty where the ceiling holds
 * @param closed why nothing may be spent any more; empty where something may
 * @param history how it came to be so
 * @param next the account that took over, if one did
 * @param head the length and the last hash
 */
@PublicApi
public record AccountState(
    String id,
    String name,
    AccountTerms terms,
    String follows,
    List<Item> items,
    double limit,
    List<ListedFile> files,
    List<Purpose> passedOver,
    String broken,
    String closed,
    AccountHistory history,
    Optional<Successor> next,
    KnownHead head) {
  // As often as this is any number of times.
  private static final long MANY = 1L << 41;

  /**
   * Copies.
   *
   * @param id tells accounts apart
   * @param name what people call it
   * @param terms what was fixed at opening
   * @param follows what the account took over from another one
   * @param items what was spent
   * @param limit the working limit
   * @param files what else holds rows of the population
   * @param passedOver for what the data was used without charging it
   * @param broken why nothing is promised any more
   * @param closed why nothing may be spent any more
   * @param history how it came to be so
   * @param next the account that took over, if one did
   * @param head the length and the last hash
   */
  public AccountState {
    items = List.copyOf(items);
    files = List.copyOf(files);
    passedOver = List.copyOf(passedOver);
  }

  /**
   * Something that was spent.
   *
   * @param run tells runs of this account apart; empty for what was imported or carried over
   * @param purpose what for
   * @param by who spent it
   * @param at when it was begun
   * @param spent everything that was charged, or may still be
   * @param cost of that, as the ceiling counts it
   * @param standing what is known of it
   */
  public record Item(
      String run,
      Purpose purpose,
      String by,
      Instant at,
      LedgerFile spent,
      Spending cost,
      Standing standing) {}

  /**
   * The account that takes over from one that was closed.
   *
   * @param id of that account
   * @param place where it is kept: a file, seen from the folder of the closed account's file, or a
   *     database
   */
  public record Successor(String id, String place) {}

  /** What is known of something that was spent. */
  public enum Standing {
    /** Reserved: it may still be charged, and counts as if it were. */
    OPEN,
    /** What was charged is known, by the run itself or its journal. */
    SETTLED,
    /** All that was reserved is taken as charged, because nothing tells what was. */
    WHOLE,
    /** Spent before the account knew of it, by a ledger. */
    IMPORTED,
    /** Spent before the account knew of it, by somebody's word. */
    DECLARED;

    /**
     * For people and JSON.
     *
     * @return such as {@code settled}
     */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What everything costs together, as the ceiling counts it.
   *
   * @return the sum of the items
   */
  public Spending spent() {
    return items.stream()
        .map(Item::cost)
        .reduce(Spending::plus)
        .orElseGet(() -> terms.ceiling().cost(Ledger.empty(terms.neighbouring())));
  }

  /** The account in few words, for one that follows. */
  String words() {
    return "the account "
        + id
        + " (epsilon "
        + Digits.exact(terms.ceiling().epsilon())
        + ", delta "
        + Digits.exact(terms.ceiling().delta())
        + unreadable().map(why -> "; " + why).orElse("")
        + ")";
  }

  /** The first line that is no entry, in words. */
  Optional<String> unreadable() {
    return history.events().stream()
        .filter(event -> event.kind() == AccountHistory.Kind.UNREADABLE)
        .map(AccountHistory.Event::text)
        .findFirst();
  }

  /**
   * Says so where the ceiling was not fixed before everything that it bounds: whoever chose it may
   * have looked at what was released before.
   *
   * @return a sentence, or nothing
   */
  public String chosenAfterLooking() {
    long before =
        items.stream()
            .filter(
                each -> each.standing == Standing.IMPORTED || each.standing == Standing.DECLARED)
            .count();
    return !follows.isEmpty()
        ? "Its ceiling was chosen after looking at what was released under " + follows + "."
        : before == 0
            ? ""
            : "Its ceiling was chosen after " + before + " of the entries had been released.";
  }

  /**
   * How much of the ceiling is spent.
   *
   * @return from 0 to 1; infinite where the account is broken
   */
  public double share() {
    return broken.isEmpty() ? terms.ceiling().share(spent()) : Double.POSITIVE_INFINITY;
  }

  /**
   * How often something still fits below the limit.
   *
   * @param cost of it, each time
   * @return from 0 on; {@code Long.MAX_VALUE} for what costs nothing
   */
  public long stillFits(Spending cost) {
    Spending before = spent();
    if (!broken.isEmpty() || !closed.isEmpty()) {
      return 0;
    }
    long times = Bisection.most(each -> fits(before, cost, each), MANY);
    return times == MANY ? Long.MAX_VALUE : times;
  }

  /**
   * Whether something fits below the limit.
   *
   * @param cost of it
   * @return false also where nothing may be spent any more
   */
  public boolean fits(Spending cost) {
    return broken.isEmpty() && closed.isEmpty() && fits(spent(), cost, 1);
  }

  /**
   * What releases would take, before anything is begun for them.
   *
   * @param ledger what is going to be released
   * @return their share, and how often they fit
   */
  public AccountOutlook outlook(Ledger ledger) {
    Spending cost = terms.cost(ledger);
    return new AccountOutlook(terms.ceiling().share(cost), share(), stillFits(cost));
  }

  private boolean fits(Spending before, Spending cost, long times) {
    Spending after = before.plus(cost.times(times));
    return terms.ceiling().admits(after) && terms.ceiling().share(after) <= limit;
  }

  /**
   * What a run has spent.
   *
   * @param run tells runs apart
   * @return empty where the account does not know it
   */
  public Optional<Item> run(String run) {
    return items.stream().filter(item -> item.run().equals(run)).findFirst();
  }

  /**
   * What a run took of the account.
   *
   * @param run one that the account knows
   * @return its share
   */
  public AccountShare shareOf(String run) {
    Item item = run(run).orElseThrow();
    return new AccountShare(
        id,
        name,
        terms,
        run,
        item.spent().ledger(),
        terms.ceiling().share(item.cost()),
        share(),
        stillFits(item.cost()),
        passedOver.size(),
        broken.isEmpty() ? chosenAfterLooking() : broken,
        head);
  }

  /** Puts an account together from its lines, one after the other. */
  static final class Builder {
    private final String place;
    private final String name;
    private final AccountHistory.Builder history = new AccountHistory.Builder();
    private String id;
    private AccountTerms terms;
    private String follows = "";
    private final List<Item> items = new ArrayList<>();
    // Where the items of this account's runs are. Nothing else is ever replaced.
    private final Map<String, Integer> runs = new HashMap<>();
    private final Map<String, LastJournal> lastJournals = new HashMap<>();
    private double limit = 1;
    private final List<ListedFile> files = new ArrayList<>();
    private final Set<String> digests = new HashSet<>();
    private final List<Purpose> passedOver = new ArrayList<>();
    private String broken = "";
    private String closed = "";
    private String unreadable = "";
    private Successor next;
    private long length;
    private String hash = "";

    Builder(AccountStore store) {
      this.place = store.place();
      this.name = store.name();
    }

    long length() {
      return length;
    }

    boolean isOpened() {
      return terms != null;
    }

    /** Whether it was noted that nothing is promised any more, whatever the entries add up to. */
    boolean isBrokenByName() {
      return !broken.isEmpty();
    }

    /** Where a run wrote its journal last. */
    LastJournal lastJournal(String run) {
      return lastJournals.getOrDefault(run, LastJournal.UNKNOWN);
    }

    /** The line that comes next. */
    AccountLine next(Instant at, String by, AccountEntry entry) {
      return new AccountLine(length, hash, at, by, entry);
    }

    /**
     * Takes the next line. One that is no entry must not hide the others from everybody, so the
     * account goes on as one that is closed, and says who wrote it.
     */
    void add(String text) {
      AccountLine line = null;
      try {
        line = AccountLine.parse(text);
      } catch (RuntimeException e) {
        noteUnreadable(text, e);
      }
      if (line != null) {
        Check.that(
            line.number() == length && line.previous().equals(hash),
            "line " + (length + 1) + " of the account " + place,
            "the one that follows the line before it (was one changed, removed or moved?)",
            line.number() + " after " + line.previous());
        try {
          add(line);
        } catch (RuntimeException e) {
          noteUnreadable(text, e);
        }
      }
      length++;
      hash = AccountLine.hash(text);
    }

    private void add(AccountLine line) {
      Check.that(
          (terms == null) == (line.entry() instanceof AccountEntry.Opened),
          "first line of the account " + place,
          "the one that opened it, and no other",
          line.number());
      refuseAfterTheEnd(line.entry());
      line.entry().accept(new Adding(line));
    }

    private void noteUnreadable(String text, RuntimeException why) {
      if (terms == null) {
        throw why;
      }
      String by = AccountLine.writer(text);
      // The message may hold what the writer chose, and is shown on people's terminals.
      String reason = String.valueOf(why.getMessage()).replaceAll("[\\p{Cc}\\u2028\\u2029]", " ");
      String words =
          "line "
              + (length + 1)
              + " by "
              + by
              + " is no entry: "
              + reason.substring(0, Math.min(200, reason.length()));
      history.unreadable(by, words);
      unreadable = unreadable.isEmpty() ? words : unreadable;
    }

    /** Whether a file with this content was imported before. */
    boolean hasImported(String digest) {
      return digests.contains(digest);
    }

    /**
     * An account that is closed takes nothing but what makes it truer. One that was closed by its
     * owner may still get a successor, and never a second one.
     */
    void refuseAfterTheEnd(AccountEntry entry) {
      boolean truer =
          entry instanceof AccountEntry.Settled
              || entry instanceof AccountEntry.PassedOver
              || entry instanceof AccountEntry.Broken
              || entry instanceof AccountEntry.Closed end && end.next() != null && next == null;
      Check.that(closed.isEmpty() || truer, "account " + place, "open", closed);
    }

    /**
     * What was imported, or settled by a run that had reserved less, may be more than the ceiling
     * has room for. Sums of the same costs differ in their last digits by their order, which is no
     * breach.
     */
    private String brokenBySpending(List<Item> spent) {
      return spent.stream()
              .map(Item::cost)
              .reduce(Spending::plus)
              .filter(all -> !terms.ceiling().admits(all.times(1 - 1e-10)))
              .isPresent()
          ? "more was spent than the ceiling has room for"
          : "";
    }

    AccountState build() {
      Check.that(terms != null, "account " + place, "opened", "an empty file");
      List<Item> spent = List.copyOf(items);
      return new AccountState(
          id,
          name,
          terms,
          follows,
          spent,
          limit,
          files,
          passedOver,
          broken.isEmpty() ? brokenBySpending(spent) : broken,
          unreadable.isEmpty() ? closed : unreadable,
          history.build(),
          Optional.ofNullable(next),
          new KnownHead("the account " + place, length, hash));
    }

    private final class Adding implements AccountEntry.Visitor<Void> {
      private final AccountLine line;

      Adding(AccountLine line) {
        this.line = line;
      }

      @Override
      public Void visit(AccountEntry.Opened entry) {
        id = entry.id();
        terms = entry.terms();
        follows = entry.follows();
        history.opened(line, terms);
        entry.carried().forEach(this::add);
        broken = entry.broken();
        passedOver.addAll(entry.passedOver());
        return null;
      }

      @Override
      public Void visit(AccountEntry.Resumed entry) {
        lastJournals.put(entry.run(), new LastJournal(entry.session(), entry.journal()));
        return null;
      }

      @Override
      public Void visit(AccountEntry.Reserved entry) {
        refuseOtherOrders(entry.cost());
        LastJournal last = new LastJournal(entry.session(), entry.journal());
        if (!runs.containsKey(entry.run())) {
          lastJournals.put(entry.run(), last);
          runs.put(entry.run(), items.size());
          return add(
              new Item(
                  entry.run(),
                  entry.purpose(),
                  line.by(),
                  line.at(),
                  entry.planned(),
                  entry.cost(),
                  Standing.OPEN));
        }
        Item before = items.get(runs.get(entry.run()));
        LedgerFile spent = before.spent.plus(entry.planned());
        lastJournals.put(entry.run(), last);
        return replace(before, spent, before.cost.plus(entry.cost()), Standing.OPEN);
      }

      /** Before anything changes: what cannot be added up must not be among the items. */
      private void refuseOtherOrders(Spending cost) {
        int orders = terms.ceiling().orders().size();
        Check.that(
            cost.logMoments().size() == orders,
            "log moments",
            "as many as orders, " + orders,
            cost.logMoments().size());
      }

      private Void add(Item item) {
        items.add(item);
        history.changed(line, null, item, items);
        return null;
      }

      private Void replace(Item before, LedgerFile spent, Spending cost, Standing standing) {
        Item item =
            new Item(before.run, before.purpose, before.by, before.at, spent, cost, standing);
        items.set(runs.get(before.run), item);
        history.changed(line, before, item, items);
        return null;
      }

      @Override
      public Void visit(AccountEntry.Settled entry) {
        Check.that(
            runs.containsKey(entry.run()),
            "run that is settled",
            "one that has reserved something",
            entry.run());
        refuseOtherOrders(entry.cost());
        Item open = items.get(runs.get(entry.run()));
        return replace(
            open,
            open.spent.withLedger(entry.charged()),
            entry.cost(),
            entry.proof() == AccountEntry.Proof.NONE ? Standing.WHOLE : Standing.SETTLED);
      }

      @Override
      public Void visit(AccountEntry.Imported entry) {
        refuseOtherOrders(entry.cost());
        digests.add(entry.digest());
        return add(
            new Item(
                "",
                new Purpose("import", "", entry.source()),
                line.by(),
                line.at(),
                entry.spent(),
                entry.cost(),
                entry.declared() ? Standing.DECLARED : Standing.IMPORTED));
      }

      @Override
      public Void visit(AccountEntry.Limited entry) {
        limit = entry.share();
        history.limited(line, limit);
        return null;
      }

      @Override
      public Void visit(AccountEntry.Listed entry) {
        files.add(entry.file());
        history.event(line, AccountHistory.Kind.LISTED, entry.file().path());
        return null;
      }

      @Override
      public Void visit(AccountEntry.PassedOver entry) {
        passedOver.add(entry.purpose());
        history.event(line, AccountHistory.Kind.PASSED_OVER, entry.purpose().words());
        return null;
      }

      @Override
      public Void visit(AccountEntry.Broken entry) {
        broken = broken.isEmpty() ? entry.reason() : broken;
        history.event(line, AccountHistory.Kind.BROKEN, entry.reason());
        return null;
      }

      @Override
      public Void visit(AccountEntry.Closed entry) {
        closed = entry.reason();
        history.event(line, AccountHistory.Kind.CLOSED, entry.reason());
        next = entry.next();
        return null;
      }
    }
  }
}

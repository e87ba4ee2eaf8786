package dev.discreet.account;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.Spending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How an account came to be what it is.
 *
 * <pre>{@code
 * AccountHistory history = account.state().history();
 * history.events().forEach(event -> System.out.println(event.at() + " " + event.text()));
 * }</pre>
 *
 * @param moments what was spent by when, in the order of time
 * @param events what happened besides spending, in the order of time
 */
@PublicApi
public record AccountHistory(List<Moment> moments, List<Event> events) {

  /**
   * Copies.
   *
   * @param moments what was spent by when
   * @param events what happened besides spending
   */
  public AccountHistory {
    moments = List.copyOf(moments);
    events = List.copyOf(events);
  }

  /**
   * What was spent up to a moment, and how much might be. Both parts together count as spent.
   *
   * @param at when it became so
   * @param charged what runs that are settled have charged, and what was imported
   * @param reserved what runs that are open may charge
   * @param limit the working limit, as a share of the ceiling
   */
  public record Moment(Instant at, Spending charged, Spending reserved, double limit) {
    /**
     * What counts as spent.
     *
     * @return what is charged and what is reserved together
     */
    public Spending spent() {
      return charged.plus(reserved);
    }
  }

  /**
   * Something that happened besides spending.
   *
   * @param at when
   * @param by who did it, as the machine names them
   * @param kind of what kind it is
   * @param text in words, as those who did it wrote them
   */
  public record Event(Instant at, String by, Kind kind, String text) {}

  /** What may happen to an account besides spending. */
  public enum Kind {
    /** The account was opened. */
    OPENED,
    /** Its owner set the working limit. */
    LIMITED,
    /** A file of the population was listed. */
    LISTED,
    /** The data was used without charging it. */
    PASSED_OVER,
    /** From here on nothing is promised. */
    BROKEN,
    /** From here on nothing may be spent. */
    CLOSED,
    /** Somebody wrote what is no entry, and might be spending: nothing may be spent after it. */
    UNREADABLE;

    /**
     * For people and JSON.
     *
     * @return such as {@code passed over}
     */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Writes a history down, line by line of the account. */
  static final class Builder {
    private final List<Moment> moments = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<String, Spending> open = new LinkedHashMap<>();
    private Spending nothing;
    private Spending charged;
    private double limit = 1;

    void opened(AccountLine line, AccountTerms terms) {
      nothing = terms.ceiling().cost(Ledger.empty(terms.neighbouring()));
      charged = nothing;
      moment(line);
      event(line, Kind.OPENED, "");
    }

    /**
     * A run reserved or settled, or something was imported.
     *
     * @param before what stood there; null for nothing
     * @param all the items with this change in place
     */
    void changed(
        AccountLine line,
        AccountState.Item before,
        AccountState.Item after,
        Collection<AccountState.Item> all) {
      boolean isOpen = after.standing() == AccountState.Standing.OPEN;
      if (isOpen) {
        open.put(after.run(), after.cost());
      } else {
        open.remove(after.run());
      }
      if (before != null && before.standing() != AccountState.Standing.OPEN) {
        // A run that was settled goes on. Infinite costs cannot be subtracted, so all are added.
        charged =
            all.stream()
                .filter(item -> item.standing() != AccountState.Standing.OPEN)
                .map(AccountState.Item::cost)
                .reduce(nothing, Spending::plus);
      } else if (!isOpen) {
        charged = charged.plus(after.cost());
      }
      moment(line);
    }

    void limited(AccountLine line, double share) {
      limit = share;
      moment(line);
      event(line, Kind.LIMITED, AccountShare.percent(share));
    }

    void event(AccountLine line, Kind kind, String text) {
      events.add(new Event(line.at(), line.by(), kind, text));
    }

    /** A line that is no entry, written after the last one that is. */
    void unreadable(String by, String why) {
      Instant after = moments.get(moments.size() - 1).at();
      events.add(new Event(after, by, Kind.UNREADABLE, why));
    }

    private void moment(AccountLine line) {
      Spending reserved = open.values().stream().reduce(nothing, Spending::plus);
      moments.add(new Moment(line.at(), charged, reserved, limit));
    }

    AccountHistory build() {
      return new AccountHistory(moments, events);
    }
  }
}

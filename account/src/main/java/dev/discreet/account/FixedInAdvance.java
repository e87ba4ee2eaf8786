package dev.discreet.account;

import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.PldAccountant;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.RelationConversion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What everything that was spent under an account would cost if it had been fixed in advance. It
 * was not: what was run next, and when it ended, was chosen after looking. So this is no promise;
 * the promise is the ceiling.
 *
 * <pre>{@code
 * FixedInAdvance composed = FixedInAdvance.of(account.state());
 * System.out.println(composed.words());
 * }</pre>
 *
 * @param epsilon of everything together, at {@code delta}
 * @param delta that of the ceiling
 * @param accountant who composed: {@code pld}, which is tight, or {@code rdp}, which is not
 */
@PublicApi
public record FixedInAdvance(double epsilon, double delta, String accountant) {
  // Composing takes longer with every different release, and whoever looks at an account waits.
  private static final int MOST_MECHANISMS = 8;
  private static final int MOST_ITEMS = 1000;

  /**
   * Composes what was spent: tightly where it is not much, and of few different mechanisms, else by
   * the Rényi orders of the ceiling.
   *
   * @param state the account
   * @return the cost
   */
  public static FixedInAdvance of(AccountState state) {
    double delta = state.terms().ceiling().delta();
    double rough = state.terms().ceiling().epsilon(state.spent());
    Map<Mechanism, Long> counts = new LinkedHashMap<>();
    if (state.items().size() > MOST_ITEMS) {
      return new FixedInAdvance(rough, delta, "rdp");
    }
    for (AccountState.Item item : state.items()) {
      Ledger own = RelationConversion.of(item.spent().ledger(), state.terms().neighbouring());
      own.totals().forEach((mechanism, count) -> counts.merge(mechanism, count, Math::addExact));
      // Parts of one run are not those of another: a unit of the one may be in any of the other.
      if (counts.size() > MOST_MECHANISMS
          || own.entries().stream().anyMatch(entry -> !entry.part().isEmpty())) {
        return new FixedInAdvance(rough, delta, "rdp");
      }
    }
    List<Ledger.Entry> entries =
        counts.entrySet().stream()
            .map(each -> new Ledger.Entry(each.getKey(), each.getValue()))
            .toList();
    Ledger all = new Ledger(state.terms().neighbouring(), entries);
    double tight = new PldAccountant().epsilon(all, delta).epsilon();
    return tight <= rough
        ? new FixedInAdvance(tight, delta, "pld")
        : new FixedInAdvance(rough, delta, "rdp");
  }

  /**
   * For people, with what it is not.
   *
   * @return two sentences
   */
  public String words() {
    return "If everything had been fixed in advance, all of it together would cost epsilon "
        + Digits.up(epsilon)
        + " at delta "
        + Digits.exact(delta)
        + " ("
        + (accountant.equals("pld")
            ? "tight composition"
            : "by Rényi orders: tight composition takes too long for so much")
        + "). That is no promise, because things were chosen after looking.";
  }

  /**
   * For files.
   *
   * @return names and values
   */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("epsilon", epsilon);
    fields.put("delta", delta);
    fields.put("accountant", accountant);
    return fields;
  }
}

package dev.discreet.cli.account;

import dev.discreet.account.AccountShare;
import dev.discreet.account.AccountState;
import dev.discreet.account.FixedInAdvance;
import dev.discreet.account.ListedFile;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.filter.Spending;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.cli.console.Table;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An account as tables, sentences and fields. */
final class AccountWords {
  private static final int LAST = 20;
  private static final double OF_A_MEAN = 0.1;
  private static final DateTimeFormatter WHEN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private AccountWords() {}

  /** The guarantee, and how much of it is spent. */
  static String standing(AccountState state) {
    PrivacyFilter ceiling = state.terms().ceiling();
    if (!state.broken().isEmpty()) {
      return "Nothing is promised any more: " + state.broken() + ".";
    }
    return "Everything that is charged to it is (epsilon "
        + Digits.exact(ceiling.epsilon())
        + ", delta "
        + Digits.exact(ceiling.delta())
        + ")-private together for each "
        + state.terms().unit()
        + " ("
        + state.terms().neighbouring().label()
        + "), whatever is run next, unless it is broken by name later. "
        + AccountShare.passedOverWords(state.passedOver().size())
        + AccountShare.percent(state.share())
        + " of it is spent"
        + (state.limit() < 1 ? "; the limit is " + AccountShare.percent(state.limit()) : "")
        + "."
        + (state.chosenAfterLooking().isEmpty() ? "" : " " + state.chosenAfterLooking())
        + (state.closed().isEmpty() ? "" : " It is closed: " + state.closed() + ".");
  }

  /** How many means with Laplace noise still fit: a question whose price people can picture. */
  private static long means(AccountState state) {
    Neighbouring relation = state.terms().neighbouring();
    return state.stillFits(
        state
            .terms()
            .cost(Ledger.of(relation, new Protection.Laplace(OF_A_MEAN).mechanism(relation), 1)));
  }

  static void print(AccountState state, boolean all, PrintWriter out) {
    List<AccountState.Item> items = state.items();
    int from = all ? 0 : Math.max(0, items.size() - LAST);
    if (from > 0) {
      out.println(from + " earlier entries are not shown (--all shows them).");
    }
    Table table =
        new Table()
            .row(
                "when (UTC)",
                "who",
                "what",
                "recipe",
                "where",
                "epsilon alone (Rényi)",
                "share",
                "standing");
    for (AccountState.Item item : items.subList(from, items.size())) {
      table.row(
          WHEN.format(item.at()),
          oneLine(item.by()),
          item.purpose().verb(),
          item.purpose().shortRecipe(),
          item.purpose().folder(),
          Digits.up(state.terms().ceiling().epsilon(item.cost())),
          AccountShare.rounded(state.terms().ceiling().share(item.cost())),
          standing(item));
    }
    if (!items.isEmpty()) {
      table.print(out);
    }
    out.println(standing(state));
    if (!items.isEmpty()) {
      Spending last = items.get(items.size() - 1).cost();
      out.println(FixedInAdvance.of(state).words());
      out.println(
          "Still fits: "
              + AccountShare.times(state.stillFits(last))
              + " more like the last, or "
              + AccountShare.times(means(state))
              + " means at epsilon "
              + Digits.exact(OF_A_MEAN)
              + ".");
    }
    out.println("Head: " + state.head().text());
  }

  /** What other people wrote into the account must not move the cursor of this terminal. */
  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private static String standing(AccountState.Item item) {
    String word = item.standing().label();
    return item.standing() == AccountState.Standing.OPEN ? word + ", run " + item.run() : word;
  }

  static Map<String, Object> fields(AccountState state) {
    PrivacyFilter ceiling = state.terms().ceiling();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", state.id());
    fields.put("name", state.name());
    fields.put("unit", state.terms().unit());
    fields.put("unitColumn", state.terms().unitColumn());
    fields.put("neighbouring", state.terms().neighbouring().label());
    fields.put("epsilon", ceiling.epsilon());
    fields.put("delta", ceiling.delta());
    fields.put("share", state.share());
    fields.put("limit", state.limit());
    fields.put("meansThatFit", means(state));
    fields.put("ifFixedInAdvance", FixedInAdvance.of(state).fields());
    fields.put("guarantee", state.broken().isEmpty() ? "ceiling" : "none");
    fields.put("broken", state.broken());
    fields.put("follows", state.follows());
    fields.put("chosenAfterLooking", state.chosenAfterLooking());
    fields.put("passedOver", state.passedOver().size());
    fields.put("files", state.files().stream().map(ListedFile::path).toList());
    fields.put("closed", state.closed());
    fields.put("length", state.head().length());
    fields.put("head", state.head().hash());
    fields.put(
        "entries",
        state.items().stream()
            .map(
                item -> {
                  Map<String, Object> entry = new LinkedHashMap<>();
                  entry.put("at", item.at().toString());
                  entry.put("by", item.by());
                  entry.put("verb", item.purpose().verb());
                  entry.put("recipe", item.purpose().recipe());
                  entry.put("folder", item.purpose().folder());
                  entry.put("run", item.run());
                  entry.put("ownEpsilon", ceiling.epsilon(item.cost()));
                  entry.put("share", ceiling.share(item.cost()));
                  entry.put("standing", item.standing().label());
                  return entry;
                })
            .toList());
    fields.put(
        "events",
        state.history().events().stream()
            .map(
                event -> {
                  Map<String, Object> each = new LinkedHashMap<>();
                  each.put("at", event.at().toString());
                  each.put("by", event.by());
                  each.put("kind", event.kind().label());
                  each.put("text", event.text());
                  return each;
                })
            .toList());
    return fields;
  }
}

package dev.discreet.account;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.filter.PrivacyFilter;
import dev.discreet.accounting.statement.StatementParagraph;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run took of an account, and how the account stood afterwards.
 *
 * <pre>{@code
 * AccountShare share = account.state().shareOf(run);
 * System.out.println(share.words());
 * }</pre>
 *
 * @param account the account's id
 * @param name what people call the account
 * @param terms what the account promises, to whom
 * @param run as the account names it
 * @param charged what the account has for the run
 * @param share what the run took, as a share of the ceiling
 * @param spent what everything together has taken
 * @param stillFits how often the same fits again below the limit
 * @param passedOver how often the data was used without charging it to the account
 * @param remark why the account promises nothing any more, or that its ceiling was chosen after
 *     looking; empty for neither
 * @param head how long the account was, and the hash of its last line
 */
@PublicApi
public record AccountShare(
    String account,
    String name,
    AccountTerms terms,
    String run,
    Ledger charged,
    double share,
    double spent,
    long stillFits,
    int passedOver,
    String remark,
    KnownHead head)
    implements RunAccount {

  @Override
  public String words() {
    if (Double.isInfinite(spent)) {
      return "charged to " + name + ", which PROMISES NOTHING any more";
    }
    return rounded(share)
        + " of "
        + name
        + ", "
        + rounded(spent)
        + " spent in all; "
        + times(stillFits)
        + " more like this fit";
  }

  /**
   * A number of times as people read it.
   *
   * @param number as {@link AccountState#stillFits} gives it
   * @return such as {@code 12}
   */
  public static String times(long number) {
    return number == Long.MAX_VALUE ? "any number" : Long.toString(number);
  }

  @Override
  public StatementParagraph paragraph() {
    PrivacyFilter ceiling = terms.ceiling();
    if (Double.isInfinite(spent)) {
      return new StatementParagraph(
          "Account",
          "This was charged to the account "
              + name
              + " ("
              + account
              + "), which PROMISES NOTHING any more: "
              + remark
              + ". "
              + headWords(head));
    }
    return new StatementParagraph(
        "Account",
        "This was charged to the account "
            + name
            + " ("
            + account
            + "), and took "
            + rounded(share)
            + " of its ceiling; with it, "
            + rounded(spent)
            + " was spent in all. What holds for everything that is charged to it together,"
            + " whatever is run next, is that ceiling, unless the account is broken by name later:"
            + " epsilon "
            + Digits.exact(ceiling.epsilon())
            + " at delta "
            + Digits.exact(ceiling.delta())
            + " for each single "
            + terms.unit()
            + " ("
            + terms.neighbouring().label()
            + "). "
            + passedOverWords(passedOver)
            + (remark.isEmpty() ? "" : remark + " ")
            + headWords(head));
  }

  /**
   * What the ceiling does not cover.
   *
   * @param times how often data was used without charging it
   * @return a sentence with a space after it; nothing for 0
   */
  public static String passedOverWords(int times) {
    return times == 0
        ? ""
        : "The data was used "
            + times
            + (times == 1 ? " time" : " times")
            + " without charging it, which this does not cover. ";
  }

  /** How to find out whether the account still knows of this. */
  static String headWords(KnownHead head) {
    return "The account had "
        + head.length()
        + (head.length() == 1 ? " entry" : " entries")
        + " then, and its head was "
        + head.hash()
        + ": \"discreet account verify ACCOUNT --against\" this run refuses an account that knows"
        + " less.";
  }

  @Override
  public Map<String, Object> fields(Ledger stated) {
    Map<String, Object> fields = fields();
    // A run that was stopped states its whole plan, and a shared ledger has other runs in it.
    if (!stated.totals().equals(charged.totals())) {
      try {
        fields.put("charged", JSON.std.mapFrom(charged.toJson()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return fields;
  }

  @Override
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", account);
    fields.put("name", name);
    fields.put("run", run);
    fields.put("share", share);
    fields.put("spentShare", spent);
    fields.put("guarantee", Double.isInfinite(spent) ? "none" : "ceiling");
    fields.put("epsilon", terms.ceiling().epsilon());
    fields.put("delta", terms.ceiling().delta());
    fields.put("length", head.length());
    fields.put("head", head.hash());
    return fields;
  }

  /**
   * A share for tables, rounded up to three digits.
   *
   * @param share of a ceiling
   * @return such as {@code 12.5%}
   */
  public static String rounded(double share) {
    return Double.isInfinite(share)
        ? percent(share)
        : new BigDecimal(100 * share)
                .round(new MathContext(3, RoundingMode.CEILING))
                .stripTrailingZeros()
                .toPlainString()
            + "%";
  }

  /**
   * A share as people read it, rounded up.
   *
   * @param share of a ceiling
   * @return such as {@code 12.5%}
   */
  public static String percent(double share) {
    return Double.isInfinite(share) ? "more than there is" : Digits.up(100 * share) + "%";
  }
}

package dev.discreet.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.AccountShare;
import dev.discreet.account.AccountState;
import dev.discreet.accounting.Guarantee;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccountReportTest {

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void theGuaranteeIsTheCeilingAndNeverWhatWasSpent() {
    AccountReport report = AccountSamples.used();
    String html = report.html();
    assertTrue(html.contains("together <b>(ε 3, δ 1e-6)-private</b> for each patient"), html);
    assertTrue(html.contains("<p class=\"value\">ε 3</p>"));
    String share = AccountShare.rounded(report.state().share());
    assertTrue(html.contains("<h2>Spent</h2><p class=\"value\">" + share + "</p>"));
    assertTrue(html.contains("1 run is open, whose reservations count"));
    assertTrue(html.contains("up to the working limit, 80%; still fits: "));
    assertTrue(html.contains("The data was used once without charging it to this account."));
    assertTrue(html.contains(share + ", with what is reserved</title>"));
    assertFalse(AccountSamples.fresh().html().contains("with what is reserved"));
    assertTrue(html.contains("If everything had been fixed in advance, all of it together"));
    assertTrue(html.contains("That is no promise"));
    assertTrue(html.contains(report.state().head().hash()));
    assertTrue(
        html.contains("<td title=\"9f86d081884c7d"), "the whole digest is under the pointer");
    assertTrue(html.contains(">9f86d081</td>"));
    // Nothing refers to another file or to the network.
    assertFalse(html.contains("http:") || html.contains("https:") || html.contains("<script"));
  }

  @Test
  void theAttackersCurveIsThatOfTheCeiling() {
    PrivacyFilter ceiling = AccountSamples.CEILING;
    Attack attack =
        new Attack(Guarantee.epsilonAt(ceiling.delta(), 0, ceiling.epsilon(), "filter", ""));
    for (double wrong : new double[] {0, 0.001, 0.01, 0.1, 0.5, 1}) {
      double least =
          Math.max(
              0,
              Math.max(
                  1 - ceiling.delta() - Math.exp(ceiling.epsilon()) * wrong,
                  Math.exp(-ceiling.epsilon()) * (1 - ceiling.delta() - wrong)));
      assertEquals(least, attack.missed(wrong), 1e-12, "at " + wrong);
    }
    String told = "At 1%, 10% and 50% false positives it has at least ";
    String fresh = AccountSamples.fresh().html();
    int at = fresh.indexOf(told);
    assertTrue(at > 0);
    assertTrue(
        AccountSamples.used().html().contains(fresh.substring(at, at + told.length() + 30)),
        "what was spent does not change the curve");
  }

  @Test
  void aBrokenAccountPromisesNothing() {
    String html = AccountSamples.broken().html();
    String body = html.substring(html.indexOf("<body>") + 6).strip();
    assertTrue(
        body.startsWith(
            "<aside class=\"banner\" role=\"note\"><strong>NOTHING IS PROMISED ANY MORE</strong>"));
    assertTrue(html.contains("<title>NO PROMISE"));
    assertTrue(html.contains("<h2>Guarantee</h2><p class=\"value\">none</p>"));
    assertFalse(html.contains("id=\"attack\""));
    assertFalse(html.contains("is the guarantee"));
  }

  @Test
  void textOfOthersIsEscaped() {
    String bad = "</title><script>alert(\"1\")</script>'&";
    String html = AccountSamples.hostile(bad).html();
    assertFalse(html.contains("<script") || html.contains("alert(\""));
    // In the entry: who, verb, recipe and its digest's beginning, folder. Then events and the lead.
    assertTrue(count(html, "&lt;/title&gt;&lt;script&gt;") >= 8, html);
  }

  @Test
  void manyEntriesDoNotMakeALargePage() {
    AccountSamples samples = AccountSamples.many(2_000);
    String some = samples.report(300).html();
    assertTrue(some.length() < 200_000, some.length() + " characters");
    assertTrue(some.contains("the last 300 entries; 1,700 earlier ones are not shown"));
    assertEquals(300, count(some, "<td>query count</td>"));
    String all = samples.report(Integer.MAX_VALUE).html();
    assertEquals(2_000, count(all, "<td>query count</td>"));
    assertFalse(all.contains("earlier ones are not shown"));
  }

  @Test
  void aTableHasRows() {
    AccountState state = AccountSamples.used().state();
    assertEquals(
        "entries must be at least 1. Provided value: 0",
        assertThrows(IllegalArgumentException.class, () -> new AccountReport(state, 0))
            .getMessage());
  }

  /** At least one tick, few enough to be read, and each with a text of its own. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-16T12:00:00Z, 2026-11-16T12:00:00Z, 12:00",
    "2026-11-16T12:00:00Z, 2026-11-16T12:20:00Z, 12:15",
    "2026-11-16T12:00:00Z, 2026-11-17T11:00:00Z, 11-17",
    "2026-11-16T12:00:00Z, 2026-11-29T11:00:00Z, 11-19",
    "2026-11-16T12:00:00Z, 2027-06-01T00:00:00Z, 2027-01",
    "2019-11-16T12:00:00Z, 2027-06-01T00:00:00Z, 2026",
    "1970-01-01T00:00:00Z, 9999-01-01T00:00:00Z, ''"
  })
  void timeHasTicksOfTheCalendar(Instant first, Instant last, String among) {
    Axis axis = TimeAxis.of(first, last);
    List<String> texts = axis.ticks().stream().map(axis.text()::apply).toList();
    assertTrue(texts.size() <= 4, texts.toString());
    assertTrue(among.isEmpty() || texts.contains(among), texts.toString());
    for (int i = 1; i < texts.size(); i++) {
      assertNotEquals(texts.get(i - 1), texts.get(i), texts.toString());
    }
    for (double tick : axis.ticks()) {
      assertTrue(axis.place(tick) >= 0 && axis.place(tick) <= 1, tick + " of " + axis);
    }
    assertTrue(axis.place(last.getEpochSecond()) < 1);
  }
}

package dev.discreet.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.filter.PrivacyFilter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts that were made to do harm; found by the tests of hostile input. */
class ForgedAccountTest {
  private static final AccountTerms TERMS =
      new AccountTerms("person", "", Neighbouring.ADD_REMOVE, new PrivacyFilter(8, 1e-6));

  @TempDir Path folder;

  private Account account() {
    return Account.open(new AccountFile(folder.resolve("a.account")), TERMS);
  }

  @Test
  void timesThatAreNoneAreRefusedInOurWords() {
    AccountLine line = new AccountLine(0, "", Instant.EPOCH, "ann", new AccountEntry.Limited(0.5));
    for (String time : new String[] {"", "x", "1970-13-01T00:00:00Z", "1970-0a-01T00:00:00Z"}) {
      String text = line.text().replace("1970-01-01T00:00:00Z", time);
      Exception e = assertThrows(IllegalArgumentException.class, () -> AccountLine.parse(text));
      assertEquals(IllegalArgumentException.class, e.getClass());
      assertTrue(e.getMessage().startsWith("time of an entry must be"), e.getMessage());
    }
  }

  /** Names that Java's own exception would quote with the name of a class. */
  @Test
  void namesThatNoKindHasAreRefusedInOurWords() {
    Ledger nothing = Ledger.empty(Neighbouring.ADD_REMOVE);
    AccountState.Item item =
        new AccountState.Item(
            "",
            new Purpose("train", "", ""),
            "ann",
            Instant.EPOCH,
            new LedgerFile(nothing, "person", 0, true, ""),
            TERMS.cost(nothing),
            AccountState.Standing.SETTLED);
    String opened =
        line(
            new AccountEntry.Opened(
                Account.newRun(), TERMS, "the account x", List.of(item), "", List.of()));
    String settled =
        line(
            new AccountEntry.Settled(
                Account.newRun(), nothing, TERMS.cost(nothing), AccountEntry.Proof.NONE));
    for (String text : List.of(opened, settled)) {
      assertEquals(text, AccountLine.parse(text).text());
    }
    for (String name : new String[] {"", "settled", "Settled", "SETTLED ", "RUN.class", "0"}) {
      refused("standing must be one of", opened.replace("\"SETTLED\"", '"' + name + '"'));
      refused("proof must be one of", settled.replace("\"NONE\"", '"' + name + '"'));
    }
  }

  private static String line(AccountEntry entry) {
    return new AccountLine(0, "", Instant.EPOCH, "ann", entry).text();
  }

  private static void refused(String why, String text) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> AccountLine.parse(text));
    assertEquals(IllegalArgumentException.class, e.getClass());
    assertTrue(e.getMessage().startsWith(why), e.getMessage());
  }

  @Test
  void anAccountThatFollowsItselfIsRefused() {
    Account account = account();
    String own = account.state().id();
    account.append(
        () -> new AccountEntry.Closed("moved", new AccountState.Successor(own, "a.account")));
    String message = assertThrows(IllegalArgumentException.class, account::last).getMessage();
    assertTrue(message.contains("a row with an end"), message);
  }

  @Test
  void anAccountThatLeadsToNoFileIsRefused() {
    Account account = account();
    account.append(
        () -> new AccountEntry.Closed("moved", new AccountState.Successor(Account.newRun(), "/")));
    assertThrows(IllegalArgumentException.class, account::last);
  }
}

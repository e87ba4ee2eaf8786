package dev.discreet.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountCommandTest {
  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void table() throws IOException {
    table = folder.resolve("people.csv");
    StringBuilder text = new StringBuilder("id,income\n");
    for (int i = 0; i < 500; i++) {
      text.append(i).append(',').append(20_000 + 10 * i).append('\n');
    }
    Files.writeString(table, text);
  }

  private Run account(String verb, String options) {
    return Run.of("account " + verb + " " + table + " " + options);
  }

  private void open() {
    Run opened = account("open", "--epsilon 3 --delta 1e-6 --unit person --one-row-each");
    assertEquals(0, opened.code(), opened.err());
  }

  private Run ask(String more) {
    return Run.of("query count --json --column income --data " + table + " " + more);
  }

  @Test
  void aQueryIsChargedToTheAccountBesideItsTable() {
    open();
    Run answer = ask("--epsilon 0.3");
    assertEquals("person", answer.object().get("unit"));
    Map<?, ?> charged = (Map<?, ?>) answer.object().get("account");
    assertTrue((double) charged.get("share") > 0);
    assertEquals(charged.get("share"), charged.get("spentShare"));
    Run shown = account("show", "--json");
    List<?> entries = (List<?>) shown.object().get("entries");
    assertEquals("query count", ((Map<?, ?>) entries.get(0)).get("verb"));
    assertEquals("settled", ((Map<?, ?>) entries.get(0)).get("standing"));
    assertEquals(0, account("verify", "").code());
    assertTrue(account("show", "").out().contains("Still fits: "));
  }

  @Test
  void whatWouldPassTheCeilingIsRefusedBeforeTheTableIsRead() throws IOException {
    open();
    Files.delete(table);
    Run refused = ask("--epsilon 4");
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("at most its limit, 100%"), refused.err());
  }

  @Test
  void anotherUnitIsRefused() {
    open();
    Run refused = ask("--epsilon 0.3 --unit house");
    assertTrue(refused.err().contains("that of the account, person"), refused.err());
  }

  @Test
  void theAccountIsPassedOverOnlyByNameAndKnowsIt() {
    open();
    Run outside = ask("--epsilon 4 --pass-over-account");
    assertEquals(0, outside.code(), outside.err());
    assertFalse(outside.object().containsKey("account"));
    assertTrue(account("show", "").out().contains("without charging it"));
  }

  @Test
  void earlierSpendingIsImportedAndMarked() throws IOException {
    open();
    Path ledger = folder.resolve("ledger.json");
    Files.writeString(
        ledger,
        new LedgerFile(
                Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(2), 1),
                "person",
                500,
                true,
                "pld")
            .toJson());
    assertEquals(0, account("import", "--ledger " + ledger + " --declared").code());
    assertTrue(account("show", "").out().contains("declared"));
  }

  @Test
  void limitAndCloseHold() {
    open();
    assertEquals(0, account("limit", "--share 0.1").code());
    assertTrue(ask("--epsilon 1").err().contains("at most its limit, 10%"));
    assertEquals(0, account("close", "").code());
    assertTrue(ask("--epsilon 0.01").err().contains("closed by its owner"));
  }

  @Test
  void wrongUsage() {
    Run both = account("open", "--epsilon 3 --delta 1e-6 --unit person");
    assertTrue(both.err().contains("one of --unit-column NAME and --one-row-each"), both.err());
    assertTrue(account("show", "").err().contains("a file that is there"));
    open();
    assertTrue(account("settle", "--run x").err().contains("one of --journal FILE"));
    assertTrue(account("settle", "--run x --without-journal").err().contains("one that is open"));
    assertTrue(
        Run.of("account show jdbc:postgresql://localhost/x").err().contains("with # and a name"));
  }
}

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
  void whatWouldPassTheCeilingIsRefused() {
    open();
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

  private static final String TRAIN =
      " --label sick=no|yes --column age=0..100 --model logistic --steps 5 --lot-size 50"
          + " --noise-multiplier 4 --held-out none --quiet";

  private void patients() throws IOException {
    StringBuilder text = new StringBuilder("id,age,sick\n");
    for (int i = 0; i < 600; i++) {
      text.append(i / 2).append(',').append(i % 90).append(i % 90 > 50 ? ",yes\n" : ",no\n");
    }
    Files.writeString(table, text);
    Run.of("account open " + table + " --epsilon 8 --delta 1e-6 --unit patient --unit-column id");
  }

  private Run train(String more) {
    return Run.of("train --data " + table + TRAIN + more);
  }

  private Map<?, ?> entry(int at) {
    List<?> entries = (List<?>) account("show", "--json").object().get("entries");
    return (Map<?, ?>) entries.get(at);
  }

  @Test
  void aTrainingTakesItsUnitFromTheAccountAndIsChargedToIt() throws IOException {
    patients();
    Path out = folder.resolve("run");
    Run trained = train(" --out " + out);
    assertEquals(0, trained.code(), trained.err());
    assertTrue(Files.readString(out.resolve("privacy.txt")).contains("patient"));
    assertEquals("train", entry(0).get("verb"));
    assertEquals("settled", entry(0).get("standing"));
    assertEquals(out.toString(), entry(0).get("folder"));
    assertEquals(0, account("verify", "--against " + out).code());
    Run refused = train(" --steps 100000 --out " + folder.resolve("more"));
    assertTrue(refused.err().contains("at most its limit, 100%"), refused.err());
    assertFalse(Files.exists(folder.resolve("more.unfinished")));
    assertEquals(0, account("verify", "").code());
  }

  @Test
  void aSeededTrainingIsRefused() throws IOException {
    patients();
    Run refused = train(" --insecure-seed 1 --out " + folder.resolve("run"));
    assertTrue(refused.err().contains("one with secret keys"), refused.err());
  }

  @Test
  void aSearchIsChargedOnceAndWhole() throws IOException {
    patients();
    Path file = folder.resolve("tune.yaml");
    Files.writeString(
        file,
        "data: "
            + table
            + "\nlabel: sick=no|yes\ncolumn: [age=0..100]\nmodel: logistic\nsteps: 5\n"
            + "lot-size: 50\nepsilon: 2\nheld-out: released\n"
            + "tune:\n  mean: 2\n  settings:\n    learning-rate: [1, 5]\n");
    Run tuned = Run.of("tune " + file + " --quiet --out " + folder.resolve("tuned"));
    assertEquals(0, tuned.code(), tuned.err());
    assertEquals("tune", entry(0).get("verb"));
    assertEquals(1, ((List<?>) account("show", "--json").object().get("entries")).size());
  }

  @Test
  void aRegressionIsChargedToo() throws IOException {
    patients();
    Run fitted =
        Run.of(
            "regress --data " + table + " --label sick=no|yes --column age=0..100 --epsilon 0.5");
    assertEquals(0, fitted.code(), fitted.err());
    assertEquals("regress", entry(0).get("verb"));
    assertTrue(fitted.out().contains("spent in all"), fitted.out());
  }

  @Test
  void countsThatAreSpentOnAreChargedToo() throws IOException {
    patients();
    Run counted =
        Run.of(
            "data describe --data "
                + table
                + " --label sick=no|yes --column age=0..100 --spend 0.5 --ledger "
                + folder.resolve("counts.ledger"));
    assertEquals(0, counted.code(), counted.err());
    assertEquals("data describe", entry(0).get("verb"));
  }
}

package dev.discreet.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  void queriesOnOneLedgerAreEachChargedOnce() {
    open();
    Path ledger = folder.resolve("asked.ledger");
    ask("--epsilon 0.3 --ledger " + ledger);
    Run second = ask("--epsilon 0.3 --ledger " + ledger);
    assertEquals(0, second.code(), second.err());
    Map<?, ?> charged = (Map<?, ?>) second.object().get("account");
    assertEquals(2 * (double) charged.get("share"), (double) charged.get("spentShare"), 1e-9);
    assertEquals(ledger.toString(), entry(0).get("folder"));
    assertEquals(charged.get("share"), entry(1).get("share"));
    assertEquals(charged.get("head"), account("show", "--json").object().get("head"));
    assertEquals(0, account("verify", "--against " + ledger).code());
    assertTrue(Files.exists(folder.resolve("asked.ledger.account.head")));
  }

  @Test
  void whatWouldPassTheCeilingIsRefused() {
    open();
    Run refused = ask("--epsilon 4");
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("at most its limit, 100%"), refused.err());
    Matcher fits = Pattern.compile("What would fit: epsilon ([0-9.]+)").matcher(refused.err());
    assertTrue(fits.find(), refused.err());
    assertEquals(3, Double.parseDouble(fits.group(1)), 1e-3);
    assertEquals(0, ask("--epsilon " + fits.group(1)).code());
  }

  /** The tight cost is told beside the share, and called what it is. */
  @Test
  void whatIsSpentIsAlsoComposedAsIfItHadBeenFixedInAdvance() {
    open();
    assertFalse(account("show", "").out().contains("fixed in advance"));
    ask("--epsilon 0.25");
    ask("--epsilon 0.5");
    String shown = account("show", "").out();
    assertTrue(
        shown.contains(
            "If everything had been fixed in advance, all of it together would cost epsilon 0.7"),
        shown);
    assertTrue(shown.contains("(tight composition). That is no promise"), shown);
    Matcher means =
        Pattern.compile("Still fits: 4 more like the last, or (\\d+) means at epsilon 0.1")
            .matcher(shown);
    assertTrue(means.find() && Integer.parseInt(means.group(1)) >= 22, shown);
    Map<?, ?> fields = (Map<?, ?>) account("show", "--json").object().get("ifFixedInAdvance");
    assertEquals(0.75, (double) fields.get("epsilon"), 1e-3);
    assertEquals("pld", fields.get("accountant"));
    for (int i = 0; i < 8; i++) {
      ask("--epsilon 0.00" + (i + 1));
    }
    shown = account("show", "").out();
    assertTrue(shown.contains("(by Rényi orders: tight composition takes too long"), shown);
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
    Map<?, ?> told = (Map<?, ?>) outside.object().get("account");
    assertEquals(true, told.get("passedOver"));
    assertFalse(told.containsKey("share"));
    Map<?, ?> event =
        (Map<?, ?>) ((List<?>) account("show", "--json").object().get("events")).get(2);
    assertEquals("passed over", event.get("kind"));
    assertEquals("query count", event.get("text"));
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
    for (String[] each :
        new String[][] {
          {"", "after ACCOUNT a RUN (a folder, ledger.json or journal) is missing"},
          {"--note why", "--declared-epsilon E beside --note is missing"},
          {"--declared-epsilon 1", "--note TEXT beside --declared-epsilon is missing"},
          {
            "--declared-epsilon 1 --note why --ledger " + ledger,
            "RUN must be left out beside --declared-epsilon, which stands for what no file tells"
                + " of. Provided value: ["
                + ledger
                + "]"
          }
        }) {
      assertEquals("discreet account import: " + each[1], account("import", each[0]).line(2));
    }
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
  void thePageShowsWhatTheTableShows() throws IOException {
    open();
    ask("--epsilon 0.3 --ledger " + folder.resolve("asked.ledger"));
    Path page = folder.resolve("people.html");
    Run shown = account("show", "--html " + page);
    assertEquals(0, shown.code(), shown.err());
    String html = Files.readString(page);
    for (String part : List.of("query count", "asked.ledger", "settled", "id=\"attack\"")) {
      assertTrue(html.contains(part), part);
    }
    assertTrue(html.contains((String) account("show", "--json").object().get("head")));
    Run wrong = account("show", "--html " + table);
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("a file whose name ends in .html"), wrong.err());
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
    assertEquals(64, ((String) entry(0).get("recipe")).length());
    told(out, "charged to the account people.csv.account");
    assertTrue(trained.out().contains("of people.csv.account"), trained.out());
    assertEquals(0, account("verify", "--against " + out).code());
    Run refused = train(" --steps 100000 --out " + folder.resolve("more"));
    assertTrue(refused.err().contains("at most its limit, 100%"), refused.err());
    assertTrue(refused.err().contains("What would fit: "), refused.err());
    assertFalse(Files.exists(folder.resolve("more.unfinished")));
    assertEquals(0, account("verify", "").code());
  }

  /** The files of a run say what the account says, as it was after the run was settled. */
  private void told(Path run, String words) throws IOException {
    Map<?, ?> now = account("show", "--json").object();
    String head = now.get("length") + " " + now.get("head");
    assertEquals(head, Files.readString(run.resolve("account.head")).strip());
    Map<?, ?> told =
        (Map<?, ?>) JSON.std.mapFrom(Files.readString(run.resolve("run.json"))).get("account");
    assertEquals(now.get("id"), told.get("id"));
    assertEquals(now.get("head"), told.get("head"));
    String statement = Files.readString(run.resolve("privacy.txt")).replaceAll("\\s+", " ");
    for (String part : List.of(words, (String) now.get("id"), (String) now.get("head"))) {
      assertTrue(statement.contains(part), part + " in " + statement);
    }
    assertEquals(0, account("verify", "--against " + run).code());
    Path report = run.resolve("report.html");
    assertTrue(Files.notExists(report) || Files.readString(report).contains(words));
  }

  @Test
  void anAccountThatKnowsLessThanARunIsRefused() throws IOException {
    patients();
    Path out = folder.resolve("run");
    train(" --out " + out);
    Path ledger = out.resolve("ledger.json");
    String stated = Files.readString(ledger);
    String more = stated.replaceFirst("\"count\"\\s*:\\s*5", "\"count\":6");
    assertFalse(stated.equals(more), stated);
    Files.writeString(ledger, more);
    Run refused = account("verify", "--against " + out);
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("it knows less than the run"), refused.err());
  }

  @Test
  void aTrainingThatWasStoppedIsComparedByWhatItCharged() throws IOException {
    patients();
    Path out = folder.resolve("run");
    Recipe.of()
        .with("data", table.toString())
        .with("label", "sick=no|yes")
        .with("column", "age=0..100")
        .with("model", "logistic")
        .with("steps", "50")
        .with("lot-size", "50")
        .with("noise-multiplier", "4")
        .with("held-out", "none")
        .with("out", out.toString())
        .prepare()
        .with(trainer -> trainer.stopWhen(event -> event.step() >= 3))
        .start();
    told(out, "charged to the account people.csv.account");
    assertTrue(Files.readString(out.resolve("run.json")).contains("\"charged\""));
  }

  @Test
  void aTrainingThatPassesTheAccountOverSaysSo() throws IOException {
    patients();
    Path out = folder.resolve("run");
    Run trained = train(" --unit-column id --unit patient --pass-over-account --out " + out);
    assertEquals(0, trained.code(), trained.err());
    assertTrue(trained.out().contains("PASSED OVER"), trained.out());
    told(out, "and this run PASSED IT OVER");
  }

  @Test
  void aTrainingThatIsGivenAShareSaysInItsPlanWhatItTakes() throws IOException {
    patients();
    String given =
        "train --label sick=no|yes --column age=0..100 --model logistic --steps 5 --lot-size 50"
            + " --held-out none --data "
            + table;
    Run plan = Run.of(given + " --share 0.25 --dry-run --json");
    assertEquals(0, plan.code(), plan.err());
    Map<?, ?> account = (Map<?, ?>) plan.object().get("account");
    assertEquals(0.25, (double) account.get("share"), 3e-4);
    assertEquals(4, ((Number) account.get("fits")).intValue());
    assertEquals(1e-6, plan.object().get("delta"));
    String words = (String) ((Map<?, ?>) plan.object().get("plan")).get("account");
    assertTrue(words.startsWith("this takes 2"), words);
    assertTrue(words.endsWith("0% is spent; 4 like it fit"), words);
    Run both = Run.of(given + " --share 0.25 --epsilon 1 --dry-run");
    assertTrue(both.err().contains("--epsilon and --share cannot stand together"), both.err());
    assertEquals(0, account("limit", "--share 0.1").code());
    Run refused = Run.of(given + " --share 0.25 --dry-run");
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("left of the account below its limit, 0.1"), refused.err());
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
    assertEquals(folder.resolve("tuned").toString(), entry(0).get("folder"));
    assertEquals(64, ((String) entry(0).get("recipe")).length());
    told(folder.resolve("tuned"), "charged to the account people.csv.account");
    assertFalse(Files.readString(folder.resolve("tuned/tune.yaml")).contains(".account"));
    assertEquals(1, ((List<?>) account("show", "--json").object().get("entries")).size());
    Files.writeString(file, Files.readString(file).replace("epsilon: 2", "share: 0.2"));
    Run planned = Run.of("tune " + file + " --dry-run --json");
    Map<?, ?> outlook = (Map<?, ?>) planned.object().get("account");
    assertEquals(0.2, (double) outlook.get("share"), 3e-4);
    Files.writeString(file, Files.readString(file).replace("share: 0.2", "epsilon: 50"));
    Run refused = Run.of("tune " + file + " --quiet --out " + folder.resolve("more"));
    assertTrue(refused.err().contains("fewer steps or more noise may fit"), refused.err());
    assertFalse(Files.exists(folder.resolve("more.unfinished")));
  }

  @Test
  void aRegressionIsChargedToo() throws IOException {
    patients();
    Run fitted =
        Run.of(
            "regress --data "
                + table
                + " --label sick=no|yes --column age=0..100 --epsilon 0.5 --out "
                + folder.resolve("fit"));
    assertEquals(0, fitted.code(), fitted.err());
    told(folder.resolve("fit"), "charged to the account people.csv.account");
    assertEquals(folder.resolve("fit").toString(), entry(0).get("folder"));
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
    assertTrue(counted.out().contains("Account: "), counted.out());
    assertEquals(0, account("verify", "--against " + folder.resolve("counts.ledger")).code());
  }
}

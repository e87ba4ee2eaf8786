package dev.discreet.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.account.Account;
import dev.discreet.account.AccountPlaces;
import dev.discreet.account.Purpose;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.privacy.Randomness;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Trainer;
import dev.discreet.recipe.PreparedRecipe;
import dev.discreet.recipe.Recipe;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No verb gets around an account, whatever it does with the rows. */
class AccountCoverageTest {
  private static final String LEARN = " --label sick=no|yes --column age=0..100";
  private static final String TRAIN =
      LEARN
          + " --model logistic --steps 5 --lot-size 50 --noise-multiplier 4 --held-out none"
          + " --quiet";

  private static final int PEOPLE = 300;

  @TempDir private Path folder;
  private Path table;

  @BeforeEach
  void table() throws IOException {
    table = folder.resolve("patients.csv");
    StringBuilder text = new StringBuilder("id,house,age,sick\n");
    for (int i = 0; i < 600; i++) {
      text.append(i / 2).append(',').append(i / 4).append(',').append(i % 90);
      text.append(i % 90 > 50 ? ",yes\n" : ",no\n");
    }
    Files.writeString(table, text);
  }

  private void open(Path place, String how) {
    Run opened =
        Run.of("account open " + place + " --epsilon 8 --delta 1e-6 --unit patient " + how);
    assertEquals(0, opened.code(), opened.err());
  }

  private void open() {
    open(table, "--unit-column id");
  }

  private Map<String, Object> shown(Path place) {
    return Run.of("account show --json " + place).object();
  }

  private int entries() {
    return ((List<?>) shown(table).get("entries")).size();
  }

  private static String query(Path data) {
    return "query count --column age --epsilon 0.1 --examples-per-unit 1 --data " + data;
  }

  private String tune(String more) throws IOException {
    Path file = folder.resolve("tune.yaml");
    Files.writeString(
        file,
        "data: "
            + table
            + "\nlabel: sick=no|yes\ncolumn: [age=0..100]\nmodel: logistic\nsteps: 5\n"
            + "lot-size: 50\nepsilon: 2\nheld-out: released\n"
            + "tune:\n  mean: 2\n  settings:\n    learning-rate: [1, 5]\n");
    return "tune " + file + " --quiet --out " + folder.resolve("tuned") + more;
  }

  private String train(String more) {
    return "train --data " + table + TRAIN + " --out " + folder.resolve("run") + more;
  }

  private String regress(String more) {
    return "regress --data " + table + LEARN + " --epsilon 0.5" + more;
  }

  private static void refused(String command, String why) {
    Run refused = Run.of(command);
    assertTrue(refused.code() != 0, command);
    assertTrue(refused.err().contains(why), command + "\n" + refused.err());
  }

  @Test
  void linksAndCopiesThatAreListedArePaidFor() throws IOException {
    Path account = folder.resolve("all.account");
    open(account, "--unit-column id --cover " + table);
    Path copy = Files.copy(table, Files.createDirectory(folder.resolve("deep")).resolve("x.csv"));
    Path link = Files.createSymbolicLink(folder.resolve("deep/link.csv"), table);
    for (Path data : List.of(table, copy, link)) {
      Run answer = Run.of(query(data) + " --json");
      assertEquals(0, answer.code(), answer.err());
      assertTrue(answer.object().containsKey("account"), data.toString());
    }
    Path late = folder.resolve("deep/late.csv");
    Files.writeString(late, "id,age\n1,2\n");
    assertFalse(Run.of(query(late) + " --json --unit-column id").object().containsKey("account"));
    Run covered = Run.of("account cover " + account + " " + late);
    assertEquals(0, covered.code(), covered.err());
    assertTrue(Run.of(query(late) + " --json").object().containsKey("account"));
    assertEquals(List.of("patients.csv", "deep/late.csv"), shown(account).get("files"));
  }

  @Test
  void questionsInCellsArePaidFor() {
    open();
    String cells =
        "query mean --column age=0..90 --by sick=no|yes --where age>=1 --examples-per-unit 1"
            + " --cells-per-unit 2 --data "
            + table
            + " --epsilon ";
    refused(cells + 9, "What would fit");
    refused(cells + "1 --unit-column house", "that of the account");
    Run answer = Run.of(cells + "1 --json");
    assertEquals(0, answer.code(), answer.err());
    assertTrue(answer.object().containsKey("account"));
    assertEquals(1, entries());
  }

  /** Selection and answers are paid for together, whatever is selected. */
  @Test
  void keysThatNobodyDeclaredArePaidFor() {
    open();
    String keys =
        " --by-undeclared sick --examples-per-unit 1 --cells-per-unit 2 --data "
            + table
            + " --json --epsilon ";
    refused("query count" + keys + "9 --delta 1e-8", "What would fit");
    refused("query count" + keys + "1 --delta 1e-3", "Nothing would fit");
    assertEquals(0, entries());
    Run answer = Run.of("query count" + keys + "4 --delta 1e-8");
    assertEquals(0, answer.code(), answer.err());
    assertTrue(answer.object().containsKey("account"));
    assertEquals(2, ((List<?>) answer.object().get("cells")).size());
    double paid = share();
    assertTrue(paid >= 0.5, "" + paid);
    refused("query count" + keys + "6 --delta 1e-8", "What would fit");
    // Nobody shares an id with anyone.
    Run none = Run.of("query count" + keys.replace("sick", "id") + "2 --delta 1e-8");
    assertEquals(List.of(), none.object().get("cells"), none.err());
    assertEquals(paid + 2. / 8, share(), 0.03);
    assertEquals(2, entries());
  }

  private double share() {
    return (double) shown(table).get("share");
  }

  /** Of several questions all are set aside first, and nothing of an unknown account is called. */
  @Test
  void aFileOfQuestionsIsPaidForAsAWhole() throws IOException {
    open();
    Path asked = folder.resolve("asked.yaml");
    String questions =
        "data: %s\nexamples-per-unit: 1\nquestions:\n- ask: count\n- {ask: mean, column: age=0..90}\n"
            .formatted(table);
    Files.writeString(asked, questions);
    refused("query ask " + asked + " --epsilon 9", "What would fit: epsilon 7.99");
    assertEquals(0, entries());
    Run answer = Run.of("query ask " + asked + " --epsilon 6 --json");
    assertEquals(0, answer.code(), answer.err());
    assertEquals(2, ((List<?>) answer.object().get("answers")).size());
    refused("query ask " + asked + " --epsilon 3", "What would fit");
    for (String key :
        List.of("pass-over-account: true", "account: jdbc:postgresql://127.0.0.1:1/x")) {
      Files.writeString(asked, key + "\n" + questions);
      refused(
          "query ask " + asked + " --epsilon 1",
          "line 1: " + key.split(":")[0] + " must be given as an option");
    }
  }

  @Test
  void twoAccountsAreOneTooMany() {
    open();
    Path second = folder.resolve("second.account");
    open(second, "--unit-column id --cover " + table);
    for (String command : List.of(query(table), train(""), regress(""))) {
      refused(command, "account of the data must be one alone");
      refused(command + " --account " + folder.resolve("patients.csv"), "must be one alone");
    }
    Run one = Run.of(query(table) + " --account " + second + " --pass-over-account --json");
    assertEquals(0, one.code(), one.err());
    assertEquals(1, shown(table).get("passedOver"));
    assertEquals(0, shown(second).get("passedOver"));
    assertEquals(1, ((List<?>) shown(second).get("entries")).size());
    // Whoever passes over both is on the record of both.
    assertEquals(0, Run.of(query(table) + " --pass-over-account --unit-column id").code());
    assertEquals(2, shown(table).get("passedOver"));
    assertEquals(1, shown(second).get("passedOver"));
  }

  @Test
  void whatIsDeclaredPublicMustNotBeCovered() throws IOException {
    Path test = Files.copy(table, folder.resolve("test.csv"));
    open(test, "--unit-column id");
    refused(train(" --public-test " + test), "public rows, which no account covers");
  }

  /** Words of covered rows would be in every file of the run. */
  @Test
  void aVocabularyIsNotReadOffCoveredRows() throws IOException {
    Path open = Files.writeString(folder.resolve("open.csv"), "id,note,sick\n1,fever,yes\n");
    Path words = Files.writeString(folder.resolve("words.csv"), "note\nfever\nzyxomma\n");
    open(words, "--one-row-each");
    Path columns =
        Files.writeString(
            folder.resolve("columns.yaml"),
            "columns:\n  note: tokens,vocabulary=" + words + ",length=2\n");
    String train =
        "train --data " + open + TRAIN.replaceFirst("--column [^ ]+", "") + " --pass-over-account";
    for (String declared :
        List.of(
            " --column note=tokens,vocabulary=" + words + ",length=2", " --columns " + columns)) {
      Path run = folder.resolve("run");
      refused(train + declared + " --out " + run, "public words, which no account covers");
      assertFalse(Files.exists(run));
    }
  }

  @Test
  void nobodyEvaluatesCoveredRowsByCallingThemPublic() throws IOException {
    Path other = folder.resolve("other.csv");
    Files.writeString(other, Files.readString(table).replaceFirst("id,", "number,"));
    String trained = "train --data " + other + TRAIN + " --out " + folder.resolve("run");
    assertEquals(0, Run.of(trained + " --unit-column number --unit patient").code());
    open();
    String evaluate = "evaluate --run " + folder.resolve("run") + " --data ";
    refused(evaluate + other + " --public-test " + table, "public rows, which no account covers");
    refused(evaluate + table + " --public-test " + other, "which the account records");
    Run free = Run.of(evaluate + other);
    assertEquals(0, free.code(), free.err());
    Run passed = Run.of(evaluate + other + " --pass-over-account --public-test " + table);
    assertEquals(0, passed.code(), passed.err());
    assertEquals(1, shown(table).get("passedOver"));
  }

  @Test
  void otherUnitsAreRefusedByEveryVerb() throws IOException {
    open();
    for (String command : List.of(query(table), train(""), regress(""), tune(""))) {
      refused(command + " --one-row-each", "told by the column id");
      refused(command + " --unit-column house", "that of the account");
      refused(command + " --unit house", "that of the account, patient");
    }
    assertEquals(0, entries());
    assertFalse(Files.exists(folder.resolve("run")));
  }

  @Test
  void whereEachHasOneRowNoColumnSaysOtherwise() throws IOException {
    open(table, "--one-row-each");
    for (String command : List.of(query(table), train(""), regress(""), tune(""))) {
      refused(command + " --unit-column id", "of one row each");
    }
  }

  @Test
  void aUnitMapIsSomebodysWord() throws IOException {
    open();
    Path map = folder.resolve("map.csv");
    StringBuilder rows = new StringBuilder("row,unit\n");
    for (int i = 0; i < 600; i++) {
      rows.append(i).append(",p").append(i / 2).append('\n');
    }
    Files.writeString(map, rows);
    Run trained = Run.of(train(" --unit-map " + map));
    assertEquals(0, trained.code(), trained.err());
    assertTrue(
        Files.readString(folder.resolve("patients.csv.account"))
            .contains("The unit map was taken to tell the account's units apart"));
    refused(train(" --force --unit house --unit-map " + map), "that of the account, patient");
  }

  @Test
  void anotherRelationIsConvertedOrRefused() throws IOException {
    open(table, "--unit-column id --neighbouring replace-one");
    Run answer = Run.of(query(table) + " --neighbouring add/remove --json");
    assertEquals(0, answer.code(), answer.err());
    Map<?, ?> entry = (Map<?, ?>) ((List<?>) shown(table).get("entries")).get(0);
    // Replacing is removing and adding: Laplace noise for 0.1 then costs 0.2.
    assertEquals(0.2, (double) entry.get("ownEpsilon"), 1e-9);
    assertEquals(0, Run.of(train(" --neighbouring add/remove")).code());
    assertEquals(0, Run.of(regress(" --neighbouring add/remove")).code());
    int before = entries();
    // A search is a choice, of which no rule is known.
    refused(tune(" --neighbouring add/remove"), "no rule turns this release");
    for (String command : List.of(query(table), train(" --force"), regress(""), tune(""))) {
      refused(command + " --neighbouring zero-out", "that of the account, replace-one");
    }
    assertEquals(before, entries());
    assertFalse(Files.exists(folder.resolve("tuned.unfinished")));
  }

  @Test
  void whatShowsRowsWithoutNoiseIsRefusedOrOnTheRecord() {
    Run trained = Run.of(train(" --unit-column id --unit patient"));
    assertEquals(0, trained.code(), trained.err());
    open();
    Path run = folder.resolve("run");
    int recorded = 0;
    for (String command :
        List.of(
            "evaluate --run " + run,
            "evaluate --run " + run + " --data " + table,
            "geometry --outside-the-guarantee --examples 20 --data " + table + LEARN)) {
      refused(command, "--pass-over-account, which the account records");
      Run done = Run.of(command + " --pass-over-account");
      assertEquals(0, done.code(), done.err());
      assertEquals(++recorded, shown(table).get("passedOver"));
    }
    Run predicted =
        Run.of("predict --run " + run + " --data " + table + " --out " + folder.resolve("p.csv"));
    assertEquals(0, predicted.code(), predicted.err());
    assertTrue(predicted.err().contains("keep them as you keep the rows"), predicted.err());
    assertEquals(recorded, shown(table).get("passedOver"));
    // Nothing of the rows is looked at.
    assertEquals(0, Run.of("data describe --data " + table + LEARN).code());
  }

  @Test
  void aDraftFromTheRowsIsPaidFor() throws IOException {
    open();
    String free = "data declare --data " + table;
    assertEquals(0, Run.of(free).code());
    assertEquals(0, entries());
    String paid = free + " --column age=0..1000 --spend ";
    refused(paid + 9, "What would fit: epsilon 7.99");
    refused(paid + "1 --unit-column house", "that of the account");
    refused(paid + "1 --one-row-each", "told by the column id");
    assertEquals(0, entries());
    Run drafted = Run.of(paid + 1);
    assertEquals(0, drafted.code(), drafted.err());
    assertTrue(drafted.out().contains("epsilon 1, charged to the account\n"), drafted.out());
    // The account knows who is who.
    assertTrue(drafted.out().contains("\nunit-column: id\n"), drafted.out());
    assertTrue(drafted.err().contains("Account: "), drafted.err());
    Map<?, ?> entry = (Map<?, ?>) ((List<?>) shown(table).get("entries")).get(0);
    assertEquals("data declare", entry.get("verb"));
    assertEquals(1, (double) entry.get("ownEpsilon"), 1e-9);
    String over = paid + "1 --pass-over-account";
    refused(over, "--spend needs --ledger FILE or an account");
    Run passed = Run.of(over + " --ledger " + folder.resolve("ledger"));
    assertEquals(0, passed.code(), passed.err());
    assertEquals(1, entries());
  }

  /** A file that somebody sent must not leave an account out, end it, or call a database. */
  @Test
  void aRunFileDecidesNothingAboutAccounts() throws IOException {
    open();
    Path sent = folder.resolve("sent.yaml");
    for (String key : List.of("pass-over-account", "break-account")) {
      Files.writeString(sent, "data: " + table + "\nepsilon: 1\n" + key + ": true\n");
      refused("train " + sent, "sent.yaml, line 3: " + key + " must be given as an option");
    }
    // Nobody listens there; the refusal comes before anyone is called.
    String address = "jdbc:postgresql://127.0.0.1:1/db#people";
    Files.writeString(sent, "data: " + table + "\nepsilon: 1\naccount: " + address + "\n");
    for (String command :
        List.of("train " + sent + " --dry-run", "audit --outside-the-guarantee --recipe " + sent)) {
      refused(command, "the one that DISCREET_DB names, or it is not asked");
    }
    assertEquals(0, shown(table).get("passedOver"));
  }

  private Path openElsewhere(String name) throws IOException {
    Path place = Files.createDirectories(folder.resolve("books")).resolve(name);
    open(place, "--unit-column id");
    return place;
  }

  /** The account lies elsewhere than the rows. The run knows it again, and not where it is. */
  @Test
  void rowsOfARunAreShownOnlyWithTheAccountThatItHad() throws IOException {
    Path account = openElsewhere("people.account");
    Path other = openElsewhere("other.account");
    Path old = Files.copy(account, folder.resolve("old.account"));
    Path run = folder.resolve("run");
    Run trained = Run.of(train(" --account " + account));
    assertEquals(0, trained.code(), trained.err());
    String over = " --pass-over-account";
    Path detour = folder.resolve("books").resolve("..").resolve("patients.csv");
    Path copy = Files.copy(table, folder.resolve("copy.csv"));
    Path file = run.resolve("run.yaml");
    Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), file);
    String evaluate = "evaluate --run " + run;
    for (String command :
        List.of(
            evaluate,
            evaluate + " --data " + table,
            evaluate + " --data " + detour,
            evaluate + " --data " + copy,
            evaluate + " --data digits --public-test " + table,
            "audit --outside-the-guarantee --recipe " + run,
            "audit --outside-the-guarantee --recipe " + file,
            "audit --outside-the-guarantee --recipe " + link,
            "audit membership --outside-the-guarantee --run " + run,
            "audit membership --outside-the-guarantee " + file)) {
      refused(command, "account must be that of the run in " + run);
      refused(command + over, "Provided value: none");
      refused(command + over + " --account " + other, "Provided value: " + other);
      refused(command + over + " --account " + old, "Provided value: " + old);
      refused(command + " --account " + account, "which the account records");
    }
    // Also where the run's result alone tells of it.
    Path head = run.resolve("account.head");
    String kept = Files.readString(head);
    Files.delete(head);
    refused(evaluate + over + " --account " + other, "Provided value: " + other);
    Files.writeString(head, kept);
    assertEquals(0, shown(other).get("passedOver"));
    assertEquals(0, shown(account).get("passedOver"));
    // At another place it is still the same account, and so is one that follows it.
    Path moved = Files.move(account, folder.resolve("moved.account"));
    assertEquals(0, Run.of(evaluate + over + " --account " + moved).done().code());
    assertEquals(1, shown(moved).get("passedOver"));
    Path next = folder.resolve("next.account");
    open(next, "--unit-column id --follows " + moved);
    assertEquals(0, Run.of(evaluate + over + " --account " + moved).done().code());
    assertEquals(2, shown(next).get("passedOver"));
    // Rows of everyone are not the account's; they only do not fit this model.
    refused(evaluate + " --data digits", "shape of digits");
    refused("audit membership --data digits " + file, "label must be left out for digits");
  }

  /** A run that passed its account over is still one of the account's people. */
  @Test
  void aRunThatPassedItsAccountOverKnowsItAgain() throws IOException {
    open();
    Run trained = Run.of(train(" --unit-column id --unit patient --pass-over-account"));
    assertEquals(0, trained.code(), trained.err());
    Path other = openElsewhere("other.account");
    Path account = folder.resolve("books").resolve("people.account");
    for (String end : List.of("", ".head")) {
      Files.move(Path.of(table + ".account" + end), Path.of(account + end));
    }
    String evaluate = "evaluate --pass-over-account --run " + folder.resolve("run");
    refused(evaluate + " --account " + other, "Provided value: " + other);
    assertEquals(0, Run.of(evaluate + " --account " + account).done().code());
  }

  private Recipe recipe() {
    return Recipe.of()
        .with("data", table.toString())
        .with("label", "sick=no|yes")
        .with("column", "age=0..100")
        .with("model", "logistic")
        .with("steps", "50")
        .with("lot-size", "50")
        .with("noise-multiplier", "4")
        .with("held-out", "none")
        .with("unit-column", "id")
        .with("unit", "patient")
        .with("neighbouring", "add/remove")
        .with("delta", "1e-6");
  }

  @Test
  void aRunGoesOnOnlyWithTheAccountThatPaysForIt() throws IOException {
    Path account = openElsewhere("people.account");
    Path other = openElsewhere("other.account");
    Recipe recipe =
        recipe()
            .with("checkpoints", folder.resolve("kept").toString())
            .with("checkpoint-every", "1");
    Recipe paid = recipe.with("account", account.toString());
    Path old = Files.copy(account, account.resolveSibling("old.account"));
    paid.prepare().with(trainer -> trainer.stopWhen(event -> event.step() >= 3)).start();
    for (Recipe each : List.of(recipe, recipe.with("account", other.toString()))) {
      refusedToResume(each.prepare());
    }
    PreparedRecipe onOld = recipe.with("account", old.toString()).prepare();
    String why = assertThrows(IllegalArgumentException.class, onOld::resume).getMessage();
    assertTrue(why.contains("no older copy of it"), why);
    Account others = Account.at(AccountPlaces.of(other.toString()));
    PreparedRecipe inJava =
        recipe
            .prepare()
            .with(
                trainer ->
                    trainer.budget(
                        () ->
                            others.budget(
                                Account.newRun(), new Purpose("train", "", ""), "person")));
    assertThrows(IllegalArgumentException.class, inJava::resume);
    assertEquals(0, ((List<?>) shown(other).get("entries")).size());
    paid.prepare().resume();
    assertEquals(1, ((List<?>) shown(account).get("entries")).size());
  }

  /** What only Java says is looked at too, and passing one account over is no leave of another. */
  @Test
  void noRunGoesOnByPassingAnyAccountOver() throws IOException {
    Path account = openElsewhere("people.account");
    Path kept = folder.resolve("kept");
    Recipe paid = recipe().with("account", account.toString());
    UnaryOperator<Trainer> keeping = trainer -> trainer.checkpoints(kept, 1);
    paid.prepare()
        .with(keeping)
        .with(trainer -> trainer.stopWhen(event -> event.step() >= 3))
        .start();
    refusedToResume(recipe().prepare().with(keeping));
    open();
    Recipe over = recipe().with("pass-over-account", "true");
    refusedToResume(over.prepare().with(keeping));
    refusedToResume(over.with("checkpoints", kept.toString()).prepare());
    paid.with("pass-over-account", "true").prepare().with(keeping).resume();
    assertEquals(1, ((List<?>) shown(account).get("entries")).size());
  }

  private static void refusedToResume(PreparedRecipe prepared) {
    String why = assertThrows(IllegalArgumentException.class, () -> prepared.resume()).getMessage();
    assertTrue(why.contains("--account"), why);
  }

  @Test
  void metricsOfHeldOutRowsAreNotShownSilently() throws IOException {
    open(table, "--unit-column id --neighbouring zero-out");
    String shuffled =
        ("train --data " + table + TRAIN + " --sampler shuffled --out " + folder.resolve("run"))
            .replace(" --held-out none", "");
    refused(shuffled, "held-out must be given");
    Run console = Run.of(shuffled + " --held-out console");
    assertEquals(0, console.code(), console.err());
    assertEquals(1, shown(table).get("passedOver"));
    Run fitted = Run.of(regress(" --test-share 0.2"));
    assertEquals(0, fitted.code(), fitted.err());
    assertFalse(fitted.out().contains("held-out"), fitted.out());
    // So none are held out unless that is asked for: everyone is fitted, and the run file says so.
    Path fit = folder.resolve("fit");
    Map<String, Object> all = Run.of(regress(" --json --out " + fit)).object();
    assertEquals(PEOPLE, all.get("units"));
    assertTrue(Files.readString(fit.resolve("run.yaml")).contains("test-share: 0\n"));
    int some = (int) Run.of(regress(" --test-share 0.2 --json")).object().get("units");
    assertTrue(some < PEOPLE, "" + some);
  }

  @Test
  void aPromiseEndsByNameAndForEver() {
    open();
    refused(train(" --insecure-seed 1"), "one with secret keys");
    refused(
        regress(" --method least-squares").replace(" --epsilon 0.5", ""),
        "must be private. Provided value: one that adds no noise");
    refused(query(table) + " --insecure-seed 1", "one with secret keys");
    assertEquals("ceiling", shown(table).get("guarantee"));
    Run broken = Run.of(train(" --insecure-seed 1 --break-account"));
    assertEquals(0, broken.code(), broken.err());
    assertEquals("none", shown(table).get("guarantee"));
    refused(query(table), "still promises something");
    assertTrue(Run.of("account show " + table).out().contains("Nothing is promised any more"));
    refused(
        "query count --column age --epsilon 0.1 --break-account --data " + folder.resolve("no.csv"),
        "account to break must be there");
  }

  @Test
  void whatNoOrderBoundsIsRefusedBeforeItStarts() {
    open(table, "--one-row-each");
    refused(train(" --norm-projections 16"), "one that its ceiling can count");
    assertEquals(0, entries());
    assertFalse(Files.exists(folder.resolve("run.unfinished")));
  }

  @Test
  void leastSquaresEndsThePromiseToo() {
    open();
    Run fitted =
        Run.of("regress --data " + table + LEARN + " --method least-squares --break-account");
    assertEquals(0, fitted.code(), fitted.err());
    assertEquals("a run was made without noise", shown(table).get("broken"));
  }

  @Test
  void aHigherCeilingIsANewAccountThatSaysSo() {
    open();
    assertEquals(0, Run.of(query(table)).code());
    String follow =
        "account open "
            + folder.resolve("second.account")
            + " --epsilon 20 --delta 1e-6 --unit patient --unit-column id --follows "
            + table;
    Run followed = Run.of(follow);
    assertEquals(0, followed.code(), followed.err());
    assertTrue(followed.out().contains("chosen after looking"), followed.out());
    Run next = Run.of(query(table) + " --json");
    assertEquals(0, next.code(), next.err());
    Path second = folder.resolve("second.account");
    assertEquals(2, ((List<?>) shown(second).get("entries")).size());
    assertTrue(((String) shown(second).get("follows")).contains("epsilon 8"));
    assertTrue(((String) shown(table).get("closed")).contains("second.account"));
  }

  @Test
  void runsOfBeforeAreImportedFromTheirFolders() throws IOException {
    assertEquals(0, Run.of(train(" --unit-column id --unit patient")).code());
    assertEquals(
        0,
        Run.of(regress(" --unit-column id --unit patient --out " + folder.resolve("fit"))).code());
    assertEquals(
        0,
        Run.of(
                query(table)
                    + " --unit-column id --unit patient --ledger "
                    + folder.resolve("asked"))
            .code());
    assertEquals(0, Run.of(tune(" --unit-column id --unit patient")).code());
    open();
    String all = "";
    for (String each : List.of("run", "fit", "asked", "tuned")) {
      all += " " + folder.resolve(each);
    }
    Run imported = Run.of("account import " + table + all);
    assertEquals(0, imported.code(), imported.err());
    assertTrue(imported.out().contains("chosen after 4 of the entries"), imported.out());
    refused("account import " + table + " " + folder.resolve("run"), "not imported before");
    Run declared =
        Run.of(
            "account",
            "import",
            table.toString(),
            "--declared-epsilon",
            "0.5",
            "--note",
            "a study of 2019");
    assertEquals(0, declared.code(), declared.err());
    assertTrue(Run.of("account show " + table).out().contains("a study of 2019"));
    refused("account import " + table, "after ACCOUNT a RUN");
  }

  @Test
  void aDeadRunIsSettledByItsFolder() throws IOException {
    open();
    refused("account settle " + table + " --run-folder " + folder, "ledger.journal");
    refused("account settle " + table, "--run-folder DIR is needed");
    Account account = Account.at(AccountPlaces.of(table.toString()));
    Path journal =
        Files.createDirectory(folder.resolve("dead.unfinished")).resolve("ledger.journal");
    Budget budget = account.budget(Account.newRun(), new Purpose("train", "", ""), "patient");
    Budget dying =
        (Budget)
            Proxy.newProxyInstance(
                Budget.class.getClassLoader(),
                new Class<?>[] {Budget.class},
                (proxy, method, arguments) ->
                    method.getName().equals("settle") ? null : method.invoke(budget, arguments));
    PrivacySession killed =
        PrivacySession.open(
            Journal.file(journal, Neighbouring.ADD_REMOVE, "patient"), Randomness.secure(), dying);
    killed.intend(
        new LedgerFile(
            Ledger.of(Neighbouring.ADD_REMOVE, new Mechanism.Laplace(2), 4),
            "patient",
            300,
            true,
            "pld"));
    assertTrue((double) shown(table).get("share") > 0);
    refused(
        "account settle " + table + " --run-folder " + folder.resolve("dead"),
        "one session at a time");
    killed.close();
    Run settled = Run.of("account settle " + table + " --run-folder " + folder.resolve("dead"));
    assertEquals(0, settled.code(), settled.err());
    assertEquals(0.0, shown(table).get("share"));
  }
}

package dev.discreet.cli.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.cli.Run;
import dev.discreet.data.DataOptions;
import dev.discreet.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has one row, whose ids are public, and how many there are: said by those who declared it. */
class OneRowEachTest {
  private static final String SAID = "It was declared that each person has one row.";

  @TempDir private Path folder;
  private Path data;

  @BeforeEach
  void table() throws IOException {
    data = Small.table(folder, 300, 1);
  }

  /** Everyone is in each lot: what that costs is known without a search. */
  private Run train(String more) {
    List<String> words = new ArrayList<>(List.of("train", "--data", data.toString()));
    words.addAll(Small.DECLARED);
    words.addAll(List.of("--steps", "6", "--sampler", "full-batch"));
    words.addAll(List.of("--out", folder.resolve("out").toString()));
    return run(words, more.split(" "));
  }

  private Run sampled(String more) {
    return Small.run(data, folder.resolve("out"), more.split(" "));
  }

  private String file(String name) throws IOException {
    return Files.readString(folder.resolve("out").resolve(name));
  }

  /** Every verb that reads rows, without a word on whose they are. */
  private List<List<String>> verbs() {
    List<List<String>> verbs = new ArrayList<>();
    for (String verb :
        List.of(
            "train --dry-run --noise-multiplier 1 --sampler full-batch", "regress --epsilon 1")) {
      List<String> words = new ArrayList<>(List.of(verb.split(" ")));
      words.addAll(List.of("--data", data.toString()));
      words.addAll(Small.DECLARED);
      verbs.add(words);
    }
    List<String> describe = new ArrayList<>(List.of("data", "describe", "--spend", "1"));
    describe.addAll(List.of("--ledger", folder.resolve("ledger").toString()));
    describe.addAll(List.of("--data", data.toString()));
    describe.addAll(Small.DECLARED);
    verbs.add(describe);
    verbs.add(
        List.of("query", "count", "--epsilon", "1", "--column", "age", "--data", data.toString()));
    verbs.add(List.of("train", "--data", "gaussians", "--dry-run", "--noise-multiplier", "1"));
    return verbs;
  }

  private static Run run(List<String> verb, String... more) {
    return Run.of(with(verb, more).toArray(String[]::new));
  }

  @Test
  void aNounForPeopleNeedsTheirRowsOrADeclarationInEveryVerb() {
    for (List<String> verb : verbs()) {
      String line = run(verb, "--unit", "person").line(2);
      assertTrue(line.contains("--unit-column") && line.contains("--one-row-each"), line);
      assertEquals(!verb.contains("query"), line.contains("--unit-map"), line);
      run(verb, "--unit", "person", "--one-row-each").done();
      assertTrue(run(verb, "--one-row-each").line(2).contains("unit must be named"));
    }
    List<String> tabled = verbs().get(0);
    String both = run(tabled, "--unit", "person", "--one-row-each", "--unit-column", "id").line(2);
    assertTrue(both.contains("--one-row-each cannot stand beside --unit-column"), both);
  }

  @Test
  void whatWasDeclaredIsSaid() throws IOException {
    String asked = "--noise-multiplier 1 --unit person --one-row-each";
    String plan = train(asked).done().out();
    assertTrue(plan.contains("each single person (add/remove); it was declared that each"), plan);
    assertTrue(file("privacy.txt").contains(SAID), file("privacy.txt"));
    assertTrue(file("run.json").contains(SAID), file("run.json"));
    assertTrue(file("run.yaml").contains("one-row-each: true"), file("run.yaml"));
    List<List<String>> verbs = verbs();
    String out = folder.resolve("fit").toString();
    run(verbs.get(1), "--unit", "person", "--one-row-each", "--out", out).done();
    assertTrue(Files.readString(Path.of(out, "privacy.txt")).contains(SAID));
    String counts = run(verbs.get(2), "--unit", "person", "--one-row-each").done().out();
    assertTrue(counts.contains(SAID), counts);
    String count = run(verbs.get(3), "--unit", "person", "--one-row-each").done().out();
    assertTrue(count.contains("person, of which each was declared to have one row"), count);
  }

  /** A ledger is read without the statement beside it, and the promise rests on this. */
  @Test
  void aLedgerFileRepeatsWhatWasDeclared() throws IOException {
    String[] declared = {"--unit", "person", "--one-row-each"};
    List<List<String>> verbs = verbs();
    train("--noise-multiplier 1 --quiet --unit person --one-row-each").done();
    Path fit = folder.resolve("fit");
    Path journal = folder.resolve("journal");
    run(with(verbs.get(1), declared), "--out", fit.toString()).done();
    run(with(verbs.get(1), declared), "--ledger", folder.resolve("regress").toString()).done();
    run(verbs.get(2), declared).done();
    run(with(verbs.get(3), declared), "--ledger", journal.toString()).done();
    for (Path each :
        List.of(
            folder.resolve("out/ledger.json"),
            fit.resolve("ledger.json"),
            folder.resolve("regress"),
            folder.resolve("ledger"),
            journal)) {
      String read = "epsilon --delta 1e-5 --ledger " + each;
      assertTrue(Run.of(read).done().out().contains(SAID), each::toString);
      String conditions = String.valueOf(Run.of(read + " --json").object().get("conditions"));
      assertTrue(conditions.contains(SAID), each + ": " + conditions);
      String text = Run.of(read + " --statement").done().out().replaceAll("\\s+", " ");
      assertTrue(text.contains(SAID), text);
    }
  }

  private static List<String> with(List<String> verb, String... more) {
    List<String> all = new ArrayList<>(verb);
    all.addAll(List.of(more));
    return all;
  }

  @Test
  void aNumberThatNobodyDeclaredIsNotSaidToBe() throws IOException {
    String plan = sampled("--noise-multiplier 1 --quiet").done().out();
    String text = file("privacy.txt").replaceAll("\\s+", " ");
    assertEquals(2, text.split("was taken as public because none was declared", -1).length - 1);
    assertTrue(!text.contains("declared public"), text);
    assertTrue(file("run.json").contains("\"declaredUnitsAre\" : \"taken as public\""));
    String dry = sampled("--noise-multiplier 1 --dry-run").done().out();
    assertTrue(dry.contains("to train on (taken as public: no --declared-units)"), dry + plan);
    Run declared = sampled("--noise-multiplier 1 --dry-run --declared-units 250").done();
    assertTrue(
        declared.out().contains("250 examples to train on (declared public)"), declared.out());
    assertTrue(
        declared.err().contains("and the public number is 250: what is released"), declared.err());
  }

  @Test
  void replacedPeopleAreHeldOutOnlyByPublicIds() throws IOException {
    String replaced = "--noise-multiplier 1 --neighbouring replace-one --unit-column id";
    String line = train(replaced).line(2);
    assertTrue(line.contains("--public-ids") && line.contains("--public-test"), line);
    train(replaced + " --test-share 0 --dry-run").done();
    // Micro-batches are accounted as replace-one, asked for or not.
    assertTrue(
        sampled("--noise-multiplier 1 --micro-batch 2 --unit-column id").line(2).equals(line));
    String plan = train(replaced + " --public-ids").done().out();
    assertTrue(plan.contains("the set of their ids was declared public"), plan);
    String text = file("privacy.txt").replaceAll("\\s+", " ");
    assertTrue(text.contains("The set of the units' ids was declared public"), text);
    assertTrue(file("run.yaml").contains("public-ids: true"), file("run.yaml"));
    assertTrue(
        file("ledger.json").contains("ids was declared public"), "beside " + file("ledger.json"));
    String nobodys = train("--noise-multiplier 1 --dry-run --public-ids").line(2);
    assertTrue(nobodys.contains("public ids must be declared beside a unit column"), nobodys);
  }

  /** The rows that a run held out are those that it is evaluated on afterwards. */
  @Test
  void aRunIsEvaluatedOnTheRowsThatItsRelationHeldOut() throws IOException {
    train("--noise-multiplier 1 --neighbouring replace-one").done();
    DataOptions options =
        DataOptions.builder()
            .label("sick=no|yes")
            .columns(List.of("age=0..100", "sex=f|m"))
            .build();
    int contents = held(options);
    int places = held(options.under(Neighbouring.REPLACE_ONE, false));
    assertTrue(contents != places, "the two splits are of one size: this test shows nothing");
    Run run = Run.of("evaluate", "--run", folder.resolve("out").toString(), "--json");
    assertEquals(places, run.object().get("examples"));
  }

  private int held(DataOptions options) throws IOException {
    return DataSets.open(data.toString(), options).test().orElseThrow().examples().size();
  }
}

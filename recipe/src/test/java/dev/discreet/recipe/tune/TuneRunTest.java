package dev.discreet.recipe.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.LedgerFile;
import dev.discreet.accounting.Mechanism;
import dev.discreet.core.model.Privacy;
import dev.discreet.core.privacy.Budget;
import dev.discreet.core.privacy.journal.Journal;
import dev.discreet.core.train.Result;
import dev.discreet.recipe.Preparation;
import dev.discreet.recipe.Recipe;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A search in Java is paid for, on the disk, before its first run. */
class TuneRunTest {
  @TempDir private Path folder;
  private Path journal;
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void place() {
    journal = folder.resolve("ledger.journal");
  }

  private TunePlan plan(String search) throws IOException {
    return read(
        """
        data: gaussians
        model: logistic
        steps: 2
        lot-size: 50
        epsilon: 1
        tune:
          search: %s
          settings:
            clip: [1, 2]
        """
            .formatted(search));
  }

  private TunePlan read(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("run.yaml"), text);
    RunFile.Document document = RunFile.document(file);
    return TunePlan.of(
        Recipe.of(document.given()), TuneSection.read(file, document), Preparation.QUIET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "grid"})
  void theWholeSearchIsOnTheDiskBeforeTheFirstRun(String search) throws IOException {
    TunePlan plan = plan(search);
    List<Ledger> atFirstWord = new ArrayList<>();
    TuneRun run = new TuneRun(plan, line -> atFirstWord.add(Journal.read(journal).ledger()));
    TuneRun.Done done = run.run(journal, "");
    assertEquals(plan.ledger().totals(), atFirstWord.get(0).totals());
    Journal left = Journal.read(journal);
    assertEquals(plan.ledger().totals(), left.ledger().totals());
    assertTrue(left.isSecure() && left.isPlanned());
    Privacy.Guaranteed kept = (Privacy.Guaranteed) done.winner().privacy();
    assertEquals(plan.cost(), kept.guarantee());
    assertThrows(IllegalArgumentException.class, () -> run.run(journal, ""));
  }

  /** One seed, one unit and one set of declarations hold for all that is charged. */
  @ParameterizedTest
  @ValueSource(strings = {"insecure-seed", "declared-units", "data-seed"})
  void whatIsChargedOnceIsNotSearched(String name) throws IOException {
    TuneSection section = plan("grid").section();
    List<Recipe> candidates =
        List.of(
            Recipe.of().with("learning-rate", "0.1"),
            Recipe.of().with("learning-rate", "5").with(name, "1"));
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new TuneSection(section.search(), section.budget(), candidates, section.node()));
    assertTrue(e.getMessage().startsWith("setting to search must be one of the model"), "" + e);
  }

  /** Without a model, what views there are decides of features, and so of lots and their number. */
  @ParameterizedTest
  @ValueSource(strings = {"shift(2)|flip", "flip|shift(2)"})
  void aSearchOverViewsKeepsToItsBudget(String kinds) throws IOException {
    TunePlan plan =
        read(
            """
            data: digits
            epsilon: 1
            tune:
              search: grid
              candidates:
                - augment: %s
                - augment: %s
            """
                .formatted((Object[]) kinds.split("\\|")));
    assertNotEquals(
        plan.setups().get(0).plan().steps(), plan.setups().get(1).plan().steps(), "all are alike");
    assertEquals(1, plan.cost().epsilon(), 0.01);
  }

  /** Nothing is paid for a mean that no run takes off, and none is asked for in vain. */
  @ParameterizedTest
  @ValueSource(strings = {"each", "total"})
  void aSearchTakesNoMeanOffFeatures(String budget) throws IOException {
    String text =
        """
        data: digits
        steps: 10
        epsilon: 2
        centre-share: %s
        tune:
          search: grid
          budget: %s
          settings:
            clip: [1]
        """;
    for (String share : List.of("0", "")) {
      TunePlan plan = read(text.formatted(share, budget).replace("centre-share: \n", ""));
      assertEquals(2, plan.cost().epsilon(), 0.005);
      assertEquals(List.of(), plan.setups().get(0).first());
      assertEquals(
          0, plan.setups().get(0).chosen().get(PrivacySettings.CENTRE_SHARE).orElseThrow());
    }
    String given = text.formatted("0.03", budget);
    Exception e = assertThrows(IllegalArgumentException.class, () -> read(given));
    assertTrue(
        e.getMessage().endsWith("must be 0 in discreet tune, whose runs take no mean off features"),
        e::toString);
  }

  /** Each was compared with the others, so it rests on what any of them began with. */
  @Test
  void everyCandidatesStartIsStated() throws IOException {
    Recipe one =
        Recipe.parse("data: gaussians\nmodel: logistic\nsteps: 2\nlot-size: 50\nepsilon: 1");
    Path before = one.prepare().start().save(folder.resolve("before"));
    TuneSection section = plan("grid").section();
    List<Recipe> candidates =
        List.of(
            Recipe.of().with("clip", "1"),
            Recipe.of().with("clip", "1").with("start-from", before.toString()));
    TunePlan plan =
        TunePlan.of(
            one,
            new TuneSection(section.search(), section.budget(), candidates, section.node()),
            Preparation.QUIET);
    Asked budget = new Asked(new ArrayList<>(), false);
    TuneRun.Done done = new TuneRun(plan, said::add).run(journal, budget);
    String onTop =
        "The cost of private models that candidates of the search began with comes on top.";
    assertTrue(budget.asked.contains("on " + onTop), "" + budget.asked);
    for (Result each : done.all()) {
      Privacy.Guaranteed kept = (Privacy.Guaranteed) each.privacy();
      assertTrue(kept.file().conditions().contains(onTop), "" + kept.file().conditions());
      assertTrue(kept.headline().contains("comes on top"), kept.headline());
      assertTrue(kept.statement().contains("that says of itself: Private"), kept.statement());
    }
  }

  /** Notes what it is asked, and refuses where it is told to. */
  private record Asked(List<String> asked, boolean refuses) implements Budget {
    @Override
    public String begin(Session session) {
      return "";
    }

    @Override
    public void reserve(LedgerFile planned, Ledger charged) {
      asked.add("reserve " + planned.ledger().totals());
      planned.conditions().forEach(each -> asked.add("on " + each));
      if (refuses) {
        throw new IllegalArgumentException("no budget is left");
      }
    }

    @Override
    public void charge(Mechanism mechanism) {
      asked.add("charge " + mechanism);
    }

    @Override
    public void settle(Ledger charged) {
      asked.add("settle " + charged.totals());
    }
  }

  @Test
  void theBudgetIsAskedOnceForTheWholeSearch() throws IOException {
    TunePlan plan = plan("random");
    Asked budget = new Asked(new ArrayList<>(), false);
    new TuneRun(plan, said::add).run(journal, budget);
    Mechanism best = plan.ledger().entries().get(0).mechanism();
    String totals = plan.ledger().totals().toString();
    assertEquals(List.of("reserve " + totals, "charge " + best, "settle " + totals), budget.asked);
  }

  @Test
  void aBudgetThatRefusesKeepsTheSearchFromRunning() throws IOException {
    TuneRun run = new TuneRun(plan("grid"), said::add);
    Asked budget = new Asked(new ArrayList<>(), true);
    assertThrows(IllegalArgumentException.class, () -> run.run(journal, budget));
    assertEquals(List.of(), said);
    assertTrue(Files.notExists(journal), "the journal of a search that never began");
    assertFalse(budget.asked.stream().anyMatch(line -> line.startsWith("charge")));
  }
}

package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.discreet.lab.Contrast.Order;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StudyTest {
  private static Trial trial(String text) {
    return new ToyTrial(text, workshop -> Outcome.of("value", 1));
  }

  private static Finding finding(Map<String, Outcome> kept) {
    Experiment experiment = new Experiment("asks", "009", "", "a page that asks", Asks::new);
    return experiment.finding(Toy.EFFORT, new Outcomes(kept));
  }

  private static final class Asks extends Study {
    Asks(Setup setup) {
      super(setup);
    }

    @Override
    protected void write() {
      row("second", "toy", sample(trial("b"), "value"));
      row("first", "toy", sample(List.of(trial("a"), trial("b")), "value"));
      row("by chance", "toy", outcomes.sampleOfKept(List.of(trial("c")), "value"));
      table("none", "x | y");
      table("some", "x | y").row(0.5, "z").row(1.0, 7);
      verdict(outcomes.cifar(List.of(trial("a"), trial("b"))));
      picture("A Small_one", "title", "x", "y").level("level", 0, 1, 2).caption("A level.");
    }
  }

  @Test
  void whatAPageAsksForIsRunOnceAndInThatOrder() {
    Finding finding = finding(Map.of("c", Outcome.of("value", 3)));
    assertEquals(List.of("b", "a"), finding.trials().stream().map(Trial::text).toList());
    assertEquals(3, finding.rows().get(2).ours().mean());
  }

  @Test
  void tablesWithoutRowsAreLeftOut() {
    Finding finding = finding(Map.of());
    assertEquals(1, finding.tables().size());
    assertEquals(List.of(List.of("0.5", "z"), List.of("1", "7")), finding.tables().get(0).cells());
  }

  @Test
  void theRulingsOfVerdictsAreKept() {
    Verdict small = Verdict.of("C = %s %s", 0.5, Ruling.REFUTED);
    Verdict large = Verdict.of("C = %s %s", 3.0, new Contrast(2, 1).verdict(Order.ABOVE));
    Study study =
        new Study(new Study.Setup("judges", Toy.EFFORT, new Outcomes(Map.of()))) {
          @Override
          protected void write() {
            verdict("%s: so; %s", Ruling.CONFIRMED.capitalised(), Ruling.INCONCLUSIVE);
            verdict("Nothing to be judged.");
            verdict("Once more: %s.", Verdict.NOT_RUN);
            verdicts("Alike", List.of(small, large));
            verdicts("Of nothing", List.of());
          }
        };
    Finding finding = study.finding();
    assertEquals(
        List.of(
            "Confirmed: so; inconclusive",
            "Nothing to be judged.",
            "Once more: not run yet.",
            "Alike: C = 0.5 refuted; C = 3 confirmed (+2.00 ± 1.00)."),
        finding.verdicts());
    assertEquals(
        List.of(Ruling.CONFIRMED, Ruling.INCONCLUSIVE, Ruling.REFUTED, Ruling.CONFIRMED),
        finding.rulings());
  }

  @Test
  void figuresAreNamedAfterTheirExperiment() {
    assertEquals("asks-a-small-one.svg", finding(Map.of()).figures().get(0).file());
  }

  @Test
  void copiesOfASetAreNamedByTheTrialsThatSawThem() {
    Outcome official = Outcome.of("value", 1);
    Outcome copies = official.with(Outcome.COPIES, 1);
    assertEquals("CIFAR-10", finding(Map.of("a", official, "c", copies)).verdicts().get(0));
    assertEquals(
        "CIFAR-10 (JPEG copies in 1 of 2 trials)",
        finding(Map.of("a", official, "b", copies)).verdicts().get(0));
    assertEquals(
        "CIFAR-10 (JPEG copies)", finding(Map.of("a", copies, "b", copies)).verdicts().get(0));
  }
}

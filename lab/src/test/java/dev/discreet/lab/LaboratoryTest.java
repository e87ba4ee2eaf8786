package dev.discreet.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.optimize.Optimizer;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.train.Trainer;
import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaboratoryTest {
  @TempDir private Path folder;
  private final Toy.Watcher watch = new Toy.Watcher();

  private Laboratory laboratory(int threads) {
    return new Laboratory(folder, threads, DataOptions.none(), watch);
  }

  private static double ours(List<Finding> findings, int experiment, int row) {
    return findings.get(experiment).rows().get(row).ours().mean();
  }

  @Test
  void whatIsKeptIsNotRunAgain() throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Trial counted = new ToyTrial("counted", w -> Outcome.of("value", runs.incrementAndGet()));
    // The same trial twice, say in two sweeps, is one.
    Experiment first = Toy.of("toy", counted, counted);
    assertEquals(1, ours(laboratory(2).run(List.of(first), Toy.EFFORT), 0, 0));
    Experiment more = Toy.of("toy", counted, new ToyTrial("new", w -> Outcome.of("value", 7)));
    List<Finding> findings = laboratory(2).run(List.of(more), Toy.EFFORT);
    assertEquals(1, ours(findings, 0, 0));
    assertEquals(7, ours(findings, 0, 1));
    assertEquals(1, runs.get());
    assertEquals(2, Files.readAllLines(folder.resolve("trials/toy.jsonl")).size());
    assertEquals(
        List.of(
            "1 trial to run, 0 kept in " + folder.resolve("trials"),
            "1/1 toy: counted (0 s)",
            "1 trial to run, 1 kept in " + folder.resolve("trials"),
            "1/1 toy: new (0 s)"),
        watch.lines);
  }

  @Test
  void aFailureDoesNotTakeTheOthersWithIt() throws IOException {
    Experiment toy =
        Toy.of(
            "toy",
            new ToyTrial(
                "bad",
                w -> {
                  throw new IllegalStateException("it broke");
                }),
            new ToyTrial("good", w -> Outcome.of("value", 3)),
            new ToyTrial(
                "absent", w -> Outcome.of("value", w.data("no-such-set").train().units().count())),
            new ToyTrial(
                "worse",
                w -> {
                  throw new AssertionError("out of order");
                }));
    Experiment other = Toy.of("other", new ToyTrial("fine", w -> Outcome.of("value", 4)));
    Laboratory.TrialsFailed failed =
        assertThrows(
            Laboratory.TrialsFailed.class,
            () -> laboratory(1).run(List.of(toy, other), Toy.EFFORT));
    assertTrue(
        failed.getMessage().startsWith("3 of 5 trials failed; the first, toy: bad: "),
        failed.getMessage());
    assertTrue(failed.getMessage().contains("it broke"), failed.getMessage());
    assertEquals(3, ours(failed.findings(), 0, 1));
    assertEquals(4, ours(failed.findings(), 1, 0));
    assertTrue(Files.exists(folder.resolve("toy.html")));
    assertTrue(Files.readString(folder.resolve("index.md")).contains("1 of 4 trials run."));
    assertEquals(
        3, watch.lines.stream().filter(line -> line.contains("FAILED")).count(), "" + watch.lines);
  }

  @Test
  void aSetThatIsNotToBeHadIsToldOnceAndLeavesNoPage() throws IOException {
    List<ToyTrial> trials =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    new ToyTrial(
                        "trial " + i, w -> Outcome.of("v", w.data("none").train().units().count())))
            .toList();
    Experiment other = Toy.of("other", new ToyTrial("fine", w -> Outcome.of("value", 4)));
    Experiment toy = Toy.of("toy", "009", trials);
    for (List<Experiment> all : List.<List<Experiment>>of(List.of(toy), List.of(toy, other))) {
      watch.lines.clear();
      Laboratory.TrialsFailed failed =
          assertThrows(Laboratory.TrialsFailed.class, () -> laboratory(2).run(all, Toy.EFFORT));
      assertTrue(failed.getMessage().startsWith("5 of "), failed.getMessage());
      assertEquals(
          1,
          watch.lines.stream().filter(line -> line.contains("FAILED")).count(),
          "" + watch.lines);
      assertFalse(Files.exists(folder.resolve("toy.html")));
    }
    String index = Files.readString(folder.resolve("index.md"));
    assertTrue(index.contains("(other.md)") && !index.contains("toy.md"), index);
  }

  @Test
  void whatIsStoppedIsGoneOnWith() throws IOException {
    AtomicInteger begun = new AtomicInteger();
    List<ToyTrial> trials =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    new ToyTrial(
                        "trial " + i,
                        workshop -> {
                          begun.incrementAndGet();
                          workshop.checkStopped();
                          watch.stop = i == 2;
                          workshop.checkStopped();
                          return Outcome.of("value", i);
                        }))
            .toList();
    Experiment toy = Toy.of("toy", "009", trials);
    List<Finding> half = laboratory(1).run(List.of(toy), Toy.EFFORT);
    assertEquals(3, begun.get());
    assertEquals(List.of(1, 1, 0, 0), sizes(half));
    assertTrue(Files.readString(folder.resolve("toy.md")).contains("| — | 0 |"));
    watch.stop = false;
    trials =
        IntStream.range(0, 4)
            .mapToObj(i -> new ToyTrial("trial " + i, w -> Outcome.of("value", 10 + i)))
            .toList();
    List<Finding> all = laboratory(1).run(List.of(Toy.of("toy", "009", trials)), Toy.EFFORT);
    assertEquals(
        List.of(0.0, 1.0, 12.0, 13.0),
        IntStream.range(0, 4).mapToObj(i -> ours(all, 0, i)).toList());
  }

  private static List<Integer> sizes(List<Finding> findings) {
    return findings.get(0).rows().stream().map(row -> row.ours().size()).toList();
  }

  @Test
  void aTrialThatIsToBeAloneIs() throws IOException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Integer> shares = new ArrayList<>();
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      boolean alone = i % 3 == 0;
      trials.add(
          new ToyTrial(
              "trial " + i,
              alone,
              workshop -> {
                int now = running.incrementAndGet();
                pause();
                if (alone) {
                  most.accumulateAndGet(now, Math::max);
                  most.accumulateAndGet(running.get(), Math::max);
                  shares.add(workshop.threads());
                } else {
                  assertEquals(1, workshop.threads());
                }
                running.decrementAndGet();
                return Outcome.of("value", i(alone));
              }));
    }
    laboratory(3).run(List.of(Toy.of("toy", "009", trials)), Toy.EFFORT);
    assertEquals(1, most.get());
    assertEquals(List.of(3, 3), shares);
  }

  private static double i(boolean alone) {
    return alone ? 1 : 0;
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void pagesAloneRunNothing() throws IOException {
    Experiment toy =
        Toy.of(
            "toy",
            new ToyTrial(
                "never",
                w -> {
                  throw new AssertionError();
                }));
    assertThrows(
        IllegalArgumentException.class, () -> laboratory(1).write(List.of(toy), Toy.EFFORT));
    Trial done = new ToyTrial("done", w -> Outcome.of("value", 1));
    laboratory(1).run(List.of(Toy.of("toy", done)), Toy.EFFORT);
    Experiment more = Toy.of("toy", done, toy.trials(Toy.EFFORT).get(0));
    assertEquals(List.of(1, 0), sizes(laboratory(1).write(List.of(more), Toy.EFFORT)));
    String page = Files.readString(folder.resolve("toy.md"));
    assertTrue(page.contains("Not finished: 1 of 2 trials run."), page);
    assertFalse(Files.exists(folder.resolve("index.html")));
  }

  @Test
  void aQuickRunNeverTakesTheFullOnesPlace() throws IOException {
    Experiment toy = Toy.of("toy", new ToyTrial("a", w -> Outcome.of("value", 1)));
    Effort quick = new Effort(true, OptionalInt.empty());
    laboratory(1).run(List.of(toy), quick);
    laboratory(1).run(List.of(toy), quick);
    laboratory(1).run(List.of(toy), Toy.EFFORT);
    String page = Files.readString(folder.resolve("toy.md"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> laboratory(1).run(List.of(toy), quick));
    assertEquals(
        "out must be another folder for a quick run, as it has the full run's page of toy."
            + " Provided value: "
            + folder,
        refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> laboratory(1).write(List.of(toy), quick));
    assertEquals(page, Files.readString(folder.resolve("toy.md")));
  }

  @Test
  void keptTrialsThatDoNotFitAreTold() throws IOException {
    laboratory(1)
        .run(
            List.of(
                Toy.of("other", "009", List.of(new ToyTrial("t", w -> Outcome.of("value", 1))))),
            Toy.EFFORT);
    Path kept = folder.resolve("trials/other.jsonl");
    Files.writeString(kept, Files.readString(kept).replace("\"value\"", "\"old\""));
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                laboratory(1)
                    .write(
                        List.of(Toy.of("other", new ToyTrial("t", w -> Outcome.of("value", 1)))),
                        Toy.EFFORT));
    assertTrue(refused.getMessage().contains("other.jsonl"), refused.getMessage());
  }

  private static Examples examples(int size, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    float[] inputs = new float[size * 4];
    float[] targets = new float[size];
    for (int i = 0; i < size; i++) {
      targets[i] = i % 2;
      for (int j = 0; j < 4; j++) {
        inputs[i * 4 + j] = (float) (random.nextGaussian() + (j == 0 ? 2 * targets[i] : 0));
      }
    }
    return Examples.of(Shape.vector(4), inputs, 1, targets);
  }

  private Outcome trained(Workshop workshop, boolean inParts, long every) throws IOException {
    PrivacyPlan plan = PrivacyPlan.noise(1).lotSize(20).epochs(5).clip(1).build();
    Trainer trainer =
        Trainer.of(Network.parse("dense(6) tanh dense(2)"), plan)
            .learningRate(0.5)
            .optimizer(new Optimizer.Momentum(0.9))
            .insecureSeed(3);
    trainer = every > 0 ? trainer.evaluateEvery(every) : trainer;
    Examples train = examples(200, 1);
    TestSet test = TestSet.declaredPublic(examples(100, 2));
    return Workshop.outcome(
        inParts
            ? workshop.trainInParts(trainer.prepare(PrivateData.each(train), test), 7)
            : workshop.train(trainer, train, test));
  }

  /** Stopped after so many steps, again and again, until it is done. */
  private List<Double> inParts(long steps, long every) throws IOException {
    for (int part = 1; part < 100; part++) {
      AtomicInteger heard = new AtomicInteger();
      Laboratory.Watch hasty =
          new Laboratory.Watch() {
            @Override
            public void say(String line) {}

            @Override
            public void progress(String trial, String how) {
              heard.incrementAndGet();
            }

            @Override
            public boolean stopped() {
              return heard.get() >= steps;
            }
          };
      Experiment toy = Toy.of("parts", new ToyTrial("t", w -> outcome(trained(w, true, every))));
      Path place = folder.resolve("in-parts-" + steps + "-" + every);
      List<Finding> findings =
          new Laboratory(place, 1, DataOptions.none(), hasty).run(List.of(toy), Toy.EFFORT);
      if (sizes(findings).equals(List.of(1))) {
        assertEquals((50 + steps - 1) / steps, part, "all steps were taken once");
        try (Stream<Path> left = Files.list(place.resolve("trials"))) {
          assertEquals(1, left.count(), "no scratch is left");
        }
        return new TrialLog(place.resolve("trials/parts.jsonl"))
            .outcomes()
            .of(toy.trials(Toy.EFFORT))
            .get(0)
            .curve("accuracy");
      }
    }
    throw new AssertionError("it never ends");
  }

  private static Outcome outcome(Outcome trained) {
    return trained.with("value", 0);
  }

  /** To the bit, and with the whole curve: the first half of it was told by an earlier process. */
  @Test
  void aTrainingInPartsIsTheSameTraining() throws IOException {
    for (long every : new long[] {0, 8}) {
      List<Outcome> whole = new ArrayList<>();
      laboratory(1)
          .run(
              List.of(
                  Toy.of(
                      "whole-" + every,
                      new ToyTrial(
                          "t",
                          w -> {
                            whole.add(trained(w, false, every));
                            return Outcome.of("value", 0);
                          }))),
              Toy.EFFORT);
      List<Double> expected = whole.get(0).curve("accuracy");
      assertEquals(every == 0 ? 5 : 7, expected.size());
      assertTrue(expected.stream().distinct().count() > 2, "a curve that says something");
      for (long steps : every == 0 ? new long[] {23, 10} : new long[] {23}) {
        assertEquals(expected, inParts(steps, every), steps + " steps a part");
      }
    }
  }
}

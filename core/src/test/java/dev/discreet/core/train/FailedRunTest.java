package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Ledger;
import dev.discreet.core.engine.ClippedSum;
import dev.discreet.core.engine.Coordinates;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.StepRequest;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.journal.Journal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose engine fails in the middle of a step. */
class FailedRunTest {
  private static final int UNITS = 100;

  /** An engine whose source fails at one question, and the questions that it was asked. */
  private record Broken(Reference inner, RuntimeException failure, int at, List<Long> asked)
      implements Engine {
    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public int threads() {
      return 1;
    }

    @Override
    public Engine withThreads(int threads) {
      return this;
    }

    @Override
    public GradientSource source(
        Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
      GradientSource source = inner.source(layout, rule, data, sampler, grid);
      return new GradientSource() {
        @Override
        public Coordinates coordinates() {
          return source.coordinates();
        }

        @Override
        public ClippedSum clippedSum(StepRequest request) {
          asked.add(request.release());
          if (asked.size() - 1 == at) {
            throw failure;
          }
          return source.clippedSum(request);
        }

        @Override
        public long refusedUnits() {
          return source.refusedUnits();
        }

        @Override
        public void close() {
          source.close();
        }
      };
    }

    @Override
    public PublicGradients open(Layout layout, Examples examples) {
      return inner.open(layout, examples);
    }
  }

  @Test
  void aRunEndsWithTheStepThatFailed(@TempDir Path folder) {
    Examples set = Problems.classes(UNITS, 1);
    PrivacyPlan plan = PrivacyPlan.noise(2).lotSize(20).steps(8).clip(1).build();
    IllegalStateException failure = new IllegalStateException("of this test");
    Broken broken = new Broken(new Reference(), failure, 5, new ArrayList<>());
    List<Long> done = new ArrayList<>();
    Path journal = folder.resolve("journal");
    Trainer trainer =
        Trainer.of(Problems.LINEAR, plan)
            .learningRate(0.1)
            .engine(broken)
            .journal(journal)
            .listener(
                event -> {
                  if (event instanceof Event.StepDone step) {
                    done.add(step.step());
                  }
                });
    assertSame(failure, assertThrows(RuntimeException.class, () -> trainer.train(set)));
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L), broken.asked());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), done);
    Ledger charged = Journal.read(journal).ledger();
    long times = charged.totals().get(plan.forUnits(UNITS).mechanism(0));
    assertTrue(times >= 6 && times <= 8, "charged " + times);
  }
}

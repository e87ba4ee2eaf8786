package dev.discreet.recipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.PublicRows;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.engine.UnitSum;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.data.DataSet;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.generate.GeneratedSets;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A recipe takes rows that never come to this machine. */
class RowsElsewhereTest {
  private static final Recipe RECIPE =
      Recipe.parse(
          "model: logistic\nsteps: 3\nlot-size: 50\nnoise-multiplier: 1\ninsecure-seed: 5");
  private static final DataSet SET = GeneratedSets.make("gaussians", 0);

  /** Rows that only their own engine looks into. */
  private record Elsewhere(LocalData there) implements PrivateData {
    @Override
    public Shape input() {
      return there.input();
    }

    @Override
    public int targets() {
      return there.targets();
    }

    @Override
    public long unitCount() {
      return there.unitCount();
    }

    @Override
    public boolean rowsAreUnits() {
      return there.rowsAreUnits();
    }

    @Override
    public OptionalInt find(PublicRows rows) {
      return there.find(rows);
    }

    @Override
    public long[] sum(UnitSum sum) {
      return there.sum(sum);
    }

    @Override
    public PrivateData atMost(int examplesPerUnit) {
      return new Elsewhere(there.atMost(examplesPerUnit));
    }

    @Override
    public PrivateData grouped(MicroBatches batches, SamplingKey key) {
      return new Elsewhere(there.grouped(batches, key));
    }
  }

  /** Computes where those rows are. */
  private record EngineThere(Engine engine) implements Engine {
    @Override
    public String name() {
      return "there";
    }

    @Override
    public int threads() {
      return engine.threads();
    }

    @Override
    public Engine withThreads(int threads) {
      return new EngineThere(engine.withThreads(threads));
    }

    @Override
    public GradientSource source(
        Layout layout, UnitRule rule, PrivateData data, Sampler sampler, Grid grid) {
      return engine.source(layout, rule, ((Elsewhere) data).there, sampler, grid);
    }

    @Override
    public PublicGradients open(Layout layout, Examples examples) {
      return engine.open(layout, examples);
    }

    @Override
    public double unitsPerChunk(Layout layout) {
      return engine.unitsPerChunk(layout);
    }
  }

  private static TrainingRows elsewhere(Optional<DataSet.Part> test) {
    return new TrainingRows("there", SET.task(), new Elsewhere(SET.train()), test);
  }

  @Test
  void theModelIsThatOfTheSameRowsHere() throws IOException {
    FinishedRun there =
        RECIPE
            .prepare(elsewhere(SET.test()))
            .with(trainer -> trainer.engine(new EngineThere(Engine.standard())))
            .start();
    FinishedRun here = RECIPE.prepare(SET).start();
    assertArrayEquals(here.model().parameters(), there.model().parameters());
    assertEquals(here.result().evaluation(), there.result().evaluation());
    assertEquals(here.prepared().planCost(), there.prepared().planCost());
  }

  @Test
  void publicRowsAreComparedThere() {
    TrainingRows both =
        elsewhere(Optional.of(new DataSet.Part(SET.train().examples(), SET.train().units(), true)));
    Exception e = assertThrows(IllegalArgumentException.class, () -> RECIPE.prepare(both));
    assertTrue(e.getMessage().startsWith("public examples must be none of the private"), "" + e);
  }

  @Test
  void whatCannotReachThemRefuses() throws IOException {
    PreparedRecipe prepared = RECIPE.prepare(elsewhere(Optional.empty()));
    Exception e = assertThrows(IllegalArgumentException.class, prepared::start);
    assertTrue(e.getMessage().contains("must be rows on this machine"), "" + e);
  }
}

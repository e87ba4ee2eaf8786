package dev.discreet.core.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Augmentation;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.GradientSource;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.engine.UnitRule;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Sampler;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose steps look at several views of an image. */
class AugmentationTrainingTest {
  private static final Network NETWORK = Network.parse("flatten dense(2)");
  private static final Augmentation VIEWS = Augmentation.parse("flip,shift(1)", 4);

  /** A dot in the left half, or in the right one. */
  private static Examples dots(int size) {
    SplittableRandom random = new SplittableRandom(2);
    float[] pixels = new float[size * 24];
    float[] labels = new float[size];
    for (int i = 0; i < size; i++) {
      labels[i] = i % 2;
      pixels[24 * i + 6 * random.nextInt(4) + 3 * (i % 2) + random.nextInt(3)] = 1;
    }
    return Examples.of(new Shape(4, 6, 1), pixels, 1, labels);
  }

  private static Trainer trainer(PrivacyPlan plan, Augmentation views) {
    Trainer trainer =
        plan.noise().isPrivate() ? Trainer.of(NETWORK, plan) : Trainer.nonPrivate(NETWORK, plan);
    return trainer.learningRate(0.5).insecureSeed(3).augmentation(views);
  }

  private static PrivacyPlan plan() {
    return PrivacyPlan.noise(1).lotSize(50).steps(5).clip(0.5).build();
  }

  private static float[] trained(PrivacyPlan plan, Augmentation views) {
    return trainer(plan, views).train(dots(200)).model().parameters();
  }

  @Test
  void costsWhatTheSameRunWithoutViewsCosts() {
    Result plain = trainer(plan(), Augmentation.NONE).train(dots(200));
    Result viewed = trainer(plan(), VIEWS).train(dots(200));
    assertEquals(
        plain.provenance().configuration().plan().ledger(),
        viewed.provenance().configuration().plan().ledger());
    assertEquals(
        "4 views of each example by flip,shift(1)",
        viewed.provenance().configuration().texts().get("augmentation"));
    assertFalse(plain.provenance().configuration().texts().containsKey("augmentation"));
  }

  /** A mirrored view says the opposite of the image: only where training began is left. */
  @Test
  void whatTwoViewsContradictIsNotLearnt() {
    PrivacyPlan plan = PrivacyPlan.nonPrivate().lotSize(50).steps(200).build();
    Model with = new Model(trained(plan, Augmentation.parse("flip", 2)));
    Model without = new Model(trained(plan, Augmentation.NONE));
    assertTrue(without.side() > 1, "without views: " + without.side());
    assertEquals(0, with.side(), 0.01);
  }

  /** The weights of a dense layer on 4x6 pixels. */
  private record Model(float[] parameters) {
    /** How much more the right half says "right" than the left one does. */
    double side() {
      double sum = 0;
      for (int i = 0; i < 24; i++) {
        double says = parameters[2 * i + 1] - parameters[2 * i];
        sum += (i % 6 < 3 ? -1 : 1) * says / 24;
      }
      return sum;
    }
  }

  @Test
  void oneViewIsNone() {
    for (PrivacyPlan plan :
        new PrivacyPlan[] {plan(), PrivacyPlan.nonPrivate().lotSize(50).steps(5).build()}) {
      assertArrayEquals(trained(plan, Augmentation.NONE), trained(plan, VIEWS.of(1)));
      assertFalse(
          java.util.Arrays.equals(trained(plan, Augmentation.NONE), trained(plan, VIEWS)),
          "the comparison can fail");
      assertArrayEquals(trained(plan, VIEWS), trained(plan, VIEWS));
    }
  }

  @Test
  void aResumedRunHasTheSameViews(@TempDir Path folder) {
    Path left = folder.resolve("left");
    trainer(plan(), VIEWS).checkpoints(left, 1).stopWhen(e -> e.step() == 2).train(dots(200));
    String before = "augmentation of a resumed run must be as in the checkpoint, 4 views of each";
    String none = before + " example by flip,shift(1). Provided value: none";
    assertEquals(none, refused(left, Augmentation.NONE));
    assertTrue(refused(left, VIEWS.of(5)).startsWith(before));
    Path plain = folder.resolve("plain");
    trainer(plan(), Augmentation.NONE)
        .checkpoints(plain, 1)
        .stopWhen(e -> e.step() == 2)
        .train(dots(200));
    assertTrue(
        refused(plain, VIEWS)
            .startsWith("augmentation of a resumed run must be as in the checkpoint, none."));
  }

  private static String refused(Path checkpoints, Augmentation views) {
    PreparedRun run =
        trainer(plan(), views)
            .checkpoints(checkpoints, 1)
            .prepare(PrivateData.each(dots(200)), null);
    return assertThrows(IllegalArgumentException.class, run::resume).getMessage();
  }

  /** Makes no views, as an engine that says nothing of them. */
  private record WithoutViews(Engine inner) implements Engine {
    @Override
    public String name() {
      return "plain";
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
      return inner.source(layout, rule, data, sampler, grid);
    }

    @Override
    public PublicGradients open(Layout layout, Examples examples) {
      return inner.open(layout, examples);
    }
  }

  @Test
  void refusesBeforeAnythingIsSpent() {
    Trainer elsewhere = trainer(plan(), VIEWS).engine(new WithoutViews(Engine.standard()));
    assertEquals(
        "views must be 1 with the engine plain. Provided value: 4",
        assertThrows(
                IllegalArgumentException.class,
                () -> elsewhere.prepare(PrivateData.each(dots(200)), null))
            .getMessage());
    Trainer vectors = Trainer.of(Problems.LINEAR, plan()).learningRate(0.5).augmentation(VIEWS);
    assertEquals(
        "augment must be absent where inputs are no images. Provided value: flip,shift(1) of 2",
        assertThrows(
                IllegalArgumentException.class,
                () -> vectors.prepare(PrivateData.each(Problems.classes(200, 1)), null))
            .getMessage());
  }
}

package dev.discreet.core.optimize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.engine.TwoParts;
import dev.discreet.core.engine.reference.Reference;
import dev.discreet.core.evaluate.TestSet;
import dev.discreet.core.model.Privacy.Guaranteed;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.Units;
import dev.discreet.core.train.Problems;
import dev.discreet.core.train.PublicPrivateOverlap;
import dev.discreet.core.train.Result;
import dev.discreet.core.train.Trainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GradientTransformTest {
  private static final Examples TRAIN = Problems.classes(200, 1);
  private static final PrivacyPlan PLAN = PrivacyPlan.noise(2).lotSize(50).steps(6).clip(1).build();
  private static final Trainer TRAINER =
      Trainer.of(Problems.LINEAR, PLAN).learningRate(1).insecureSeed(7).engine(new Reference());

  /** Multiplies gradients, and remembers when it was asked. */
  private record Scaled(Examples publicExamples, float factor, List<Object> heard)
      implements GradientTransform {
    @Override
    public Running open(Layout layout, boolean[] trainable, Engine engine) {
      heard.add(trainable);
      return new Running() {
        @Override
        public void apply(long step, float[] theta, float[] gradient) {
          heard.add(step);
          for (int i = 0; i < gradient.length; i++) {
            gradient[i] *= factor;
          }
        }

        @Override
        public void close() {
          heard.add("closed");
        }
      };
    }

    @Override
    public String toString() {
      return "scaled(" + factor + ")";
    }
  }

  /** Whose first row cannot be read. */
  private record Torn(Examples whole) implements Examples {
    @Override
    public int size() {
      return whole.size();
    }

    @Override
    public Shape input() {
      return whole.input();
    }

    @Override
    public int targets() {
      return whole.targets();
    }

    @Override
    public void input(int example, float[] to, int at) {
      if (example == 0) {
        throw new IllegalStateException("unreadable");
      }
      whole.input(example, to, at);
    }

    @Override
    public void target(int example, float[] to, int at) {
      whole.target(example, to, at);
    }
  }

  private static Scaled scaled(float factor) {
    return new Scaled(Problems.classes(5, 99), factor, new ArrayList<>());
  }

  @Test
  void comesAfterTheReleaseAndCostsNothing() {
    Result plain = TRAINER.train(TRAIN);
    Scaled half = scaled(0.5f);
    Result transformed = TRAINER.learningRate(2).transform(half).train(TRAIN);
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, "closed"), half.heard.subList(1, 8));
    assertArrayEquals(plain.model().parameters(), transformed.model().parameters());
    assertEquals(
        ((Guaranteed) plain.privacy()).ledger(), ((Guaranteed) transformed.privacy()).ledger());
    assertEquals("none", plain.provenance().configuration().texts().get("gradientTransform"));
    assertEquals(
        "scaled(0.5)", transformed.provenance().configuration().texts().get("gradientTransform"));
  }

  @Test
  void isToldWhatIsTrained() {
    Scaled same = scaled(1);
    Trainer.of(Network.parse("dense(2) dense(2)"), PLAN)
        .learningRate(1)
        .freeze("0")
        .insecureSeed(7)
        .engine(new Reference())
        .transform(same)
        .train(TRAIN);
    boolean[] trainable = new boolean[12];
    java.util.Arrays.fill(trainable, 6, 12, true);
    assertArrayEquals(trainable, (boolean[]) same.heard.get(0));
  }

  @Test
  void aPublicExampleThatIsPrivateTooIsRefusedBeforeAnythingIsSpent(@TempDir Path folder) {
    float[] row = new float[3];
    TRAIN.input(17, row, 0);
    TRAIN.target(17, row, 2);
    Examples known =
        Examples.of(
            Shape.vector(2), new float[] {5, 5, row[0], row[1]}, 1, new float[] {1, row[2]});
    Scaled overlapping = new Scaled(known, 1, new ArrayList<>());
    Path run = folder.resolve("run");
    Trainer trainer = TRAINER.transform(overlapping).checkpoints(run, 1);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN));
    assertEquals(
        "public examples must be none of the private ones (where other people's rows look the same:"
            + " --public-rows-are-other-people, in Java Trainer.publicRowsAreOtherPeople)."
            + " Provided value: public example 1, which"
            + " has the inputs and the target of a private one (outside the guarantee, for your"
            + " eyes)",
        refused.getMessage());
    assertFalse(Files.exists(run));
    assertTrue(overlapping.heard.isEmpty());
    Result result = trainer.publicRowsAreOtherPeople().train(TRAIN);
    String statement = result.privacy().statement().replaceAll("\\s+", " ");
    assertTrue(
        statement.contains("It was declared that public examples which look like"), statement);
    assertFalse(statement.contains("none of them"), statement);
    assertTrue(
        result.provenance().configuration().texts().get("publicRows").startsWith("declared"));
  }

  @Test
  void heldOutRowsArePrivateToo() {
    Examples held = Problems.classes(5, 99);
    Trainer trainer = TRAINER.transform(scaled(1));
    Units units = Units.each(5);
    LocalData part = PrivateData.of(held, units);
    LocalData other = PrivateData.of(Problems.classes(5, 98), units);
    for (TestSet test :
        List.of(
            new TestSet.OperatorOnly(held),
            new TestSet.Released(held, units, 0.1),
            new TestSet.Released(new TwoParts(other, part), 0.1))) {
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> trainer.train(TRAIN, test))
              .getMessage()
              .startsWith("public examples must be none of the private ones"));
    }
    trainer.train(TRAIN, TestSet.declaredPublic(held));
    trainer.train(TRAIN, new TestSet.Released(other, 0.1));
    trainer.train(TRAIN, new TestSet.Released(new TwoParts(other, other), 0.1));
  }

  @Test
  void bothZerosAreOneNumberAndAnotherTargetIsAnotherExample() {
    Examples mine = Examples.of(Shape.vector(1), new float[] {0f, 2f}, 1, new float[] {1, 1});
    Examples zero = Examples.of(Shape.vector(1), new float[] {-0f}, 1, new float[] {1});
    Examples other = Examples.of(Shape.vector(1), new float[] {2f}, 1, new float[] {0});
    assertThrows(
        IllegalArgumentException.class,
        () -> PublicPrivateOverlap.refuse(zero, PrivateData.each(mine)));
    PublicPrivateOverlap.refuse(other, PrivateData.each(mine));
    PublicPrivateOverlap.refuse(zero, PrivateData.each(new Torn(mine)));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            PublicPrivateOverlap.refuse(
                Examples.of(Shape.vector(1), new float[] {2}, 1, new float[] {1}),
                PrivateData.each(new Torn(mine))));
  }

  /** One hot beside a class: the targets cannot be compared, and the inputs are. */
  @Test
  void otherwiseEncodedLabelsDoNotHideARow() {
    Examples mine = Examples.of(Shape.vector(1), new float[] {3f, 2f}, 1, new float[] {0, 1});
    Examples same = Examples.of(Shape.vector(1), new float[] {2f}, 2, new float[] {0, 1});
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> PublicPrivateOverlap.refuse(same, PrivateData.each(mine)))
            .getMessage()
            .contains("public example 0, which has the inputs of a private one (outside"));
    PublicPrivateOverlap.refuse(
        Examples.of(Shape.vector(1), new float[] {4f}, 2, new float[] {0, 1}),
        PrivateData.each(mine));
  }

  /** What cannot be compared is not passed over. */
  @Test
  void anotherShapeIsRefused() {
    Examples mine = Examples.of(Shape.vector(1), new float[] {3f}, 1, new float[] {0});
    Examples wide = Examples.of(Shape.vector(2), new float[] {3f, 3f}, 1, new float[] {0});
    assertThrows(
        IllegalArgumentException.class,
        () -> PublicPrivateOverlap.refuse(wide, PrivateData.each(mine)));
  }

  @Test
  void whatCannotWorkIsRefused() {
    Examples wide = Examples.of(Shape.vector(3), new float[3], 1, new float[1]);
    Trainer misfit = TRAINER.transform(new Scaled(wide, 1, new ArrayList<>()));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> misfit.train(TRAIN))
            .getMessage()
            .startsWith("input of the public examples must be that of the training set"));
    Trainer corrected = TRAINER.transform(scaled(1)).optimizer(new Optimizer.DpAdam(1e-4));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> corrected.train(TRAIN))
            .getMessage()
            .startsWith("optimizer beside a gradient transform must be another than dpadam"));
  }
}

package dev.discreet.algorithms.projected;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.PublicGradients;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.optimize.GradientTransform;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.ObjLongConsumer;
import java.util.stream.IntStream;

/**
 * Projected DP-SGD: each released mean gradient is projected onto the space of the top k
 * eigenvectors of the second moment of the public examples' gradients. Noise in d directions
 * becomes noise in k. The part of the private gradient outside these directions is lost.
 *
 * <pre>{@code
 * Trainer trainer =
 *     Trainer.of(network, plan)
 *         .transform(ProjectedGradients.of(publicExamples, 50))
 *         .learningRate(0.1);
 * }</pre>
 *
 * <p><b>Formal guarantee.</b> The same as without the projection, which is computed from public
 * examples and from parameters that are already released values.
 */
@PublicApi
public final class ProjectedGradients implements GradientTransform {
  private final Examples examples;
  private final int k;
  private final long every;
  private final long from;
  private final ObjLongConsumer<GradientSpectrum> watcher;
  private final String hash;

  private ProjectedGradients(
      Examples examples,
      int k,
      long every,
      long from,
      ObjLongConsumer<GradientSpectrum> watcher,
      String hash) {
    this.examples = examples;
    this.k = k;
    this.every = every;
    this.from = from;
    this.watcher = watcher;
    this.hash = hash;
  }

  /**
   * A new space at every step.
   *
   * @param publicExamples m examples; by passing them the caller declares that they are public
   * @param k at most m and the number of trainable parameters
   * @return the transform, for {@code Trainer.transform}
   */
  public static ProjectedGradients of(Examples publicExamples, int k) {
    RowProducts.check(k, publicExamples.size(), Integer.MAX_VALUE);
    return new ProjectedGradients(
        publicExamples, k, 1, 0, (spectrum, step) -> {}, hash(publicExamples));
  }

  /**
   * Keeps a space for s steps. This is cheaper, but the space is a little out of date.
   *
   * @param s at least 1
   * @return that transform; this one stays as it is
   */
  public ProjectedGradients every(long s) {
    Check.that(s >= 1, "steps between refreshes", "at least 1", s);
    return new ProjectedGradients(examples, k, s, from, watcher, hash);
  }

  /**
   * Does not project the gradients of the steps before {@code step}.
   *
   * @param step the first one that is projected
   * @return that transform; this one stays as it is
   */
  public ProjectedGradients from(long step) {
    Check.that(step >= 0, "first projected step", "at least 0", step);
    return new ProjectedGradients(examples, k, every, step, watcher, hash);
  }

  /**
   * Is given the spectrum, and the step, whenever there is a new space. All of it is public.
   *
   * @param watcher hears the spectrum and the step
   * @return that transform; this one stays as it is
   */
  public ProjectedGradients watch(ObjLongConsumer<GradientSpectrum> watcher) {
    return new ProjectedGradients(examples, k, every, from, watcher, hash);
  }

  @Override
  public Examples publicExamples() {
    return examples;
  }

  @Override
  public Running open(Layout layout, boolean[] trainable, Engine engine) {
    int free = (int) IntStream.range(0, trainable.length).filter(i -> trainable[i]).count();
    RowProducts.check(k, examples.size(), free);
    int[] all = IntStream.range(0, examples.size()).toArray();
    PublicGradients gradients = engine.open(layout, examples);
    try {
      // Invalid labels are refused now.
      gradients.loss(new float[layout.parameters()], all);
    } catch (RuntimeException e) {
      gradients.close();
      throw e;
    }
    return new Run(gradients, all, trainable.clone());
  }

  private final class Run implements Running {
    private final PublicGradients gradients;
    private final int[] all;
    private final boolean[] trainable;
    private Subspace space;

    Run(PublicGradients gradients, int[] all, boolean[] trainable) {
      this.gradients = gradients;
      this.all = all;
      this.trainable = trainable;
    }

    @Override
    public void apply(long step, float[] theta, float[] gradient) {
      if (step < from) {
        return;
      }
      if (space == null || (step - from) % every == 0) {
        float[][] rows = gradients.perExampleGradients(theta, all);
        for (int i = 0; i < trainable.length; i++) {
          for (int row = 0; row < rows.length && !trainable[i]; row++) {
            rows[row][i] = 0;
          }
        }
        space = Subspace.of(rows, k);
        watcher.accept(space.spectrum(), step);
      }
      space.project(gradient);
    }

    @Override
    public void close() {
      gradients.close();
    }
  }

  /** A hash of public values, which distinguishes one public set from another. */
  private static String hash(Examples examples) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      int inputs = examples.input().size();
      float[] values = new float[inputs + examples.targets()];
      ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length);
      for (int i = 0; i < examples.size(); i++) {
        examples.input(i, values, 0);
        examples.target(i, values, inputs);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes.array());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "projected(k="
        + k
        + ", every="
        + every
        + ", from="
        + from
        + ", public="
        + examples.size()
        + ", SHA-256 "
        + hash
        + ")";
  }
}

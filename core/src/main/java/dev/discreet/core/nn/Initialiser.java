package dev.discreet.core.nn;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How weights begin. Norms begin with scale 1 and shift 0, biases with 0 except as PyTorch has
 * them, and embeddings with N(0, 1) except under {@link #ZEROS}.
 *
 * <p>Initial weights are public, so an ordinary generator serves; it and the functions used on its
 * numbers are specified to the bit, so a seed means the same on every machine.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.of(network, plan).initialiser(Initialiser.HE_NORMAL, 1);
 * }</pre>
 */
@PublicApi
public enum Initialiser {
  /** U(−b, b) with b = 1/√fan-in for weights and biases: what PyTorch does if not told. */
  PYTORCH_UNIFORM,
  /** N(0, 2/fan-in): He et al. 2015. */
  HE_NORMAL,
  /** U(−b, b) with b = √(6/fan-in). */
  HE_UNIFORM,
  /** N(0, 2/(fan-in + fan-out)): Glorot and Bengio 2010. */
  XAVIER_NORMAL,
  /** U(−b, b) with b = √(6/(fan-in + fan-out)). */
  XAVIER_UNIFORM,
  /** N(0, 1/fan-in): LeCun et al. 1998. */
  LECUN_NORMAL,
  /** All weights 0: for models with one layer, where it is as good a start as any. */
  ZEROS;

  /** What holds unless told otherwise. */
  public static final Initialiser STANDARD = PYTORCH_UNIFORM;

  /**
   * The initialiser of a name, such as {@code he-normal}.
   *
   * @param name what {@link #toString} writes
   * @return the initialiser; another name is refused
   */
  public static Initialiser named(String name) {
    for (Initialiser initialiser : values()) {
      if (initialiser.toString().equals(name)) {
        return initialiser;
      }
    }
    Check.that(false, "initialiser", "one of " + Arrays.toString(values()), name);
    return null;
  }

  /** Its name as people write it: {@code he-normal}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  void fill(Layout.Slice slice, boolean embedding, SplittableRandom random, float[] to) {
    Parameter parameter = slice.parameter();
    double in = parameter.fanIn();
    double both = in + parameter.fanOut();
    for (int i = slice.offset(); i < slice.end(); i++) {
      to[i] =
          (float)
              switch (parameter.role()) {
                case SCALE -> 1;
                case SHIFT -> 0;
                case BIAS -> this == PYTORCH_UNIFORM ? uniform(random, Math.sqrt(1 / in)) : 0;
                case WEIGHT ->
                    this == ZEROS ? 0 : embedding ? normal(random, 1) : weight(random, in, both);
              };
    }
  }

  private double weight(SplittableRandom random, double in, double both) {
    return switch (this) {
      case PYTORCH_UNIFORM -> uniform(random, Math.sqrt(1 / in));
      case HE_NORMAL -> normal(random, Math.sqrt(2 / in));
      case HE_UNIFORM -> uniform(random, Math.sqrt(6 / in));
      case XAVIER_NORMAL -> normal(random, Math.sqrt(2 / both));
      case XAVIER_UNIFORM -> uniform(random, Math.sqrt(6 / both));
      case LECUN_NORMAL -> normal(random, Math.sqrt(1 / in));
      case ZEROS -> 0;
    };
  }

  private static double uniform(SplittableRandom random, double bound) {
    return (2 * random.nextDouble() - 1) * bound;
  }

  /** Box–Muller; nextGaussian's algorithm may change between versions of Java. */
  private static double normal(SplittableRandom random, double deviation) {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return deviation * radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }
}

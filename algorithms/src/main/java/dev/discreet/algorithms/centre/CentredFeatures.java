package dev.discreet.algorithms.centre;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.algorithms.matrix.CoarseSums;
import dev.discreet.algorithms.matrix.RowReader;
import dev.discreet.core.engine.Engine;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Scattering;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.NoisyValue;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.train.FirstRelease;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the mean of fixed features off them: released in the run's own session before its first
 * step, as a layer that stands still between the features and what is trained. Features have means
 * far from 0, which are most of their length, so a model on centred ones learns in fewer steps, and
 * gradients of the same threshold say more.
 *
 * <p>The features are normalised in each image by itself ({@code together=} of {@link Scattering}),
 * so no image's are longer than √d by more than a rounding, and that public length is the bound.
 *
 * <pre>{@code
 * CentredFeatures centre = new CentredFeatures(12, 60_000);
 * Network network = centre.within(Network.parse("scattering(2,8,together=3) flatten dense(10)"));
 * Trainer trainer =
 *     Trainer.of(network, plan.besides(centre.mechanism()))
 *         .first(centre)
 *         .freeze(CentredFeatures.LAYER);
 * }</pre>
 *
 * <p><b>Formal guarantee.</b> One Gaussian release of this multiplier under add/remove. A unit adds
 * the mean of its examples' features, divided by √d and shortened to length 1 where they are
 * longer, so adding or removing it moves the sum by at most 1 in ℓ₂; {@link CoarseSums} adds what
 * rounding can do to that. The sum is divided by the declared number of units.
 *
 * @param noiseMultiplier standard deviation of the noise divided by the sensitivity; above 0 and at
 *     most 2²⁴
 * @param units the declared number of units
 */
@PublicApi
public record CentredFeatures(double noiseMultiplier, long units) implements FirstRelease {
  /** The name of the layer that has the mean, which must be frozen. */
  public static final String LAYER = "1";

  /** Refuses a multiplier that is not above 0 or has no grid, and no units. */
  public CentredFeatures {
    Check.that(
        noiseMultiplier > 0 && noiseMultiplier <= CoarseSums.MOST_NOISE,
        "noise multiplier of the mean of features",
        "greater than 0 and at most 2^24",
        noiseMultiplier);
    Check.that(units >= 1, "declared units", "at least 1", units);
  }

  /**
   * The same network with a layer after its features that takes their mean off.
   *
   * @param network one that begins with normalised features
   * @return that network; its mean is released when the run starts
   */
  public Network within(Network network) {
    Layer first = network.layers().get(0);
    Check.that(
        first instanceof Scattering features && features.together() > 0,
        "network whose features are centred",
        "one that begins with normalised features, as in scattering(2,8,together=3)",
        network);
    List<Layer> layers = new ArrayList<>(network.layers());
    layers.add(1, new Layer.Shift());
    return new Network(layers, network.loss());
  }

  /**
   * Whether a network has a place for the mean of its features.
   *
   * @param network any
   * @return whether it begins with normalised features and a layer that takes their mean off
   */
  public static boolean isIn(Network network) {
    List<Layer> layers = network.layers();
    return layers.size() > 2
        && layers.get(0) instanceof Scattering features
        && features.together() > 0
        && layers.get(1) instanceof Layer.Shift;
  }

  /**
   * Refuses relations other than the one for which the sensitivity of the sum is proven.
   *
   * @param plan of the run
   */
  public static void check(PrivacyPlan plan) {
    Check.that(
        plan.neighbouring() == Neighbouring.ADD_REMOVE,
        "neighbouring of a run that releases the mean of features",
        "add/remove (how far one unit moves it is proven for that alone)",
        plan.neighbouring().label());
  }

  @Override
  public Mechanism.Gaussian mechanism() {
    return new Mechanism.Gaussian(noiseMultiplier);
  }

  @Override
  public void check(Layout layout) {
    Check.that(
        isIn(layout.network()),
        "network whose features are centred",
        "one that begins with normalised features and shift",
        layout.network());
  }

  @Override
  public void check(Engine engine) {
    Check.that(
        engine.keepsFeatures(),
        "engine of a run that centres features",
        "one that computes them once: cpu",
        engine.name());
  }

  @Override
  public void release(PrivacySession session, PrivateData data, Layout layout, float[] parameters) {
    Shape features = layout.afterFeatures().input();
    int d = features.size();
    Check.that(
        data.input().equals(features),
        "engine of a run that centres features",
        "one that computes them once: cpu",
        "another");
    double length = Math.sqrt(d);
    CoarseSums sums =
        new CoarseSums(Norm.L2, new int[] {d}, new double[] {1}, new double[] {noiseMultiplier});
    NoisyValue noisy =
        session.release(
            mechanism(),
            id -> {
              long[] exact = data.sum((examples, all) -> FeatureSums.of(examples, all, length));
              for (long each : exact) {
                sums.put(each * RowReader.ONE, CoarseSums.PLAIN);
              }
              return sums;
            });
    int at = layout.nodes().get(1).slices().get(0).offset();
    for (int i = 0; i < d; i++) {
      parameters[at + i] = (float) (-noisy.value(i) * length / units);
    }
  }

  @Override
  public StatementParagraph statement(String unit) {
    return new StatementParagraph(
        "Mean of the features",
        "Before the first step, the mean of the features of the data left with Gaussian noise of"
            + " multiplier "
            + Digits.plain(noiseMultiplier)
            + ", once, and on the ledger of the promise above. The model takes it off the features"
            + " of each example.");
  }

  @Override
  public String toString() {
    return "centre(noiseMultiplier=" + Digits.shortest(noiseMultiplier) + ")";
  }
}

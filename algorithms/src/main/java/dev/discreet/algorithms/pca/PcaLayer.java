package dev.discreet.algorithms.pca;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Digits;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.PublicApi;
import dev.discreet.accounting.calibration.MechanismCalibration;
import dev.discreet.accounting.statement.StatementParagraph;
import dev.discreet.algorithms.matrix.ProductSums;
import dev.discreet.core.engine.PrivateData;
import dev.discreet.core.nn.Layer;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.PrivacyPlan;
import dev.discreet.core.privacy.PrivacySession;
import dev.discreet.core.train.FirstRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Private principal components as the first layer of a network: k directions, released in the run's
 * own session before its first step, and unchanged afterwards. The projection is part of the model,
 * so the model takes unprojected examples.
 *
 * <pre>{@code
 * PcaLayer pca = new PcaLayer(60, 4.0);
 * Network network = pca.before(Network.named("mlp(1000)", 10), input);
 * Trainer trainer =
 *     Trainer.of(network, plan.besides(pca.mechanism())).first(pca).freeze(pca.layer(input));
 * }</pre>
 *
 * <p><b>Formal guarantee.</b> The same as {@link PrivatePca}: one Gaussian release of this
 * multiplier.
 *
 * @param k directions
 * @param noiseMultiplier standard deviation of the noise divided by the sensitivity; above 0
 */
@PublicApi
public record PcaLayer(int k, double noiseMultiplier) implements FirstRelease {
  /** Refuses less than one direction and a multiplier that is not above 0. */
  public PcaLayer {
    Check.that(k >= 1, "directions", "at least 1", k);
    Check.positive(noiseMultiplier, "noise multiplier of directions");
  }

  /**
   * Takes a share of a plan's target: the noise is that of one Gaussian which costs the whole (ε,
   * δ), divided by √share.
   *
   * @param k how many directions
   * @param epsilon ε of the plan
   * @param delta δ of the plan
   * @param share how much of it the directions may cost, in (0, 1)
   * @return the layer
   */
  public static PcaLayer ofShare(int k, double epsilon, double delta, double share) {
    Check.that(share > 0 && share < 1, "share of the budget", "in (0, 1)", share);
    return new PcaLayer(
        k, MechanismCalibration.analyticGaussian(epsilon, delta) / Math.sqrt(share));
  }

  /**
   * A network for inputs of this shape, which it sees through the directions.
   *
   * @param network for vectors of length k
   * @param input the shape of one example
   * @return that network; its directions are released when the run starts
   */
  public Network before(Network network, Shape input) {
    List<Layer> layers = new ArrayList<>();
    if (input.positions() > 1) {
      layers.add(new Layer.Flatten());
    }
    layers.add(new Layer.Dense(k, false));
    return new Network(
        Stream.concat(layers.stream(), network.layers().stream()).toList(), network.loss());
  }

  /**
   * The name of the layer of directions, which must be frozen.
   *
   * @param input the shape of one example
   * @return a name for {@code Trainer.freeze}
   */
  public String layer(Shape input) {
    return input.positions() > 1 ? "1" : "0";
  }

  /**
   * Refuses relations other than the one for which the sensitivity of the moment is proven.
   *
   * @param plan of the run
   */
  public static void check(PrivacyPlan plan) {
    Check.that(
        plan.neighbouring() == Neighbouring.ADD_REMOVE,
        "neighbouring of a run that releases principal directions",
        "add/remove (how far one unit moves them is proven for that alone)",
        plan.neighbouring().label());
  }

  @Override
  public Mechanism.Gaussian mechanism() {
    return new Mechanism.Gaussian(noiseMultiplier);
  }

  private Layout.Slice slice(Layout layout) {
    String name = layer(layout.input()) + ".weight";
    return layout.slices().stream()
        .filter(each -> each.name().equals(name))
        .filter(each -> each.parameter().dimensions().equals(List.of(layout.input().size(), k)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "network must be one that begins with dense("
                        + k
                        + ",bias=false), to hold the directions. Provided value: "
                        + layout.network()));
  }

  @Override
  public void check(Layout layout) {
    int d = layout.input().size();
    Check.that(k <= d, "directions", "at most the number of inputs, " + d, k);
    Check.that(
        d <= ProductSums.MOST_COLUMNS,
        "inputs",
        "at most " + ProductSums.MOST_COLUMNS + " to find principal directions of",
        d);
    slice(layout);
  }

  @Override
  public void release(PrivacySession session, PrivateData data, Layout layout, float[] parameters) {
    int at = slice(layout).offset();
    double[][] directions = PrivatePca.fit(session, data, k, noiseMultiplier).directions();
    for (int j = 0; j < k; j++) {
      for (int i = 0; i < directions[j].length; i++) {
        parameters[at + i * k + j] = (float) directions[j][i];
      }
    }
  }

  @Override
  public StatementParagraph statement(String unit) {
    return new StatementParagraph(
        "Principal directions",
        "Before the first step, "
            + k
            + (k == 1 ? " principal direction" : " principal directions")
            + " of the data left with Gaussian noise of multiplier "
            + Digits.plain(noiseMultiplier)
            + ", once, and on the ledger of the promise above. The model's first layer is made of"
            + " this.");
  }

  @Override
  public String toString() {
    return "pca(k=" + k + ", noiseMultiplier=" + Digits.shortest(noiseMultiplier) + ")";
  }
}

package dev.discreet.accounting.internal.pairs;

import static org.junit.jupiter.api.Named.named;

import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Mechanism.EstimatedNormGaussian;
import dev.discreet.accounting.Mechanism.RenyiCurve;
import dev.discreet.accounting.MechanismPairs;
import dev.discreet.accounting.Neighbouring;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** One or more of each kind of pair, for laws that hold of all. */
final class Pairs {
  private Pairs() {}

  static Stream<Named<LossPair>> all() {
    return list().stream().map(pair -> named(name(pair), pair));
  }

  static List<LossPair> list() {
    List<LossPair> plain =
        List.of(
            new GaussianPair(0.01),
            new GaussianPair(1),
            new GaussianPair(7),
            new LaplacePair(0.1),
            new LaplacePair(3),
            DiscretePair.approximate(0.4, 0),
            DiscretePair.approximate(1, 0.05),
            DiscretePair.response(0.6, 3),
            DiscretePair.response(0.2, 3),
            new BoundedRangePair(0.3),
            new BoundedRangePair(5),
            new MixturePair(
                new double[] {0.9, 0.099, 0.001},
                new LossPair[] {
                  new GaussianPair(0.5), new GaussianPair(1.5), DiscretePair.approximate(0, 1)
                }));
    List<LossPair> all = new ArrayList<>(plain);
    for (LossPair pair : plain) {
      for (double rate : new double[] {1e-3, 0.2, 0.9}) {
        LossPair sampled = SampledPair.of(pair, rate);
        all.add(sampled);
        all.add(sampled.reversed());
        if (rate == 0.2) {
          all.add(new TwoSidedPair(sampled));
        }
      }
    }
    all.add(new PoissonReplacePair(1, 0.1));
    all.add(new PoissonReplacePair(0.3, 0.01));
    all.add(new PoissonReplacePair(5, 0.9));
    all.add(upper(new EstimatedNormGaussian(2, 100)));
    all.add(upper(new RenyiCurve(List.of(2.0, 4.0, 16.0), List.of(0.1, 0.2, 0.8))));
    return all;
  }

  static LossPair upper(Mechanism mechanism) {
    return MechanismPairs.of(mechanism, Neighbouring.ADD_REMOVE).upper();
  }

  private static String name(LossPair pair) {
    if (pair instanceof SampledPair sampled) {
      return "sampled at " + sampled.rate() + " " + name(sampled.inner());
    } else if (pair instanceof ReversedPair reversed) {
      return "reversed " + name(reversed.pair());
    } else if (pair instanceof TwoSidedPair both) {
      return "two-sided " + name(both.sampled());
    } else if (pair instanceof MixturePair mixture) {
      return "mixture of " + mixture.weights().length;
    } else if (pair instanceof DiscretePair) {
      return "discrete with max " + pair.max();
    }
    return pair.toString();
  }
}

package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.accounting.math.Normal;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Releases which of the keys that nobody declared have many units, each with its noisy count: the
 * values of a column, or the groups of a question (private partition selection, Korolova et al.
 * 2009).
 *
 * <p><b>Formal guarantee.</b> It costs {@link #cost}: the noise, and a chance δ. Of two neighbours,
 * take the keys that both have and those that one unit alone has. The noisy counts of the first,
 * and all that is made of them, cost what the noise costs. Of the second, the answer shows nothing
 * but with a chance of at most δ, whatever the first are: each of them would have to rise from its
 * count to the threshold. The two are independent, so their costs compose.
 *
 * @param noise added to each count: Gaussian or Laplace
 * @param delta the chance that a key of one unit alone is shown
 */
public record KeySelection(Mechanism.AddedNoise noise, double delta) {
  /** Wider than noise is made and doubles are rounded. */
  private static final double WIDER = 1 + 0x1p-30;

  /** Refuses noise of other kinds, and a δ outside its range. */
  public KeySelection {
    Check.that(
        noise instanceof Mechanism.Gaussian || noise instanceof Mechanism.Laplace,
        "noise of a selection",
        "Gaussian or Laplace",
        noise);
    Check.that(delta > 0 && delta < 1, "delta of a selection", "in (0, 1)", delta);
  }

  /**
   * The exact counts of the keys that there are.
   *
   * @param counts of each key, in an order that no row decides
   * @param norm to which the noise is scaled
   * @param sensitivity of all counts together, as {@link GridVector} has it
   * @param keys how many keys one unit can have
   * @param most the largest count that a key can have of one unit
   */
  public record Counts<K>(
      SortedMap<K, Long> counts, Norm norm, double sensitivity, long keys, long most) {
    public Counts {
      Check.that(keys >= 1, "keys of one unit", "at least 1", keys);
      Check.that(most >= 1, "count of one unit", "at least 1", most);
    }
  }

  /** The ledger entries of a selection. */
  public Ledger cost(Neighbouring relation) {
    return Ledger.of(relation, noise, 1).plus(chance(), 1);
  }

  private Mechanism.ApproximateDp chance() {
    return new Mechanism.ApproximateDp(0, delta);
  }

  /** The least noisy count that is shown: it follows from what is declared, and from no row. */
  public long threshold(double sensitivity, long keys, long most) {
    double scale = noise.noiseScales().get(0) * sensitivity;
    double tail = delta / keys;
    double reach =
        switch (noise.law()) {
          case GAUSSIAN -> Normal.tailQuantile(tail);
          case LAPLACE -> -Math.log(2 * tail);
        };
    // round(most + N) ≥ t only where N ≥ t − ½ − most.
    return (long) Math.ceil(most + 0.5 + WIDER * scale * Math.max(0, reach));
  }

  /**
   * Selects once.
   *
   * @param question computes the counts after they are paid for
   * @return the keys at or above the threshold, with their noisy counts
   */
  public <K> SortedMap<K, Long> release(PrivacySession session, LongFunction<Counts<K>> question) {
    session.charge(chance());
    Counts<?>[] asked = new Counts<?>[1];
    NoisyValue noisy =
        session.release(
            noise,
            id -> {
              Counts<K> exact = question.apply(id);
              asked[0] = exact;
              return new GridVector(
                  exact.counts().values().stream().mapToLong(Long::longValue).toArray(),
                  0,
                  exact.norm(),
                  exact.sensitivity());
            });
    @SuppressWarnings("unchecked")
    Counts<K> exact = (Counts<K>) asked[0];
    long threshold = threshold(exact.sensitivity(), exact.keys(), exact.most());
    SortedMap<K, Long> shown = new TreeMap<>(exact.counts().comparator());
    int i = 0;
    for (K key : exact.counts().keySet()) {
      long count = noisy.integers()[i++];
      if (count >= threshold) {
        shown.put(key, count);
      }
    }
    return shown;
  }
}

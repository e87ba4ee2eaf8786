package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which units are in a lot, and how that changes the cost. The object that draws also says what is
 * accounted, so the two cannot differ.
 */
public sealed interface Sampler extends Serializable {

  /** The units in the lot of a release, as indices in rising order. */
  int[] lot(SamplingKey key, long release, Units units);

  /** The ledger's mechanism for {@code inner} released from such a lot. */
  Mechanism sampled(Mechanism inner);

  /** The declared, public number of units. */
  long units();

  /** How many units a lot has on average. This number is public, and sums are divided by it. */
  double expectedLot();

  /** How many units a lot has on average where there are so many, and not as many as declared. */
  double lotOf(long count);

  /**
   * How many consecutive steps one ledger entry pays for. It is more than 1 only where no unit is
   * in two of their lots; then the lots of releases i·n to i·n + n − 1 belong together.
   */
  long stepsPerCharge();

  /** Whether each unit is drawn by itself, so that it never takes the place of another. */
  boolean drawsEachByItself();

  /** Refuses a relation under which the ledger entry would not bound the cost. */
  void check(Neighbouring relation);

  /**
   * Draws each unit independently with probability {@code rate}.
   *
   * <p><b>Formal guarantee.</b> A unit is in the lot when 63 bits, a pseudo-random function of
   * (key, release, id), are below ⌊rate·2⁶³⌋. So its true rate is never above the accounted one,
   * and does not depend on which other units there are.
   */
  record Poisson(double rate, long units) implements Sampler {
    public Poisson {
      Check.in(rate, 0, 1, "sampling rate");
      checkUnits(units);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data) {
      // The product is exact; the cast drops its fraction.
      return rate >= 1 ? all(data) : Lots.below(key, release, data, (long) (rate * 0x1p63));
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return new Mechanism.PoissonSampled(rate, inner);
    }

    @Override
    public double expectedLot() {
      return rate * units;
    }

    @Override
    public double lotOf(long count) {
      return grown(this, count);
    }

    @Override
    public long stepsPerCharge() {
      return 1;
    }

    @Override
    public boolean drawsEachByItself() {
      return true;
    }

    /** Its ledger entry holds under every relation. */
    @Override
    public void check(Neighbouring relation) {}
  }

  /**
   * Draws exactly {@code lotSize} units, those with the smallest keyed values. Every such lot is
   * equally likely. A drawn unit displaces another, so the sum moves by 2C; the ledger entry
   * accounts for that.
   *
   * <p><b>Formal guarantee.</b> A unit's chance to be drawn is never above the accounted one, even
   * where the data have fewer or more units than declared.
   */
  record FixedSize(long lotSize, long units) implements Sampler {
    public FixedSize {
      checkUnits(units);
      Check.that(lotSize >= 1 && lotSize <= units, "lot size", "in [1, " + units + "]", lotSize);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data) {
      // Where there are fewer units than declared, empty places are drawn in their stead. So the
      // chance of the other units is the accounted one, and no refusal reveals how many units there
      // are.
      return withUnit(Lots.ranked(key, release, data.padded(units), 0, (int) lotSize), data);
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return new Mechanism.FixedSizeSampled(lotSize, units, inner);
    }

    @Override
    public double expectedLot() {
      return lotSize;
    }

    @Override
    public double lotOf(long count) {
      return lotSize;
    }

    @Override
    public long stepsPerCharge() {
      return 1;
    }

    @Override
    public boolean drawsEachByItself() {
      return false;
    }

    /** Its ledger entry holds under every relation. */
    @Override
    public void check(Neighbouring relation) {}
  }

  /** Every unit in every lot. */
  record FullBatch(long units) implements Sampler {
    public FullBatch {
      checkUnits(units);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data) {
      return all(data);
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return inner;
    }

    @Override
    public double expectedLot() {
      return units;
    }

    @Override
    public double lotOf(long count) {
      return grown(this, count);
    }

    @Override
    public long stepsPerCharge() {
      return 1;
    }

    @Override
    public boolean drawsEachByItself() {
      return true;
    }

    /** Its ledger entry holds under every relation. */
    @Override
    public void check(Neighbouring relation) {}
  }

  /**
   * Each epoch puts the declared number of places in a fresh keyed order and cuts it into {@code
   * lots} lots, whose sizes differ by at most one. A place without a unit adds nothing.
   *
   * <p><b>Formal guarantee.</b> Between neighbours with equally many units, a changed unit is in
   * the same lot of an epoch, and all other lots are equal, because the order is one of places and
   * the cuts follow from the declared number. So an epoch costs what one release without sampling
   * costs, and no amplification is claimed. With more units than declared the cuts would move and
   * every lot could change. Hence add/remove is refused.
   */
  record ShuffledEpochs(long lots, long units) implements Sampler {
    public ShuffledEpochs {
      checkUnits(units);
      Check.that(lots >= 1 && lots <= units, "lots of an epoch", "in [1, " + units + "]", lots);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data) {
      long epoch = release / lots;
      long place = release % lots;
      Units places = data.padded(units);
      long count = places.count();
      int from = (int) (place * count / lots);
      int to = (int) ((place + 1) * count / lots);
      // Release ids are never negative, so an epoch's order shares no bits with the lot of a
      // release.
      return withUnit(Lots.ranked(key, -1 - epoch, places, from, to), data);
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return inner;
    }

    @Override
    public double expectedLot() {
      return (double) units / lots;
    }

    @Override
    public double lotOf(long count) {
      return grown(this, count);
    }

    @Override
    public boolean drawsEachByItself() {
      return false;
    }

    @Override
    public long stepsPerCharge() {
      return lots;
    }

    @Override
    public void check(Neighbouring relation) {
      Check.that(
          relation != Neighbouring.ADD_REMOVE,
          "neighbouring of shuffled epochs",
          "zero-out or replace-one (a unit more or less would move every lot)",
          relation.label());
    }
  }

  /** A lot that grows with the number of units, but is not smaller than is declared. */
  private static double grown(Sampler sampler, long count) {
    return sampler.expectedLot() * Math.max(1, (double) count / sampler.units());
  }

  private static void checkUnits(long units) {
    Check.that(units >= 1 && units <= Units.MOST, "units", "in [1, " + Units.MOST + "]", units);
  }

  /** The places that have a unit: padding comes after the units. */
  private static int[] withUnit(int[] places, Units data) {
    return Arrays.stream(places).filter(place -> place < data.count()).toArray();
  }

  private static int[] all(Units data) {
    return IntStream.range(0, data.count()).toArray();
  }
}

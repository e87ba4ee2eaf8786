package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Mechanism;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.overtime.SharedNoise;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which units are in a lot, and how that changes the cost. The object that draws also says what is
 * accounted, so the two cannot differ.
 *
 * <p>A lot is drawn among places: those of the units by id. Which places are drawn follows from
 * secret bits alone, and never from what a unit is or has. With one unit more, those after it stand
 * one place further, and under one key the lots have other units. The guarantee asks for less:
 *
 * <p><b>Formal guarantee.</b> Given ideal bits, whichever units there are, the lots of all releases
 * have exactly the probabilities that are accounted, and they are independent of all other choices
 * that are made for units ({@link SamplingKey}). Only these probabilities enter what is released.
 * So between neighbours it is enough that lots <i>can</i> be drawn together, each of its own
 * probabilities, such that they differ as little as the ledger entry allows, and that every common
 * unit has the same chunk, masks and noise in both. The last holds because these are functions of
 * (key, release, id). How lots can be drawn together is said at each sampler. With units that have
 * no ids but their numbers, those after a removed one are numbered anew; then the other choices are
 * drawn together in the same way, as {@link SamplingKey} says.
 */
public sealed interface Sampler extends Serializable {

  /**
   * The units in the lot of a release, as indices in rising order.
   *
   * @param buckets into how many buckets units are cut by {@link SamplingKey#buckets}: who has all
   *     units of some buckets draws those of their units that are in the lot
   */
  int[] lot(SamplingKey key, long release, Units units, int buckets);

  /** The same with all units in one place. */
  default int[] lot(SamplingKey key, long release, Units units) {
    return lot(key, release, units, 1);
  }

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
   * Draws each unit independently with probability {@code rate}, in time linear in the lot: from
   * one drawn place of a bucket to the next it is a geometric gap ({@link
   * dev.discreet.core.privacy.draws.Gaps}), and each bucket of each release has uniform numbers of
   * its own.
   *
   * <p><b>Formal guarantee.</b> Given ideal bits, and given in which buckets and places the units
   * stand, each is in the lot with exactly the probability {@code rate}, independently of the
   * others and of all other releases. That holds for every order of the units, so also where bucket
   * and place follow from key and id. So the lots of two data sets can be drawn together such that
   * all units that both have are in both lots or in neither.
   */
  record Poisson(double rate, long units) implements Sampler {
    public Poisson {
      Check.in(rate, 0, 1, "sampling rate");
      checkUnits(units);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data, int buckets) {
      if (rate == 0) {
        return new int[0];
      }
      return rate == 1
          ? all(data)
          : Lots.independent(key.lot(release), rate, data.order(key, buckets));
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
   * Draws exactly {@code lotSize} places, those of the declared units. Every such lot is equally
   * likely. A place without a unit adds nothing. A drawn unit displaces another, so the sum moves
   * by 2C; the ledger entry accounts for that.
   *
   * <p><b>Formal guarantee.</b> A unit's chance to be drawn is never above the accounted one, even
   * where the data have fewer or more units than declared. With a unit removed there is an empty
   * place more, or, where there were more units than declared, a place less. In the first case the
   * lots can be drawn together such that the others are in both or in neither. In the second, such
   * that they differ by one place, which the removed unit had taken.
   */
  record FixedSize(long lotSize, long units) implements Sampler {
    public FixedSize {
      checkUnits(units);
      Check.that(lotSize >= 1 && lotSize <= units, "lot size", "in [1, " + units + "]", lotSize);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data, int buckets) {
      // Where there are fewer units than declared, empty places are drawn in their stead. So the
      // chance of the other units is the accounted one, and no refusal reveals how many units there
      // are.
      int places = (int) Math.max(units, data.count());
      return atPlaces(Lots.together(key.lot(release), (int) lotSize, places), data, key);
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
    public int[] lot(SamplingKey key, long release, Units data, int buckets) {
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
   * the same lot of an epoch, and all other lots are equal, if they are drawn together: the order
   * is one of places, all orders are equally likely, and the cuts follow from the declared number.
   * So an epoch costs what one release without sampling costs, and no amplification is claimed.
   * With more units than declared the cuts would move and every lot could change. Hence add/remove
   * is refused.
   */
  record ShuffledEpochs(long lots, long units) implements Sampler {
    public ShuffledEpochs {
      checkUnits(units);
      Check.that(lots >= 1 && lots <= units, "lots of an epoch", "in [1, " + units + "]", lots);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data, int buckets) {
      int[] order = data.shuffled(key, release / lots, units);
      long part = release % lots;
      int from = (int) (part * order.length / lots);
      int to = (int) ((part + 1) * order.length / lots);
      return atPlaces(Arrays.copyOfRange(order, from, to), data, key);
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

  /**
   * A secret choice by id puts each unit into one of {@code parts} parts for the whole run. The lot
   * of release r has each unit of part r mod {@code parts} independently with probability {@code
   * rate}, and no other.
   *
   * <p><b>Formal guarantee.</b> Of that many releases in a row a unit can be in the lot of one
   * only, which is the same one each time. Given the parts, units are in lots as by {@link
   * Poisson}; parts are choices by id, independent of each other and of all draws. So the lots of
   * two data sets can be drawn together such that all units that both have are in the same lots,
   * and releases i·n to i·n + n − 1 of n parts cost together what one release on a Poisson sample
   * of {@code rate} costs. For what is only proven where a unit keeps its steps ({@link
   * SharedNoise}) that is why parts are drawn once.
   *
   * <p>Replacing a unit can be one that leaves its part and one that joins another. At rate 1 the
   * two move sums by at most 2C together; at lower rates this pair has no proof here, and
   * replace-one is refused.
   */
  record Cyclic(int parts, double rate, long units) implements Sampler {
    public Cyclic {
      checkUnits(units);
      Check.that(
          parts >= 1 && parts <= units, "parts of the units", "in [1, " + units + "]", parts);
      Check.that(rate > 0 && rate <= 1, "sampling rate of a part", "in (0, 1]", rate);
    }

    @Override
    public int[] lot(SamplingKey key, long release, Units data, int buckets) {
      int[] drawn = new Poisson(rate, units).lot(key, release, data, buckets);
      int[] part = data.parts(key, parts);
      return Arrays.stream(drawn).filter(unit -> part[unit] == release % parts).toArray();
    }

    @Override
    public Mechanism sampled(Mechanism inner) {
      return rate == 1 ? inner : new Mechanism.PoissonSampled(rate, inner);
    }

    @Override
    public double expectedLot() {
      return rate * units / parts;
    }

    @Override
    public double lotOf(long count) {
      return grown(this, count);
    }

    @Override
    public long stepsPerCharge() {
      return parts;
    }

    @Override
    public boolean drawsEachByItself() {
      return true;
    }

    @Override
    public void check(Neighbouring relation) {
      Check.that(
          rate == 1 || relation != Neighbouring.REPLACE_ONE,
          "neighbouring of a cyclic sampler that draws some of a part",
          "add/remove or zero-out (the one that comes may be in another part)",
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

  /** The units at some places by id; padding comes after the units. */
  private static int[] atPlaces(int[] places, Units data, SamplingKey key) {
    UnitOrder order = data.order(key, 1);
    return Arrays.stream(places)
        .filter(place -> place < data.count())
        .map(place -> order.unit(0, place))
        .sorted()
        .toArray();
  }

  private static int[] all(Units data) {
    return IntStream.range(0, data.count()).toArray();
  }
}

package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Neighbouring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Neighbouring data sets whose lots are drawn together, for every sampler and relation: in all lots
 * that one ledger entry pays for, no more may change than the entry covers. That each is drawn with
 * its own probabilities, wherever the changed unit stands, is {@link LotLawTest}'s business.
 */
class NeighbouringLotsTest {
  private static final long DECLARED = 60;
  private static final SamplingKey KEY = SamplingKey.insecure(5);
  private static final long RELEASES = 24;
  private static final List<Sampler> SAMPLERS =
      List.of(
          new Sampler.Poisson(0.2, DECLARED),
          new Sampler.FixedSize(12, DECLARED),
          new Sampler.FullBatch(DECLARED),
          new Sampler.ShuffledEpochs(6, DECLARED),
          new Sampler.Cyclic(6, 1, DECLARED),
          new Sampler.Cyclic(3, 0.6, DECLARED));

  /**
   * Units and what each contributes; null for nothing.
   *
   * @param ids of the units; null where they are numbered
   */
  private record Data(long[] ids, List<String> contributions) {
    static Data numbered(int count) {
      return new Data(null, Stream.iterate(0, i -> i + 1).limit(count).map(i -> "u" + i).toList());
    }

    /** With ids; one unit's is behind all others. */
    Data named(int last) {
      return new Data(
          LongStream.range(0, contributions.size())
              .map(i -> 7 * (i == last ? contributions.size() : i) + 1)
              .toArray(),
          contributions);
    }

    boolean isLast(int unit) {
      return ids == null
          ? unit == contributions.size() - 1
          : ids[unit] == Arrays.stream(ids).max().getAsLong();
    }

    Data with(int unit, String contribution) {
      List<String> changed = new ArrayList<>(contributions);
      changed.set(unit, contribution);
      return new Data(ids, changed);
    }

    Data without(int unit) {
      List<String> fewer = new ArrayList<>(contributions);
      fewer.remove(unit);
      return new Data(
          ids == null
              ? null
              : LongStream.range(0, ids.length)
                  .filter(i -> i != unit)
                  .map(i -> ids[(int) i])
                  .toArray(),
          fewer);
    }

    List<String> lot(Sampler sampler, long release) {
      int[][] examples = new int[contributions.size()][];
      Arrays.setAll(examples, i -> new int[] {i});
      Units units = ids == null ? Units.each(contributions.size()) : Units.of(ids, examples);
      List<String> lot = new ArrayList<>();
      for (int unit : sampler.lot(KEY, release, units)) {
        if (contributions.get(unit) != null) {
          lot.add(contributions.get(unit));
        }
      }
      return lot;
    }
  }

  private static Stream<Arguments> samplersAndRelations() {
    return SAMPLERS.stream()
        .flatMap(
            sampler ->
                Arrays.stream(Neighbouring.values())
                    .map(relation -> Arguments.of(sampler, relation)));
  }

  /** A data set and its neighbour. */
  private record Pair(Data data, Data neighbour) {}

  /**
   * Each a way in which the relation lets one unit change. Where one is removed, none comes after
   * it: then the lots of both are drawn together, as {@link Sampler} says that they can be.
   */
  private static List<Pair> pairs(int count, Neighbouring relation) {
    List<Pair> pairs = new ArrayList<>();
    Data numbered = Data.numbered(count);
    for (int unit : new int[] {0, count / 2, count - 1}) {
      for (Data data : List.of(numbered, numbered.named(unit), numbered.named(0))) {
        switch (relation) {
          case REPLACE_ONE -> pairs.add(new Pair(data, data.with(unit, "other")));
          case ZERO_OUT -> pairs.add(new Pair(data, data.with(unit, null)));
          case ADD_REMOVE -> {
            if (data.isLast(unit)) {
              pairs.add(new Pair(data, data.without(unit)));
            }
          }
        }
      }
    }
    if (relation == Neighbouring.ZERO_OUT && count <= DECLARED) {
      // The last place is empty: so is a place whose unit contributes nothing.
      pairs.add(new Pair(numbered, numbered.without(count - 1)));
    }
    return pairs;
  }

  /** How many contributions the ledger entry lets change, each of them at most C long. */
  private static long covered(Sampler sampler, Neighbouring relation) {
    // Of a fixed size, a unit less is a place for another.
    return sampler instanceof Sampler.FixedSize ? 2 : relation.sensitivity();
  }

  @ParameterizedTest
  @MethodSource("samplersAndRelations")
  void oneChangedUnitChangesWhatOneLedgerEntryCovers(Sampler sampler, Neighbouring relation) {
    boolean some = sampler instanceof Sampler.Cyclic cyclic && cyclic.rate() < 1;
    if (sampler instanceof Sampler.ShuffledEpochs && relation == Neighbouring.ADD_REMOVE
        || some && relation == Neighbouring.REPLACE_ONE) {
      assertThrows(IllegalArgumentException.class, () -> sampler.check(relation));
      return;
    }
    sampler.check(relation);
    long together = sampler.stepsPerCharge();
    long drawn = 0;
    // With as many units as declared, with fewer and with more.
    for (int count : new int[] {60, 50, 70}) {
      for (Pair pair : pairs(count, relation)) {
        for (long first = 0; first < RELEASES; first += together) {
          long lots = 0;
          long moved = 0;
          for (long release = first; release < first + together; release++) {
            long change =
                change(pair.data.lot(sampler, release), pair.neighbour.lot(sampler, release));
            lots += change > 0 ? 1 : 0;
            moved += change;
          }
          String where = count + " units, from release " + first;
          assertTrue(lots <= 1, () -> "more than one lot changed: " + where);
          long most = covered(sampler, relation);
          long seen = moved;
          assertTrue(seen <= most, () -> seen + " changed: " + where);
          drawn += moved;
        }
      }
    }
    assertTrue(drawn > 0, "the changed unit was never drawn: this test shows nothing");
  }

  /** How many contributions are in one lot and not in the other. */
  private static long change(List<String> one, List<String> other) {
    List<String> gone = new ArrayList<>(one);
    other.forEach(gone::remove);
    List<String> come = new ArrayList<>(other);
    one.forEach(come::remove);
    return gone.size() + come.size();
  }

  @Test
  void anEpochHasEveryUnitOnceHoweverManyAreDeclared() {
    for (int count : new int[] {60, 50, 70, 1}) {
      List<String> all = new ArrayList<>();
      for (long release = 6; release < 12; release++) {
        all.addAll(Data.numbered(count).lot(SAMPLERS.get(3), release));
      }
      assertEquals(
          Data.numbered(count).contributions.stream().sorted().toList(),
          all.stream().sorted().toList());
    }
  }
}

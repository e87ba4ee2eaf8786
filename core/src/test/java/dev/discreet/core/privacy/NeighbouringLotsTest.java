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
 * Neighbouring data sets drawn from with one key, for every sampler and relation: in all lots that
 * one ledger entry pays for, no more may change than the entry covers.
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
          new Sampler.ShuffledEpochs(6, DECLARED));

  /**
   * Units and what each contributes; null for nothing.
   *
   * @param ids of the units; null where they are numbered
   */
  private record Data(long[] ids, List<String> contributions) {
    static Data numbered(int count) {
      return new Data(null, Stream.iterate(0, i -> i + 1).limit(count).map(i -> "u" + i).toList());
    }

    Data named() {
      return new Data(
          LongStream.range(0, contributions.size()).map(i -> 7 * i + 1).toArray(), contributions);
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

  /** Neighbours of a data set, each a way in which the relation lets one unit change. */
  private static List<Data> neighbours(Data data, Neighbouring relation) {
    List<Data> neighbours = new ArrayList<>();
    int count = data.contributions.size();
    for (int unit : new int[] {0, count / 2, count - 1}) {
      neighbours.add(
          switch (relation) {
            case REPLACE_ONE -> data.with(unit, "other");
            case ZERO_OUT -> data.with(unit, null);
            case ADD_REMOVE -> data.without(unit);
          });
    }
    if (relation == Neighbouring.ZERO_OUT && data.ids == null && count <= DECLARED) {
      // The last place is empty: so is a place whose unit contributes nothing.
      neighbours.add(data.without(count - 1));
    }
    return neighbours;
  }

  /** How many contributions the ledger entry lets change, each of them at most C long. */
  private static long covered(Sampler sampler, Neighbouring relation) {
    // Of a fixed size, a unit less is a place for another.
    return sampler instanceof Sampler.FixedSize ? 2 : relation.sensitivity();
  }

  @ParameterizedTest
  @MethodSource("samplersAndRelations")
  void oneChangedUnitChangesWhatOneLedgerEntryCovers(Sampler sampler, Neighbouring relation) {
    if (sampler instanceof Sampler.ShuffledEpochs && relation == Neighbouring.ADD_REMOVE) {
      assertThrows(IllegalArgumentException.class, () -> sampler.check(relation));
      return;
    }
    sampler.check(relation);
    long together = sampler.stepsPerCharge();
    long drawn = 0;
    // With as many units as declared, with fewer and with more.
    for (int count : new int[] {60, 50, 70}) {
      for (Data data : List.of(Data.numbered(count), Data.numbered(count).named())) {
        for (Data neighbour : neighbours(data, relation)) {
          if (neighbour.ids == null
              && relation == Neighbouring.ADD_REMOVE
              && !data.contributions.subList(0, count - 1).equals(neighbour.contributions)) {
            continue; // Those after it are numbered anew: equal in distribution, not by one key.
          }
          for (long first = 0; first < RELEASES; first += together) {
            long lots = 0;
            long moved = 0;
            for (long release = first; release < first + together; release++) {
              long change = change(data.lot(sampler, release), neighbour.lot(sampler, release));
              lots += change > 0 ? 1 : 0;
              moved += change;
            }
            String where = count + " units, from release " + first;
            assertTrue(lots <= 1, () -> "more than one lot changed: " + where);
            assertTrue(moved <= covered(sampler, relation), () -> "too much changed: " + where);
            drawn += moved;
          }
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

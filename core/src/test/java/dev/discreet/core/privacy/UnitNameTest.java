package dev.discreet.core.privacy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Units with names of 128 bits: choices for them are functions of key, release and name. */
class UnitNameTest {
  private static final SamplingKey KEY = SamplingKey.insecure(11);
  private static final int COUNT = 3000;

  /** Names that share halves with others, and such of texts. */
  private static List<UnitName> names() {
    List<UnitName> names = new ArrayList<>();
    for (int i = 0; i < COUNT / 3; i++) {
      names.add(new UnitName(i, 7));
      names.add(new UnitName(7, i + COUNT));
      names.add(UnitName.of("unit " + i));
    }
    return names;
  }

  private static Units units(List<UnitName> names) {
    return Units.of(names, new int[names.size()][0]);
  }

  private static int[] all(int count) {
    return IntStream.range(0, count).toArray();
  }

  @Test
  void isTheFirstHalfOfSha256() {
    assertEquals(
        new UnitName(0xba7816bf8f01cfeaL, 0x414140de5dae2223L), UnitName.of("abc"), "FIPS 180-2");
    assertFalse(UnitName.of("abc").equals(UnitName.of("abc ")));
    assertTrue(new UnitName(-1, 5).compareTo(new UnitName(0, 4)) < 0);
    assertTrue(new UnitName(0, 5).compareTo(new UnitName(0, 4)) > 0);
  }

  /** In one release no two names have the same bits, nor one name in two releases. */
  @Test
  void differentNamesAndReleasesHaveDifferentBits() {
    Units units = units(names());
    Set<Long> seen = new HashSet<>();
    for (long release : new long[] {0, 1, 2, 1L << 40}) {
      for (long bits : KEY.choices(release, units, all(COUNT))) {
        assertTrue(seen.add(bits), "twice");
      }
      long[] lots = new long[COUNT];
      KEY.lot(release).draw(new int[] {0}, 0, 1, 0, COUNT, lots);
      for (long bits : lots) {
        assertTrue(seen.add(bits), "lots share no bits with other choices");
      }
    }
    long[] groups = new long[COUNT];
    KEY.bits(Long.MIN_VALUE).of(units, 0, COUNT, groups);
    for (long bits : groups) {
      assertTrue(seen.add(bits), "nor do groups");
    }
    assertEquals(9 * COUNT, seen.size());
  }

  /**
   * Nothing but its own name decides about a unit, wherever it stands and whoever else is there.
   */
  @Test
  void aUnitKeepsItsBitsWithoutTheOthers() {
    List<UnitName> names = names();
    Units units = units(names);
    long[] bits = KEY.choices(4, units, all(COUNT));
    int[] buckets = KEY.buckets(units, all(COUNT), 64);
    for (int unit : new int[] {0, 1, 2, 1500, COUNT - 1}) {
      Units alone = units(List.of(names.get(unit)));
      assertEquals(bits[unit], KEY.choices(4, alone, new int[] {0})[0]);
      assertEquals(buckets[unit], KEY.buckets(List.of(names.get(unit)), 64)[0]);
    }
    assertArrayEquals(buckets, KEY.buckets(names, 64));
    // Another key, although the units remember what belongs to the last one.
    SamplingKey other = SamplingKey.insecure(12);
    assertFalse(Arrays.equals(bits, other.choices(4, units, all(COUNT))));
    assertArrayEquals(bits, KEY.choices(4, units, all(COUNT)));
    assertArrayEquals(
        bits, SamplingKey.ofWorker(KEY.forWorkers()).choices(4, units, all(COUNT)), "a worker");
  }

  /**
   * Inclusion of a unit, of one that shares half of its name, of the same in the next release, and
   * its chunk: all pairs agree as often as independent ones, within six standard errors (a false
   * alarm below 1e-7).
   */
  @Test
  @Tag("statistical")
  void choicesAreIndependent() {
    Units units = units(names());
    Sampler half = new Sampler.Poisson(0.5, COUNT);
    int releases = 200;
    boolean[][] in = new boolean[releases][COUNT];
    for (int release = 0; release < releases; release++) {
      for (int unit : half.lot(KEY, release, units)) {
        in[release][unit] = true;
      }
    }
    int[] agree = new int[4];
    int pairs = 0;
    for (int release = 1; release < releases; release++) {
      long[] choices = KEY.choices(release, units, all(COUNT));
      for (int unit = 3; unit < COUNT; unit++) {
        agree[0] += in[release][unit] == in[release][unit - 3] ? 1 : 0;
        agree[1] += in[release][unit] == in[release - 1][unit] ? 1 : 0;
        agree[2] += in[release][unit] == choices[unit] < 0 ? 1 : 0;
        agree[3] += in[release][unit] ? 1 : 0;
        pairs++;
      }
    }
    for (int i = 0; i < agree.length; i++) {
      assertEquals(0.5, (double) agree[i] / pairs, 3 / Math.sqrt(pairs), "pair " + i);
    }
  }

  @Test
  void whateverUnitsDoTheyDoWithNames() {
    List<UnitName> owners =
        List.of(UnitName.of("b"), UnitName.of("a"), UnitName.of("b"), UnitName.of("b"));
    Units units = Units.byOwner(owners);
    assertTrue(units.areNamed());
    assertEquals(2, units.count());
    int b = units.name(0).equals(UnitName.of("b")) ? 0 : 1;
    assertTrue(units.name(0).compareTo(units.name(1)) < 0);
    assertEquals(3, units.size(b));
    Units fewer = units.atMost(2);
    assertEquals(units.name(b), fewer.name(b));
    assertEquals(2, fewer.size(b));
    int[] groups = new MicroBatches(2, 1000).groupOf(units(names()), KEY);
    assertTrue(Arrays.stream(groups).distinct().count() > 400, "groups by names");
    // Places that have no unit are drawn too.
    int drawn = 0;
    for (long release = 0; release < 100; release++) {
      drawn += new Sampler.FixedSize(5, 10).lot(KEY, release, units).length;
    }
    assertTrue(drawn > 60 && drawn < 140, "drawn " + drawn);
  }

  @Test
  void namesAndNumbersAreNotMixedUp() {
    Units named = units(names());
    assertThrows(IllegalStateException.class, () -> named.id(0));
    assertThrows(IllegalStateException.class, () -> Units.each(3).name(0));
    assertFalse(Units.each(3).areNamed());
    assertEquals(
        "names must be distinct. Provided value: repeated",
        assertThrows(
                IllegalArgumentException.class,
                () -> units(List.of(UnitName.of("a"), UnitName.of("a"))))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> Units.of(names(), new int[2][0]));
  }
}

package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.PublicApi;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The privacy units of a data set and the examples of each. Where secret bits decide about a unit
 * ({@link SamplingKey}), its id stands for it. Units may get new ids when other units are added or
 * removed.
 *
 * <pre>{@code
 * long[] patients = {17, 4, 17, 17};
 * Units units = Units.byOwner(patients).atMost(2);
 * }</pre>
 */
@PublicApi
public final class Units {
  /** A few thousand less than the largest int, so that loops over batches of units end. */
  static final int MOST = Integer.MAX_VALUE - 4095;

  private final long[] ids;

  /** The first halves of names of 128 bits, whose second halves are the ids; null for numbers. */
  private final long[] high;

  private final int[] start;
  private final int[] examples;
  private final int count;
  private final int largest;

  // Cached, because every lot needs one of them.
  private volatile UnitOrder byId;
  private volatile Cut cut;
  private volatile Shuffled shuffled;
  private volatile Parts parts;

  // Cached, because every lot needs it and encrypting names takes as long as drawing.
  private volatile Blocks blocks;

  private record Cut(SamplingKey key, UnitOrder order) {}

  private record Shuffled(SamplingKey key, long epoch, int[] places) {}

  private record Parts(SamplingKey key, int count, int[] of) {}

  private record Blocks(SamplingKey key, long[] values) {}

  private Units(int count, int largest, long[] high, long[] ids, int[] start, int[] examples) {
    this.count = count;
    this.largest = largest;
    this.high = high;
    this.ids = ids;
    this.start = start;
    this.examples = examples;
  }

  /**
   * Every example is a unit of its own, with its index as id.
   *
   * @param examples how many there are
   * @return the units
   */
  public static Units each(int examples) {
    Check.that(examples >= 0 && examples <= MOST, "examples", "in [0, " + MOST + "]", examples);
    return new Units(examples, examples - 1, null, null, null, null);
  }

  /**
   * Unit i has id {@code ids[i]} and the examples {@code examples[i]}. No example may belong to two
   * units: it would count twice, and clipping would not bound what it changes.
   *
   * @param ids of the units, no two the same
   * @param examples for each unit, the indices of its examples
   * @return the units
   */
  public static Units of(long[] ids, int[][] examples) {
    Check.that(
        ids.length == examples.length,
        "examples",
        "given for each of " + ids.length + " ids",
        examples.length);
    Check.that(Arrays.stream(ids).distinct().count() == ids.length, "ids", "distinct", "repeated");
    return of(null, ids.clone(), examples);
  }

  /**
   * Unit i has the name {@code names.get(i)} and the examples {@code examples[i]}.
   *
   * @param names of the units, no two the same
   * @param examples for each unit, the indices of its examples
   * @return the units
   */
  public static Units of(List<UnitName> names, int[][] examples) {
    Check.that(
        names.size() == examples.length,
        "examples",
        "given for each of " + names.size() + " names",
        examples.length);
    Check.that(new HashSet<>(names).size() == names.size(), "names", "distinct", "repeated");
    return of(
        names.stream().mapToLong(UnitName::high).toArray(),
        names.stream().mapToLong(UnitName::low).toArray(),
        examples);
  }

  private static Units of(long[] high, long[] ids, int[][] examples) {
    int[] start = new int[ids.length + 1];
    for (int i = 0; i < ids.length; i++) {
      start[i + 1] = Math.addExact(start[i], examples[i].length);
    }
    int[] flat = new int[start[ids.length]];
    for (int i = 0; i < ids.length; i++) {
      System.arraycopy(examples[i], 0, flat, start[i], examples[i].length);
    }
    return new Units(ids.length, largest(start, flat), high, ids, start, flat);
  }

  /**
   * Example i belongs to the unit with id {@code owners[i]}.
   *
   * @param owners for each example, the id of its unit
   * @return the units
   */
  public static Units byOwner(long[] owners) {
    long[] ids = Arrays.stream(owners).sorted().distinct().toArray();
    int[] unitOf = new int[owners.length];
    int[] sizes = new int[ids.length];
    for (int i = 0; i < owners.length; i++) {
      unitOf[i] = Arrays.binarySearch(ids, owners[i]);
      sizes[unitOf[i]]++;
    }
    int[][] examples = new int[ids.length][];
    Arrays.setAll(examples, unit -> new int[sizes[unit]]);
    for (int i = owners.length - 1; i >= 0; i--) {
      examples[unitOf[i]][--sizes[unitOf[i]]] = i;
    }
    return of(ids, examples);
  }

  /**
   * Example i belongs to the unit with the name {@code owners.get(i)}.
   *
   * @param owners for each example, the name of its unit
   * @return the units, in the order of their names
   */
  public static Units byOwner(List<UnitName> owners) {
    SortedMap<UnitName, List<Integer>> examples = new TreeMap<>();
    for (int i = 0; i < owners.size(); i++) {
      examples.computeIfAbsent(owners.get(i), none -> new ArrayList<>()).add(i);
    }
    return of(
        List.copyOf(examples.keySet()),
        examples.values().stream()
            .map(each -> each.stream().mapToInt(i -> i).toArray())
            .toArray(int[][]::new));
  }

  /**
   * These units with at most {@code most} examples each. A unit that has more keeps examples that
   * are evenly spread over its own, from the first. Only the unit itself decides which, so one unit
   * never changes what another keeps.
   *
   * @param most at least 1
   * @return those units; these stay as they are
   */
  public Units atMost(int most) {
    Check.that(most >= 1, "examples per unit", "at least 1", most);
    if (start == null) {
      return this;
    }
    int[][] kept = new int[count][];
    for (int unit = 0; unit < count; unit++) {
      int size = size(unit);
      kept[unit] = new int[Math.min(size, most)];
      for (int i = 0; i < kept[unit].length; i++) {
        kept[unit][i] = example(unit, (int) ((long) i * size / kept[unit].length));
      }
    }
    return of(high, ids, kept);
  }

  /** Refuses indices below 0 and examples that belong to two units. */
  private static int largest(int[] start, int[] examples) {
    long[] owned = new long[examples.length];
    for (int unit = 0; unit < start.length - 1; unit++) {
      for (int i = start[unit]; i < start[unit + 1]; i++) {
        Check.that(examples[i] >= 0, "index of an example", "at least 0", examples[i]);
        owned[i] = (long) examples[i] << 32 | unit;
      }
    }
    Arrays.sort(owned);
    for (int i = 1; i < owned.length; i++) {
      long example = owned[i] >>> 32;
      Check.that(
          example != owned[i - 1] >>> 32 || owned[i] == owned[i - 1],
          "example",
          "in one unit only",
          example);
    }
    return owned.length == 0 ? -1 : (int) (owned[owned.length - 1] >>> 32);
  }

  /**
   * Refuses a data set with fewer examples than these units refer to.
   *
   * @param size how many examples the data set has
   */
  public void check(int size) {
    Check.that(
        largest < size, "examples of the units", "below the number there is, " + size, largest);
  }

  /** By id, in the buckets that the key puts them into. */
  UnitOrder order(SamplingKey key, int buckets) {
    if (byId == null) {
      byId = UnitOrder.of(this);
    }
    if (buckets == 1) {
      return byId;
    }
    Cut last = cut;
    if (last == null || last.order().buckets() != buckets || !last.key().isSame(key)) {
      last = new Cut(key, byId.cut(key, this, buckets));
      cut = last;
    }
    return last.order();
  }

  /** Places in the order of an epoch: as many as are declared, and one for every unit. */
  int[] shuffled(SamplingKey key, long epoch, long declared) {
    int places = (int) Math.max(declared, count);
    Shuffled last = shuffled;
    if (last == null
        || last.epoch() != epoch
        || last.places().length != places
        || !last.key().isSame(key)) {
      // Release ids are never negative, so an epoch shares no bits with the lot of a release.
      last = new Shuffled(key, epoch, Lots.shuffled(key.lot(-1 - epoch), places));
      shuffled = last;
    }
    return last.places();
  }

  /** Which of so many parts each unit belongs to. */
  int[] parts(SamplingKey key, int number) {
    Parts last = parts;
    if (last == null || last.count() != number || !last.key().isSame(key)) {
      last = new Parts(key, number, key.parts(this, IntStream.range(0, count).toArray(), number));
      parts = last;
    }
    return last.of();
  }

  /** {@return how many units there are} */
  public int count() {
    return count;
  }

  /**
   * Whether every example is a unit of its own, with its index as id.
   *
   * @return whether nobody has said whose the examples are
   */
  public boolean areExamples() {
    return ids == null;
  }

  /**
   * What a unit is told apart by, where units have numbers.
   *
   * @param unit its index
   * @return its id
   */
  public long id(int unit) {
    if (high != null) {
      throw new IllegalStateException("these units have names of 128 bits, and no numbers");
    }
    return ids == null ? unit : ids[unit];
  }

  /**
   * Whether units are told apart by names of 128 bits instead of numbers.
   *
   * @return whether {@link #name} may be asked for
   */
  public boolean areNamed() {
    return high != null;
  }

  /**
   * What a unit is told apart by, where units have names.
   *
   * @param unit its index
   * @return its name
   */
  public UnitName name(int unit) {
    if (high == null) {
      throw new IllegalStateException("these units have numbers, and no names");
    }
    return new UnitName(high[unit], ids[unit]);
  }

  /** Two secret numbers for each named unit, which stand for its name under this key. */
  long[] blocks(SamplingKey key) {
    Blocks last = blocks;
    if (last == null || !last.key().isSame(key)) {
      last = new Blocks(key, key.blocks(count, unit -> high[unit], unit -> ids[unit]));
      blocks = last;
    }
    return last.values();
  }

  /**
   * How many examples the unit has.
   *
   * @param unit its index
   * @return at least 0
   */
  public int size(int unit) {
    return start == null ? 1 : start[unit + 1] - start[unit];
  }

  /**
   * The index of the unit's i-th example.
   *
   * @param unit its index
   * @param i from 0 to one less than the unit's {@link #size}
   * @return an index into the data set
   */
  public int example(int unit, int i) {
    return start == null ? unit : examples[start[unit] + i];
  }
}

package dev.discreet.core.privacy;

import dev.discreet.accounting.Check;
import java.io.Serializable;

/**
 * Units that are averaged before clipping. Each unit belongs to one of a fixed number of groups, a
 * group's mean gradient is clipped as one, and lots consist of whole groups.
 *
 * <p>A unit's group is a keyed function of its id, fixed before any lot is drawn. Groups cut out of
 * the drawn lot would be wrong: one more unit would shift all units after it, and change every
 * group.
 *
 * <p><b>Formal guarantee.</b> To someone who does not know the key, units fall into groups
 * independently of each other (see {@link SamplingKey}), and the number of groups follows from the
 * declared number of units. So neighbours differ in one group, in whatever way a unit changed. The
 * group's clipped means before and after both have norm at most C, so the sum moves by at most 2C.
 * For the groups that is the relation replace-one. A group that is added or removed whole moves the
 * sum by C.
 *
 * @param size how many units a group has on average
 * @param units the declared, public number of units
 */
public record MicroBatches(int size, long units) implements Serializable {
  /** The unit of a plan that protects only whole groups. */
  public static final String UNIT = "micro-batch group";

  // No release has this number. Lots have a key of their own, so they share no bits with groups.
  private static final long NONCE = Long.MIN_VALUE;
  private static final int BATCH = 2048;

  public MicroBatches {
    Check.that(
        size >= 2 && size <= units,
        "micro-batch",
        "in [2, " + units + "] (the number of units)",
        size);
  }

  /** The number of groups: public, and the same for every neighbour. */
  public long groups() {
    return Math.max(1, Math.round((double) units / size));
  }

  /** The group of each unit, a number from 0. */
  public int[] groupOf(Units members, SamplingKey key) {
    int groups = Math.toIntExact(groups());
    int[] groupOf = new int[members.count()];
    SamplingKey.Bits bits = key.bits(NONCE);
    long[] batch = new long[BATCH];
    for (int from = 0; from < groupOf.length; from += BATCH) {
      int now = Math.min(BATCH, groupOf.length - from);
      bits.of(members, from, now, batch);
      for (int i = 0; i < now; i++) {
        groupOf[from + i] = (int) ((batch[i] >>> 32) * groups >>> 32);
      }
    }
    return groupOf;
  }

  /** The groups as units, with all examples of their members; some may be empty. */
  public Units of(Units members, SamplingKey key) {
    int groups = Math.toIntExact(groups());
    int[] groupOf = groupOf(members, key);
    int[] sizes = new int[groups];
    for (int unit = 0; unit < groupOf.length; unit++) {
      sizes[groupOf[unit]] += members.size(unit);
    }
    long[] ids = new long[groups];
    int[][] examples = new int[groups][];
    for (int group = 0; group < groups; group++) {
      ids[group] = group;
      examples[group] = new int[sizes[group]];
    }
    int[] filled = new int[groups];
    for (int unit = 0; unit < groupOf.length; unit++) {
      for (int i = 0; i < members.size(unit); i++) {
        examples[groupOf[unit]][filled[groupOf[unit]]++] = members.example(unit, i);
      }
    }
    return Units.of(ids, examples);
  }
}

package dev.discreet.audit.membership;

import dev.discreet.accounting.Check;
import dev.discreet.audit.JoinedExamples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Split;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Who plays. A player is a unit of the data that has an example.
 *
 * <p>Of a run that held rows out, each unit by itself with probability s, those that were held out
 * play, and of the others each plays with probability s/(1 − s). So a player was in with
 * probability ½, independently of the other players: (1 − s)·s/(1 − s) = s. (Where s is above ½,
 * those that were held out are thinned instead.) Members that do not play are in every shadow too,
 * so shadows are as large as the target.
 *
 * @param data all rows, those to train on and those held out, as rows to train on
 * @param players indices of units, in an order that tells nothing of them
 * @param in whether the target is trained with each player
 * @param always units that the target and all shadows are trained with
 * @param byChance whether fair coins decided who is in. Where a publisher decided, the two sides
 *     may differ in more than membership, and no bound follows
 */
public record MembershipRows(
    DataSet data, int[] players, boolean[] in, int[] always, boolean byChance) {

  /**
   * A game for a target that is still to be trained, with a random half of the rows to train on.
   *
   * @param most how many play, drawn at random; fewer where there are fewer
   */
  public static MembershipRows halves(DataSet data, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DataSet.Part train = data.train();
    int[] players = some(withExamples(train.units()), most, random);
    boolean[] in = new boolean[players.length];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextBoolean();
    }
    return new MembershipRows(whole(data, train), players, in, new int[0], true).checked();
  }

  /**
   * A game for a run that is finished, and that held some of these rows out.
   *
   * @param data as the run opened them
   * @param heldOut the share of units that was held out, each by itself
   * @param most how many play, drawn at random; fewer where there are fewer
   */
  public static MembershipRows ofRun(DataSet data, double heldOut, int most, long seed) {
    DataSet.Part train = data.train();
    DataSet.Part test = data.test().orElse(null);
    Check.that(
        test != null,
        "run",
        "one that held rows out, which are no members: train it with --test-share 0.5",
        data.name());
    boolean byChance = test.by() != Split.By.NOTHING;
    int trained = train.units().count();
    int tested = test.units().count();
    double share = byChance ? heldOut : (double) tested / (trained + tested);
    SplittableRandom random = new SplittableRandom(seed);
    Units units = joined(train, test);
    double membersKept = Math.min(1, share / (1 - share));
    double othersKept = Math.min(1, (1 - share) / share);
    int[] drawn =
        Arrays.stream(withExamples(units))
            .filter(unit -> random.nextDouble() < (unit < trained ? membersKept : othersKept))
            .toArray();
    int[] players = some(drawn, most, random);
    boolean[] in = new boolean[players.length];
    boolean[] plays = new boolean[units.count()];
    for (int i = 0; i < in.length; i++) {
      in[i] = players[i] < trained;
      plays[players[i]] = true;
    }
    DataSet.Part all =
        new DataSet.Part(
            new JoinedExamples(train.examples(), test.examples()),
            units,
            train.isPublic(),
            train.rowsAreUnits(),
            train.by(),
            train.taken(),
            train.onlyUnit(),
            train.isSelected());
    int[] always = IntStream.range(0, trained).filter(unit -> !plays[unit]).toArray();
    return new MembershipRows(whole(data, all), players, in, always, byChance).checked();
  }

  private MembershipRows checked() {
    int members = 0;
    for (boolean each : in) {
      members += each ? 1 : 0;
    }
    Check.that(
        members >= 4 && in.length - members >= 4,
        "players",
        "4 at least on each side",
        members + " in and " + (in.length - members) + " out");
    return this;
  }

  /** A part of the data to train on, and nothing to test on. */
  private static DataSet whole(DataSet data, DataSet.Part all) {
    DataSet rows = data.with(all, Optional.empty());
    return data.isPublished() ? rows.published() : rows;
  }

  /** What the target is trained with, and no other row. */
  DataSet target() {
    return whole(data, data.train().with(chosen(data.train(), in)));
  }

  private static int[] withExamples(Units units) {
    return IntStream.range(0, units.count()).filter(unit -> units.size(unit) > 0).toArray();
  }

  /** A random selection in random order, so that a player's place tells nothing of its coin. */
  private static int[] some(int[] units, int most, SplittableRandom random) {
    Check.that(most >= 8, "rows", "at least 8", most);
    int[] order = units.clone();
    int kept = Math.min(most, order.length);
    for (int i = 0; i < kept; i++) {
      int other = i + random.nextInt(order.length - i);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    return Arrays.copyOf(order, kept);
  }

  /** The units of both parts; ids may be the same in both, so here they are places. */
  private static Units joined(DataSet.Part train, DataSet.Part test) {
    int trained = train.units().count();
    int count = Math.addExact(trained, test.units().count());
    long[] ids = new long[count];
    int[][] examples = new int[count][];
    for (int unit = 0; unit < count; unit++) {
      boolean first = unit < trained;
      ids[unit] = unit;
      examples[unit] =
          first
              ? examples(train, unit, 0)
              : examples(test, unit - trained, train.examples().size());
    }
    return Units.of(ids, examples);
  }

  private static int[] examples(LocalData part, int unit, int after) {
    int[] examples = new int[part.units().size(unit)];
    Arrays.setAll(examples, i -> part.units().example(unit, i) + after);
    return examples;
  }

  /** How many units a model of this game is trained with, before coins are tossed. */
  int expected() {
    return always.length + players.length / 2;
  }

  /**
   * The units of a model that is trained with some of the players.
   *
   * @param rows these rows, of whose units a recipe may use only some examples
   */
  Units chosen(LocalData rows, boolean[] with) {
    int[] kept =
        IntStream.concat(
                Arrays.stream(always),
                IntStream.range(0, players.length).filter(i -> with[i]).map(i -> players[i]))
            .sorted()
            .toArray();
    long[] ids = new long[kept.length];
    int[][] examples = new int[kept.length][];
    for (int i = 0; i < kept.length; i++) {
      ids[i] = rows.units().id(kept[i]);
      examples[i] = examples(rows, kept[i], 0);
    }
    return Units.of(ids, examples);
  }

  /**
   * Which players a shadow is trained with. Of two shadows that follow each other, the first has
   * those that the second has not, so each player is in half of them.
   *
   * @param number from 0
   */
  boolean[] coins(long seed, int number) {
    SplittableRandom random = new SplittableRandom(seed ^ (0x5bad0L + number / 2) << 20);
    boolean[] coins = new boolean[players.length];
    for (int i = 0; i < coins.length; i++) {
      coins[i] = random.nextBoolean() == (number % 2 == 0);
    }
    return coins;
  }
}

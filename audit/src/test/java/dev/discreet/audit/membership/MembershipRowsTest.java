package dev.discreet.audit.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Split;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MembershipRowsTest {
  private static int count(boolean[] in) {
    return (int) IntStream.range(0, in.length).filter(i -> in[i]).count();
  }

  @Test
  void aTargetThatIsTrainedHereHasAboutHalf() {
    MembershipRows rows = MembershipRows.halves(RandomLabels.rows(1000), 400, 3);
    assertEquals(400, rows.players().length);
    assertEquals(400, Arrays.stream(rows.players()).distinct().count());
    assertTrue(Math.abs(count(rows.in()) - 200) < 60, "" + count(rows.in()));
    assertEquals(count(rows.in()), rows.target().train().units().count());
    assertEquals(0, rows.always().length);
    // Whoever the coins chose: a plan is made before they are tossed.
    assertEquals(200, rows.expected());
    assertTrue(rows.byChance());
    assertArrayEquals(rows.in(), MembershipRows.halves(RandomLabels.rows(1000), 400, 3).in());
    assertFalse(
        Arrays.equals(rows.in(), MembershipRows.halves(RandomLabels.rows(1000), 400, 4).in()));
  }

  /** With a fifth held out, a quarter of the members plays, and the others are in every model. */
  @Test
  void ofARunHalfOfThePlayersAreMembers() {
    DataSet data = RandomLabels.split(4000, 1000, Split.By.CONTENTS);
    MembershipRows rows = MembershipRows.ofRun(data, 0.2, Integer.MAX_VALUE, 1);
    int members = count(rows.in());
    assertEquals(1000, rows.players().length - members);
    assertTrue(Math.abs(members - 1000) < 150, "" + members);
    assertEquals(4000 - members, rows.always().length);
    assertTrue(rows.byChance());
    for (int i = 0; i < rows.players().length; i++) {
      assertEquals(rows.players()[i] < 4000, rows.in()[i]);
    }
    // The target was trained with its own rows, and no other.
    Units target = rows.target().train().units();
    assertEquals(4000, target.count());
    assertTrue(IntStream.range(0, 4000).allMatch(unit -> target.example(unit, 0) < 4000));
    // Rows that were held out are found after those to train on.
    Examples all = rows.data().train().examples();
    float[] expected = new float[RandomLabels.COLUMNS];
    float[] found = new float[RandomLabels.COLUMNS];
    data.test().orElseThrow().examples().input(17, expected, 0);
    all.input(4017, found, 0);
    assertArrayEquals(expected, found);
  }

  /** Else equal scores, which keep their order, would tell who is in. */
  @Test
  void theOrderOfPlayersTellsNothing() {
    DataSet data = RandomLabels.split(500, 500, Split.By.CONTENTS);
    MembershipRows rows = MembershipRows.ofRun(data, 0.5, Integer.MAX_VALUE, 1);
    int half = rows.players().length / 2;
    int first = (int) IntStream.range(0, half).filter(i -> rows.in()[i]).count();
    assertTrue(Math.abs(first - half / 2) < 60, first + " of " + half);
  }

  @Test
  void whereMostWasHeldOutTheOthersAreThinned() {
    DataSet data = RandomLabels.split(1000, 4000, Split.By.CONTENTS);
    MembershipRows rows = MembershipRows.ofRun(data, 0.8, Integer.MAX_VALUE, 1);
    assertEquals(1000, count(rows.in()));
    assertTrue(Math.abs(rows.players().length - 2000) < 150);
    assertEquals(0, rows.always().length);
  }

  @Test
  void fewerPlayersLeaveTheOtherMembersInEveryModel() {
    DataSet data = RandomLabels.split(500, 500, Split.By.CONTENTS);
    MembershipRows rows = MembershipRows.ofRun(data, 0.5, 100, 1);
    assertEquals(100, rows.players().length);
    assertEquals(500 - count(rows.in()) + 50, rows.expected());
    boolean[] none = new boolean[100];
    assertEquals(500 - count(rows.in()), rows.chosen(rows.data().train(), none).count());
  }

  @Test
  void aSplitThatWasPublishedIsNoGameOfCoins() {
    DataSet data = RandomLabels.split(500, 100, Split.By.NOTHING);
    assertFalse(MembershipRows.ofRun(data, 0.2, 1000, 1).byChance());
    assertThrows(
        IllegalArgumentException.class,
        () -> MembershipRows.ofRun(RandomLabels.rows(100), 0.2, 1000, 1));
  }

  @Test
  void twoShadowsInARowShareNoPlayer() {
    MembershipRows rows = MembershipRows.halves(RandomLabels.rows(300), 300, 0);
    for (int pair = 0; pair < 4; pair++) {
      boolean[] one = rows.coins(0, 2 * pair);
      boolean[] other = rows.coins(0, 2 * pair + 1);
      for (int i = 0; i < one.length; i++) {
        assertTrue(one[i] ^ other[i]);
      }
    }
    assertFalse(Arrays.equals(rows.coins(0, 0), rows.coins(0, 2)));
    assertFalse(Arrays.equals(rows.coins(0, 0), rows.coins(1, 0)));
    assertFalse(Arrays.equals(rows.coins(0, 0), rows.in()));
  }
}

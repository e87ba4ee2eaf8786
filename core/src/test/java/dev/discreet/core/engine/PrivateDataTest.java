package dev.discreet.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.nn.Network;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Grid;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.Sampler;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.Units;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PrivateDataTest {
  private static final Examples EXAMPLES =
      Examples.of(Shape.vector(1), new float[] {1, 2, 3, 4}, 1, new float[] {0, 1, 0, 1});
  private static final Units TWO = Units.byOwner(new long[] {7, 7, 9, 7});

  private static TwoParts elsewhere() {
    return new TwoParts(
        PrivateData.of(EXAMPLES, Units.of(new long[] {7}, new int[][] {{0, 1, 3}})),
        PrivateData.of(EXAMPLES, Units.of(new long[] {9}, new int[][] {{2}})));
  }

  @Test
  void rowsOnThisMachineAnswerForThemselves() {
    LocalData data = PrivateData.of(EXAMPLES, TWO);
    assertEquals(Shape.vector(1), data.input());
    assertEquals(1, data.targets());
    assertEquals(2, data.unitCount());
    assertFalse(data.rowsAreUnits());
    assertTrue(PrivateData.each(EXAMPLES).rowsAreUnits());
    assertEquals(1, data.atMost(1).units().size(0));
    assertThrows(IllegalArgumentException.class, () -> PrivateData.of(EXAMPLES, Units.each(5)));
  }

  @Test
  void aSumOverPartsIsTheSum() {
    UnitSum sum =
        (examples, units) ->
            new long[] {
              LongStream.range(0, units.count()).map(unit -> units.size((int) unit)).sum(),
              units.count()
            };
    assertArrayEquals(new long[] {4, 2}, PrivateData.of(EXAMPLES, TWO).sum(sum));
    assertArrayEquals(new long[] {4, 2}, elsewhere().sum(sum));
  }

  @Test
  void groupsTakeThePlaceOfUnits() {
    LocalData data = PrivateData.each(EXAMPLES);
    LocalData groups = data.grouped(new MicroBatches(2, 4), SamplingKey.insecure(1));
    assertEquals(2, groups.unitCount());
    assertEquals(4, groups.units().size(0) + groups.units().size(1));
    assertFalse(groups.rowsAreUnits());
  }

  /** Rows that keep one relation only, and of which something was declared. */
  private record Declared(Examples examples, Units units) implements LocalData {
    @Override
    public boolean rowsAreUnits() {
      return true;
    }

    @Override
    public void check(Neighbouring relation) {
      Check.that(relation == Neighbouring.ADD_REMOVE, "neighbouring", "add/remove", relation);
    }

    @Override
    public String declared(String unit) {
      return "Each " + unit + " was asked.";
    }
  }

  @Test
  void otherUnitsOfRowsKeepWhatTheRowsAre() {
    LocalData rows = new Declared(EXAMPLES, TWO);
    LocalData fewer = rows.atMost(1);
    assertTrue(fewer.rowsAreUnits());
    for (LocalData other :
        new LocalData[] {
          fewer, fewer.atMost(1), rows.grouped(new MicroBatches(2, 4), SamplingKey.insecure(1))
        }) {
      assertEquals("Each person was asked.", other.declared("person"));
      other.check(Neighbouring.ADD_REMOVE);
      assertThrows(IllegalArgumentException.class, () -> other.check(Neighbouring.REPLACE_ONE));
    }
  }

  @Test
  void aPublicRowIsFoundWhereverThePrivateOnesAre() {
    Examples same = Examples.of(Shape.vector(1), new float[] {9, 3}, 1, new float[] {0, 0});
    Examples otherLabel = Examples.of(Shape.vector(1), new float[] {9, 3}, 1, new float[] {0, 1});
    for (PrivateData data : new PrivateData[] {PrivateData.each(EXAMPLES), elsewhere()}) {
      assertEquals(OptionalInt.of(1), data.find(new PublicRows(same, true)));
      assertEquals(OptionalInt.empty(), data.find(new PublicRows(otherLabel, true)));
      assertEquals(OptionalInt.of(1), data.find(new PublicRows(otherLabel, false)));
    }
  }

  @Test
  void theCpuEngineRefusesRowsThatAreElsewhere() {
    Layout layout = Network.parse("dense(1)").on(Shape.vector(1));
    assertEquals(
        "data of the engine cpu must be rows on this machine. Provided value: TwoParts",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Engine.named("cpu")
                        .source(
                            layout,
                            UnitRule.flat(layout),
                            elsewhere(),
                            new Sampler.Poisson(0.5, 2),
                            new Grid(1, 3, -20)))
            .getMessage());
  }
}

package dev.discreet.audit.canary;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.audit.JoinedExamples;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.engine.LocalData;
import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.Units;
import java.util.List;
import java.util.Optional;

/**
 * Rows with canaries behind them, each a unit of its own. What was declared of the rows still
 * holds.
 *
 * @param rows the others
 * @param examples theirs, and those of the canaries
 * @param units theirs, and the canaries
 */
public record CanaryRows(LocalData rows, Examples examples, Units units) implements LocalData {

  /** The rows with these canaries. */
  public static CanaryRows of(LocalData rows, List<Canary> canaries) {
    Examples all = new JoinedExamples(rows.examples(), canaryExamples(rows.examples(), canaries));
    return new CanaryRows(rows, all, units(rows, canaries));
  }

  /** The examples of canaries alone, in the form of others. */
  static Examples canaryExamples(Examples like, List<Canary> canaries) {
    int inputs = canaries.stream().mapToInt(each -> each.inputs().length).sum();
    int targets = canaries.stream().mapToInt(each -> each.targets().length).sum();
    float[] input = new float[inputs];
    float[] target = new float[targets];
    int atInput = 0;
    int atTarget = 0;
    for (Canary each : canaries) {
      System.arraycopy(each.inputs(), 0, input, atInput, each.inputs().length);
      System.arraycopy(each.targets(), 0, target, atTarget, each.targets().length);
      atInput += each.inputs().length;
      atTarget += each.targets().length;
    }
    return Examples.of(like.input(), input, like.targets(), target);
  }

  private static Units units(LocalData rows, List<Canary> canaries) {
    Units before = rows.units();
    Shape input = rows.input();
    int size = rows.examples().size();
    if (before.areExamples() && canaries.stream().allMatch(each -> each.examples(input) == 1)) {
      return Units.each(size + canaries.size());
    }
    long[] ids = new long[before.count() + canaries.size()];
    int[][] examples = new int[ids.length][];
    long free = 0;
    for (int i = 0; i < before.count(); i++) {
      ids[i] = before.id(i);
      free = Math.max(free, ids[i] + 1);
      examples[i] = new int[before.size(i)];
      for (int j = 0; j < examples[i].length; j++) {
        examples[i][j] = before.example(i, j);
      }
    }
    int next = size;
    for (int i = 0; i < canaries.size(); i++) {
      ids[before.count() + i] = free + i;
      int[] own = new int[canaries.get(i).examples(input)];
      for (int j = 0; j < own.length; j++) {
        own[j] = next++;
      }
      examples[before.count() + i] = own;
    }
    return Units.of(ids, examples);
  }

  @Override
  public boolean rowsAreUnits() {
    return rows.rowsAreUnits();
  }

  @Override
  public void check(Neighbouring relation) {
    rows.check(relation);
  }

  @Override
  public Optional<String> onlyUnit() {
    return rows.onlyUnit();
  }

  @Override
  public boolean isSelected() {
    return rows.isSelected();
  }

  @Override
  public String declared(String unit) {
    return rows.declared(unit);
  }
}

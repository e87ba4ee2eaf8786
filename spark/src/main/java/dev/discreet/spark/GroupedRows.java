package dev.discreet.spark;

import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import dev.discreet.core.privacy.UnitName;
import dev.discreet.core.privacy.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Rows of units as rows of the groups that a key puts them into. */
final class GroupedRows implements Iterator<UnitRow> {
  private static final int BATCH = 1024;

  private final Iterator<UnitRow> rows;
  private final boolean named;
  private final MicroBatches batches;
  private final SamplingKey key;
  private Iterator<UnitRow> ready = List.<UnitRow>of().iterator();

  /**
   * @param named whether the units have names of 128 bits
   */
  GroupedRows(Iterator<UnitRow> rows, boolean named, MicroBatches batches, SamplingKey key) {
    this.rows = rows;
    this.named = named;
    this.batches = batches;
    this.key = key;
  }

  @Override
  public boolean hasNext() {
    return ready.hasNext() || rows.hasNext();
  }

  @Override
  public UnitRow next() {
    if (!ready.hasNext()) {
      List<UnitRow> batch = new ArrayList<>(BATCH);
      while (batch.size() < BATCH && rows.hasNext()) {
        batch.add(rows.next());
      }
      ready = grouped(batch).iterator();
    }
    return ready.next();
  }

  private List<UnitRow> grouped(List<UnitRow> batch) {
    List<UnitName> members = batch.stream().map(UnitRow::unit).sorted().distinct().toList();
    int[][] none = new int[members.size()][0];
    Units units =
        named
            ? Units.of(members, none)
            : Units.of(members.stream().mapToLong(UnitName::low).toArray(), none);
    int[] group = batches.groupOf(units, key);
    return batch.stream()
        .map(
            row ->
                new UnitRow(
                    new UnitName(0, group[Collections.binarySearch(members, row.unit())]),
                    row.unit(),
                    row.order(),
                    row.values()))
        .toList();
  }
}

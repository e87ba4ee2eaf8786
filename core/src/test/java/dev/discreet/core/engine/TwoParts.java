package dev.discreet.core.engine;

import dev.discreet.core.nn.Shape;
import dev.discreet.core.privacy.MicroBatches;
import dev.discreet.core.privacy.SamplingKey;
import java.util.OptionalInt;

/** Rows that are somewhere else, in two parts. */
public record TwoParts(LocalData one, LocalData other) implements PrivateData {
  @Override
  public Shape input() {
    return one.input();
  }

  @Override
  public int targets() {
    return one.targets();
  }

  @Override
  public long unitCount() {
    return one.unitCount() + other.unitCount();
  }

  @Override
  public boolean rowsAreUnits() {
    return false;
  }

  @Override
  public OptionalInt find(PublicRows rows) {
    OptionalInt found = one.find(rows);
    return found.isPresent() ? found : other.find(rows);
  }

  @Override
  public long[] sum(UnitSum sum) {
    long[] sums = one.sum(sum);
    long[] more = other.sum(sum);
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
    return sums;
  }

  @Override
  public PrivateData atMost(int examplesPerUnit) {
    return new TwoParts(one.atMost(examplesPerUnit), other.atMost(examplesPerUnit));
  }

  @Override
  public PrivateData grouped(MicroBatches batches, SamplingKey key) {
    throw new UnsupportedOperationException();
  }
}

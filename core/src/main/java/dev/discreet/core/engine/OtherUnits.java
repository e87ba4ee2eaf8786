package dev.discreet.core.engine;

import dev.discreet.accounting.Neighbouring;
import dev.discreet.core.privacy.Units;
import java.util.Optional;

/**
 * Rows with other units. What was declared of the rows, and which relations they keep, still holds.
 */
record OtherUnits(LocalData rows, Units units, boolean rowsAreUnits) implements LocalData {
  @Override
  public Examples examples() {
    return rows.examples();
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

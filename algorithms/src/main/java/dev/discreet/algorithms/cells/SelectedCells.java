package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.KeySelection;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.core.privacy.PrivacySession;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Supplier;

/**
 * One question in the cell of each key of a column, of which nobody declared the keys: some are
 * selected privately, and the question is asked in their cells.
 *
 * <p><b>Formal guarantee.</b> An answer costs {@link #cost} under the session's relation. For any
 * fixed set of keys the measure is {@link CellQuestion.Sums} on rows of which a unit has no more
 * than its first keys, so it has its guarantee whatever was selected; and selection and measure
 * compose, as any two mechanisms of which the second depends on what the first released.
 *
 * @param column whose values are the keys
 * @param measure what is asked in each cell
 * @param selection of the keys, with for how many of them a unit counts
 */
public record SelectedCells(String column, Measure measure, KeySelection selection) {
  /**
   * The ledger entries of an answer: those of the selection, then of the measure.
   *
   * @param protection what the measure may cost
   * @param relation what neighbouring data sets are
   * @return the entries
   */
  public Ledger cost(Protection protection, Neighbouring relation) {
    return selection.cost(relation).plus(protection.mechanism(relation), 1);
  }

  /**
   * Asks once.
   *
   * @param session what is charged, for both, so that the ledger does not tell what was selected
   * @param protection what the measure may cost, all cells together
   * @param rows read only after what reads them is paid for
   * @return the answer, with one axis: the selected keys by name; empty where none is selected
   */
  public Optional<CellAnswer> ask(
      PrivacySession session, Protection protection, Supplier<RowsByKey> rows) {
    SortedSet<String> selected = selection.ask(session, () -> rows.get().keys());
    if (selected.isEmpty()) {
      // Noise alone, which is paid for as any other and shown to no one.
      new CellQuestion.Sums(measure, List.of())
          .ask(
              session,
              protection,
              () -> CellRows.ofRows(new int[0], new double[measure.columns()][0]));
      return Optional.empty();
    }
    Check.that(
        selected.size() <= CellAxis.MOST_CELLS,
        "selected keys",
        "at most " + CellAxis.MOST_CELLS,
        selected.size());
    CellAxis axis = new CellAxis(column, List.copyOf(selected));
    return Optional.of(
        new CellQuestion.Sums(measure, List.of(axis))
            .ask(session, protection, () -> rows.get().in(selected, selection.keysPerUnit())));
  }
}

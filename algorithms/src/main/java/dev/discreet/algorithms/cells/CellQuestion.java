package dev.discreet.algorithms.cells;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Ledger;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.algorithms.query.Protection;
import dev.discreet.algorithms.query.Query;
import dev.discreet.algorithms.query.QueryColumn;
import dev.discreet.algorithms.query.Released;
import dev.discreet.core.privacy.GridVector;
import dev.discreet.core.privacy.Norm;
import dev.discreet.core.privacy.PrivacySession;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One question, asked in each cell of a table.
 *
 * <p><b>Formal guarantee.</b> An answer costs {@link #cost} under the session's relation, for a
 * unit of the rows: a row, or all rows of a unit that {@link CellRows#ofUnits} keeps.
 */
public sealed interface CellQuestion {
  /** {@return the axes of the table; none for one cell} */
  List<CellAxis> axes();

  /**
   * The ledger entries of an answer.
   *
   * @param protection what the answer may cost
   * @param relation what neighbouring data sets are
   * @return the entries
   */
  Ledger cost(Protection protection, Neighbouring relation);

  /**
   * Asks once.
   *
   * @param session what is charged
   * @param protection what the answer may cost, all cells together
   * @param rows read only after their answer is paid for; one in a cell beyond the axes does not
   *     count
   * @return the answer, with noise
   */
  CellAnswer ask(PrivacySession session, Protection protection, Supplier<CellRows> rows);

  /**
   * What follows from sums over the rows of each cell.
   *
   * <p><b>Why its sensitivity is right.</b> Let a row add a vector of norm at most M, and let two
   * such vectors, or one and nothing, be at most A apart. A unit adds up to B rows to each of up to
   * C cells: in each it adds at most B·M, and two units differ there by at most B·A. So a unit more
   * or less moves all cells by C·B·M in ℓ₁ and √C·B·M in ℓ₂. A unit for another moves k cells that
   * both are in by B·A each, and the others that one of them is in, at most 2C − 2k, by B·M each.
   * That is a straight line in k, in ℓ₂ its square is; so it is largest where all cells are the
   * same, k = C, or as few as the table allows, k = max(0, 2C − cells). (With fewer cells of a unit
   * it is not larger, for M ≤ A.) The ledger doubles, so half of it is stated.
   *
   * @param measure what is asked
   * @param axes of the table
   */
  record Sums(Measure measure, List<CellAxis> axes) implements CellQuestion {
    /** The grid of one row: about 2²² steps to what one unit adds. */
    private static final int BITS = 22;

    /** Wider than roots and products are rounded. */
    private static final double WIDER = 1 + 0x1p-48;

    /** Copies the axes, and refuses too many cells. */
    public Sums {
      axes = List.copyOf(axes);
      CellAxis.cells(axes);
    }

    @Override
    public Ledger cost(Protection protection, Neighbouring relation) {
      return Ledger.of(relation, protection.mechanism(relation), 1);
    }

    @Override
    public CellAnswer ask(PrivacySession session, Protection protection, Supplier<CellRows> rows) {
      Released released =
          Released.of(
              session, protection, relation -> exact(rows.get(), protection.norm(), relation));
      double[] noisy = released.noisy().values();
      int parts = measure.parts();
      double[][] sums = new double[noisy.length / parts][];
      Arrays.setAll(sums, i -> Arrays.copyOfRange(noisy, i * parts, (i + 1) * parts));
      return CellAnswer.of(axes, measure, sums, released.law(), released.cost());
    }

    /** The exact sums, cell by cell, with their sensitivity. */
    GridVector exact(CellRows rows, Norm norm, Neighbouring relation) {
      int cells = CellAxis.cells(axes);
      int exponent = Math.getExponent((double) rows.cellsPerUnit() * rows.rowsPerCell()) - BITS;
      long one = 1L << -exponent;
      int parts = measure.parts();
      long[] sums = new long[Math.multiplyExact(cells, parts)];
      double[] row = new double[rows.columns()];
      for (int i = 0; i < rows.size(); i++) {
        for (int j = 0; j < row.length; j++) {
          row[j] = rows.number(j, i);
        }
        if (rows.cell(i) < cells) {
          measure.add(row, one, sums, rows.cell(i) * parts);
        }
      }
      int mostCells = Math.min(rows.cellsPerUnit(), cells);
      double most = measure.most(norm, one);
      double apart = measure.apart(norm, one);
      int fewest = Math.max(0, 2 * mostCells - cells);
      double moved =
          relation == Neighbouring.REPLACE_ONE
              ? Math.max(
                      together(norm, mostCells, apart, 0, most),
                      together(norm, fewest, apart, 2 * (mostCells - fewest), most))
                  / 2
              : together(norm, mostCells, most, 0, 0);
      return new GridVector(
          sums, exponent, norm, WIDER * Math.scalb(rows.rowsPerCell() * moved, exponent));
    }

    /** The norm of so many cells that move that far, and so many others. */
    private static double together(Norm norm, int cells, double moved, int others, double by) {
      return norm == Norm.L1
          ? cells * moved + others * by
          : Math.hypot(Math.sqrt(cells) * moved, Math.sqrt(others) * by);
    }
  }

  /**
   * A quantile in each cell, by one choice in each. A unit is in few cells, so it pays for few of
   * the choices: ε is divided by the number of cells that a neighbour can differ in.
   *
   * @param quantile what is asked in each cell
   * @param axes of the table
   * @param cellsPerUnit in how many cells a unit counts
   */
  record Quantile(Query.Quantile quantile, List<CellAxis> axes, int cellsPerUnit)
      implements CellQuestion {
    /** What is kept of all candidates in all cells takes a quarter of a GiB. */
    private static final long MOST_CANDIDATES = 1 << 24;

    /** Copies the axes, and refuses too many cells, alone and with their candidates. */
    public Quantile {
      axes = List.copyOf(axes);
      int cells = CellAxis.cells(axes);
      CellRows.check(cellsPerUnit, 1);
      Check.that(
          (long) cells * quantile.candidates() <= MOST_CANDIDATES,
          "candidates in all cells",
          "at most " + MOST_CANDIDATES,
          cells + " cells of " + quantile.candidates() + " candidates");
    }

    private long differ(Neighbouring relation) {
      return Math.min((long) cellsPerUnit * relation.sensitivity(), CellAxis.cells(axes));
    }

    @Override
    public Ledger cost(Protection protection, Neighbouring relation) {
      return quantile.cost(protection, relation, differ(relation));
    }

    @Override
    public CellAnswer ask(PrivacySession session, Protection protection, Supplier<CellRows> rows) {
      Neighbouring relation = session.ledger().neighbouring();
      return new CellAnswer(
          axes,
          quantile.askEach(
              session,
              protection,
              differ(relation),
              () -> {
                CellRows read = rows.get();
                Check.that(
                    read.cellsPerUnit() <= cellsPerUnit,
                    "cells per unit of the rows",
                    "at most that of the question, " + cellsPerUnit,
                    read.cellsPerUnit());
                return Arrays.stream(read.byCell(CellAxis.cells(axes)))
                    .map(values -> QueryColumn.ofBounded(values, read.rowsPerCell()))
                    .toList();
              }),
          cost(protection, relation),
          Optional.empty());
    }
  }
}

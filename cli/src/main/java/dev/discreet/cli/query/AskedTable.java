package dev.discreet.cli.query;

import dev.discreet.core.model.InputColumn;
import dev.discreet.data.Misfits;
import dev.discreet.recipe.setup.MisfitRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A table that questions are about.
 *
 * @param table where its rows are
 * @param unitColumn null where each row is a unit
 * @param isCharged whether an account covers the rows
 * @param acceptMisfits whether to go on though many rows do not fit
 * @param verb which tells the operator of those
 */
record AskedTable(
    AskedRows table,
    String unitColumn,
    boolean isCharged,
    boolean acceptMisfits,
    CommandSpec verb) {

  /** Gives questions the rows. A cell that is none of the declared values counts as missing. */
  void read(List<? extends Question> questions) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    questions.forEach(question -> names.addAll(question.columns()));
    if (unitColumn != null) {
      names.add(unitColumn);
    }
    List<String> columns = List.copyOf(names);
    table.checkColumns(columns);
    int[][] places =
        questions.stream()
            .map(each -> each.columns().stream().mapToInt(columns::indexOf).toArray())
            .toArray(int[][]::new);
    int owners = unitColumn == null ? -1 : columns.indexOf(unitColumn);
    Map<String, Integer> units = new HashMap<>();
    BitSet misfits = new BitSet();
    List<String> reasons = new ArrayList<>();
    int[] rows = {0};
    table.readPlaced(
        columns,
        (cells, place) -> {
          // A row without an owner counts for no one. Nor does one with a garbled owner:
          // several people may have the same garbled name.
          String owner = owners < 0 ? "row" : cells.get(owners);
          boolean owned = !owner.isEmpty() && owner.indexOf(InputColumn.GARBLED) < 0;
          int misfit = owned ? -1 : owners;
          int number =
              !owned ? -1 : owners < 0 ? 0 : units.computeIfAbsent(owner, name -> units.size());
          for (int i = 0; i < places.length; i++) {
            List<String> own = new ArrayList<>(places[i].length);
            for (int at : places[i]) {
              own.add(cells.get(at));
            }
            int wrong = questions.get(i).take(own, number);
            misfit = misfit >= 0 || wrong < 0 ? misfit : places[i][wrong];
          }
          if (misfit >= 0) {
            misfits.set(rows[0]);
            String why = misfit(place.get(), columns.get(misfit), cells.get(misfit));
            if (reasons.size() < Misfits.SHOWN && !reasons.contains(why)) {
              reasons.add(why);
            }
          }
          rows[0]++;
        });
    MisfitRows.tell(
        new Misfits(misfits, rows[0], reasons),
        table.name(),
        !table.isSelected(),
        " or asked; each question leaves out the rows of which it needs such a cell",
        acceptMisfits,
        line -> verb.commandLine().getErr().println(verb.qualifiedName() + ": " + line));
  }

  private String misfit(String place, String name, String found) {
    if (isCharged) {
      return "column " + name + " (of rows that an account covers, no row and no cell is shown)";
    }
    String cell = found.replaceAll("\\p{Cntrl}", "?");
    String shown = cell.length() <= 60 ? cell : cell.substring(0, 59) + "…";
    String where = table.isSelected() ? "" : " " + place;
    return table.data() + where + ", column " + name + " has \"" + shown + "\"";
  }
}

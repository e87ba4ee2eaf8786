package dev.discreet.recipe.setup;

import dev.discreet.data.DataSets;
import dev.discreet.data.Declaration;
import dev.discreet.data.TableHeader;
import dev.discreet.data.text.ColumnPatterns;
import dev.discreet.data.text.VocabularyFile;
import dev.discreet.recipe.setting.ColumnsFile;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Brings short declarations of columns into their long form, one for each column. */
public final class ColumnChoices {
  private ColumnChoices() {}

  /**
   * With what a declarations file says, if one is named, and the words of vocabularies. A file of
   * rows that are not public is refused as one.
   */
  public static SettingValues declared(SettingValues given) throws IOException {
    Optional<Path> file = given.get(DataSettings.COLUMNS);
    SettingValues all = file.isEmpty() ? given : ColumnsFile.read(file.get()).below(given);
    List<String> columns = all.get(DataSettings.COLUMN).orElse(List.of());
    List<String> expanded =
        VocabularyFile.expanded(columns, words -> PayingAccount.refuseVocabulary(all, words));
    return expanded.equals(columns) ? all : all.with(DataSettings.COLUMN, expanded);
  }

  /**
   * With a declaration for each column that a pattern fits. Only the header of the table is read.
   *
   * @param given whose label and unit column no pattern is about
   */
  public static SettingValues expanded(SettingValues given) throws IOException {
    List<String> columns = given.get(DataSettings.COLUMN).orElse(List.of());
    String data = given.get(DataSettings.DATA).orElse("");
    if (!ColumnPatterns.any(columns)
        || data.isEmpty()
        || !DataSets.takes(data).contains(Declaration.COLUMNS)) {
      return given;
    }
    Set<String> taken = new HashSet<>();
    given.get(DataSettings.LABEL).map(ColumnPatterns::name).ifPresent(taken::add);
    given.get(UnitSettings.UNIT_COLUMN).ifPresent(taken::add);
    SettingValues others =
        given.only(
            setting ->
                setting != DataSettings.COLUMN
                    && setting != DataSettings.MISSING
                    && setting != DataSettings.MISSING_CELLS);
    TableHeader header =
        DataSets.header(data, DataChoices.options(new EffectiveSettings(others), line -> {}));
    return given.with(
        DataSettings.COLUMN,
        ColumnPatterns.expanded(header.name(), columns, header.columns(), taken));
  }
}

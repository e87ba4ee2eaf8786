package dev.discreet.cli.train;

import dev.discreet.accounting.Check;
import dev.discreet.cli.console.SettingOptions;
import dev.discreet.cli.query.NoisedBounds;
import dev.discreet.core.files.AtomicFile;
import dev.discreet.core.files.DatabaseAddress;
import dev.discreet.core.model.InputColumn;
import dev.discreet.data.DataSets;
import dev.discreet.data.TableHeader;
import dev.discreet.data.text.ColumnPatterns;
import dev.discreet.recipe.setting.ColumnsFile;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setup.DataChoices;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A first draft of a table's declarations, from the names of its columns alone. */
@Command(
    name = "declare",
    description = {
      "Drafts the declarations of a table: a file with its columns, each to be filled in by you from"
          + " what you know without looking at the rows.",
      "Only the names of the columns are read, unless --spend pays for noised quantiles of columns"
          + " of numbers. In a file the names are its first line, which must be nobody's row (or give"
          + " --header)."
    },
    abbreviateSynopsis = true,
    sortOptions = false,
    modelTransformer = SettingOptions.OfHeader.class,
    footerHeading = "%n",
    footer = "Example: discreet data declare --data people.csv --to columns.yaml")
final class DeclareCommand implements Callable<Integer> {
  private static final String NAMES_ALONE =
      "A draft, from the names of the columns alone: no row was looked at.";

  private static final List<String> HOW =
      List.of(
          "Put in place of each ? what you know of the column without looking at its rows, or",
          "delete its line:",
          "  0..120                  a number, moved into these bounds",
          "  f|m                     one of these values; after ,other=none a further one for all"
              + " others",
          "  {1..16}                 the integers from 1 to 16",
          "  small<medium<large      values that have an order",
          "  2015-01-01..2024-12-31  a date; also month, weekday, month+weekday",
          "  text,hash=1024,words=1..2",
          "                          free text: its words and pairs of words, in 1024 inputs",
          "What a missing cell becomes: ,missing=40 ,missing=own or ,missing=indicator(40);",
          "which cells are missing besides empty ones: ,missing-cells=NA|99");

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "The file to write. Default: standard out.")
  private Path file;

  @Option(names = "--force", description = "Replace an existing file.")
  private boolean force;

  @Mixin private NoisedBounds bounds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (file != null) {
      Path in = file.toAbsolutePath().getParent();
      Check.that(in != null && Files.isDirectory(in), "to", "in a folder that exists", file);
      Check.that(
          !Files.isDirectory(file) && (force || !Files.exists(file)),
          "to",
          "a new file (or --force replaces it)",
          file);
    }
    String text = draft(SettingOptions.given(spec).checked());
    if (file == null) {
      spec.commandLine().getOut().print(text);
      return 0;
    }
    try {
      AtomicFile.write(file, text);
    } catch (IOException e) {
      // What was paid for is not lost.
      spec.commandLine().getOut().print(text);
      throw e;
    }
    spec.commandLine()
        .getOut()
        .println("Wrote " + file + ". Fill in each ?, then use it with --columns " + file + ".");
    return 0;
  }

  private String draft(SettingValues given) throws IOException {
    String data = SettingOptions.data(given);
    boolean paying = bounds.isGiven();
    String label = given.get(DataSettings.LABEL).orElse("");
    String labelled = ColumnPatterns.name(label);
    Map<String, String> columns = new LinkedHashMap<>();
    int left = 0;
    SettingValues opening =
        given.only(
            each -> !List.of(DataSettings.MISSING, DataSettings.MISSING_CELLS).contains(each));
    TableHeader header =
        DataSets.header(
            data,
            DataChoices.options(
                new EffectiveSettings(opening), spec.commandLine().getErr()::println));
    if (!labelled.isEmpty()) {
      header.find(labelled, "label column");
    }
    Optional<NoisedBounds.Paid> paid =
        paying ? Optional.of(bounds.pay(given, header)) : Optional.empty();
    SettingValues all = paid.map(NoisedBounds.Paid::settings).orElse(given);
    Map<String, String> noised = paid.map(NoisedBounds.Paid::declarations).orElse(Map.of());
    String unit = all.get(UnitSettings.UNIT_COLUMN).orElse("");
    if (!unit.isEmpty()) {
      header.find(unit, "unit column");
    }
    for (String name : header.columns()) {
      if (name.isBlank() || name.indexOf('=') >= 0 || !Check.oneLine(name)) {
        left++;
      } else if (name.equals(labelled) && label.indexOf('=') >= 0) {
        columns.put(name, InputColumn.parse(label).text());
      } else if (!name.equals(unit)) {
        columns.put(name, noised.getOrDefault(name, name + "=" + ColumnsFile.OPEN));
      }
    }
    told(data, given, left);
    Check.that(!columns.isEmpty(), "columns", "some, with names that can be declared", "none");
    SettingValues settings = all.only(ColumnsFile::maySet);
    List<String> comment =
        new ArrayList<>(paid.map(NoisedBounds.Paid::lines).orElse(List.of(NAMES_ALONE)));
    comment.addAll(HOW);
    return new ColumnsFile(
            labelled.isEmpty() ? settings : settings.with(DataSettings.LABEL, labelled), columns)
        .text(comment, paid.map(NoisedBounds.Paid::beside).orElse(Map.of()));
  }

  private void told(String data, SettingValues given, int left) {
    PrintWriter err = spec.commandLine().getErr();
    if (!given.isSet(DataSettings.HEADER) && !DatabaseAddress.is(data)) {
      err.println(
          "The names of the columns are those that "
              + data
              + " begins with. If that is a row, throw this draft away, and declare the names with"
              + " --header.");
    }
    if (left > 0) {
      err.println(
          "Columns that are left out, for a name that is empty, or has = or a line end, cannot be"
              + " declared: "
              + left);
    }
  }
}

package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.NumberMarks;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.DataOptions;
import dev.discreet.data.text.TextDialect;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What is learnt from. */
public final class DataSettings {
  /** What stands in place of a name or path where rows were handed over in Java. */
  public static final String GIVEN_IN_JAVA = "given in Java";

  private static final String FIRST_LINE = "first-line";
  private static final Map<String, String> DELIMITERS =
      Map.of("comma", ",", "semicolon", ";", "tab", "\t", "space", " ", "pipe", "|");
  private static final Map<String, String> QUOTES =
      Map.of("double", "\"", "single", "'", "none", "");

  public static final Setting<String> DATA =
      setting(
              "data",
              ValueType.text("NAME|PATH|jdbc:..."),
              "A named or generated set (discreet data list), a file or folder of examples, or"
                  + " the address of a database.")
          .otherwise("digits");
  public static final Setting<String> TABLE =
      setting(
          "table",
          ValueType.text("NAME"),
          "For --data jdbc:...: the table, or SCHEMA.NAME, as the database writes it.");
  public static final Setting<List<String>> JOIN =
      setting(
          "join",
          ValueType.repeated("TABLE on COLUMN"),
          "For --data jdbc:... or a .parquet file: put the rows of another table or .parquet file"
              + " beside, where the unit column is the same: \"visits on person\", \"visits.parquet on"
              + " person\". Of one that you declare public any column will do: \"regions on region,"
              + " public\". Once for each.");
  public static final Setting<String> QUERY =
      setting(
          "query",
          ValueType.text("SQL"),
          "For --data jdbc:...: a SELECT in place of --table. Joins, windows, aggregates and LIMIT"
              + " let one person change many rows, so --unit \"returned row\" must say that no"
              + " person is protected. An option alone, never a key of a run file.");
  public static final Setting<String> ROWS_WHERE =
      setting(
          "rows-where",
          ValueType.text("CONDITION"),
          "For --data jdbc:...: which rows, by what each holds itself: \"age >= 18 AND region IN"
              + " ('north', 'west')\".");
  public static final Setting<List<String>> TABLE_COLUMNS =
      setting(
              "table-columns",
              ValueType.of(
                  "A,B",
                  text -> Arrays.stream(text.split(",", -1)).map(String::strip).toList(),
                  names -> String.join(",", names)),
              "For --data jdbc:..., or joined .parquet files: read only these columns.")
          .derived("all; without --unit-column a row is told from others by all that is read");
  public static final Setting<List<String>> DRIVER =
      setting(
              "driver",
              ValueType.repeated("JAR"),
              "For --data jdbc:...: a jar with the driver of the database, which runs as code. An"
                  + " option alone, never a key of a run file.")
          .derived("PostgreSQL's own, and the jars that DISCREET_DRIVERS lists");
  public static final Setting<Path> LABELS =
      setting("labels", ValueType.path("FILE"), "The labels that belong to an IDX or NumPy file.");
  public static final Setting<String> LABEL =
      setting(
          "label",
          ValueType.text("COLUMN"),
          "What to predict: employed=0|1 for classes, income=0..200000 for a number in"
              + " bounds (NumPy: without a name).");
  public static final Setting<List<String>> COLUMN =
      setting(
          "column",
          ValueType.repeated("COLUMN"),
          "A column to predict from, once for each: age=0..120, or sex=male|female; several at once:"
              + " x1..x10=0|1, temp_*=-20..50.");
  public static final Setting<Path> COLUMNS =
      setting(
          "columns",
          ValueType.path("FILE"),
          "A file with the declarations of a table, as discreet data declare drafts it; --label and"
              + " --column may then be names alone.");
  public static final Setting<String> MISSING =
      setting(
              "missing",
              ValueType.text("row|own|CONSTANT|indicator(CONSTANT)"),
              "What a missing cell becomes in columns that do not say so themselves: row (its row"
                  + " counts as zero), own (a category of its own), a constant, or the constant"
                  + " beside an indicator.")
          .otherwise("row");
  public static final Setting<String> MISSING_CELLS =
      setting(
          "missing-cells",
          ValueType.text("A|B"),
          "What is missing besides the empty cell, in columns that do not say so themselves and"
              + " in the label: NA|null|99.");
  public static final Setting<String> DELIMITER =
      setting(
              "delimiter",
              ValueType.of("CHAR", DataSettings::delimiter, text -> word(DELIMITERS, text)),
              "What stands between the cells of a table as text: a character, or comma, semicolon,"
                  + " tab, space or pipe.")
          .derived("a tab where the file is called .tsv or .tab; else as the header line shows");
  public static final Setting<String> QUOTE =
      setting(
              "quote",
              ValueType.of("CHAR", DataSettings::quote, text -> word(QUOTES, text)),
              "What stands around cells that hold delimiters: a character, or double, single or"
                  + " none.")
          .otherwise("\"");
  public static final Setting<NumberMarks.Decimal> DECIMAL =
      setting(
              "decimal",
              ValueType.oneOf("MARK", List.of(NumberMarks.Decimal.values()), NumberMarks::word),
              "What stands before the fraction of a number in a cell, point or comma. Declarations"
                  + " always have a point.")
          .otherwise(NumberMarks.Decimal.POINT);
  public static final Setting<NumberMarks.Thousands> THOUSANDS =
      setting(
              "thousands",
              ValueType.oneOf("MARK", List.of(NumberMarks.Thousands.values()), NumberMarks::word),
              "What may stand between groups of three digits in a cell: none, comma, point, space"
                  + " or apostrophe.")
          .otherwise(NumberMarks.Thousands.NONE);
  public static final Setting<String> CHARSET =
      setting(
              "charset",
              ValueType.text("NAME"),
              "The encoding of a table as text, as in windows-1252.")
          .otherwise(TextDialect.STANDARD.charset());
  public static final Setting<List<String>> HEADER =
      setting(
              "header",
              ValueType.list("NAME,...", FIRST_LINE),
              "The names of the columns of a table as text without a line of names: id,age,sex, or"
                  + " c1..c20 for twenty.")
          .otherwise(List.of());
  public static final Setting<String> SHEET =
      setting("sheet", ValueType.text("NAME"), "The sheet of an .xlsx workbook.")
          .derived("its only one");
  public static final Setting<String> BOUNDS =
      setting(
          "bounds",
          ValueType.text("LOW..HIGH"),
          "Public bounds of inputs that are plain numbers (NumPy).");
  public static final Setting<Shape> INPUT =
      setting(
          "input",
          ValueType.of("HxWxC", DataSettings::image, DataSettings::text),
          "Height, width and channels (1 grey, 3 colours) of images in folders,"
              + " declared: no private image may decide them.");
  public static final Setting<List<String>> CLASSES =
      setting(
          "classes",
          ValueType.of("A|B", DataSettings::classes, DataSettings::text),
          "Classes of images in folders, declared: the names of their folders, in the"
              + " order of the model's outputs.");
  public static final Setting<Path> AS_IN =
      setting(
          "as-in",
          ValueType.path("PATH"),
          "In place of --input and --classes: as in this folder or zip of images, which"
              + " you thereby declare public, or as in an earlier run's folder.");
  public static final Setting<Boolean> TEST_FOLDER =
      setting(
          "test-folder",
          ValueType.flag(),
          "Declare that images in folders lie below train/ and test/, and that those"
              + " below test/ are the ones to test on, in place of --test-share.");
  public static final Setting<List<Double>> MEAN =
      setting(
              "mean",
              ValueType.numbers("M,...", "finite", Double::isFinite),
              "Public means to normalise images by, one a channel.")
          .derived("those of a named set, else 0");
  public static final Setting<List<Double>> DEVIATION =
      setting(
              "deviation",
              ValueType.numbers("S,...", "greater than 0", value -> value > 0),
              "Public deviations beside --mean.")
          .derived("those of a named set, else 1");
  public static final Setting<Path> PUBLIC_TEST =
      setting(
          "public-test",
          ValueType.path("PATH"),
          "Rows to test on that you declare public: their metrics go into files.");
  public static final Setting<Double> TEST_SHARE =
      setting(
              "test-share",
              ValueType.share("S"),
              "How much of a private file is held out to test on.")
          .otherwise(DataOptions.TEST_SHARE);
  public static final Setting<Path> DATA_DIR =
      setting("data-dir", ValueType.path("DIR"), "Where named sets lie.")
          .derived("the environment's DISCREET_DATA, else a cache folder");
  public static final Setting<Long> DATA_SEED =
      setting("data-seed", ValueType.whole("N", 0, NumberText.MOST), "Seed of a generated set.")
          .otherwise(0L);

  /** How a table is written as text. */
  public static final List<Setting<?>> DIALECT =
      List.of(DELIMITER, QUOTE, DECIMAL, THOUSANDS, CHARSET, HEADER);

  private DataSettings() {}

  private static String delimiter(String text) {
    String sign = DELIMITERS.getOrDefault(text, text);
    Check.that(!sign.isEmpty(), "delimiter", "a character", text);
    return TextDialect.STANDARD.quotedBy("").delimitedBy(sign).delimiter();
  }

  private static String quote(String text) {
    return TextDialect.STANDARD.quotedBy(QUOTES.getOrDefault(text, text)).quote();
  }

  private static String word(Map<String, String> words, String sign) {
    return words.entrySet().stream()
        .filter(each -> each.getValue().equals(sign))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(sign);
  }

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.DATA, name, type, help);
  }

  private static String text(Shape input) {
    return input.height() + "x" + input.width() + "x" + input.channels();
  }

  private static Shape image(String text) {
    Check.that(text.matches("\\d{1,9}x\\d{1,9}x\\d{1,9}"), "input", "HxWxC, as in 28x28x1", text);
    return Shape.parse(text);
  }

  private static String text(List<String> classes) {
    return String.join("|", classes);
  }

  private static List<String> classes(String text) {
    List<String> names = Arrays.stream(text.split("\\|", -1)).map(String::strip).toList();
    Check.that(
        names.size() >= 2 && names.stream().noneMatch(String::isEmpty),
        "classes",
        "A|B, the names of at least two folders",
        text);
    return new Task.Classes(names).names();
  }
}

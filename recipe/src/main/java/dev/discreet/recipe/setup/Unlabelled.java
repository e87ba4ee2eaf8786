package dev.discreet.recipe.setup;

import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Column;
import dev.discreet.data.DataSets;
import dev.discreet.data.format.Csv;
import dev.discreet.data.format.Idx;
import dev.discreet.data.rows.ByteImages;
import dev.discreet.recipe.setting.Choices;
import dev.discreet.recipe.setting.DataSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rows to predict that have no labels: tables, and images in an IDX file. */
public final class Unlabelled {
  private Unlabelled() {}

  /** Empty where the data are of a kind that comes with labels. */
  public static Optional<Examples> open(String name, Choices choices) throws IOException {
    if (DataSets.names().contains(name) || !Files.isRegularFile(Path.of(name))) {
      return Optional.empty();
    }
    Path path = Path.of(name);
    String file = path.getFileName().toString().toLowerCase(Locale.ROOT);
    if (isTable(file) && choices.isGiven(DataSettings.COLUMN)) {
      List<Column> columns =
          choices.get(DataSettings.COLUMN).orElseThrow().stream().map(Column::parse).toList();
      return Optional.of(Csv.readInputs(path, columns));
    }
    boolean idx = file.matches(".*idx3-ubyte(\\.gz)?") || file.endsWith(".idx");
    return idx ? Optional.of(images(Idx.read(path), choices)) : Optional.empty();
  }

  /** By its name. */
  public static boolean isTable(String name) {
    return name.toLowerCase(Locale.ROOT).matches(".*\\.(csv|tsv|tab)(\\.gz)?");
  }

  private static Examples images(Idx idx, Choices choices) {
    int[] sides = idx.dimensions();
    Shape shape =
        new Shape(
            sides.length > 1 ? sides[1] : 1,
            sides.length > 2 ? sides[2] : 1,
            sides.length > 3 ? sides[3] : 1);
    return new ByteImages(
        shape,
        idx.values(),
        new byte[sides[0]],
        figures(choices.get(DataSettings.MEAN), shape, 0),
        figures(choices.get(DataSettings.DEVIATION), shape, 1));
  }

  private static double[] figures(Optional<List<Double>> given, Shape shape, double otherwise) {
    double[] figures = new double[shape.channels()];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = given.isPresent() && i < given.get().size() ? given.get().get(i) : otherwise;
    }
    return figures;
  }
}

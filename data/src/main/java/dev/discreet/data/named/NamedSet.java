package dev.discreet.data.named;

import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.PixelScale;
import java.util.List;

/**
 * What is public of a set that has a name. Its training rows are treated as private all the same:
 * that is what one tries a private method on.
 *
 * @param title as a report shows it
 * @param folder of its files, below a data folder
 * @param train rows to train on; with {@code testShare} the rows there are in all
 * @param test rows to test on, 0 where they are split off
 * @param testShare split off to test on, 0 where the set has a test part
 * @param inputs names of the inputs of a table; empty for images
 * @param mean public figures of the training pixels in [0, 1], one a channel; empty for tables
 * @param files to fetch; a local copy may have others instead
 */
record NamedSet(
    String name,
    String title,
    String folder,
    int train,
    int test,
    double testShare,
    Shape shape,
    Task.Classes task,
    List<String> inputs,
    List<Double> mean,
    List<Double> deviation,
    String licence,
    List<PublicFile> files) {
  public NamedSet {
    inputs = List.copyOf(inputs);
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    files = List.copyOf(files);
  }

  /** What its pixels are normalised by unless told; nothing of tables. */
  public PixelScale scale() {
    return new PixelScale(mean, deviation);
  }

  /** Whether there is a place to fetch all of it from. */
  public boolean isServed() {
    return files.stream().noneMatch(file -> file.mirrors().isEmpty());
  }
}

package dev.discreet.data.format;

import dev.discreet.data.Column;
import dev.discreet.data.DataFormat;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** NumPy arrays of inputs and of labels. */
public final class NumpyFormat implements DataFormat {
  @Override
  public String label() {
    return "a NumPy file";
  }

  @Override
  public String paths() {
    return "an .npy or .npz file";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".npy", ".npz");
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABELS, Declaration.LABEL, Declaration.BOUNDS, Declaration.MEAN);
  }

  @Override
  public boolean mayHaveTestPart() {
    return true;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    return Npy.read(
        path,
        options.labels(),
        Column.label(options.label()),
        options.bounds().map(Column::bounds),
        options.scale());
  }
}

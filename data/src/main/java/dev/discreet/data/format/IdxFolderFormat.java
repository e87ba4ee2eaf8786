package dev.discreet.data.format;

import dev.discreet.data.Column;
import dev.discreet.data.DataFormat;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A folder with the files of MNIST, under their names. */
public final class IdxFolderFormat implements DataFormat {
  @Override
  public String label() {
    return "a folder of IDX files";
  }

  @Override
  public String paths() {
    return "a folder of IDX files";
  }

  @Override
  public List<String> suffixes() {
    return List.of();
  }

  @Override
  public Claim claim(Path path) {
    return Files.isDirectory(path) && IdxSet.isFolder(path) ? Claim.YES : Claim.NO;
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.LABEL, Declaration.MEAN);
  }

  @Override
  public boolean mayHaveTestPart() {
    return true;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    return IdxSet.readFolder(path, Column.label(options.label()), options.scale());
  }
}

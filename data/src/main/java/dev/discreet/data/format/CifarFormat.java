package dev.discreet.data.format;

import dev.discreet.data.DataFormat;
import dev.discreet.data.DataOptions;
import dev.discreet.data.Declaration;
import dev.discreet.data.FileRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The binary version of CIFAR-10 or CIFAR-100, as a folder or a tar file. */
public final class CifarFormat implements DataFormat {
  @Override
  public String label() {
    return "CIFAR batches";
  }

  @Override
  public String paths() {
    return "a folder or .tar.gz of CIFAR batches";
  }

  @Override
  public List<String> suffixes() {
    return List.of(".tar.gz", ".tgz", ".tar");
  }

  @Override
  public Claim claim(Path path) {
    return Files.isDirectory(path)
        ? Cifar.isFolder(path) ? Claim.YES : Claim.NO
        : DataFormat.super.claim(path);
  }

  @Override
  public Set<Declaration> takes() {
    return Set.of(Declaration.MEAN);
  }

  @Override
  public boolean mayHaveTestPart() {
    return true;
  }

  @Override
  public FileRows read(Path path, DataOptions options) throws IOException {
    return Cifar.read(path, options.scale());
  }
}

package dev.discreet.data.named;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The copies of a set's files on this machine. */
record LocalCopies(DataFolders places, FileFetcher fetch) {

  /** A copy in this data folder, by its name; its contents are not looked at. */
  static Optional<Path> find(Path root, NamedSet set, PublicFile file) {
    Path folder = root.resolve(set.folder());
    return Stream.of(file.fetchedName(), file.name())
        .map(folder::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  /** A copy with the right contents; one that is not there is fetched. */
  Path need(NamedSet set, PublicFile file) throws IOException {
    for (Path root : places.roots()) {
      Optional<Path> copy = find(root, set, file);
      if (copy.isPresent()) {
        return file.checked(copy.get());
      }
    }
    return fetch.fetch(file, places.target().resolve(set.folder()));
  }
}

package dev.discreet.data.named;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFoldersTest {
  @TempDir Path home;

  private DataFolders places(Optional<Path> given, Map<String, String> environment) {
    return DataFolders.of(given, environment::get, home);
  }

  @Test
  void theCacheIsInTheHomeFolder() {
    Path cache = home.resolve(".cache/discreet");
    assertEquals(new DataFolders(List.of(cache), cache), places(Optional.empty(), Map.of()));
  }

  @Test
  void whatIsGivenGoesBeforeTheEnvironment() throws IOException {
    Path given = Files.createDirectory(home.resolve("given"));
    Path shared = Files.createDirectory(home.resolve("shared"));
    Map<String, String> environment =
        Map.of("DISCREET_DATA", shared.toString(), "XDG_CACHE_HOME", home.toString());
    Path cache = home.resolve("discreet");
    assertEquals(
        new DataFolders(List.of(given, shared, cache), given),
        places(Optional.of(given), environment));
    // A shared folder may be read-only: what is fetched goes to the cache.
    assertEquals(
        new DataFolders(List.of(shared, cache), cache), places(Optional.empty(), environment));
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> places(Optional.of(home.resolve("typo")), Map.of()))
            .getMessage();
    assertTrue(message.startsWith("data dir must be a folder that exists."), message);
    assertThrows(
        IllegalArgumentException.class,
        () -> places(Optional.empty(), Map.of("DISCREET_DATA", "/no/such/folder")));
  }
}

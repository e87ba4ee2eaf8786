package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All artifacts have one version, and the bill of materials has all artifacts. */
class VersionsTest {
  /** Folders of the reactor that are no artifact to depend on. */
  private static final Set<String> NOT_LISTED = Set.of("bench", "bom", "dist", "examples");

  private static String pom(String folder) throws IOException {
    return Files.readString(Path.of("..", folder, "pom.xml"));
  }

  private static Set<String> found(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult each) -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void thereIsOneVersion() throws IOException {
    String ours =
        found(pom(""), "<artifactId>discreet</artifactId>\\s*<version>([^<]*)").toString();
    try (Stream<Path> folders = Files.list(Path.of(".."))) {
      for (Path folder : folders.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
        Set<String> versions =
            found(
                Files.readString(folder.resolve("pom.xml")),
                "(?:<groupId>dev.discreet</groupId>\\s*<artifactId>discreet(?:-bom)?</artifactId>\\s*"
                    + "<version>|<discreet.version>)([^<$]*)<");
        versions.remove("");
        assertEquals(ours, versions.toString(), folder.toString());
      }
    }
  }

  @Test
  void theBillOfMaterialsHasEveryRoom() throws IOException {
    Set<String> rooms = found(pom(""), "<module>([^<]*)</module>");
    rooms.removeAll(NOT_LISTED);
    assertTrue(rooms.size() > 5, rooms.toString());
    Set<String> listed = found(pom("bom"), "<artifactId>discreet-([^<]*)</artifactId>");
    listed.removeAll(NOT_LISTED);
    assertEquals(rooms, listed);
  }
}

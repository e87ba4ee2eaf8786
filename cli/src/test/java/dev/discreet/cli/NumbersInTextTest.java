package dev.discreet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Java 17 and 19 write numbers with different digits, so that no class may leave it to Java: what
 * goes into a text goes through {@code Digits}.
 *
 * <p>Read off the constants of class files, since ArchUnit does not see what {@code +} makes of
 * strings. Not of {@code lab}: its texts are made of the few numbers that stand in its sources.
 */
class NumbersInTextTest {
  @Test
  void noNumberIsLeftToJava() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass each : RoomRulesTest.HOUSE) {
      String file = "/" + each.getName().replace('.', '/') + ".class";
      if (file.startsWith("/dev/discreet/lab/")) {
        continue;
      }
      try (InputStream in = NumbersInTextTest.class.getResourceAsStream(file)) {
        used(in.readAllBytes()).forEach(what -> found.add(each.getName() + " " + what));
      }
    }
    assertEquals(new TreeSet<String>(), found);
  }

  @Test
  void itCanFail() throws IOException {
    try (InputStream in = Bad.class.getResourceAsStream("NumbersInTextTest$Bad.class")) {
      assertEquals(4, used(in.readAllBytes()).count());
    }
  }

  static class Bad {
    static String all(double value, float other) {
      return value
          + " "
          + Double.toString(value)
          + String.valueOf(other)
          + new StringBuilder("x").append(value);
    }
  }

  /** How the class makes texts of floating-point numbers by Java's own conversion. */
  private static Stream<String> used(byte[] classFile) throws IOException {
    Map<Integer, String> texts = new HashMap<>();
    Map<Integer, int[]> pairs = new HashMap<>();
    List<int[]> calls = new ArrayList<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    in.skipBytes(8);
    int count = in.readUnsignedShort();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.put(i, in.readUTF());
        case 3, 4 -> in.skipBytes(4);
        case 5, 6 -> {
          in.skipBytes(8);
          i++;
        }
        case 15 -> in.skipBytes(3);
        case 9, 10, 11, 12, 17, 18 -> {
          pairs.put(i, new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
          if (tag == 10 || tag == 18) {
            calls.add(new int[] {tag, i});
          }
        }
        default -> pairs.put(i, new int[] {in.readUnsignedShort(), 0});
      }
    }
    return calls.stream()
        .map(
            call -> {
              int[] method = pairs.get(call[1]);
              int[] type = pairs.get(method[1]);
              String owner = call[0] == 18 ? "" : texts.get(pairs.get(method[0])[0]);
              return owner + "." + texts.get(type[0]) + texts.get(type[1]);
            })
        .filter(NumbersInTextTest::isJavas);
  }

  private static boolean isJavas(String call) {
    return call.matches("\\.makeConcatWithConstants\\((\\[*(L[^;]*;|[A-Z]))*?[DF].*")
        || call.matches("java/lang/(Double|Float)\\.toString\\([DF]\\).*")
        || call.matches("java/lang/String\\.valueOf\\([DF]\\).*")
        || call.matches("java/lang/StringBuilder\\.append\\([DF]\\).*");
  }
}

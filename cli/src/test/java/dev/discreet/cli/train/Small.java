package dev.discreet.cli.train;

import dev.discreet.cli.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A small private table, and trainings on it that take next to no time. */
final class Small {
  private Small() {}

  /** The options that describe {@link #table}. */
  static final List<String> DECLARED =
      List.of("--label", "sick=no|yes", "--column", "age=0..100", "--column", "sex=f|m");

  static Path table(Path folder, int rows, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>(List.of("id,age,sex,sick"));
    for (int i = 0; i < rows; i++) {
      int age = random.nextInt(101);
      String sex = random.nextBoolean() ? "f" : "m";
      boolean sick = age + random.nextInt(30) > 60;
      lines.add("person" + seed + "-" + i + "," + age + "," + sex + "," + (sick ? "yes" : "no"));
    }
    return Files.write(folder.resolve("patients-" + seed + ".csv"), lines);
  }

  /** A run of so many steps with given noise, which needs no search for it. */
  static String[] train(Path data, Path out, String... more) {
    List<String> all = new ArrayList<>(List.of("train", "--data", data.toString()));
    all.addAll(DECLARED);
    all.addAll(List.of("--steps", "6", "--lot-size", "40", "--out", out.toString()));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  static Run run(Path data, Path out, String... more) {
    return Run.of(train(data, out, more));
  }

  /** Every file in a folder. */
  static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names in a folder, hidden ones too. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }
}

package dev.discreet.cli.leaks;

import dev.discreet.cli.leaks.WhatWasTold.Compared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A verb on data, and how its neighbours are compared.
 *
 * @param options $ stands for the folder of the run
 */
record MarkedCase(
    String name, String verb, NeighbouringData data, Compared compared, List<String> options) {
  /** What has no seed: its keys always differ. */
  private static final Set<String> UNSEEDED = Set.of("regress", "data describe", "data declare");

  static MarkedCase of(
      String name, String verb, NeighbouringData data, Compared compared, String options) {
    return new MarkedCase(name, verb, data, compared, arguments(options));
  }

  /** Between spaces; inside an argument ~ stands for one. */
  private static List<String> arguments(String options) {
    return Arrays.stream(options.strip().split(" +")).map(each -> each.replace('~', ' ')).toList();
  }

  @Override
  public String toString() {
    return verb + ", " + name;
  }

  boolean isSeeded() {
    return !UNSEEDED.contains(verb);
  }

  /**
   * Runs one side.
   *
   * @param place a new folder
   */
  WhatWasTold told(Path place, boolean marked, Optional<Long> seed) throws IOException {
    Path rows = Files.createDirectories(place.resolve("data"));
    Map<String, byte[]> files = marked ? data.with() : data.without();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = rows.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    List<String> arguments = new ArrayList<>(List.of(verb.split(" ")));
    arguments.addAll(List.of("--data", rows.resolve(data.data()).toString(), "--accept-misfits"));
    boolean question = verb.startsWith("query") || verb.equals("data declare");
    for (String each : question ? List.<String>of() : data.declared()) {
      boolean file = files.containsKey(each);
      arguments.add(file ? rows.resolve(each).toString() : each);
    }
    for (String each : options) {
      arguments.add(each.replace("$", each.endsWith(".yaml") ? rows.toString() : place.toString()));
    }
    if (verb.equals("tune")) {
      String settings = "  settings:\n    learning-rate: [0.5, 1]\n";
      Files.writeString(rows.resolve("tune.yaml"), "tune:\n  search: grid\n" + settings);
      Files.writeString(rows.resolve("random.yaml"), "tune:\n  mean: 2\n" + settings);
    }
    if (verb.equals("query ask")) {
      Files.writeString(
          rows.resolve("questions.yaml"),
          """
          epsilon: 2
          questions:
          - {ask: count, by: [city=Ares|Bern, sick=no|yes], margins: true, weight: 3}
          - {ask: count, where: income >= 500}
          - {ask: sum, column: income=0..1000}
          - {ask: quantile, column: income=0..1000, by: city=Ares|Bern}
          """);
    }
    seed.ifPresent(each -> arguments.addAll(List.of("--insecure-seed", "" + each)));
    return WhatWasTold.by(place, rows, arguments);
  }
}

package dev.discreet.lab;

import dev.discreet.data.DataOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One trial of a test's own, in a real laboratory. */
public final class OnBench {
  private OnBench() {}

  public static Outcome run(Path folder, Trial.Body body) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    Trial trial =
        new Trial(
            "on bench",
            workshop -> {
              outcomes.add(body.run(workshop));
              return Outcome.of("value", 0);
            });
    new Laboratory(folder, 1, DataOptions.none(), new Toy.Watcher())
        .run(List.of(new Toy("bench", trial)), Toy.EFFORT);
    return outcomes.get(0);
  }
}

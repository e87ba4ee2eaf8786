package dev.discreet.cli.bench;

import dev.discreet.cli.bench.StepTimer.Timing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Times private and plain steps of several models and lots on several numbers of threads. Every
 * round goes over all of them, so that what else the machine does troubles all alike.
 */
record ScalingBench(
    List<StepTimer> works, List<Integer> threads, int rounds, double seconds, double warmUp) {
  /** More threads may cost so much more time by chance. */
  static final double TOLERANCE = 1.05;

  private record Place(StepTimer work, int threads, boolean isPrivate) {}

  /** What one model and lot took on one number of threads. */
  record Cell(String model, int lot, int threads, Timing withPrivacy, Timing plain) {
    Timing timing(boolean isPrivate) {
      return isPrivate ? withPrivacy : plain;
    }

    double rate(boolean isPrivate) {
      return lot / timing(isPrivate).median();
    }

    /** How many times as fast as on fewer threads. */
    double speedUp(Cell over, boolean isPrivate) {
      return over.timing(isPrivate).median() / timing(isPrivate).median();
    }

    /** What each thread gives, of what one of the fewer gives. */
    double efficiency(Cell over, boolean isPrivate) {
      return speedUp(over, isPrivate) * over.threads / threads;
    }

    double privateOverPlain() {
      return withPrivacy.median() / plain.median();
    }
  }

  /** A step that more threads made slower than fewer. */
  record Slower(Cell cell, Cell fewer, boolean isPrivate) {
    double ratio() {
      return cell.timing(isPrivate).median() / fewer.timing(isPrivate).median();
    }
  }

  /**
   * Measures.
   *
   * @param progress is told of every model and lot of a round
   * @return one list for each model and lot, in order of the threads
   */
  List<List<Cell>> run(Consumer<String> progress) {
    for (StepTimer work : works) {
      progress.accept("getting ready: " + name(work));
      // Until Java has compiled what a step does, some of it is a hundred times slower.
      for (boolean isPrivate : new boolean[] {true, false}) {
        work.time(work.trainer(isPrivate), threads.get(threads.size() - 1), warmUp);
      }
    }
    Map<Place, List<Timing>> timings = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (StepTimer work : works) {
        progress.accept("round " + round + " of " + rounds + ": " + name(work));
        for (int crew : threads) {
          for (boolean isPrivate : new boolean[] {true, false}) {
            timings
                .computeIfAbsent(new Place(work, crew, isPrivate), place -> new ArrayList<>())
                .add(work.time(work.trainer(isPrivate), crew, seconds));
          }
        }
      }
    }
    return works.stream()
        .map(
            work ->
                threads.stream()
                    .map(
                        crew ->
                            new Cell(
                                work.model(),
                                work.lot(),
                                crew,
                                Timing.together(timings.get(new Place(work, crew, true))),
                                Timing.together(timings.get(new Place(work, crew, false)))))
                    .toList())
        .toList();
  }

  private static String name(StepTimer work) {
    return work.model() + ", lot " + work.lot();
  }

  /** Steps that take clearly longer than on fewer threads, each beside the quickest of those. */
  static List<Slower> slower(List<List<Cell>> all) {
    List<Slower> slower = new ArrayList<>();
    for (List<Cell> cells : all) {
      for (boolean isPrivate : new boolean[] {true, false}) {
        Cell quickest = cells.get(0);
        for (Cell cell : cells) {
          Slower found = new Slower(cell, quickest, isPrivate);
          if (found.ratio() > TOLERANCE) {
            slower.add(found);
          }
          quickest = found.ratio() < 1 ? cell : quickest;
        }
      }
    }
    return slower;
  }
}

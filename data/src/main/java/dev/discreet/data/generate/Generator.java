package dev.discreet.data.generate;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import java.util.Optional;

/** Makes one kind of set. */
sealed interface Generator permits DigitImages, Linear, Gaussians, Census {
  /** Streams of a seed: a row to test on is never one to train on. */
  int TRAIN = 0;

  int TEST = 1;

  GeneratedSet describe(String name);

  /** The rows 0 to n − 1 of a stream; a row is the same whatever n is. */
  Examples rows(long seed, int stream, int n);

  /**
   * Test rows are no one's, hence public; rows to train on are treated as if they were someone's.
   */
  default DataSet make(String name, long seed, int train, int test) {
    GeneratedSet description = describe(name);
    int most = (Integer.MAX_VALUE - 8) / description.input().size();
    Check.that(train >= 1 && train <= most, "rows to train on", "in [1, " + most + "]", train);
    Check.that(test >= 0 && test <= most, "rows to test on", "in [0, " + most + "]", test);
    return new DataSet(
            name,
            description.task(),
            new DataSet.Part(rows(seed, TRAIN, train), Units.each(train), false),
            test == 0
                ? Optional.empty()
                : Optional.of(new DataSet.Part(rows(seed, TEST, test), Units.each(test), true)))
        .published();
  }
}

package dev.discreet.recipe.setup;

import dev.discreet.accounting.Check;
import dev.discreet.algorithms.projected.ProjectedGradients;
import dev.discreet.core.engine.Examples;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.Units;
import dev.discreet.data.DataSet;
import dev.discreet.data.Subset;
import dev.discreet.data.TrainingRows;
import dev.discreet.data.generate.GeneratedSets;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.OptimizerSettings;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The projection that settings ask for.
 *
 * @param data the data without the public examples that the projection took from their test part
 * @param title of the public examples
 */
public record PublicProjection(
    TrainingRows data, String title, Examples examples, int directions, long every, long from) {

  /** Empty where none is asked for. */
  public static Optional<PublicProjection> of(
      EffectiveSettings choices, TrainingRows data, Consumer<String> progress) throws IOException {
    if (!choices.isGiven(OptimizerSettings.PROJECT_ONTO)) {
      choices.refuse(
          "needs --project-onto",
          OptimizerSettings.PUBLIC_EXAMPLES,
          OptimizerSettings.PUBLIC_DATA,
          OptimizerSettings.PUBLIC_SEED,
          OptimizerSettings.PROJECT_EVERY,
          OptimizerSettings.PROJECT_FROM);
      return Optional.empty();
    }
    int count = choices.or(OptimizerSettings.PUBLIC_EXAMPLES).intValue();
    Optional<String> place = choices.get(OptimizerSettings.PUBLIC_DATA);
    boolean generated = place.filter(GeneratedSets.names()::contains).isPresent();
    if (!generated) {
      choices.refuse("is for --public-data that is generated", OptimizerSettings.PUBLIC_SEED);
    }
    String title;
    Examples all;
    TrainingRows left = data;
    if (place.isEmpty()) {
      DataSet.Part test = data.test().filter(DataSet.Part::isPublic).orElse(null);
      Check.that(
          test != null,
          "public examples",
          "given (--public-data, or --public-test: no rows to test on are public here)",
          "none");
      all = test.examples();
      title = "the public rows of " + data.name();
      left = without(data, all, count);
    } else {
      long seed = generated ? choices.or(OptimizerSettings.PUBLIC_SEED) : 0;
      DataSet set = DataChoices.openBeside(choices, place.get(), seed, progress);
      Check.that(
          set.task().equals(data.task()),
          "what " + set.name() + " has to predict",
          "what the private data have",
          set.task());
      all = set.train().examples();
      title = set.name() + (generated ? ", generated from seed " + seed : ", declared public");
    }
    Check.that(
        all.input().equals(data.train().input()),
        "shape of public examples",
        "that of the private data, " + data.train().input(),
        all.input());
    Check.that(
        count <= all.size(), "public examples", "at most what there is, " + all.size(), count);
    int directions = choices.get(OptimizerSettings.PROJECT_ONTO).orElseThrow().intValue();
    Check.that(
        directions <= count,
        "project onto",
        "at most the number of public examples, " + count,
        directions);
    Examples examples = rows(all, 0, count);
    DataChoices.refuseOverlap(choices, examples, data.task(), data);
    return Optional.of(
        new PublicProjection(
            left,
            title,
            examples,
            directions,
            choices.or(OptimizerSettings.PROJECT_EVERY),
            choices.or(OptimizerSettings.PROJECT_FROM)));
  }

  private static Examples rows(Examples all, int from, int to) {
    return new Subset(all, IntStream.range(from, to).toArray());
  }

  private static TrainingRows without(TrainingRows data, Examples tested, int count) {
    Check.that(
        count < tested.size(),
        "public examples",
        "fewer than the " + tested.size() + " public rows to test on, which they come from",
        count);
    Examples rest = rows(tested, count, tested.size());
    return new TrainingRows(
        data.name(),
        data.task(),
        data.train(),
        Optional.of(new DataSet.Part(rest, Units.each(rest.size()), true)),
        data.misfits(),
        data.isPublic());
  }

  /**
   * @param frozen names of layers that stand still: their gradients are zero
   */
  public ProjectedGradients transform(Layout layout, List<String> frozen) {
    int free =
        layout.slices().stream()
            .filter(slice -> frozen.stream().noneMatch(slice.layer()::isIn))
            .mapToInt(Layout.Slice::size)
            .sum();
    Check.that(
        directions <= free,
        "project onto",
        "at most the number of trainable parameters, " + free,
        directions);
    return ProjectedGradients.of(examples, directions).every(every).from(from);
  }

  /** For the plan. */
  public String words() {
    return String.format(
        Locale.ROOT,
        "gradients onto %,d directions of %,d public examples (%s), new every %s%s; free, for the"
            + " gradients are released before",
        directions,
        examples.size(),
        title,
        every == 1 ? "step" : every + " steps",
        from == 0 ? "" : ", from step " + from);
  }
}

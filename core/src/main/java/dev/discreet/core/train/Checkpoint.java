package dev.discreet.core.train;

import dev.discreet.accounting.Check;
import dev.discreet.core.evaluate.NoisyScore;
import dev.discreet.core.files.JsonFields;
import dev.discreet.core.files.Safetensors;
import dev.discreet.core.files.Safetensors.Tensor;
import dev.discreet.core.model.Model;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run needs to go on after a crash, in one file that is replaced whole: parameters,
 * optimizer, average, the thresholds of adaptive clipping, the held-out score of these parameters
 * once it is released, the evaluations on the public test set so far, and the configuration, which
 * must be the same. All of it is computed from releases. No key and no generator's state is ever in
 * it: a resumed run draws new keys, and what it may still spend comes from the journal, which
 * counts steps that this file has not seen.
 */
record Checkpoint(
    Map<String, String> configuration,
    long step,
    float[] theta,
    long optimizerSteps,
    float[] first,
    float[] second,
    double[] noise,
    List<Double> thresholds,
    long averagedSteps,
    float[] average,
    Optional<NoisyScore> heldOut,
    List<Event.Evaluated> evaluations) {

  /**
   * @param privacy what the file says of itself, for whoever finds it alone
   */
  void write(Path path, String privacy) throws IOException {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("configuration", configuration);
    state.put("step", step);
    state.put("optimizerSteps", optimizerSteps);
    state.put("noise", Arrays.stream(noise).boxed().toList());
    state.put("thresholds", thresholds);
    state.put("averagedSteps", averagedSteps);
    heldOut.ifPresent(score -> state.put("heldOut", score.fields()));
    state.put("evaluations", evaluations.stream().map(Event.Evaluated::fields).toList());
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("parameters", tensor(theta));
    tensors.put("first", tensor(first));
    tensors.put("second", tensor(second));
    tensors.put("average", tensor(average));
    new Safetensors(tensors, Map.of(Model.PRIVACY, privacy, "checkpoint", JsonFields.write(state)))
        .write(path);
  }

  /**
   * @param configuration what the run to resume is told to be
   */
  static Checkpoint read(Path path, Map<String, String> configuration) throws IOException {
    Safetensors file = Safetensors.read(path);
    String json = file.metadata().get("checkpoint");
    Check.that(json != null, path.toString(), "a checkpoint", "other safetensors");
    JsonFields state = JsonFields.parse("checkpoint " + path, json);
    Map<?, ?> saved = JsonFields.of("configuration of " + path, state.get("configuration")).map();
    configuration.forEach((name, value) -> same(name, value, saved.get(name)));
    // What is told of some runs only.
    saved.forEach((name, value) -> same(name.toString(), configuration.get(name), value));
    return new Checkpoint(
        configuration,
        steps(state, "step"),
        file.tensor("parameters").values(),
        steps(state, "optimizerSteps"),
        file.tensor("first").values(),
        file.tensor("second").values(),
        state.numbers("noise"),
        Arrays.stream(state.numbers("thresholds")).boxed().toList(),
        steps(state, "averagedSteps"),
        file.tensor("average").values(),
        Optional.ofNullable(state.map().get("heldOut"))
            .map(score -> NoisyScore.read(JsonFields.of("heldOut of " + path, score))),
        // Checkpoints of earlier versions have none.
        (state.map().containsKey("evaluations") ? state.list("evaluations") : List.of())
            .stream()
                .map(each -> Event.Evaluated.read(JsonFields.of("evaluation of " + path, each)))
                .toList());
  }

  private static void same(String name, String value, Object saved) {
    Check.that(
        saved != null && saved.equals(value),
        name + " of a resumed run",
        "as in the checkpoint, " + (saved == null ? "none" : saved),
        value == null ? "none" : value);
  }

  private static long steps(JsonFields state, String name) {
    long steps = state.whole(name);
    Check.that(steps >= 0, name + " of " + state.owner(), "at least 0", steps);
    return steps;
  }

  private static Tensor tensor(float[] values) {
    return new Tensor(List.of(values.length), values);
  }
}

package dev.discreet.core.train;

import dev.discreet.accounting.Digits;
import dev.discreet.core.model.Origin;
import dev.discreet.core.nn.Layout;
import dev.discreet.core.privacy.ResolvedPlan;
import dev.discreet.core.schedule.Schedule;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every setting of a run as text: what provenance keeps, and what a resumed run must share. */
final class Configuration {
  private static final List<String> RECORDS =
      List.of(
          "optimizer",
          "learningRate",
          "rateFactors",
          "weightDecay",
          "sampler",
          "clipping",
          "thresholds",
          "adaptiveClipping",
          "noiseMultiplier",
          "noiseShares",
          "besides",
          "target");

  private Configuration() {}

  static Map<String, String> of(
      TrainingOptions options, Layout layout, ResolvedPlan plan, int[] group) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("network", layout.network().toString());
    all.put("input", layout.input().toString());
    all.put("optimizer", options.optimizer().toString());
    all.put("learningRate", text(options.learningRate().orElseThrow()));
    all.put("rateFactors", options.rateFactors().toString());
    all.put("weightDecay", options.weightDecay().toString());
    all.put(
        "movingAverage",
        options.average().isPresent() ? Digits.shortest(options.average().getAsDouble()) : "none");
    all.put("frozen", options.frozen().toString());
    all.put(
        "initialParameters",
        options
            .start()
            .map(Configuration::text)
            .orElse(options.initialiser() + ", seed " + options.initialSeed()));
    all.put("steps", Long.toString(plan.steps()));
    all.put("sampler", plan.sampler().toString());
    all.put("clipping", plan.clipping().toString());
    all.put("clippingGroups", Arrays.toString(group));
    all.put("thresholds", text(plan.thresholds()));
    all.put("adaptiveClipping", plan.adaptive().map(Object::toString).orElse("none"));
    all.put("noiseBeforeClipping", Digits.shortest(options.noiseBeforeClipping()));
    all.put("gradientTransform", options.transform().map(Object::toString).orElse("none"));
    options.first().ifPresent(first -> all.put("firstRelease", first.toString()));
    if (options.otherPeople()) {
      all.put("publicRows", "declared to be other people's than the private ones");
    }
    all.put("noiseMultiplier", text(plan.noise()));
    all.put("noiseShares", plan.noiseShares().toString());
    all.put("neighbouring", plan.neighbouring().label());
    all.put("unit", plan.unit());
    all.put("microBatches", plan.microBatches().map(Object::toString).orElse("none"));
    all.put("besides", plan.besides().toString());
    all.put("target", plan.target().map(Object::toString).orElse("none"));
    // Records tell their numbers as this Java does; another may resume the run.
    RECORDS.forEach(name -> all.computeIfPresent(name, (key, text) -> Digits.numbersIn(text)));
    return all;
  }

  /** With a hash of what is public or released only: that of private values would tell of them. */
  private static String text(GivenStart start) {
    boolean hides = start.origin().standing() == Origin.Standing.NOT_PRIVATE;
    return "given"
        + (hides ? "" : ", SHA-256 " + hash(start.parameters()))
        + "; "
        + start.origin().provenance();
  }

  /** Whoever has the values can tell, and a resumed run must. */
  private static String hash(float[] values) {
    ByteBuffer piece = ByteBuffer.allocate(1 << 16);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int at = 0; at < values.length; at += 1 << 14) {
        int now = Math.min(1 << 14, values.length - at);
        piece.asFloatBuffer().put(values, at, now);
        digest.update(piece.array(), 0, 4 * now);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  private static String text(List<Schedule> schedules) {
    return schedules.stream().map(Configuration::text).toList().toString();
  }

  private static String text(Schedule schedule) {
    return schedule instanceof Schedule.Constant constant
        ? Digits.shortest(constant.value())
        : schedule.toString();
  }
}

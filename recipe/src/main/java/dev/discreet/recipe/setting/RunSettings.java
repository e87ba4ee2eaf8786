package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.engine.Engine;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.function.Function;

/** How a run goes, and what it leaves. */
public final class RunSettings {
  public static final Setting<String> ENGINE =
      setting(
              "engine",
              // Whoever prepares the run looks for it: a run may be read where its engine is not.
              ValueType.of("NAME", RunSettings::engineName, Function.identity()),
              "Who computes: cpu, which is this machine's cores, or another engine on the"
                  + " class path.")
          .otherwise(Engine.standard().name());
  public static final Setting<Long> THREADS =
      setting("threads", ValueType.whole("N", 1, 1024), "The result is the same on any number.")
          .derived("one for each core");
  public static final Setting<Long> EVALUATE_EVERY =
      setting(
              "evaluate-every",
              ValueType.whole("T", 1, NumberText.MOST),
              "Steps between evaluations.")
          .derived("an epoch");
  public static final Setting<Boolean> WATCH_PRIVATE =
      setting(
          "watch-private",
          ValueType.flag(),
          "Show un-noised values of private rows while the run goes on, and not only"
              + " after its last step. If it is then stopped, its length is outside the"
              + " guarantee.");
  public static final Setting<Path> CHECKPOINTS =
      setting(
          "checkpoints",
          ValueType.path("DIR"),
          "Keep there what --resume needs, and the ledger's journal.");
  public static final Setting<Long> CHECKPOINT_EVERY =
      setting(
              "checkpoint-every",
              ValueType.whole("T", 1, NumberText.MOST),
              "Steps between checkpoints.")
          .derived("an epoch");
  public static final Setting<Path> OUT =
      setting("out", ValueType.path("DIR"), "The folder to write.").derived("runs/DATA-TIME");

  private RunSettings() {}

  private static String engineName(String name) {
    Check.that(name.matches("[a-z][a-z0-9-]*"), "engine", "a name in lower case", name);
    return name;
  }

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.RUN, name, type, help);
  }
}

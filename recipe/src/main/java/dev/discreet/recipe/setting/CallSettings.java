package dev.discreet.recipe.setting;

import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;

/** What one call of a verb is to do: no part of a run, and no key of a run file. */
public final class CallSettings {
  public static final Setting<Path> RESUME =
      setting(
          "resume",
          ValueType.path("DIR"),
          "Go on with the run whose --checkpoints are in DIR. Give its settings again;"
              + " its own --out needs no --force.");
  public static final Setting<Boolean> FORCE =
      setting("force", ValueType.flag(), "Replace an earlier run's folder or run file.");
  public static final Setting<Path> SAVE_RUN =
      setting(
          "save-run",
          ValueType.path("FILE"),
          "Write the run with all its defaults filled in, as a run file.");
  public static final Setting<Boolean> DRY_RUN =
      setting("dry-run", ValueType.flag(), "Print the plan and stop before the first step.");
  public static final Setting<Boolean> ACCEPT_MISFITS =
      setting(
          "accept-misfits",
          ValueType.flag(),
          "Go on though over 1% of the rows do not fit what was declared; they count as"
              + " zero.");
  public static final Setting<Boolean> JSON =
      setting("json", ValueType.flag(), "Print one JSON object.");
  public static final Setting<Boolean> QUIET =
      setting("quiet", ValueType.flag(), "No plan and no progress: only the result.");

  private CallSettings() {}

  private static <T> Setting<T> setting(String name, ValueType<T> type, String help) {
    return Setting.of(Group.CALL, name, type, help);
  }
}

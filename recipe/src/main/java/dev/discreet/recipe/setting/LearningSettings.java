package dev.discreet.recipe.setting;

import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.function.Function;

/** How gradients move a model, and how a run goes: rows of {@link Settings}. */
public abstract class LearningSettings extends DataSettings {
  // --- Optimizer.
  public static final Setting<String> OPTIMIZER =
      one(
          Group.OPTIMIZER,
          "optimizer",
          "NAME",
          "sgd, momentum, nesterov, adam, adamw, dp-adam or langevin. Default: sgd.",
          choice(
              "optimizer", "sgd", "momentum", "nesterov", "adam", "adamw", "dp-adam", "langevin"));
  public static final Setting<Double> LEARNING_RATE =
      one(
          Group.OPTIMIZER,
          "learning-rate",
          "R",
          "Default: by lot size, noise and clipping threshold.",
          nonNegative("learning rate"));
  public static final Setting<ScheduleShape> SCHEDULE =
      one(
          Group.OPTIMIZER,
          "schedule",
          "SHAPE",
          "Of the learning rate: constant, linear, cosine (to 0 at the end; linear(F) to F of its"
              + " start, linear(F,T) by step T) or step(F,T), times F every T steps. Default:"
              + " constant.",
          ScheduleShape::parse);
  public static final Setting<Long> WARM_UP =
      one(
          Group.OPTIMIZER,
          "warm-up",
          "T",
          "Steps in which the learning rate rises to its start. Default: 0.",
          NumberText.whole("warm-up", 0, 1 << 24));
  public static final Setting<Double> MOMENTUM =
      one(
          Group.OPTIMIZER,
          "momentum",
          "M",
          "Of momentum and nesterov. Default: 0.9.",
          share("momentum"));
  public static final Setting<Double> BETA1 =
      one(Group.OPTIMIZER, "beta1", "B", "Of the adams. Default: 0.9.", share("beta1"));
  public static final Setting<Double> BETA2 =
      one(Group.OPTIMIZER, "beta2", "B", "Of the adams. Default: 0.999.", share("beta2"));
  public static final Setting<Double> ADAM_EPSILON =
      one(
          Group.OPTIMIZER,
          "adam-epsilon",
          "E",
          "Of adam and adamw. Default: 1e-8.",
          nonNegative("adam epsilon"));
  public static final Setting<Double> ADAM_FLOOR =
      one(
          Group.OPTIMIZER,
          "adam-floor",
          "G",
          "Of dp-adam: the least second moment. Default: 1e-8.",
          positive("adam floor"));
  public static final Setting<Double> TEMPERATURE =
      one(
          Group.OPTIMIZER,
          "temperature",
          "T",
          "Of langevin: its noise, which comes on top of the private one and protects no one."
              + " Default: 1/units, that of the posterior.",
          nonNegative("temperature"));
  public static final Setting<ScheduleShape> TEMPERATURE_SCHEDULE =
      one(
          Group.OPTIMIZER,
          "temperature-schedule",
          "SHAPE",
          "How the temperature changes over steps, as --schedule. Default: constant.",
          ScheduleShape::parse);
  public static final Setting<Long> LANGEVIN_SEED =
      one(
          Group.OPTIMIZER,
          "langevin-seed",
          "N",
          "Seed of langevin's noise, which is public. Default: 0.",
          NumberText.whole("langevin seed", 0, MOST));
  public static final Setting<Long> PROJECT_ONTO =
      one(
          Group.OPTIMIZER,
          "project-onto",
          "K",
          "Project released gradients onto the top K directions of public examples' gradients."
              + " Default: no projection.",
          NumberText.whole("project onto", 1, Integer.MAX_VALUE));
  public static final Setting<Long> PUBLIC_EXAMPLES =
      one(
          Group.OPTIMIZER,
          "public-examples",
          "M",
          "Of --project-onto: how many public examples, the first there are. Default: 100.",
          NumberText.whole("public examples", 1, Integer.MAX_VALUE));
  public static final Setting<String> PUBLIC_DATA =
      one(
          Group.OPTIMIZER,
          "public-data",
          "NAME|PATH",
          "Where they come from: a named or generated set, or rows like those of --data that you"
              + " declare public. Default: the public rows to test on, fewer by these.",
          Function.identity());
  public static final Setting<Long> PUBLIC_SEED =
      one(
          Group.OPTIMIZER,
          "public-seed",
          "N",
          "Seed of --public-data where it is generated. Default: 1.",
          NumberText.whole("public seed", 0, MOST));
  public static final Setting<Long> PROJECT_EVERY =
      one(
          Group.OPTIMIZER,
          "project-every",
          "S",
          "Steps between new directions. Default: 1.",
          NumberText.whole("project every", 1, MOST));
  public static final Setting<Long> PROJECT_FROM =
      one(
          Group.OPTIMIZER,
          "project-from",
          "T",
          "Steps before the first projection. Default: 0.",
          NumberText.whole("project from", 0, MOST));
  public static final Setting<Double> WEIGHT_DECAY =
      one(
          Group.OPTIMIZER,
          "weight-decay",
          "L",
          "How strongly parameters are pulled to zero. Default: 0.",
          nonNegative("weight decay"));
  public static final Setting<String> WEIGHT_DECAY_MODE =
      one(
          Group.OPTIMIZER,
          "weight-decay-mode",
          "MODE",
          "decoupled, or before-clipping as part of each gradient. Default: decoupled.",
          choice("weight decay mode", "decoupled", "before-clipping"));
  public static final Setting<String> WEIGHT_DECAY_ON =
      one(
          Group.OPTIMIZER,
          "weight-decay-on",
          "WHAT",
          "all parameters, or weights only and no biases. Default: all.",
          choice("weight decay on", "all", "weights"));

  // --- The run.
  public static final Setting<Long> THREADS =
      one(
          Group.RUN,
          "threads",
          "N",
          "Default: one for each core. The result is the same on any number.",
          NumberText.whole("threads", 1, 1024));
  public static final Setting<Long> EVALUATE_EVERY =
      one(
          Group.RUN,
          "evaluate-every",
          "T",
          "Steps between evaluations. Default: an epoch.",
          NumberText.whole("evaluate every", 1, MOST));
  public static final Setting<Boolean> WATCH_PRIVATE =
      flag(
          Group.RUN,
          "watch-private",
          "Show un-noised values of private rows while the run goes on, and not only after its last"
              + " step. If it is then stopped, its length is outside the guarantee.");
  public static final Setting<Path> CHECKPOINTS =
      one(
          Group.RUN,
          "checkpoints",
          "DIR",
          "Keep there what --resume needs, and the ledger's journal.",
          SettingTable::path);
  public static final Setting<Long> CHECKPOINT_EVERY =
      one(
          Group.RUN,
          "checkpoint-every",
          "T",
          "Steps between checkpoints. Default: an epoch.",
          NumberText.whole("checkpoint every", 1, MOST));
  public static final Setting<Path> OUT =
      one(
          Group.RUN,
          "out",
          "DIR",
          "The folder to write. Default: runs/DATA-TIME.",
          SettingTable::path);

  // --- This call.
  public static final Setting<Path> RESUME =
      one(
          Group.CALL,
          "resume",
          "DIR",
          "Go on with the run whose --checkpoints are in DIR. Give its settings again; its own --out"
              + " needs no --force.",
          SettingTable::path);
  public static final Setting<Boolean> FORCE =
      flag(Group.CALL, "force", "Replace an earlier run's folder or run file.");
  public static final Setting<Path> SAVE_RUN =
      one(
          Group.CALL,
          "save-run",
          "FILE",
          "Write the run with all its defaults filled in, as a run file.",
          SettingTable::path);
  public static final Setting<Boolean> DRY_RUN =
      flag(Group.CALL, "dry-run", "Print the plan and stop before the first step.");
  public static final Setting<Boolean> ACCEPT_MISFITS =
      flag(
          Group.CALL,
          "accept-misfits",
          "Go on though over 1% of the rows do not fit what was declared; they count as zero.");
  public static final Setting<Boolean> JSON = flag(Group.CALL, "json", "Print one JSON object.");
  public static final Setting<Boolean> QUIET =
      flag(Group.CALL, "quiet", "No plan and no progress: only the result.");
}

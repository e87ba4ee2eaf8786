package dev.discreet.recipe.setting;

import dev.discreet.core.optimize.Optimizer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The optimizers that settings name, one row each: a new one is added here. */
public enum OptimizerKind {
  SGD("sgd", false, true) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.Sgd();
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of();
    }
  },
  MOMENTUM("momentum", false, true) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.Momentum(given.or(OptimizerSettings.MOMENTUM));
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of(OptimizerSettings.MOMENTUM);
    }
  },
  NESTEROV("nesterov", false, true) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.Nesterov(given.or(OptimizerSettings.MOMENTUM));
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of(OptimizerSettings.MOMENTUM);
    }
  },
  ADAM("adam", true, true) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.Adam(
          given.or(OptimizerSettings.BETA1),
          given.or(OptimizerSettings.BETA2),
          given.or(OptimizerSettings.ADAM_EPSILON));
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of(
          OptimizerSettings.BETA1, OptimizerSettings.BETA2, OptimizerSettings.ADAM_EPSILON);
    }
  },
  ADAMW("adamw", true, false) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.AdamW(
          given.or(OptimizerSettings.BETA1),
          given.or(OptimizerSettings.BETA2),
          given.or(OptimizerSettings.ADAM_EPSILON),
          given.or(OptimizerSettings.WEIGHT_DECAY, OptimizerSettings.ADAMW_DECAY));
    }

    @Override
    Set<Setting<?>> own() {
      return ADAM.own();
    }
  },
  DP_ADAM("dp-adam", true, false) {
    @Override
    public Optimizer make(Parameters given) {
      return new Optimizer.DpAdam(
          given.or(OptimizerSettings.BETA1),
          given.or(OptimizerSettings.BETA2),
          given.or(OptimizerSettings.ADAM_FLOOR));
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of(OptimizerSettings.BETA1, OptimizerSettings.BETA2, OptimizerSettings.ADAM_FLOOR);
    }
  },
  LANGEVIN("langevin", false, false) {
    @Override
    public Optimizer make(Parameters given) {
      double start = given.or(OptimizerSettings.TEMPERATURE, given.temperature());
      ScheduleShape shape = given.or(OptimizerSettings.TEMPERATURE_SCHEDULE);
      return new Optimizer.Langevin(
          shape.from(start, given.steps()), given.or(OptimizerSettings.LANGEVIN_SEED));
    }

    @Override
    Set<Setting<?>> own() {
      return Set.of(
          OptimizerSettings.TEMPERATURE,
          OptimizerSettings.TEMPERATURE_SCHEDULE,
          OptimizerSettings.LANGEVIN_SEED);
    }
  };

  private final String label;
  private final boolean adaptive;
  private final boolean inPublicPhase;

  OptimizerKind(String label, boolean adaptive, boolean inPublicPhase) {
    this.label = label;
    this.adaptive = adaptive;
    this.inPublicPhase = inPublicPhase;
  }

  /** What an optimizer is made of, by its settings. */
  public interface Parameters {
    /** What was set, or the default. */
    <T> T or(Setting<T> setting, T otherwise);

    /** What was set, or the default that is always the same. */
    default <T> T or(Setting<T> setting) {
      return or(setting, setting.fixed().orElseThrow());
    }

    /** The default temperature of Langevin's noise. */
    double temperature();

    /** How many steps the run has. */
    long steps();
  }

  /** The optimizer with all its defaults, in a phase on public data. */
  public Optimizer make() {
    return make(
        new Parameters() {
          @Override
          public <T> T or(Setting<T> setting, T otherwise) {
            return otherwise;
          }

          @Override
          public double temperature() {
            throw new IllegalStateException("a public phase has no temperature");
          }

          @Override
          public long steps() {
            throw new IllegalStateException("no optimizer of a public phase asks for its length");
          }
        });
  }

  /** The optimizer that those settings ask for. */
  public abstract Optimizer make(Parameters given);

  /** The settings that it reads, and that not all optimizers do. */
  abstract Set<Setting<?>> own();

  /** As it is written. */
  public String label() {
    return label;
  }

  /** Whether the length of a step does not depend on the length of the gradient. */
  public boolean adaptive() {
    return adaptive;
  }

  /** Those that a public phase may have. */
  static List<OptimizerKind> ofPublicPhase() {
    return Arrays.stream(values()).filter(kind -> kind.inPublicPhase).toList();
  }

  /** Refuses settings that only other optimizers read. */
  public void refuseOthers(EffectiveSettings choices) {
    for (Setting<?> setting : Settings.of(Setting.Group.OPTIMIZER).toList()) {
      List<String> readers =
          Arrays.stream(values())
              .filter(kind -> kind.own().contains(setting))
              .map(kind -> kind.label)
              .toList();
      if (!readers.isEmpty() && !readers.contains(label)) {
        int last = readers.size() - 1;
        choices.refuse(
            "is for --optimizer "
                + String.join(", ", readers.subList(0, last))
                + (last == 0 ? "" : " and ")
                + readers.get(last),
            setting);
      }
    }
  }

  @Override
  public String toString() {
    return label;
  }
}

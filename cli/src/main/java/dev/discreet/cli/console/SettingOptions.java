package dev.discreet.cli.console;

import dev.discreet.accounting.Check;
import dev.discreet.accounting.Neighbouring;
import dev.discreet.data.DataOptions;
import dev.discreet.recipe.setting.CallSettings;
import dev.discreet.recipe.setting.ClippingSettings;
import dev.discreet.recipe.setting.DataSettings;
import dev.discreet.recipe.setting.EffectiveSettings;
import dev.discreet.recipe.setting.ModelSettings;
import dev.discreet.recipe.setting.PrivacySettings;
import dev.discreet.recipe.setting.RunSettings;
import dev.discreet.recipe.setting.Setting;
import dev.discreet.recipe.setting.Setting.Group;
import dev.discreet.recipe.setting.SettingValues;
import dev.discreet.recipe.setting.Settings;
import dev.discreet.recipe.setting.UnitSettings;
import dev.discreet.recipe.setting.ValueType.Form;
import dev.discreet.recipe.setup.DataChoices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as options: each group under its heading, values as text. */
public final class SettingOptions {
  private static final int CALL = Group.CALL.ordinal();

  /** How a table in a file is written, and where it stands there. */
  private static final List<Setting<?>> WRITTEN =
      Stream.concat(DataSettings.DIALECT.stream(), Stream.of(DataSettings.SHEET)).toList();

  private SettingOptions() {}

  /** The options of a verb that takes all settings. */
  public static final class All implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      return add(
          spec, Arrays.stream(Group.values()).filter(group -> group != Group.REGRESSION).toList());
    }
  }

  /** The options of a verb that looks at the gradients of a small network. */
  public static final class OfGeometry implements IModelTransformer {
    /** The name of the data where none are given. */
    public static final String DATA = "gaussians";

    @Override
    public CommandSpec transform(CommandSpec spec) {
      add(
          spec,
          Group.MODEL.heading(),
          List.of(
              ModelSettings.MODEL.derived("one hidden layer of 8"),
              ModelSettings.INITIAL_SEED,
              ClippingSettings.CLIP.derived("the median norm of the gradients")),
          Group.MODEL.ordinal());
      passingOver(spec);
      return addData(spec, DATA);
    }
  }

  /** The options of a verb that looks for a column of a table. */
  public static final class OfTable implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      return add(spec, Group.DATA.heading(), WRITTEN, Group.DATA.ordinal());
    }
  }

  /** The options of a verb that reads the names of a table's columns, and may pay for more. */
  public static final class OfHeader implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      List<Setting<?>> settings =
          new ArrayList<>(
              List.of(
                  DataSettings.DATA.derived("none"),
                  DataSettings.TABLE,
                  DataSettings.DRIVER,
                  DataSettings.LABEL,
                  UnitSettings.UNIT_COLUMN,
                  DataSettings.MISSING,
                  DataSettings.MISSING_CELLS));
      settings.addAll(WRITTEN);
      add(spec, Group.DATA.heading(), settings, Group.DATA.ordinal());
      add(spec, Group.CALL.heading(), List.of(CallSettings.ACCEPT_MISFITS), CALL);
      return add(
          spec,
          Group.PRIVACY.heading() + ", with --spend",
          List.of(
              UnitSettings.UNIT,
              UnitSettings.ONE_ROW_EACH,
              PrivacySettings.ACCOUNT,
              PrivacySettings.PASS_OVER_ACCOUNT,
              PrivacySettings.BREAK_ACCOUNT),
          Group.PRIVACY.ordinal());
    }
  }

  /** How a table is written, as options declare it. */
  public static DataOptions written(SettingValues given) {
    DataOptions.Builder written =
        DataOptions.builder().dialect(DataChoices.dialect(new EffectiveSettings(given.checked())));
    given.get(DataSettings.SHEET).ifPresent(written::sheet);
    return written.build();
  }

  /** The options of a verb that makes sure that data are there. */
  public static final class OfFetching implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      return spec.addOption(option(DataSettings.DATA_DIR, 0));
    }
  }

  /** The options of a verb that must be given data, and counts them. */
  public static final class OfCounts implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      return addGivenData(
          spec,
          Group.PRIVACY.heading() + ", with --spend",
          UnitSettings.DECLARED_UNITS,
          UnitSettings.UNIT,
          UnitSettings.ONE_ROW_EACH,
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT);
    }
  }

  /** The options of a verb that must be given data, and fits a model to them. */
  public static final class OfFit implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      add(spec, List.of(Group.REGRESSION));
      add(
          spec,
          Group.RUN.heading(),
          List.of(RunSettings.OUT.derived("nothing is written")),
          Group.RUN.ordinal());
      return addGivenData(
          spec,
          Group.PRIVACY.heading(),
          PrivacySettings.EPSILON.derived("none, and none for least-squares"),
          PrivacySettings.DELTA,
          PrivacySettings.NEIGHBOURING.derived(Neighbouring.ADD_REMOVE.label()),
          UnitSettings.DECLARED_UNITS,
          UnitSettings.UNIT,
          UnitSettings.ONE_ROW_EACH,
          PrivacySettings.ACCOUNT,
          PrivacySettings.PASS_OVER_ACCOUNT,
          PrivacySettings.BREAK_ACCOUNT);
    }
  }

  /** The options of a question about a column of a table. */
  public static final class OfQuestion implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      List<Setting<?>> settings =
          new ArrayList<>(
              List.of(
                  DataSettings.TABLE,
                  DataSettings.JOIN,
                  DataSettings.QUERY,
                  DataSettings.ROWS_WHERE,
                  DataSettings.TABLE_COLUMNS,
                  DataSettings.DRIVER,
                  DataSettings.COLUMNS));
      settings.addAll(WRITTEN);
      add(spec, Group.DATA.heading(), settings, Group.DATA.ordinal());
      return add(
          spec,
          Group.PRIVACY.heading(),
          List.of(
              PrivacySettings.NEIGHBOURING.derived(Neighbouring.ADD_REMOVE.label()),
              UnitSettings.UNIT_COLUMN,
              UnitSettings.UNIT.derived("example; unit with --unit-column"),
              UnitSettings.ONE_ROW_EACH,
              PrivacySettings.ACCOUNT,
              PrivacySettings.PASS_OVER_ACCOUNT,
              PrivacySettings.BREAK_ACCOUNT),
          Group.PRIVACY.ordinal());
    }
  }

  /** The options of a verb that trains models of its own, and writes no run. */
  public static final class OfAudit implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      add(
          spec,
          Arrays.stream(Group.values())
              .filter(
                  group -> group != Group.RUN && group != Group.CALL && group != Group.REGRESSION)
              .toList());
      add(
          spec,
          Group.RUN.heading(),
          List.of(RunSettings.ENGINE, RunSettings.THREADS),
          Group.RUN.ordinal());
      return add(spec, Group.CALL.heading(), List.of(CallSettings.ACCEPT_MISFITS), CALL);
    }
  }

  private static CommandSpec addGivenData(CommandSpec spec, String heading, Setting<?>... privacy) {
    addData(spec, "none");
    return add(spec, heading, List.of(privacy), Group.PRIVACY.ordinal());
  }

  /** For verbs that tell of rows without noise. */
  private static CommandSpec passingOver(CommandSpec spec) {
    return add(
        spec,
        Group.PRIVACY.heading(),
        List.of(PrivacySettings.ACCOUNT, PrivacySettings.PASS_OVER_ACCOUNT),
        Group.PRIVACY.ordinal());
  }

  /** The settings of data, with another default, and what goes with them. */
  private static CommandSpec addData(CommandSpec spec, String otherwise) {
    add(
        spec,
        Group.DATA.heading(),
        Settings.of(Group.DATA)
            .map(each -> each == DataSettings.DATA ? each.derived(otherwise) : each)
            .toList(),
        Group.DATA.ordinal());
    return add(spec, Group.CALL.heading(), List.of(CallSettings.ACCEPT_MISFITS), CALL);
  }

  /** The name or path of data that must be given. */
  public static String data(SettingValues given) {
    Usage.needed(
        given.get(DataSettings.DATA).isPresent() ? List.of() : List.of("--data NAME|PATH"));
    return given.get(DataSettings.DATA).orElseThrow();
  }

  /** The options of a verb that reads data for a saved run, which has data of its own. */
  public static final class OfRun implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec spec) {
      add(
          spec,
          Group.DATA.heading(),
          Settings.of(Group.DATA).map(OfRun::ofRun).toList(),
          Group.DATA.ordinal());
      add(
          spec,
          Group.MODEL.heading(),
          List.of(ModelSettings.THRESHOLD.derived("as the run was trained")),
          Group.MODEL.ordinal());
      return passingOver(spec);
    }

    /** With the default that holds here. */
    private static Setting<?> ofRun(Setting<?> setting) {
      if (setting == DataSettings.DATA) {
        return setting.derived("the rows to test on of the run's own data");
      }
      if (setting == DataSettings.MEAN || setting == DataSettings.DEVIATION) {
        return setting.derived("as the run was trained");
      }
      return setting == DataSettings.TEST_SHARE
          ? setting.derived(
              "that of the run for its own data; 0 for other data, so that all rows are taken")
          : setting;
    }
  }

  private static CommandSpec add(CommandSpec spec, List<Group> groups) {
    for (Group group : groups) {
      add(spec, group.heading(), Settings.of(group).toList(), group.ordinal());
    }
    return spec;
  }

  private static CommandSpec add(
      CommandSpec spec, String heading, List<Setting<?>> settings, int place) {
    ArgGroupSpec.Builder options =
        ArgGroupSpec.builder().heading("%n" + heading + ":%n").order(place).validate(false);
    int order = 0;
    for (Setting<?> setting : settings) {
      options.addArg(option(setting, order++));
    }
    return spec.addArgGroup(options.build());
  }

  private static OptionSpec option(Setting<?> setting, int order) {
    OptionSpec.Builder option =
        OptionSpec.builder(setting.option())
            .userObject(setting)
            .order(order)
            // In help texts, % has a meaning of its own and must be doubled.
            .description(setting.description().replace("%", "%%"));
    if (setting.type().form() == Form.FLAG) {
      return option.type(boolean.class).arity("0").build();
    }
    option.paramLabel(setting.type().label()).arity("1");
    return setting.type().form() == Form.REPEATED
        ? option.type(List.class).auxiliaryTypes(String.class).build()
        : option.type(String.class).build();
  }

  /** Of others the last one counts; but rows are opened where one engine reaches them. */
  private static List<String> engines(List<String> arguments) {
    String option = RunSettings.ENGINE.option();
    List<String> found = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String each = arguments.get(i);
      if (each.startsWith(option + "=")) {
        found.add(each.substring(option.length() + 1));
      } else if (each.equals(option) && i + 1 < arguments.size()) {
        found.add(arguments.get(i + 1));
      }
    }
    return found;
  }

  /** What was written on the command line. */
  public static SettingValues given(CommandSpec spec) {
    ParseResult parsed = spec.commandLine().getParseResult();
    List<String> engines = engines(parsed.originalArgs());
    Check.that(engines.size() <= 1, "engine", "one", String.join(", ", engines));
    Map<Setting<?>, SettingValues.Value> values = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      OptionSpec option = spec.findOption(setting.option());
      // A verb may have an option of its own under the same name, with another range.
      if (option != null
          && option.userObject() instanceof Setting<?>
          && parsed.hasMatchedOption(setting.option())) {
        List<String> texts = new ArrayList<>();
        Object value = parsed.matchedOptionValue(setting.option(), null);
        if (value instanceof List<?> list) {
          list.forEach(each -> texts.add((String) each));
        } else {
          texts.add(String.valueOf(value));
        }
        values.put(setting, new SettingValues.Value(texts, ""));
      }
    }
    return new SettingValues(values);
  }
}

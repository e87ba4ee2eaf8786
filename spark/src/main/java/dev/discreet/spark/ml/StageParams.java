package dev.discreet.spark.ml;

import dev.discreet.accounting.Check;
import dev.discreet.recipe.setting.Setting;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.util.Identifiable;

/** The parameters of a stage, which Spark would otherwise look for by reflection. */
final class StageParams implements Serializable {
  private static final long serialVersionUID = 1;

  private final Identifiable stage;
  private final List<Param<?>> all = new ArrayList<>();

  StageParams(Identifiable stage) {
    this.stage = stage;
  }

  Param<String> text(String name, String doc) {
    return added(new Param<>(stage, name, doc));
  }

  /** True or false, as a text or as a value. */
  SettingParam setting(Setting<?> setting) {
    return added(new SettingParam(stage, setting));
  }

  private <P extends Param<?>> P added(P param) {
    all.add(param);
    return param;
  }

  /** In the order that Spark promises. */
  Param<?>[] sorted() {
    return all.stream().sorted(Comparator.comparing(Param::name)).toArray(Param<?>[]::new);
  }

  List<SettingParam> settings() {
    return all.stream()
        .filter(each -> each instanceof SettingParam)
        .map(each -> (SettingParam) each)
        .toList();
  }

  /** By its name here or in run files. */
  SettingParam setting(String name) {
    String plain = plain(name);
    SettingParam found =
        settings().stream()
            .filter(each -> plain(each.name()).equals(plain))
            .findFirst()
            .orElse(null);
    Check.that(
        found != null,
        "setting of " + stage.getClass().getSimpleName(),
        "one of " + String.join(", ", settings().stream().map(Param::name).sorted().toList()),
        name);
    return found;
  }

  private static String plain(String name) {
    return name.replace("-", "").toLowerCase(Locale.ROOT);
  }
}

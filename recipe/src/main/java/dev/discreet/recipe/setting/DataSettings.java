package dev.discreet.recipe.setting;

import dev.discreet.accounting.Check;
import dev.discreet.core.nn.Initialiser;
import dev.discreet.core.nn.Shape;
import dev.discreet.data.Task;
import dev.discreet.recipe.setting.Setting.Group;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** What is learnt from, and what learns: rows of {@link Settings}. */
public abstract class DataSettings extends SettingTable {
  // --- Data.
  public static final Setting<String> DATA =
      one(
          Group.DATA,
          "data",
          "NAME|PATH",
          "A named or generated set (discreet data list), or a file or folder of examples."
              + " Default: digits.",
          Function.identity());
  public static final Setting<Path> LABELS =
      one(
          Group.DATA,
          "labels",
          "FILE",
          "The labels that belong to an IDX or NumPy file.",
          SettingTable::path);
  public static final Setting<String> LABEL =
      one(
          Group.DATA,
          "label",
          "COLUMN",
          "What to predict: employed=0|1 for classes, income=0..200000 for a number in bounds"
              + " (NumPy: without a name).",
          Function.identity());
  public static final Setting<List<String>> COLUMN =
      repeated(
          Group.DATA,
          "column",
          "COLUMN",
          "A column to predict from, once for each: age=0..120, or sex=male|female.");
  public static final Setting<String> UNIT_COLUMN =
      one(
          Group.DATA,
          "unit-column",
          "NAME",
          "The column that says which rows are one person's. Default: each row is a unit.",
          Function.identity());
  public static final Setting<Path> UNIT_MAP =
      one(
          Group.DATA,
          "unit-map",
          "FILE",
          "In place of --unit-column, for data without columns: a table with the columns row (from"
              + " 0) and unit.",
          SettingTable::path);
  public static final Setting<Boolean> PUBLIC_IDS =
      flag(
          Group.DATA,
          "public-ids",
          "Declare that anyone may know which ids the unit column or map has: under replace-one,"
              + " rows are held out by them.");
  public static final Setting<String> BOUNDS =
      one(
          Group.DATA,
          "bounds",
          "LOW..HIGH",
          "Public bounds of inputs that are plain numbers (NumPy).",
          Function.identity());
  public static final Setting<Shape> INPUT =
      one(
          Group.DATA,
          "input",
          "HxWxC",
          "Height, width and channels (1 grey, 3 colours) of images in folders, declared: no"
              + " private image may decide them.",
          DataSettings::image);
  public static final Setting<List<String>> CLASSES =
      one(
          Group.DATA,
          "classes",
          "A|B",
          "Classes of images in folders, declared: the names of their folders, in the order of the"
              + " model's outputs.",
          DataSettings::classes);
  public static final Setting<Path> AS_IN =
      one(
          Group.DATA,
          "as-in",
          "PATH",
          "In place of --input and --classes: as in this folder or zip of images, which you thereby"
              + " declare public, or as in an earlier run's folder.",
          SettingTable::path);
  public static final Setting<Boolean> TEST_FOLDER =
      flag(
          Group.DATA,
          "test-folder",
          "Declare that images in folders lie below train/ and test/, and that those below test/ are"
              + " the ones to test on, in place of --test-share.");
  public static final Setting<List<Double>> MEAN =
      one(
          Group.DATA,
          "mean",
          "M,...",
          "Public means to normalise images by, one a channel. Default: those of a named set,"
              + " else 0.",
          numbers("mean", "finite", Double::isFinite));
  public static final Setting<List<Double>> DEVIATION =
      one(
          Group.DATA,
          "deviation",
          "S,...",
          "Public deviations beside --mean. Default: those of a named set, else 1.",
          numbers("deviation", "greater than 0", value -> value > 0));
  public static final Setting<Path> PUBLIC_TEST =
      one(
          Group.DATA,
          "public-test",
          "PATH",
          "Rows to test on that you declare public: their metrics go into files.",
          SettingTable::path);
  public static final Setting<Double> TEST_SHARE =
      one(
          Group.DATA,
          "test-share",
          "S",
          "How much of a private file is held out to test on. Default: 0.2.",
          NumberText.real("test share", "in [0, 1)", value -> value >= 0 && value < 1));
  public static final Setting<Path> DATA_DIR =
      one(
          Group.DATA,
          "data-dir",
          "DIR",
          "Where named sets lie. Default: the environment's DISCREET_DATA, else a cache folder.",
          SettingTable::path);
  public static final Setting<Long> DATA_SEED =
      one(
          Group.DATA,
          "data-seed",
          "N",
          "Seed of a generated set. Default: 0.",
          NumberText.whole("data seed", 0, MOST));

  // --- Model.
  public static final Setting<String> MODEL =
      one(
          Group.MODEL,
          "model",
          "NAME|SPEC",
          "linear, logistic, mlp(N), mnist-cnn, cifar-cnn, or layers such as \"conv(16,8) relu"
              + " dense(10)\". Default: by the data's shape.",
          Function.identity());
  public static final Setting<Long> PCA =
      one(
          Group.MODEL,
          "pca",
          "K",
          "Look at inputs through K principal directions, released first and out of the same"
              + " budget: a first layer that stands still. Default: inputs as they are.",
          NumberText.whole("pca", 1, Integer.MAX_VALUE));
  public static final Setting<Initialiser> INITIALISER =
      one(
          Group.MODEL,
          "initialiser",
          "NAME",
          "How parameters begin: pytorch-uniform, he-normal, he-uniform, xavier-normal,"
              + " xavier-uniform, lecun-normal or zeros. Default: pytorch-uniform.",
          Initialiser::named);
  public static final Setting<Long> INITIAL_SEED =
      one(
          Group.MODEL,
          "initial-seed",
          "N",
          "Seed of the initial parameters, which are public. Default: 0.",
          NumberText.whole("initial seed", 0, MOST));
  public static final Setting<Path> START_FROM =
      rival(
          "start",
          one(
              Group.MODEL,
              "start-from",
              "DIR|FILE",
              "Begin with the parameters of a run's folder, or of safetensors of the same network:"
                  + " private ones, or declared public. A head that does not fit begins anew.",
              SettingTable::path));
  public static final Setting<String> START_PUBLIC =
      one(
          Group.MODEL,
          "start-public",
          "WHAT",
          "Declare that --start-from learnt from public data, and which.",
          Function.identity());
  public static final Setting<Boolean> START_NOT_PRIVATE =
      flag(
          Group.MODEL,
          "start-not-private",
          "Begin with a --start-from that is neither private nor public: this run's model is then not"
              + " private either, and says so first.");
  public static final Setting<Boolean> NEW_HEAD =
      flag(Group.MODEL, "new-head", "Begin the last layer anew although it would fit.");
  public static final Setting<List<String>> FREEZE =
      repeated(
          Group.MODEL,
          "freeze",
          "LAYER",
          "A layer that keeps its parameters, by its name: 0, 3; start for all that the start"
              + " has.");
  public static final Setting<List<String>> RATE_FACTOR =
      repeated(
          Group.MODEL,
          "rate-factor",
          "LAYER=F",
          "Learning rate of a layer, as a factor: 0=0.1; start=0.1 for all that the start has.");
  public static final Setting<Double> EMA =
      one(
          Group.MODEL,
          "ema",
          "D",
          "Decay of the moving average that is the model; 0 for none. Default: by the number of"
              + " steps.",
          NumberText.real("ema", "in [0, 1)", value -> value >= 0 && value < 1));

  // --- A public phase.
  public static final Setting<String> PRETRAIN_DATA =
      rival(
          "start",
          one(
              Group.PRETRAIN,
              "pretrain-data",
              "NAME",
              "In place of --start-from: train without privacy on this named or generated set"
                  + " first, which is public.",
              Function.identity()));
  public static final Setting<Long> PRETRAIN_SEED =
      one(
          Group.PRETRAIN,
          "pretrain-seed",
          "N",
          "Seed of that set where it is generated, and of the phase. Default: 1.",
          NumberText.whole("pretrain seed", 0, MOST));
  public static final Setting<Double> PRETRAIN_EPOCHS =
      one(
          Group.PRETRAIN,
          "pretrain-epochs",
          "N",
          "How often each of its examples is drawn, on average. Default: 5.",
          positive("pretrain epochs"));
  public static final Setting<Double> PRETRAIN_LOT_SIZE =
      one(
          Group.PRETRAIN,
          "pretrain-lot-size",
          "L",
          "Examples in a lot, on average. Default: 128, or all where there are fewer.",
          positive("pretrain lot size"));
  public static final Setting<String> PRETRAIN_OPTIMIZER =
      one(
          Group.PRETRAIN,
          "pretrain-optimizer",
          "NAME",
          "sgd, momentum, nesterov or adam. Default: adam.",
          choice("pretrain optimizer", "sgd", "momentum", "nesterov", "adam"));
  public static final Setting<Double> PRETRAIN_LEARNING_RATE =
      one(
          Group.PRETRAIN,
          "pretrain-learning-rate",
          "R",
          "Default: 0.002 for adam, else 0.05.",
          positive("pretrain learning rate"));

  /** An input as the setting has it. */
  public static String text(Shape input) {
    return input.height() + "x" + input.width() + "x" + input.channels();
  }

  private static Shape image(String text) {
    Check.that(text.matches("\\d{1,9}x\\d{1,9}x\\d{1,9}"), "input", "HxWxC, as in 28x28x1", text);
    return Shape.parse(text);
  }

  private static List<String> classes(String text) {
    List<String> names = Arrays.stream(text.split("\\|", -1)).map(String::strip).toList();
    Check.that(
        names.size() >= 2 && names.stream().noneMatch(String::isEmpty),
        "classes",
        "A|B, the names of at least two folders",
        text);
    return new Task.Classes(names).names();
  }
}

package dev.discreet.data.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which images belong to which class and part, by their names alone.
 *
 * @param train by class, in order of their names
 * @param test empty where there is no such part
 */
record ImageLayout(Map<String, List<String>> train, Map<String, List<String>> test) {
  private static final Pattern IMAGE =
      Pattern.compile("[^/]+\\.(png|jpg|jpeg)", Pattern.CASE_INSENSITIVE);
  private static final Pattern TRAIN_IMAGE = Pattern.compile("train/[^/]+/[^/]+", Pattern.DOTALL);
  private static final Pattern TWO_DEEP = Pattern.compile("[^/]+/[^/]+/.*", Pattern.DOTALL);

  /**
   * @param names relative, with slashes; a folder's ends with one
   */
  static ImageLayout of(Path path, List<String> names) throws IOException {
    List<String> kept = names.stream().filter(ImageLayout::shows).sorted().toList();
    String root = root(kept);
    List<String> inside = new ArrayList<>();
    for (String name : kept) {
      if (name.indexOf('/', root.length()) > 0 && name.startsWith(root)) {
        inside.add(name.substring(root.length()));
      } else {
        refuseImage(path, name);
      }
    }
    boolean parts = inside.stream().anyMatch(name -> TRAIN_IMAGE.matcher(name).matches());
    if (!parts) {
      return new ImageLayout(classes(path, root, "", inside), Map.of());
    }
    for (String name : inside) {
      if (!name.startsWith("train/") && !name.startsWith("test/")) {
        throw Bad.file(
            path,
            Bad.shown(root + name) + ": must be in train/ or test/, where there is a train/.");
      }
    }
    Map<String, List<String>> train = classes(path, root, "train/", inside);
    boolean hasTest =
        inside.stream().anyMatch(name -> name.startsWith("test/") && name.length() > 5);
    Map<String, List<String>> test = hasTest ? classes(path, root, "test/", inside) : Map.of();
    for (String name : test.keySet()) {
      if (!train.containsKey(name)) {
        throw Bad.file(
            path,
            "test/" + Bad.shown(name) + ": must be a class of train/: " + listed(train.keySet()));
      }
    }
    return new ImageLayout(train, test);
  }

  /** Read-me files beside the classes' folders are passed over; images without a class are not. */
  private static void refuseImage(Path path, String name) throws IOException {
    if (IMAGE.matcher(name.substring(name.lastIndexOf('/') + 1)).matches()) {
      throw Bad.file(path, Bad.shown(name) + ": an image must be in a class's folder.");
    }
  }

  private static String listed(Iterable<String> names) {
    List<String> shown = new ArrayList<>();
    names.forEach(name -> shown.add(Bad.shown(name)));
    return String.join(", ", shown.subList(0, Math.min(20, shown.size())));
  }

  /** What systems add by themselves starts with a dot, or has one of these names. */
  private static boolean shows(String name) {
    for (String part : name.split("/")) {
      if (part.startsWith(".")
          || part.equals("__MACOSX")
          || part.equals("Thumbs.db")
          || part.equals("desktop.ini")) {
        return false;
      }
    }
    return true;
  }

  /** The one folder around everything, where there is one: archives often have it. */
  private static String root(List<String> names) {
    List<String> tops =
        names.stream()
            .filter(name -> name.indexOf('/') > 0)
            .map(name -> name.substring(0, name.indexOf('/') + 1))
            .distinct()
            .toList();
    boolean around =
        tops.size() == 1 && names.stream().anyMatch(n -> TWO_DEEP.matcher(n).matches());
    return around ? tops.get(0) : "";
  }

  private static Map<String, List<String>> classes(
      Path path, String root, String part, List<String> names) throws IOException {
    Map<String, List<String>> classes = new TreeMap<>();
    for (String name : names) {
      if (!name.startsWith(part) || name.equals(part)) {
        continue;
      }
      String rest = name.substring(part.length());
      int slash = rest.indexOf('/');
      if (slash < 0) {
        refuseImage(path, root + name);
        continue;
      }
      List<String> images =
          classes.computeIfAbsent(rest.substring(0, slash), c -> new ArrayList<>());
      String file = rest.substring(slash + 1);
      if (file.isEmpty()) {
        continue;
      }
      if (!IMAGE.matcher(file).matches()) {
        throw Bad.file(
            path,
            Bad.shown(root + name)
                + ": a class's folder must hold .png, .jpg and .jpeg files only.");
      }
      images.add(root + name);
    }
    for (Map.Entry<String, List<String>> each : classes.entrySet()) {
      if (each.getValue().isEmpty()) {
        throw Bad.file(
            path,
            Bad.shown(root + part + each.getKey()) + ": a class must have at least one image.");
      }
    }
    if (classes.isEmpty() || !part.equals("test/") && classes.size() < 2) {
      throw Bad.file(
          path,
          "must hold images as CLASS/FILE.png or .jpg, of at least two classes. Provided: "
              + (classes.isEmpty()
                  ? "none"
                  : classes.keySet().stream().map(Bad::shown).collect(Collectors.joining(", "))));
    }
    return classes;
  }
}

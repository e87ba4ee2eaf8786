package dev.discreet.data.format;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which images there are, and of which class and part each is. Only its own name and what was
 * declared decide, so an image stays where it is whatever other files come or go.
 *
 * @param train by class in order of the alphabet, then by name; last those that cannot be used
 * @param test empty where no such part was declared
 */
record ImageLayout(List<Image> train, List<Image> test) {
  private static final Pattern IMAGE =
      Pattern.compile("[^/]+\\.(png|jpg|jpeg)", Pattern.CASE_INSENSITIVE);
  // Taken for a folder around everything, such a part would be trained on.
  private static final Set<String> PARTS =
      Set.of("train", "test", "val", "valid", "validation", "dev");

  /**
   * @param folder the last one around the file, which is the class; empty where there is none
   * @param wrong why it cannot be used, to go on after its name; empty where it can
   */
  record Image(String name, String folder, String wrong) {}

  /**
   * @param names relative, with slashes; a folder's ends with one
   * @param classes the declared ones
   * @param testFolder whether the folders {@code train/} and {@code test/} are parts
   */
  static ImageLayout of(List<String> names, Collection<String> classes, boolean testFolder) {
    List<Image> train = new ArrayList<>();
    List<Image> test = new ArrayList<>();
    for (String name : names) {
      boolean known = classes.contains(folder(name, 1));
      // Read-me files beside the classes' folders are passed over.
      if (shows(name) && (isImage(name) || known && !name.endsWith("/"))) {
        String part = folder(name, 2);
        String wrong =
            !known
                ? "must be in the folder of a declared class"
                : !isImage(name)
                    ? "must be a .png, .jpg or .jpeg file"
                    : misplaced(part, testFolder);
        List<Image> side = testFolder && part.equals("test") ? test : train;
        side.add(new Image(name, folder(name, 1), wrong));
      }
    }
    Comparator<Image> order =
        Comparator.comparing((Image image) -> !image.wrong.isEmpty())
            .thenComparing(Image::folder)
            .thenComparing(Image::name);
    train.sort(order);
    test.sort(order);
    return new ImageLayout(train, test);
  }

  private static String misplaced(String part, boolean testFolder) {
    if (testFolder) {
      return part.equals("train") || part.equals("test")
          ? ""
          : "must lie below train/ or test/, as --test-folder declares";
    }
    return PARTS.contains(part.toLowerCase(Locale.ROOT))
        ? "must lie in CLASS/, not below "
            + part
            + "/ (--test-folder declares that train/ and test/ are parts)"
        : "";
  }

  /** The images of a public folder, by folder and name; those folders are its classes. */
  static List<Image> all(List<String> names) {
    return names.stream()
        .filter(name -> shows(name) && isImage(name) && !folder(name, 1).isEmpty())
        .map(name -> new Image(name, folder(name, 1), ""))
        .sorted(Comparator.comparing(Image::folder).thenComparing(Image::name))
        .toList();
  }

  private static boolean isImage(String name) {
    return IMAGE.matcher(name.substring(name.lastIndexOf('/') + 1)).matches();
  }

  /** The folder so many levels above a file; empty where there is none. */
  private static String folder(String name, int up) {
    String[] parts = name.split("/");
    return parts.length > up ? parts[parts.length - 1 - up] : "";
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
}

package dev.discreet.fuzz;

/** No code names this class but inputs do: whoever loads it lets files choose what is run. */
final class LoadedByAFile {
  static final String MARK = "discreet.fuzz.loaded";

  static {
    System.setProperty(MARK, "true");
  }

  private LoadedByAFile() {}
}

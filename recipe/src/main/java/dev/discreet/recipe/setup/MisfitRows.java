package dev.discreet.recipe.setup;

import dev.discreet.data.DataSet;
import dev.discreet.data.Misfits;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells the operator, before anything is spent, of rows that do not fit what was declared. A few
 * are a matter of course; many are a wrong declaration, and a model would be trained on nothing.
 */
public final class MisfitRows {
  private static final double MOST = 0.01;

  private MisfitRows() {}

  /**
   * @param accepted whether to go on however many there are
   * @param say tells the operator, and nobody else
   * @return the data, unchanged
   */
  public static DataSet told(DataSet data, boolean accepted, Consumer<String> say)
      throws IOException {
    tell(data.misfits(), data.name(), accepted, say);
    return data;
  }

  /** The same for rows that are not read as a data set. */
  public static void tell(Misfits misfits, String name, boolean accepted, Consumer<String> say)
      throws IOException {
    tell(misfits, name, true, "; they are left out, and count as zero", accepted, say);
  }

  /**
   * The same, with a number or without, and where they are not left out of everything.
   *
   * @param counted whether to say how many rows there are, which of selected ones is an answer
   * @param outcome goes on where it says that they do not fit what was declared
   */
  public static void tell(
      Misfits misfits,
      String name,
      boolean counted,
      String outcome,
      boolean accepted,
      Consumer<String> say)
      throws IOException {
    if (misfits.count() == 0) {
      return;
    }
    String what =
        (counted
                ? String.format(Locale.ROOT, "%,d of %,d rows", misfits.count(), misfits.of())
                : "rows that were selected")
            + " of "
            + name
            + " do not fit what was declared"
            + outcome
            + " (outside the guarantee, for your eyes)";
    if (!accepted && misfits.count() > MOST * misfits.of()) {
      throw new IOException(
          what
              + ": "
              + String.join("; ", misfits.first())
              + (misfits.count() > misfits.first().size() ? "; …" : "")
              + ". That is over 1%, so nothing is done or spent: see whether the declarations are"
              + " right, or give --accept-misfits to go on");
    }
    say.accept(what + ":");
    misfits.first().forEach(why -> say.accept("  " + why));
  }
}

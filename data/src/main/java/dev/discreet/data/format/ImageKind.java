package dev.discreet.data.format;

import dev.discreet.accounting.Check;
import dev.discreet.core.model.Task;
import dev.discreet.core.nn.Shape;

/**
 * What is declared of images in folders: it goes into files, so no private image may decide it.
 *
 * @param input height, width and channels: 1 for grey, 3 for colours
 * @param classes the names of the folders, in the order of the model's outputs
 */
public record ImageKind(Shape input, Task.Classes classes) {
  public ImageKind {
    Check.that(
        input.channels() == 1 || input.channels() == 3,
        "input",
        "HEIGHTxWIDTHx1 (grey) or HEIGHTxWIDTHx3 (colours)",
        input.height() + "x" + input.width() + "x" + input.channels());
    Check.that(
        input.positions() <= ImageDecoder.MOST_PIXELS, "input", "of at most 2^24 pixels", input);
  }
}

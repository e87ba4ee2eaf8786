package dev.discreet.accounting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.jr.ob.JSON;

/** JSON whose numbers are written alike by every Java. */
public final class JsonNumbers {
  /** With {@link Digits#shortest(double)} for each number. What it reads is the nearest double. */
  public static final JSON SHORTEST =
      JSON.builder(
              JsonFactory.builder()
                  .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                  .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                  .build())
          .build();

  private JsonNumbers() {}
}

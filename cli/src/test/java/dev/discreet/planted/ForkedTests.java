package dev.discreet.planted;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.PrintStream;
import java.util.List;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a test class in this process and prints what became of each test. */
public final class ForkedTests {
  /** What a line of a result begins with; what tests print themselves does not. */
  static final String MARK = "planted: ";

  /** What the last line says of each time that all tests were run. */
  static final String END = "end";

  private ForkedTests() {}

  /**
   * @param args how many times, a test class, and names of its methods; all of them where there are
   *     none
   */
  public static void main(String[] args) {
    PrintStream out = System.out;
    List<String> methods = List.of(args).subList(2, args.length);
    PostDiscoveryFilter wanted =
        each -> FilterResult.includedIf(methods.isEmpty() || isOneOf(methods, each));
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      LauncherFactory.create()
          .execute(
              request().selectors(selectClass(args[1])).filters(wanted).build(), new Printing(out));
      out.println(MARK + END);
      out.flush();
    }
    // Threads that a test left behind must not keep the process.
    Runtime.getRuntime().halt(0);
  }

  private static boolean isOneOf(List<String> methods, TestDescriptor each) {
    return each.getSource()
        .filter(MethodSource.class::isInstance)
        .map(MethodSource.class::cast)
        .map(method -> methods.contains(method.getMethodName()))
        .orElse(true);
  }

  private record Printing(PrintStream out) implements TestExecutionListener {
    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
      if (test.isTest() || failed) {
        String why = result.getThrowable().map(Throwable::toString).orElse("");
        String line = why.replaceAll("\\s+", " ");
        out.println(
            MARK
                + (failed ? "failed\t" : "passed\t")
                + name(test)
                + "\t"
                + line.substring(0, Math.min(200, line.length())));
        out.flush();
      }
    }

    private static String name(TestIdentifier test) {
      return test.getSource()
          .filter(MethodSource.class::isInstance)
          .map(MethodSource.class::cast)
          .map(method -> simple(method.getClassName()) + "." + method.getMethodName())
          .orElseGet(() -> simple(test.getLegacyReportingName()));
    }

    private static String simple(String name) {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }
}

package dev.discreet.spark;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Lets executors on this machine pass over Ctrl-C. A terminal sends it to them too, and the run is
 * to end its step on them and stop cleanly; they end with the driver.
 */
public final class DeafExecutors implements SparkPlugin {
  /** Found by its name. */
  public DeafExecutors() {}

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {
      @Override
      public void init(PluginContext context, Map<String, String> settings) {
        ignore();
      }
    };
  }

  /** Only the JDK's own class can do it; where there is none, Spark starts other executors. */
  private static void ignore() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object nothing =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> null);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("INT"), nothing);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // As said above.
    }
  }
}

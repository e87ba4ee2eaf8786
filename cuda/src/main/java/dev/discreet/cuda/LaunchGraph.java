package dev.discreet.cuda;

import com.sun.jna.Pointer;
import java.util.List;

/** Launches one after another, which the driver starts at once. */
final class LaunchGraph implements AutoCloseable {
  /** The arguments' memory must live while the launches are recorded. */
  private final List<Launch.Ready> launches;

  private final Pointer graph;
  private final Pointer executable;

  LaunchGraph(Device device, List<Launch> list, Pointer stream) {
    launches = list.stream().map(launch -> launch.on(device)).toList();
    long[] made = new long[1];
    // Only this thread's calls are recorded.
    Device.check(Driver.cuStreamBeginCapture_v2(stream, 1), "cuStreamBeginCapture");
    launches.forEach(launch -> launch.run(stream));
    Device.check(Driver.cuStreamEndCapture(stream, made), "cuStreamEndCapture");
    graph = new Pointer(made[0]);
    Device.check(Driver.cuGraphInstantiateWithFlags(made, graph, 0), "cuGraphInstantiate");
    executable = new Pointer(made[0]);
  }

  void run(Pointer stream) {
    Device.check(Driver.cuGraphLaunch(executable, stream), "cuGraphLaunch");
  }

  int size() {
    return launches.size();
  }

  @Override
  public void close() {
    Driver.cuGraphExecDestroy(executable);
    Driver.cuGraphDestroy(graph);
  }
}

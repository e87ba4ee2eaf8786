package dev.discreet.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A model as onnxruntime serves it. */
final class Served implements AutoCloseable {
  private final OrtEnvironment runtime = OrtEnvironment.getEnvironment();
  private final OrtSession.SessionOptions options = new OrtSession.SessionOptions();
  private final OrtSession session;

  Served(byte[] file) throws OrtException {
    options.setIntraOpNumThreads(1);
    session = runtime.createSession(file, options);
  }

  OrtSession session() {
    return session;
  }

  /** What it puts out for these inputs: arrays of the outputs' own types. */
  Map<String, Object> of(Map<String, Object> inputs) throws OrtException {
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, Object> each : inputs.entrySet()) {
        tensors.put(each.getKey(), OnnxTensor.createTensor(runtime, each.getValue()));
      }
      return told(tensors);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  /** What it puts out for one input of numbers in a row. */
  Map<String, Object> of(String name, float[] values, long... dimensions) throws OrtException {
    try (OnnxTensor tensor =
        OnnxTensor.createTensor(runtime, FloatBuffer.wrap(values), dimensions)) {
      return told(Map.of(name, tensor));
    }
  }

  private Map<String, Object> told(Map<String, OnnxTensor> inputs) throws OrtException {
    Map<String, Object> told = new HashMap<>();
    try (OrtSession.Result result = session.run(inputs)) {
      for (var each : result) {
        told.put(each.getKey(), each.getValue().getValue());
      }
    }
    return told;
  }

  @Override
  public void close() throws OrtException {
    session.close();
    options.close();
  }
}

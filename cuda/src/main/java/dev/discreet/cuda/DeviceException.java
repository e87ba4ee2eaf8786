package dev.discreet.cuda;

/** The GPU or its driver failed: no sum came back, so nothing is released. */
final class DeviceException extends IllegalStateException {
  DeviceException(String message) {
    super(message);
  }
}

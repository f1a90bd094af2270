internal import Foundation

/// The descriptors 0 to 2, through which programs read their input and print.
enum StandardStreams {
  /// Opens `/dev/null` for each of the descriptors 0 to 2 that is closed.
  ///
  /// The system gives a file that is opened the lowest closed descriptor. If that were one of the
  /// three, the next line that the program prints would be written into the file.
  static func reserve() throws(LMDBError) {
    for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
      let descriptor = unsafe open("/dev/null", O_RDWR)
      guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
      // Another thread has opened a file meanwhile.
      if descriptor > 2 { close(descriptor) }
    }
  }
}

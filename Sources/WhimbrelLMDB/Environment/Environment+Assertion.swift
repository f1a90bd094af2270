internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// A function that reports why LMDB is about to end the process.
  ///
  /// LMDB: after a failed assertion it calls this function, and then `abort`. The process cannot go
  /// on: LMDB has no way back, and a jump over Swift's frames is undefined.
  static let explainAssertion: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void =
    { handle, text in
      var path: UnsafePointer<CChar>?
      if let handle = unsafe handle { _ = unsafe mdb_env_get_path(handle, &path) }
      let file = unsafe path.map { unsafe String(cString: $0) } ?? "?"
      let assertion = unsafe text.map { unsafe String(cString: $0) } ?? "?"
      let sentence =
        "Could not continue with the store at '\(file)': its pages contradict each other, and LMDB "
        + "stops the process (\(assertion)). Check the file with 'whimbrel check', and restore a "
        + "copy or run 'whimbrel salvage'.\n"
      // The sentence is not buffered: the end of the process would discard a buffer.
      _ = unsafe Array(sentence.utf8).withUnsafeBytes { bytes in
        unsafe Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      }
    }
}

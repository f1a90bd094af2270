#if os(Linux)
  import Foundation

  /// Returns the number of bytes in memory of a process that are not pages of a file.
  ///
  /// - Parameter process: The process, or nil for this one.
  /// - Throws: An error if there is no such process, or if it has ended.
  package func privateMemory(of process: Int32? = nil) throws -> Int {
    let path = "/proc/\(process.map(String.init) ?? "self")/status"
    let status = try String(contentsOfFile: path, encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
      let kibibytes = Int(line.filter(\.isNumber))
    else { throw CocoaError(.fileReadCorruptFile) }
    return kibibytes << 10
  }
#endif

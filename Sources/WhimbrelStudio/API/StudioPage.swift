internal import CWhimbrelStudioWeb
internal import Foundation

/// The files of the page: those in the tool, or those in a folder while someone works on them.
struct StudioPage: Sendable {
  private let folder: String?

  init(folder: String?) { self.folder = folder }

  /// The names of the files in the tool.
  static var names: [String] { embedded.keys.sorted() }

  /// Returns the answer for a path, or nil if there is no such file.
  func file(_ path: String) -> WebResponse? {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let type = Self.type(of: name), let bytes = bytes(name) else { return nil }
    return WebResponse(status: .ok, type: type, body: .bytes(bytes))
  }

  private func bytes(_ name: String) -> [UInt8]? {
    guard let folder else { return Self.embedded[name] }
    // A name with a slash could lead out of the folder, and a null byte would end it.
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && !"/\\".utf8.contains($0) }
    guard isPlain, !name.hasPrefix("."),
      let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
    else { return nil }
    return Array(data)
  }

  private static let embedded: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    var index = 0
    while case let file = unsafe whimbrel_studio_file(index), let name = unsafe file.name {
      // Safe: name and bytes are constants, and the file has that many bytes.
      let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
      unsafe files[String(cString: name)] = unsafe Array(bytes)
      index += 1
    }
    return files
  }()

  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: nil
    }
  }
}

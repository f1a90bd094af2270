internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelSampling

extension StudioAPI {
  private enum Format: String {
    case jsonLines = "jsonl"
    case csv, store
  }

  /// Makes a file of what a page shows, and sends it.
  ///
  /// The file is complete before it is sent: a slow client holds no snapshot, and a failure is an
  /// answer and not half of a file.
  func export(_ request: WebRequest) throws -> WebResponse {
    guard let format = Format(rawValue: try request.required("format")) else {
      throw WebError.badRequest("'format' must be 'jsonl', 'csv' or 'store'.")
    }
    let monitor = WorkMonitor(isCancelled: { request.cancellation.hasClientGone })
    let file = try TemporaryFile.spool()
    defer { file.remove() }
    let selection = request.text("class").map {
      ObjectSelection(className: $0, query: request.text("query") ?? "")
    }
    let name = URL(filePath: store.path).deletingPathExtension().lastPathComponent
    switch format {
    case .jsonLines, .csv:
      guard let selection else { throw WebError.badRequest("'class' is missing.") }
      try write(selection, request, format, to: file.path, monitor)
      return try Self.download(
        file.path, format == .csv ? "text/csv; charset=utf-8" : "application/jsonl",
        "\(name)-\(selection.className).\(format.rawValue)")
    case .store:
      let isAnonymous = request.flag("anonymize")
      try writeStore(selection, isAnonymous: isAnonymous, to: file.path, monitor)
      return try Self.download(
        file.path, "application/octet-stream",
        "\(name)-\(isAnonymous ? "anonymized" : "sample").whimbrel")
    }
  }

  private func write(
    _ selection: ObjectSelection, _ request: WebRequest, _ format: Format, to path: String,
    _ monitor: WorkMonitor
  ) throws {
    try DumpFile.write(to: path, replacing: .refused) { output in
      func write(_ bytes: [UInt8]) throws {
        if monitor.isCancelled() { throw InspectionError.cancelled(path, "export the objects to") }
        try output(bytes)
      }
      try store.read { inspector in
        let table = try ObjectTable(
          selection, columns: request.text("columns"), of: inspector)
        format == .csv ? try table.writeCSV(write) : try table.writeJSONLines(write)
      }
    }
  }

  private func writeStore(
    _ selection: ObjectSelection?, isAnonymous: Bool, to path: String, _ monitor: WorkMonitor
  ) throws {
    try store.read { inspector in
      var source = inspector
      let pruned = try TemporaryFile.spool()
      defer { pruned.remove() }
      if let selection {
        let options = StorePruning.Options(keep: [selection])
        let target = isAnonymous ? pruned.path : path
        _ = try StorePruning(options).run(inspector, into: .newFile(target), monitor: monitor)
        if !isAnonymous { return }
        source = try StoreInspector(path: pruned.path)
      }
      guard isAnonymous else {
        throw WebError.badRequest("Specify 'class' for the objects to keep, or 'anonymize=1'.")
      }
      _ = try StoreAnonymization(source, key: .random()).write(
        to: .newFile(path), monitor: monitor)
    }
  }

  /// Returns the answer that sends a file. The name of the file may be removed meanwhile.
  private static func download(
    _ path: String, _ type: String, _ name: String
  ) throws -> WebResponse {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw InspectionError.cannotWrite(path, number: errno)
    }
    let length = try file.seekToEnd()
    try file.seek(toOffset: 0)
    // The name is that of the store and of a class, which may have any characters.
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "export"
    return WebResponse(
      status: .ok, type: type,
      body: .parts { writer in
        defer { try? file.close() }
        while let part = try file.read(upToCount: 1 << 18), !part.isEmpty {
          try writer.write(Array(part))
        }
      },
      headers: [
        ("Content-Disposition", "attachment; filename*=UTF-8''\(encoded)"),
        ("Content-Length", String(length)),
      ])
  }
}

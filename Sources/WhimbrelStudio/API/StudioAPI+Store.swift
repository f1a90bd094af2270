internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

// MARK: - The store and its schema

extension StudioAPI {
  func studio(_ request: WebRequest) throws -> WebResponse {
    try store.read { inspector in
      let file = URL(filePath: store.path)
      let members = [
        #""api":1"#, #""version":\#(JSONText.of(StoreInspector.libraryVersion))"#,
        #""path":\#(JSONText.of(file.path))"#, #""name":\#(JSONText.of(file.lastPathComponent))"#,
        #""uuid":\#(JSONText.of(inspector.header.uuid.uuidString))"#,
        #""isWritable":\#(store.isWritable)"#, #""appSchema":\#(JSONText.of(store.appSchema))"#,
        #""commit":\#(inspector.commit)"#,
      ]
      return try answer("{\(members.joined(separator: ","))}")
    }
  }

  func info(_ request: WebRequest) throws -> WebResponse {
    try store.read { try answer($0.description().json()) }
  }

  func sizes(_ request: WebRequest) throws -> WebResponse {
    try store.read { try answer(StoreSizes(of: $0).json()) }
  }

  func schema(_ request: WebRequest) throws -> WebResponse {
    try store.read { try answer($0.schema.json()) }
  }

  func history(_ request: WebRequest) throws -> WebResponse {
    try store.read { try answer(HistoryText($0.migrationHistory).json()) }
  }

  func classes(_ request: WebRequest) throws -> WebResponse {
    try store.read { try answer($0.classList().json()) }
  }

  func statistics(_ request: WebRequest) throws -> WebResponse {
    let selection = try ObjectSelection(
      className: request.required("class"), query: request.text("query") ?? "")
    let limit = try request.number("limit")
    let monitor = try monitor(request)
    return try read(request) {
      try answer(
        StoreStatistics(
          of: selection, properties: request.text("properties"), limit: limit, in: $0,
          monitor: monitor
        ).json())
    }
  }
}

// MARK: - Other stores

extension StudioAPI {
  /// The limit of the lines of a comparison.
  private static let lineLimit = 10_000

  private var folder: URL { URL(filePath: store.path).absoluteURL.deletingLastPathComponent() }

  func stores(_ request: WebRequest) throws -> WebResponse {
    let own = URL(filePath: store.path).absoluteURL.lastPathComponent
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey])
    let stores = files.compactMap { file -> (name: String, bytes: Int)? in
      guard file.pathExtension == "whimbrel", file.lastPathComponent != own,
        let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]),
        values.isRegularFile == true
      else { return nil }
      return (file.lastPathComponent, values.fileSize ?? 0)
    }
    let list = stores.sorted { $0.name < $1.name }.map {
      #"{"name":\#(JSONText.of($0.name)),"bytes":\#($0.bytes)}"#
    }
    return try answer(
      #"{"folder":\#(JSONText.of(folder.path)),"stores":\#(JSONText.array(list))}"#)
  }

  /// Returns the path of another store: a name in the folder of this one, or an absolute path.
  private func path(ofStore name: String) throws(WebError) -> String {
    if name.isEmpty { throw .badRequest("Name the other store.") }
    return name.hasPrefix("/") ? name : folder.appending(path: name).path
  }

  func diff(_ request: WebRequest) throws -> WebResponse {
    let other = try path(ofStore: request.required("with"))
    var (lines, bytes, isComplete): ([String], Int, Bool) = ([], 0, true)
    struct Full: Error {}
    try store.read { inspector in
      let old = try StoreInspector(path: other)
      let diff = try StoreDiff(from: old, to: inspector, monitor: monitor(request))
      do {
        _ = try StoreDiffReport(diff, style: .json).write { text in
          for line in text.split(separator: "\n") {
            lines.append(String(line))
            bytes += line.utf8.count
            if lines.count >= Self.lineLimit || bytes > Self.answerLimit / 2 { throw Full() }
          }
        }
      } catch is Full {
        isComplete = false
      }
    }
    return try answer(#"{"lines":\#(JSONText.array(lines)),"isComplete":\#(isComplete)}"#)
  }

  func plan(_ request: WebRequest) throws -> WebResponse {
    struct Body: Decodable {
      var store: String?
      var appSchema: Bool?
    }
    try store.follow()
    let source: SchemaSource
    let body: Body
    do {
      body = try JSONDecoder().decode(Body.self, from: Data(request.body))
    } catch {
      throw WebError.badRequest("The body is not valid JSON, or does not name a schema.")
    }
    if let name = body.store {
      source = try .store(at: path(ofStore: name))
    } else if body.appSchema == true {
      guard let schema = store.appSchema else {
        throw WebError.badRequest("The server was started without '--app-schema'.")
      }
      source = try .file(at: schema)
    } else {
      source = try .export(try Self.member("schema", of: request.body), name: "schema")
    }
    let outlook = try MigrationOutlook(
      ofStoreAt: store.path, to: source, checking: request.flag("check") ? .objects : .catalog,
      monitor: monitor(request))
    return try answer(outlook.json())
  }

  /// Returns a member of a JSON object as JSON.
  private static func member(_ name: String, of body: [UInt8]) throws -> Data {
    guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
      let member = object[name]
    else { throw WebError.badRequest("The body has no '\(name)'.") }
    return try JSONSerialization.data(withJSONObject: member, options: .fragmentsAllowed)
  }
}

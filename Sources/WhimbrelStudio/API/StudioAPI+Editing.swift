internal import Foundation
internal import WhimbrelInspection

extension StudioAPI {
  /// The limit of changed objects that an answer lists, and of their bytes. The answer also contains
  /// the command, and must not exceed ``answerLimit``: the edit is already written.
  private static let (changeLimit, changeByteLimit) = (1_000, 8 << 20)

  func edit(_ request: WebRequest) throws -> WebResponse {
    try requireWritable()
    let wanted = try EditRequest(json: request.body)
    let edit = StoreEdit(path: store.path, wanted.operations, monitor: try monitor(request))
    var changes = Changes()
    let (summary, reversal) = try edit.runReversibly(
      wanted.isWrite ? .write(backup: nil) : .preview,
      confirm: {
        if let digest = wanted.digest, digest != changes.digest.text {
          throw InspectionError.changedSincePreview(store.path)
        }
      }
    ) { changes.add($0) }
    let step = edits.add(Self.title(of: wanted.operations), reversal)
    if wanted.isWrite { events.send("edit", edits.json) }
    let commands = wanted.operations.map { $0.command(path: store.path) }
    return try answer(
      changes.json(summary, command: commands.joined(separator: "\n"), undo: step))
  }

  func undo(_ request: WebRequest) throws -> WebResponse {
    struct Body: Decodable { var id: String }
    try requireWritable()
    guard let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)) else {
      throw WebError.badRequest("The body must be {\"id\":…}.")
    }
    let step = try edits.step(body.id)
    var changes = Changes()
    let edit = StoreEdit(
      path: store.path, takingBack: step.reversal, monitor: try monitor(request))
    let (summary, reversal) = try edit.runReversibly(.write(backup: nil)) { changes.add($0) }
    edits.remove(step.id)
    let redo = edits.add(step.title, takesBack: !step.takesBack, reversal)
    events.send("edit", edits.json)
    return try answer(changes.json(summary, command: nil, undo: redo))
  }

  /// Throws unless the file that is at the path now may be changed.
  private func requireWritable() throws {
    guard store.isWritable else {
      throw WebError.conflict(
        "readOnly", "The store is read-only. Start 'whimbrel studio' with '--write' to change it.")
    }
    try store.follow()
  }

  private static func title(of operations: [StoreEdit.Operation]) -> String {
    let first = operations.first?.title ?? ""
    return operations.count > 1 ? "\(first), and \(operations.count - 1) more" : first
  }

  /// The objects that an edit changes, as lines of JSON.
  private struct Changes {
    private var lines: [String] = []
    private var bytes = 0
    private(set) var digest = ChangeDigest()

    mutating func add(_ object: EditedObject) {
      digest.add(object)
      // The first object beyond a limit ends the list.
      guard lines.count < StudioAPI.changeLimit, bytes <= StudioAPI.changeByteLimit else { return }
      let json = object.json
      bytes += json.count
      guard bytes <= StudioAPI.changeByteLimit else { return }
      lines.append(String(decoding: json, as: UTF8.self))
    }

    func json(_ summary: StoreEdit.Summary, command: String?, undo: String?) -> String {
      let counts =
        #"{"added":\#(summary.added),"removed":\#(summary.removed)"#
        + #","changed":\#(summary.changed),"same":\#(summary.same)"#
        + #","isReversible":\#(summary.isReversible)}"#
      return #"{"changes":\#(JSONText.array(lines)),"digest":"\#(digest.text)""#
        + #","summary":\#(counts)"#
        + #","command":\#(JSONText.of(command)),"undo":\#(JSONText.of(undo))}"#
    }
  }
}

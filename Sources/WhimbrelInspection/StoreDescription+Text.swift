internal import Foundation

extension StoreDescription {
  /// The description as text for people, with a line end.
  public var text: String {
    var parts = [facts, classTable]
    if classes.contains(where: { $0.layoutsInUse != nil }) { parts.append(layoutTable) }
    if let sizes { parts.append(sizes.text) }
    if let transition { parts.append(transition.text) }
    if !history.isEmpty { parts.append(historyText) }
    return parts.joined(separator: "\n")
  }

  private var facts: String {
    let pages = "\(usedPages) pages of \(pageSize) bytes used, \(freePages) free"
    var rows = [
      ["format version", String(formatVersion)], ["schema version", String(schemaVersion)],
      ["UUID", uuid.uuidString], ["created", DateText.words(created)],
      ["last writer", PlainText.escaped(lastWriter)],
      ["file size", "\(fileSize) bytes; \(pages)"],
    ]
    if readers > 0 { rows.append(["other readers", String(readers)]) }
    return PlainText.escaped(path) + "\n" + TextTable(rows, indent: 2).description
  }

  private var classTable: String {
    if classes.isEmpty { return "No classes.\n" }
    let head = ["class", "objects", "bytes", "layouts", "properties", "primary key"]
    let rows = classes.map { entry in
      let marks =
        (entry.isEmbedded ? " (embedded)" : "")
        + (entry.isDeclared ? "" : " (no longer declared)")
      return [
        PlainText.escaped(entry.name) + marks,
        String(entry.objects), String(entry.bytes), String(entry.layouts),
        String(entry.properties), entry.primaryKey.map(PlainText.escaped) ?? "none",
      ]
    }
    return TextTable([head] + rows, rightAligned: [1, 2, 3, 4]).description
  }

  private var layoutTable: String {
    let rows = classes.flatMap { entry in
      (entry.layoutsInUse ?? []).map { count in
        [
          PlainText.escaped(entry.name), String(count.layout), String(count.objects),
          count.isWritten ? "current" : "",
        ]
      }
    }
    if rows.isEmpty { return "No layouts in use.\n" }
    let head = ["class", "layout in use", "objects", ""]
    return TextTable([head] + rows, rightAligned: [1, 2]).description
  }

  private var historyText: String {
    "history\n" + history.map { $0.text(indent: 2) }.joined()
  }
}

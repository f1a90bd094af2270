package import Foundation
internal import WhimbrelEngine

/// A writer of values as escaped text for people, in one line.
///
/// A link is the name of its target, `Country AD`. Data is its size. Dates are in ISO 8601. Lists
/// are `[3] a, b, c`, sets `{3} a, b, c`, and maps `[2] a: 1, b: 2`.
struct ValueText {
  /// The use of quotes around strings.
  enum Quoting {
    /// No quotes, as in a table.
    case bare
    case quoted
  }

  private let session: Session
  private let tables: [ClassID: ClassTable]
  /// The limit of characters. Longer text ends with `…`.
  private let limit: Int

  init(_ session: Session, limit: Int) {
    self.session = session
    self.limit = limit
    tables = session.tablesByID
  }

  func text(_ value: PropertyValue, as type: PropertyType) throws -> String {
    switch value {
    case .link(let id):
      guard let table = session.find(type.linkedClass ?? "") else { return ClassTable.name(of: id) }
      return try text(of: id, in: table)
    case .object(let reference):
      guard let table = tables[reference.classID] else { return reference.unknownName }
      return try text(of: reference.id, in: table)
    case .list(let elements):
      let element = type.elementType?.type ?? .any
      return try list(elements.count, isSet: type.isSet) { try text(elements[$0], as: element) }
    case .map(let elements):
      let element = type.elementType?.type ?? .any
      let sorted = elements.inDumpOrder
      return try list(sorted.count) { index in
        "\(shortened(sorted[index].key)): \(try text(sorted[index].value, as: element))"
      }
    default:
      return Self.scalar(value, .bare, limit: limit)
    }
  }

  /// Returns the text of a collection. Reads only the elements that the text shows.
  func text(collection position: Int, of id: ObjectID, in table: ClassTable) throws -> String {
    let type = table.resolved.properties[position].type
    guard let element = type.elementType?.type else { return "" }
    return try table.readCollection(position, of: id) { reader in
      try list(reader.count, isSet: type.isSet) { index in
        let value = try text(reader.value(at: index), as: element)
        return try type.isMap ? "\(shortened(reader.name(at: index))): \(value)" : value
      }
    }
  }

  /// Returns an object as its class and its name.
  private func text(of id: ObjectID, in table: ClassTable) throws -> String {
    "\(PlainText.escaped(table.name)) \(shortened(try table.objectName(id)))"
  }

  private func shortened(_ text: String) -> String {
    PlainText.beginning(of: text, limit: limit)
  }

  private func list(
    _ count: Int, isSet: Bool = false, _ element: (Int) throws -> String
  ) rethrows -> String {
    var text = isSet ? "{\(count)}" : "[\(count)]"
    for index in 0..<count {
      let separator = index == 0 ? " " : ", "
      if text.utf8.count > limit { return text + separator + "…" }
      text += separator + (try element(index))
    }
    return text
  }
}

extension ValueText {
  /// Returns the text of a value that is neither a link nor a collection.
  ///
  /// - Parameter limit: The limit of characters of a string.
  static func scalar(_ value: PropertyValue, _ quoting: Quoting, limit: Int) -> String {
    switch value {
    case .string(let text):
      quoting == .bare
        ? PlainText.beginning(of: text, limit: limit)
        : "\"\(PlainText.beginning(of: text, limit: limit))\""
    case .data(let data): StoreError.count(data.count, "byte")
    case .date(let date): DateText.words(date)
    default: value.exactText ?? "nil"
    }
  }
}

extension PropertyType {
  package var isMap: Bool {
    if case .map = self { true } else { false }
  }

  fileprivate var isSet: Bool {
    if case .set = self { true } else { false }
  }
}

extension ObjectReference {
  /// The text for an object whose class is missing from a damaged file.
  var unknownName: String { "\(ClassTable.name(of: id)) of the unknown class \(classID.rawValue)" }
}

extension Session {
  var tablesByID: [ClassID: ClassTable] {
    Dictionary(keepingFirst: classes.map { ($0.resolved.id, $0) })
  }
}

extension PropertyValue {
  /// The value in one line for people. Links and collections are `nil`.
  package var text: String { ValueText.scalar(self, .bare, limit: .max) }

  /// The value as JSON, as in a dump.
  package var json: Data {
    var writer = JSONWriter()
    writer.append(self)
    return Data(writer.bytes)
  }
}

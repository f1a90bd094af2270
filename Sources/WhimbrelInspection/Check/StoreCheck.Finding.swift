internal import WhimbrelEngine

extension StoreCheck {
  /// A problem in a store, and its place.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The kind of the problem's place: `page`, `unreachablePages`, `header`, `catalog`, `table`,
    /// `record`, `part` (overflow), `primaryKey`, `index`, `link`, `owner` or `nextObjectID`.
    public let kind: String
    /// The name of the class, or nil.
    public let className: String?
    let objectID: ObjectID?
    let storedKey: JSONKey?
    /// The name of the property, or nil.
    public let property: String?
    /// The number of the page, or nil.
    public let page: UInt64?
    /// The problem, without a full stop.
    public let problem: String

    /// The object ID, or nil.
    public var object: UInt64? { objectID?.rawValue }
    /// The primary key of the object, or nil if the class has none or it cannot be read.
    public var key: String? { storedKey?.text }

    /// The problem and its place in one line.
    public var description: String {
      if let className {
        let owner = "class \(PlainText.quoted(className))"
        let name = key.map { PlainText.quoted($0) } ?? object.map { "\($0)" }
        return PlainText.escaped(
          (name.map { "object \($0) of \(owner)" } ?? owner) + ": " + problem)
      }
      return PlainText.escaped(page.map { "page \($0): \(problem)" } ?? problem)
    }
  }
}

extension StoreCheck.Finding: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, property, page, problem
    case className = "class"
    case objectID = "object"
    case storedKey = "key"
  }
}

/// A primary key in JSON: a number up to 2⁵³, or a string.
struct JSONKey: Hashable, Sendable, Codable {
  let text: String
  private let isNumber: Bool

  init(_ key: PropertyValue) {
    text = key.keyText
    isNumber = if case .int = key { true } else { false }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      (text, isNumber) = (String(number), true)
    } else {
      (text, isNumber) = (try container.decode(String.self), false)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isNumber, let number = Int64(text), number.magnitude <= JSONWriter.largestExact {
      try container.encode(number)
    } else {
      try container.encode(text)
    }
  }
}

/// A look-up of primary keys in a store that may be damaged.
struct FindingNames {
  private let inspector: StoreInspector?
  private let overview: StoreOverview?

  init(_ path: String) {
    let inspector = try? StoreInspector(path: path)
    self.inspector = inspector
    overview = inspector == nil ? try? StoreOverview(path: path) : nil
  }

  /// Returns the primary key of an object, or nil if the class has none or it cannot be read.
  func key(of object: ObjectID?, class className: String?) -> JSONKey? {
    guard let object, let className else { return nil }
    let catalog = inspector?.catalog ?? overview?.catalog
    let entry = catalog?.classes.first { $0.name == className }
    if entry?.isClustered == true { return JSONKey(.int(object.clusteredKey)) }
    guard let table = inspector?.session.find(className),
      let position = table.resolved.primaryKeyIndex, let record = try? table.record(object),
      (try? table.verify(record, object)) != nil,
      let key = try? table.value(position, of: record, object)
    else { return nil }
    return JSONKey(key)
  }
}

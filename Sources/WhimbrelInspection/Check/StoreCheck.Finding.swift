internal import WhimbrelEngine

extension StoreCheck {
  /// Something that is wrong, and where.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// What it is about: `page`, `unreachablePages`, `header`, `catalog`, `table`, `record`,
    /// `part` (what does not fit into a record), `primaryKey`, `index`, `link`, `owner` or
    /// `nextObjectID`.
    public let kind: String
    /// The name of the class, or nil.
    public let className: String?
    /// The object ID, or nil.
    public let object: UInt64?
    let storedKey: JSONKey?
    /// The name of the property, or nil.
    public let property: String?
    /// The number of the page, or nil.
    public let page: UInt64?
    /// What is wrong, without a full stop.
    public let problem: String

    /// The primary key of the object, or nil where there is none or it cannot be read.
    public var key: String? { storedKey?.text }

    /// What is wrong and where, in one line.
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
    case kind, object, key, property, page, problem
    case className = "class"
  }

  /// Reads a finding.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(String.self, forKey: .kind)
    className = try container.decodeIfPresent(String.self, forKey: .className)
    object = try container.decodeIfPresent(ObjectID.self, forKey: .object)?.rawValue
    storedKey = try container.decodeIfPresent(JSONKey.self, forKey: .key)
    property = try container.decodeIfPresent(String.self, forKey: .property)
    page = try container.decodeIfPresent(UInt64.self, forKey: .page)
    problem = try container.decode(String.self, forKey: .problem)
  }

  /// Writes a finding.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(className, forKey: .className)
    try container.encodeIfPresent(object.map(ObjectID.init(rawValue:)), forKey: .object)
    try container.encodeIfPresent(storedKey, forKey: .key)
    try container.encodeIfPresent(property, forKey: .property)
    try container.encodeIfPresent(page, forKey: .page)
    try container.encode(problem, forKey: .problem)
  }
}

/// A primary key in JSON: a number or a string; a number beyond 2⁵³ is a string too.
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

/// Finds the primary keys of objects in a store that may be damaged.
struct FindingNames {
  private let inspector: StoreInspector?
  private let overview: StoreOverview?

  init(_ path: String) {
    let inspector = try? StoreInspector(path: path)
    self.inspector = inspector
    overview = inspector == nil ? try? StoreOverview(path: path) : nil
  }

  /// The primary key of an object, or nil where there is none or it cannot be read.
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

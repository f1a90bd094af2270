/// An object or value in a store for which a new schema has no place. A migration must deal with
/// it.
///
/// ```swift
/// let plan = try Store.migrationPlan(for: configuration)
/// try plan.check(on: configuration) { finding in
///   print(finding)  // 'Zone.name' of object 5 is nil, and is required now.
///   return true
/// }
/// ```
public struct MigrationFinding: Hashable, Sendable, Codable {
  /// The name of the class in the app's schema.
  public let className: String
  /// The ID of the object.
  public let objectID: ObjectID
  /// The primary key of the object in the file, as text, or nil if it has none.
  public let primaryKey: String?
  /// The name of the property in the app's schema, or nil if the finding is about the object. The
  /// properties of a unique index are separated by commas.
  public let propertyName: String?
  /// The value as text, which is shortened if it is long, or nil. Values of primary keys and the
  /// targets of references are always included, others only if the check was asked for values.
  public let value: String?
  /// The rule that the data breaks.
  public let rule: Rule

  /// A rule that data may break.
  public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
    /// The value is nil. The property becomes required and has no default.
    case required
    /// Several objects would have the same primary key. There is a finding for each of them.
    case unique
    /// Several objects would have the same values in a unique index. There is a finding for each of
    /// them.
    case uniqueIndex
    /// The new type cannot hold the value.
    case convertible
    /// The enum has no case for the value.
    case knownCase
    /// An embedded object has no owner. It will be deleted.
    case owned
    /// An object that becomes embedded has several owners. Each owner but the first will get a copy
    /// of it and of everything that belongs to it.
    case ownedOnce
    /// The links of an object that becomes embedded lead back to it. It would own itself.
    case circle
    /// A value of any type links to an object that becomes embedded. Only a link to its class may
    /// do so.
    case reference
    /// The rule of an online migration leaves the property unset. It will have its default.
    case unset
    /// The rule of an online migration reads or sets more than its object. The object will stay
    /// unconverted.
    case ruleFails
  }
}

extension MigrationFinding: CustomStringConvertible {
  /// The finding as a sentence.
  public var description: String {
    let key = primaryKey.map(Sentence.quoted)
    let object =
      if let key {
        objectID.isGivenOut
          ? "object \(objectID) (primary key \(key))" : "the object with primary key \(key)"
      } else {
        "object \(objectID)"
      }
    guard let propertyName else {
      return "\(object) of \(Sentence.quoted(className)) \(reason)".capitalizedFirst
    }
    return "\(Sentence.quoted(className + "." + propertyName)) of \(object) \(reason)"
  }

  private var reason: String {
    let value = value.map(Sentence.quoted)
    let subject = value.map { "is \($0), which" } ?? "has a value that"
    return switch rule {
    case .required: "is nil, and is required now."
    case .unique: "is \(value ?? "nil"), as in other objects, and is the primary key now."
    case .uniqueIndex:
      "is \(value.map { "\($0), as" } ?? "the same as") in other objects, and its index is unique now."
    case .convertible: "\(subject) its new type cannot hold."
    case .knownCase: "\(subject) is not a case of its enum."
    case .owned: "is embedded, and has no owner now: it will be deleted."
    case .ownedOnce: "is embedded now, and has several owners: it will be copied."
    case .circle: "is embedded now, and its links lead back to it: it cannot own itself."
    case .reference:
      "leads to \(self.value ?? "an object"), which is embedded now: only a link to its class "
        + "may lead to it."
    case .unset: "is left unset by its rule: it will get its default."
    case .ruleFails: "cannot be converted: its rule reads or sets more than this object."
    }
  }
}

extension MigrationFinding.Rule {
  /// Whether the value identifies the object.
  var isAboutIdentity: Bool { self == .unique || self == .reference }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension PropertyValue {
  /// The value as text, shortened if it is long.
  var summary: String {
    let text =
      switch self {
      case .null: "nil"
      case .link(let id): Sentence.object(id, nil)
      case .object(let reference): Sentence.object(reference.id, nil)
      case .list(let values): Self.summary(values.prefix(21).map(\.summary))
      case .map(let values):
        Self.summary(
          values.sorted { $0.key < $1.key }.prefix(21).map { "\($0.key): \($0.value.summary)" })
      default: String((scalar?.text ?? "").prefix(101))
      }
    return text.count > 100 ? text.prefix(100) + "…" : text
  }

  private static func summary(_ parts: [String]) -> String {
    "[\(parts.joined(separator: ", "))]"
  }
}

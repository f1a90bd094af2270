/// Something in a store's data that a migration has to deal with: one object, or one value
/// of it, that the new schema has no place for.
///
/// ```swift
/// let plan = try Store.migrationPlan(for: configuration)
/// try plan.check(on: configuration) { finding in
///   print(finding)  // 'Zone.name' of object 5 is nil, and is required now.
///   return true
/// }
/// ```
public struct MigrationFinding: Hashable, Sendable, Codable {
  /// The class, by the name that the app declares.
  public let className: String
  /// The object.
  public let objectID: ObjectID
  /// The primary key that the object has in the file, as text, or nil when it has none.
  public let primaryKey: String?
  /// The property, by the name that the app declares, or nil when it is about the object.
  /// Those of a unique index stand with commas between them.
  public let propertyName: String?
  /// The value, as text that is cut when it is long, or nil when there is none: that of a
  /// primary key or a unique index, what a reference leads to, and any other when the check
  /// was asked for values.
  public let value: String?
  /// The rule that the data breaks.
  public let rule: Rule

  /// A rule that data may break.
  public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
    /// A value that is nil becomes required, and there is no default.
    case required
    /// Several objects would have the same primary key; there is a finding for each.
    case unique
    /// Several objects would have the same values in a unique index; there is a finding for
    /// each.
    case uniqueIndex
    /// The new type cannot hold the value.
    case convertible
    /// The enum has no case for the value.
    case knownCase
    /// An embedded object belongs to nobody: it will be deleted.
    case owned
    /// An object that becomes embedded belongs to several others: each but the first will
    /// get a copy, with all that belongs to it.
    case ownedOnce
    /// The links of an object that becomes embedded lead back to it: it would belong to
    /// itself.
    case circle
    /// A value of any type leads to an object that becomes embedded, which only a link to its
    /// class may.
    case reference
    /// The rule of an online migration leaves the property unset: it will have its default.
    case unset
    /// The rule of an online migration reads or sets more than its object: the object will stay
    /// unconverted.
    case ruleFails
  }
}

extension MigrationFinding: CustomStringConvertible {
  /// The finding as a sentence.
  public var description: String {
    let key = primaryKey.map(Sentence.quoted)
    let object =
      objectID.isGivenOut
      ? "object \(objectID)" + (key.map { " (primary key \($0))" } ?? "")
      : key.map { "the object with primary key \($0)" } ?? "an object"
    guard let propertyName else {
      return "\(object) of \(Sentence.quoted(className)) \(reason)".capitalizedFirst
    }
    return "\(Sentence.quoted(className + "." + propertyName)) of \(object) \(reason)"
  }

  private var reason: String {
    let value = value.map(Sentence.quoted)
    let subject = value.map { "is \($0)" } ?? "has a value"
    return switch rule {
    case .required: "is nil, and is required now."
    case .unique: "is \(value ?? "nil"), as it is of others, and is the primary key now."
    case .uniqueIndex: "is \(value ?? "nil"), as it is of others, and its index is unique now."
    case .convertible: "\(subject), which its new type cannot hold."
    case .knownCase: "\(subject), which is no case of its enum."
    case .owned: "is embedded now, and belongs to no object: it will be deleted."
    case .ownedOnce: "is embedded now, and belongs to several objects: it will be copied."
    case .circle: "is embedded now, and its links lead back to it: it cannot belong to itself."
    case .reference:
      "leads to \(self.value ?? "an object"), which is embedded now: only a link to its class may."
    case .unset: "is left unset by its rule: it will have its default."
    case .ruleFails: "cannot be converted: its rule reads or sets more than this object."
    }
  }
}

extension MigrationFinding.Rule {
  /// Whether the value says which object it is about.
  var isAboutIdentity: Bool { self == .unique || self == .uniqueIndex || self == .reference }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension PropertyValue {
  /// The value as text for people, cut when it is long.
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

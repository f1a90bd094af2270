public import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A summary of what an anonymisation did to the values of each property.
///
/// As JSON, for example:
///
/// ```json
/// {"objects":418,"properties":[
///   {"className":"Zone","name":"comments","treatment":"replaced","type":"string","values":401}]}
/// ```
public struct AnonymizationSummary: Hashable, Sendable, Codable {
  /// The number of objects in the store.
  public let objects: Int
  /// The properties, class by class, in declaration order. Links are left out.
  public let properties: [Property]

  /// The treatment of one property.
  public struct Property: Hashable, Sendable, Codable {
    /// The name of the class.
    public let className: String
    /// The name of the property.
    public let name: String
    /// The type of the property, as schemas spell it.
    public let type: String
    /// The treatment of its values.
    public let treatment: Treatment
    /// The number of objects with a value. Nil does not count as a value.
    public let values: Int
  }

  /// A treatment of the values of a property.
  public enum Treatment: String, Hashable, Sendable, Codable {
    /// The values were replaced by others of the same shape.
    case replaced
    /// The values were replaced by others that sort in the same order.
    case replacedInOrder
    /// The values were moved by a small amount.
    case jittered
    /// The values are unchanged, because the caller asked for that.
    case kept
    /// The values are unchanged, because they are numbers, dates or truth values.
    case left
  }
}

extension AnonymizationSummary {
  /// A table of the properties for people, with a line break at its end.
  public var text: String {
    let rows = properties.map { property in
      [
        PlainText.escaped("\(property.className).\(property.name)"), property.type,
        property.treatment == .replacedInOrder ? "replaced in order" : property.treatment.rawValue,
        String(property.values),
      ]
    }
    let head = ["property", "type", "treatment", "values"]
    return TextTable([head] + rows, rightAligned: [3]).description
  }

  /// The number of objects, and the number of properties by treatment, in one sentence.
  public var sentence: String {
    func count(_ treatment: Treatment) -> Int {
      properties.count { $0.treatment == treatment }
    }
    let replaced = count(.replaced) + count(.replacedInOrder)
    return "\(StoreError.count(objects, "object")). Properties: \(replaced) replaced, "
      + "\(count(.jittered)) jittered, \(count(.kept)) kept, \(count(.left)) unchanged."
  }

  /// Warnings about the properties whose values were kept by request and may identify people, one
  /// sentence each. Check these properties before you give the store away.
  public var warnings: [String] {
    properties.filter { $0.treatment == .kept && $0.values > 0 }.map { property in
      let name = PlainText.quoted("\(property.className).\(property.name)")
      let verb = property.values == 1 ? "is" : "are"
      return "\(StoreError.count(property.values, "value")) of \(name) \(verb) unchanged."
    }
  }

  /// Sentences that name the numbers and dates that are unchanged by default, also in maps and in
  /// properties of type `any`. Empty if there are none.
  public var notes: [String] {
    let left = properties.filter { property in
      guard property.values > 0, let type = PropertyType(property.type) else { return false }
      let element = type.elementType?.type ?? type
      switch property.treatment {
      case .left: return element != .bool
      // The names in a map and the texts of type `any` are replaced. The numbers and dates are not.
      case .replaced:
        let isNumberOrDate =
          !element.isIdentifying && element.linkedClass == nil && element != .bool
        return isNumberOrDate || element == .any
      case .replacedInOrder, .jittered, .kept: return false
      }
    }
    guard !left.isEmpty else { return [] }
    let names = left.prefix(20).map { PlainText.escaped("\($0.className).\($0.name)") }
    let rest = left.count - names.count
    return [
      "Numbers and dates are unchanged in \(names.joined(separator: ", "))"
        + (rest > 0 ? " and \(rest) more" : "")
        + ". See '--jitter', '--jitter-numbers' and '--shift-dates'."
    ]
  }

  /// Returns the summary as JSON, with its members in a fixed order.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Decodes the output of ``json()``.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(AnonymizationSummary.self, from: json)
  }
}

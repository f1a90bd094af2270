public import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// What an anonymisation has done to the values of each property.
///
/// As JSON, for example:
///
/// ```json
/// {"objects":418,"properties":[
///   {"className":"Zone","name":"comments","treatment":"replaced","type":"string","values":401}]}
/// ```
public struct AnonymizationSummary: Hashable, Sendable, Codable {
  /// How many objects the store has.
  public let objects: Int
  /// The properties, class by class, in the order declared. Links are not among them.
  public let properties: [Property]

  /// What was done to the values of a property.
  public struct Property: Hashable, Sendable, Codable {
    /// The class.
    public let className: String
    /// The name of the property.
    public let name: String
    /// Its type, as schemas spell it.
    public let type: String
    /// What was done.
    public let treatment: Treatment
    /// How many objects have a value that this was done to; nil is none.
    public let values: Int
  }

  /// What is done to the values of a property.
  public enum Treatment: String, Hashable, Sendable, Codable {
    /// They are others of the same shape.
    case replaced
    /// They are others that sort as before.
    case replacedInOrder
    /// They were moved a little.
    case jittered
    /// They are as they were, because that was asked for.
    case kept
    /// They are as they were: numbers, dates, and truth values.
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

  /// How many objects and properties there were, in one sentence.
  public var sentence: String {
    func count(_ treatment: Treatment) -> Int {
      properties.count { $0.treatment == treatment }
    }
    let replaced = count(.replaced) + count(.replacedInOrder)
    return "\(objects) objects. Properties: \(replaced) replaced, \(count(.jittered)) jittered, "
      + "\(count(.kept)) kept, \(count(.left)) left."
  }

  /// What should be looked at before the store is given away, a sentence each: values that are as
  /// they were, and of text that means that people may be in it.
  public var warnings: [String] {
    properties.filter { $0.treatment == .kept && $0.values > 0 }.map { property in
      let name = PlainText.quoted("\(property.className).\(property.name)")
      return property.values == 1
        ? "1 value of \(name) is as it was."
        : "\(property.values) values of \(name) are as they were."
    }
  }

  /// Which numbers and dates are as they were though nobody asked for that, in sentences; empty when
  /// there are none.
  public var notes: [String] {
    let left = properties.filter { property in
      guard property.treatment == .left, property.values > 0,
        let type = PropertyType(property.type)
      else { return false }
      let element = type.elementType?.type ?? type
      return element != .bool
    }
    guard !left.isEmpty else { return [] }
    let names = left.prefix(20).map { PlainText.escaped("\($0.className).\($0.name)") }
    let rest = left.count - names.count
    return [
      "Numbers and dates are as they were in \(names.joined(separator: ", "))"
        + (rest > 0 ? " and \(rest) more" : "")
        + ". See '--jitter', '--jitter-numbers' and '--shift-dates'."
    ]
  }

  /// The summary as JSON, with its members in order.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(AnonymizationSummary.self, from: json)
  }
}

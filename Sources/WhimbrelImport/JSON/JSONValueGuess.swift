internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A guess about JSON values that are neither arrays nor objects.
struct JSONScalarGuess {
  /// The number of values, nulls included.
  private(set) var count = 0
  private(set) var nulls = 0
  private(set) var kinds: Set<Kind> = []
  private(set) var texts = TextGuess.quoted
  private var areIntegers = true
  private var areDoubles = true
  private var areDecimals = true

  /// A kind of value other than null.
  enum Kind: Hashable {
    case bool, number, string, array, object
  }

  mutating func add(_ node: JSONNode, line: Int) {
    count += 1
    switch node.content {
    case .null: nulls += 1
    case .bool: kinds.insert(.bool)
    case .number(let text):
      kinds.insert(.number)
      add(number: text)
    case .string(let text):
      kinds.insert(.string)
      texts.add(text, line: line)
    case .array: kinds.insert(.array)
    case .object: kinds.insert(.object)
    }
  }

  private mutating func add(number text: String) {
    let isInteger = ExactNumber.isInteger(text)
    areIntegers = areIntegers && isInteger
    // A double holds every integer of up to 15 digits exactly.
    areDoubles = areDoubles && (isInteger && text.utf8.count <= 15 || ExactNumber.isDouble(text))
    // Every integer counts as a decimal; only fractions are tested.
    areDecimals = areDecimals && (isInteger || Self.isDecimal(text))
  }

  private static func isDecimal(_ text: String) -> Bool {
    // A decimal has 38 digits, so it holds this number. Most numbers are this short.
    if text.utf8.count <= 38, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      return true
    }
    guard let exact = ExactNumber(text),
      let value = try? PropertyValue.scalar(text, as: .decimal), case .decimal(let decimal) = value
    else { return false }
    return ExactNumber(decimal.exactText) == exact
  }

  /// The type of all values. Nil if they are arrays or objects, have several kinds, or do not
  /// exist.
  var type: PropertyType? {
    guard kinds.count == 1 else { return nil }
    return switch kinds.first {
    case .bool: .bool
    case .number: areIntegers ? .int : areDoubles ? .double : areDecimals ? .decimal : .string
    case .string: texts.type ?? .string
    default: nil
    }
  }
}

/// A guess about the values of a member of JSON objects.
final class JSONValueGuess {
  private(set) var scalars = JSONScalarGuess()
  /// The guess about the members of values that are objects.
  private(set) var members = JSONMembersGuess()
  /// The guess about the elements of values that are arrays; nil until there is an element.
  private(set) var elements: JSONValueGuess?

  func add(_ node: JSONNode, line: Int) {
    scalars.add(node, line: line)
    switch node.content {
    case .array(let nodes):
      let elements = elements ?? JSONValueGuess()
      self.elements = elements
      for node in nodes { elements.add(node, line: line) }
    case .object(let members): self.members.add(members, line: line)
    default: break
    }
  }
}

/// A guess about the members of JSON objects.
struct JSONMembersGuess {
  /// The names in the order of their first occurrence.
  private(set) var names: [String] = []
  private var guesses: [String: JSONValueGuess] = [:]
  /// The guess about the values of all members together, for the case of a map.
  private(set) var values = JSONScalarGuess()
  /// The number of objects.
  private(set) var count = 0
  private var hasTooManyNames = false

  /// The limit on the number of names; objects with more different names are maps.
  private static let limit = 100

  /// Whether the names are data and not properties.
  var isMap: Bool { hasTooManyNames || names.isEmpty }

  /// - Parameter limits: Whether too many names make a map.
  mutating func add(_ members: [JSONNode.Member], line: Int, limits: Bool = true) {
    count += 1
    for member in members {
      if !hasTooManyNames { guess(member.name).add(member.value, line: line) }
      values.add(member.value, line: line)
    }
    if limits, names.count > Self.limit {
      hasTooManyNames = true
      (names, guesses) = ([], [:])
    }
  }

  private mutating func guess(_ name: String) -> JSONValueGuess {
    if let known = guesses[name] { return known }
    let new = JSONValueGuess()
    guesses[name] = new
    names.append(name)
    return new
  }

  subscript(name: String) -> JSONValueGuess? { guesses[name] }
}

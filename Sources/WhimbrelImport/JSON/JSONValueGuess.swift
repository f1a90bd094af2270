internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// What is known of values of JSON that are no arrays and no objects.
struct JSONScalarGuess {
  /// How many values there are, nulls among them.
  private(set) var count = 0
  private(set) var nulls = 0
  private(set) var kinds: Set<Kind> = []
  private(set) var texts = TextGuess.quoted
  private var areIntegers = true
  private var areDoubles = true
  private var areDecimals = true

  /// What kinds of values there are besides null.
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
    // 15 digits are always exact.
    areDoubles = areDoubles && (isInteger && text.utf8.count <= 15 || ExactNumber.isDouble(text))
    // Every integer is a decimal.
    areDecimals = areDecimals && (isInteger || Self.isDecimal(text))
  }

  private static func isDecimal(_ text: String) -> Bool {
    // A decimal has 38 digits, so this is one, and most numbers are.
    if text.utf8.count <= 38, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      return true
    }
    let node = JSONNode(content: .string(text), offset: 0)
    guard let exact = ExactNumber(text),
      let value = try? PropertyValue.scalar(node, as: .decimal), case .decimal(let decimal) = value
    else { return false }
    return ExactNumber(decimal.exactText) == exact
  }

  /// The type of all values, or nil when some are arrays or objects, they are of several kinds, or
  /// there are none.
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

/// What is known of the values of a member of JSON objects.
final class JSONValueGuess {
  private(set) var scalars = JSONScalarGuess()
  /// What the members of objects are.
  private(set) var members = JSONMembersGuess()
  /// What the elements of arrays are; nil as long as there was no element.
  private(set) var elements: JSONValueGuess?

  /// Takes a value into account.
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

/// What is known of the members of JSON objects.
struct JSONMembersGuess {
  /// The names in the order in which they came up.
  private(set) var names: [String] = []
  private var guesses: [String: JSONValueGuess] = [:]
  /// What all members together are: what a map would have.
  private(set) var values = JSONScalarGuess()
  /// How many objects there were.
  private(set) var count = 0
  private var hasTooManyNames = false

  /// More different names than this are no properties.
  private static let limit = 100

  /// Whether the names are data themselves.
  var isMap: Bool { hasTooManyNames || names.isEmpty }

  /// - Parameter limits: whether many names make a map.
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

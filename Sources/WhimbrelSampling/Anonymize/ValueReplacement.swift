internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// Replaces values of every kind that can say who somebody is: text, data and identifiers, by
/// themselves and in collections; numbers, dates and links stay.
struct ValueReplacement {
  /// Two values became the same.
  struct Collision: Error {}

  private let texts: TextReplacement
  private let bytes: SymbolPermutation

  init(_ key: AnonymizationKey, isCancelled: @escaping () -> Bool = { false }) {
    texts = TextReplacement(key, isCancelled: isCancelled)
    bytes = SymbolPermutation(key.key(for: .data))
  }

  /// What a value becomes.
  ///
  /// - Parameter constants: values that stay: words of the app, and not of people.
  /// - Throws: ``Collision`` when two names of a map become the same.
  func replacement(
    of value: PropertyValue, constants: Set<PropertyValue>
  ) throws(Collision) -> PropertyValue {
    if !constants.isEmpty, constants.contains(value) { return value }
    switch value {
    case .string(let text): return .string(texts.replacement(of: text))
    case .data(let data): return .data(replacement(of: data))
    case .uuid(let uuid):
      return .uuid(UUID(uuidString: texts.replacement(of: uuid.uuidString)) ?? uuid)
    case .objectId(let id):
      return .objectId(ObjectId(texts.replacement(of: id.description)) ?? id)
    case .list(let elements):
      var replaced: [PropertyValue] = []
      for element in elements {
        replaced.append(try replacement(of: element, constants: constants))
      }
      return .list(replaced)
    case .map(let elements):
      var replaced: [String: PropertyValue] = [:]
      for (name, element) in elements {
        replaced[texts.replacement(of: name)] = try replacement(of: element, constants: constants)
      }
      if replaced.count < elements.count { throw Collision() }
      return .map(replaced)
    default: return value
    }
  }

  /// As many other bytes; different data become different data.
  private func replacement(of data: Data) -> Data {
    var row = data.map { UInt32($0) }
    let sizes = [UInt32](repeating: 256, count: row.count)
    bytes.replace(&row, sizes: sizes, tweak: SipHash.Key(UInt64(row.count), 0))
    return Data(row.map { UInt8(truncatingIfNeeded: $0) })
  }
}

extension PropertyType {
  /// Whether values of this type can say who somebody is, so that they are replaced.
  var isIdentifying: Bool {
    switch self {
    case .string, .data, .uuid, .objectId, .any, .map: true
    case .list(let element), .set(let element): element.type.isIdentifying
    default: false
    }
  }
}

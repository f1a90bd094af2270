internal import WhimbrelEngine

/// How the bytes of a value turn into JSON and back, where no more than the bytes are needed.
enum ValueForm: UInt8, BitwiseCopyable, Sendable {
  case bool, int8, int16, int32, int, uint8, uint16, uint32
  case float, double, date, uuid, objectId, link
  /// What is as long as it likes.
  case text, data
  /// A collection.
  case elements
  /// More is needed: ``PropertyValue``.
  case other

  init(_ type: PropertyType) {
    self =
      switch type {
      case .bool: .bool
      case .int8: .int8
      case .int16: .int16
      case .int32: .int32
      case .int: .int
      case .uint8: .uint8
      case .uint16: .uint16
      case .uint32: .uint32
      case .float: .float
      case .double: .double
      case .date: .date
      case .uuid: .uuid
      case .objectId: .objectId
      case .link: .link
      case .string: .text
      case .data: .data
      case .list, .set, .map: .elements
      case .decimal, .any: .other
      }
  }

  /// Whether all values take as many bytes.
  @inline(__always)
  var hasOneSize: Bool { rawValue < ValueForm.text.rawValue }
}

internal import WhimbrelEngine

/// The form of a value in records, for conversion between its bytes and JSON without a
/// `PropertyValue`.
enum ValueForm: UInt8, BitwiseCopyable, Sendable {
  case bool, int8, int16, int32, int, uint8, uint16, uint32
  case float, double, date, uuid, objectId, link
  /// A value of variable size.
  case text, data
  case elements
  /// A value that needs a ``PropertyValue``.
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
      default: .other
      }
  }

  /// Whether all values have the same size.
  @inline(__always)
  var hasOneSize: Bool { rawValue < ValueForm.text.rawValue }
}

extension PropertyType {
  /// The least and the greatest whole number that this type holds, or nil when
  /// it holds no whole numbers.
  package var integerBounds: ClosedRange<Int64>? {
    switch self {
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .int: Int64.min...Int64.max
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    default: nil
    }
  }
}

import Foundation
import Whimbrel

extension Persistable {
  /// What the value is, bit for bit.
  var exact: String { propertyValue.exact }
}

extension PropertyValue {
  /// What the value is, bit for bit.
  var exact: String {
    switch self {
    case .float(let number): "float \(String(number.bitPattern, radix: 16))"
    case .double(let number): "double \(String(number.bitPattern, radix: 16))"
    case .date(let date):
      "date \(String(date.timeIntervalSinceReferenceDate.bitPattern, radix: 16))"
    // Two strings that Swift calls equal may differ in their bytes.
    case .string(let text): "string \(text.utf8.map { String($0, radix: 16) })"
    case .data(let data): "data \(data.map { String($0, radix: 16) })"
    default: "\(self)"
    }
  }
}

extension Required {
  /// All values, bit for bit.
  var exactValues: [String] {
    [
      bool.exact, int.exact, int8.exact, int16.exact, int32.exact, int64.exact, uint8.exact,
      uint16.exact, uint32.exact, float.exact, double.exact, string.exact, data.exact,
      date.exact, uuid.exact, flavour.exact, level.exact, season.exact,
    ]
  }
}

extension Optionals {
  /// All values but the link, bit for bit.
  var exactValues: [String] {
    [
      bool.exact, int.exact, int8.exact, int16.exact, int32.exact, int64.exact, uint8.exact,
      uint16.exact, uint32.exact, float.exact, double.exact, string.exact, data.exact,
      date.exact, uuid.exact, flavour.exact, level.exact, season.exact,
    ]
  }
}

internal import Foundation

extension PropertyValue {
  /// The literal from which the same value is read, to the bit; nil when there is none.
  var queryLiteral: String? {
    switch self {
    case .null: "nil"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): Self.literal(number).map { "float(\($0))" }
    case .double(let number): Self.literal(number)
    case .string(let text): QueryPrinter.quoted(text, "'")
    case .data(let data): "B64'\(data.base64EncodedString())'"
    case .date(let date): QueryDate.text(of: date)
    case .uuid(let uuid): "uuid(\(uuid.uuidString))"
    case .decimal(let number): Self.literal(number)
    case .objectId(let id): "oid(\(id))"
    case .link, .object, .list, .map: nil
    }
  }

  /// Of all NaNs only the usual one has a literal.
  private static func literal<Number: BinaryFloatingPoint & CustomStringConvertible>(
    _ number: Number
  ) -> String? {
    guard number.isNaN else { return number.description }
    let isUsual =
      number.sign == .plus && !number.isSignalingNaN
      && number.significandBitPattern == Number.nan.significandBitPattern
    return isUsual ? "nan" : nil
  }

  private static func literal(_ number: Decimal) -> String? {
    let text = number.exactText
    guard Decimal(exactText: text)?.words == number.words else { return nil }
    return "decimal(\(text))"
  }
}

extension QueryComparison {
  var spelling: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    }
  }

}

extension TextOptions {
  /// The letters in brackets, or nothing.
  var spelling: String {
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension QueryAggregate {
  var spelling: String {
    switch self {
    case .minimum: ".@min"
    case .maximum: ".@max"
    case .sum: ".@sum"
    case .average: ".@avg"
    }
  }
}

extension QueryArithmetic {
  var spelling: String {
    switch self {
    case .add: " + "
    case .subtract: " - "
    case .multiply: " * "
    case .divide: " / "
    }
  }
}

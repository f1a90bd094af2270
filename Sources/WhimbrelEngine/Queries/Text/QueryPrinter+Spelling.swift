extension PropertyValue {
  /// The literal that reads back as exactly the same value, or nil if there is none.
  var queryLiteral: String? {
    isNull ? "nil" : scalar?.queryLiteral
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
  /// The options as letters in brackets, or an empty text.
  var spelling: String {
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension QueryAggregate {
  var spelling: String { ".@\(name)" }

  /// The word for it in query texts, typed conditions and messages.
  var name: String {
    switch self {
    case .minimum: "min"
    case .maximum: "max"
    case .sum: "sum"
    case .average: "avg"
    }
  }
}

extension QueryArithmetic {
  var spelling: String { " \(sign) " }

  /// The operator in query texts, typed conditions and messages.
  var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    }
  }
}

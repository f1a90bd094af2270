extension QueryParser {
  private static let valueHint =
    "A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path."

  /// Returns whether the current minus is the sign of a number.
  func isNegativeNumber() throws(QueryProblem) -> Bool {
    switch try tokenAhead().kind {
    case .integer, .literal(.double), .word(_, .inf?, _), .word(_, .infinity?, _): true
    default: false
    }
  }

  /// Reads the number after a minus. Returns nil if something else follows.
  private mutating func negativeNumber(from start: Int) throws(QueryProblem) -> PropertyValue? {
    let number: PropertyValue
    switch token.kind {
    case .integer(let magnitude):
      guard magnitude <= Int64.min.magnitude else {
        throw outOfRange(start..<token.range.upperBound)
      }
      number = .int(Int64(truncatingIfNeeded: 0 &- magnitude))
    case .literal(.double(let magnitude)): number = .double(-magnitude)
    case .word(_, .inf?, _), .word(_, .infinity?, _): number = .double(-.infinity)
    default: return nil
    }
    try advance()
    return number
  }

  /// Reads a constant: a number, a text, an argument and so on.
  mutating func constant(_ hint: String) throws(QueryProblem) -> PropertyValue {
    let start = token.range.lowerBound
    if try accept(.minus) {
      guard let number = try negativeNumber(from: start) else {
        throw expected("a number", hint)
      }
      return number
    }
    guard let value = try literal() else { throw expected("a value", hint) }
    return value
  }

  /// Reads the constant at the current token. Returns nil if the token is not a constant, and does
  /// not consume it.
  private mutating func literal() throws(QueryProblem) -> PropertyValue? {
    let value: PropertyValue
    switch token.kind {
    case .literal(let literal): value = literal
    case .integer(let number):
      guard let integer = Int64(exactly: number) else { throw outOfRange(token.range) }
      value = .int(integer)
    case .argument(let number): return try takeArgument(number)
    case .word(_, let keyword?, _):
      switch keyword {
      case .true: value = .bool(true)
      case .false: value = .bool(false)
      case .null, .nil: value = .null
      case .inf, .infinity: value = .double(.infinity)
      case .nan: value = .double(.nan)
      default: return nil
      }
    default: return nil
    }
    try advance()
    return value
  }
}

// MARK: - Operands

extension QueryParser {
  /// Reads a constant, a path, or a condition of one word.
  mutating func primary() throws(QueryProblem) -> QueryOperand {
    let start = token.range.lowerBound
    if token.symbol == .minus {
      let number = try constant(Self.valueHint)
      return QueryOperand(meaning: .expression(.constant(number)), start: start)
    }
    if let value = try literal() {
      return QueryOperand(meaning: .expression(.constant(value)), start: start)
    }
    switch token.keyword {
    case .truepredicate, .falsepredicate:
      let isMet = token.keyword == .truepredicate
      try advance()
      return QueryOperand(meaning: .condition(.always(isMet)), start: start)
    case let keyword?:
      guard let quantifier = keyword.quantifier else { break }
      try advance()
      var path = try plainPath()
      path.quantifier = quantifier
      return QueryOperand(meaning: .expression(.property(path)), start: start)
    case nil: break
    }
    guard isAtPath else { throw expected("a value", Self.valueHint) }
    return QueryOperand(meaning: .expression(try pathExpression()), start: start)
  }
}

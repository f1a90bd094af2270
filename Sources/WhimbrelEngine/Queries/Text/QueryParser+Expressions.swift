extension QueryParser {
  private static let valueHint =
    "A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path."

  /// Values with `+` and `-` between them.
  mutating func sum() throws(QueryProblem) -> QueryOperand {
    var left = try product()
    while case .expression = left.meaning {
      if try accept(.plus) {
        left = try calculation(left, .add, try product())
      } else if try accept(.minus) {
        left = try calculation(left, .subtract, try product())
      } else {
        break
      }
    }
    return left
  }

  /// Values with `*` and `/` between them.
  private mutating func product() throws(QueryProblem) -> QueryOperand {
    var left = try signed()
    while case .expression = left.meaning {
      if try accept(.times) {
        left = try calculation(left, .multiply, try signed())
      } else if try accept(.divide) {
        left = try calculation(left, .divide, try signed())
      } else {
        break
      }
    }
    return left
  }

  private func calculation(
    _ left: QueryOperand, _ operation: QueryArithmetic, _ right: QueryOperand
  ) throws(QueryProblem) -> QueryOperand {
    let expression = QueryExpression.arithmetic(
      try self.expression(left), operation, try self.expression(right))
    let height = max(left.height, right.height) + 1
    try checkDepth(height, at: left.start)
    return QueryOperand(meaning: .expression(expression), start: left.start, height: height)
  }

  /// A value with or without a minus before it; that of a number belongs to the number.
  private mutating func signed() throws(QueryProblem) -> QueryOperand {
    guard token.symbol == .minus else { return try primary() }
    let start = token.range.lowerBound
    try advance()
    if let number = try negativeNumber(from: start) {
      return QueryOperand(meaning: .expression(.constant(number)), start: start)
    }
    try descend()
    let value = try signed()
    ascend()
    let zero = QueryOperand(meaning: .expression(.constant(.int(0))), start: start)
    return try calculation(zero, .subtract, value)
  }

  /// The number behind a minus; nil where something else is.
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

  /// A constant: a number, a text, an argument …
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

  /// The constant that the token is; nil, and the token stays, where it is none.
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

// MARK: - What has no operator inside

extension QueryParser {
  private mutating func primary() throws(QueryProblem) -> QueryOperand {
    let start = token.range.lowerBound
    if let value = try literal() {
      return QueryOperand(meaning: .expression(.constant(value)), start: start)
    }
    if token.symbol == .openParenthesis { return try parenthesised() }
    if token.call == .subquery { return try subquery() }
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

  private mutating func parenthesised() throws(QueryProblem) -> QueryOperand {
    let start = token.range.lowerBound
    try advance()
    try descend()
    var inner = try disjunction()
    ascend()
    try expect(.closeParenthesis, "Every '(' needs a ')'.")
    inner.start = start
    return inner
  }

  /// `SUBQUERY(dogs, $dog, $dog.age > 3).@count`
  private mutating func subquery() throws(QueryProblem) -> QueryOperand {
    let start = token.range.lowerBound
    let hint = "Write it as SUBQUERY(dogs, $dog, $dog.age > 3).@count."
    try advance()
    try advance()
    try descend()
    let path = try plainPath()
    let number = paths.count - 1
    try expect(.comma, hint)
    guard case .variable(let variable) = token.kind else {
      throw expected("a name that begins with '$'", hint)
    }
    try advance()
    try expect(.comma, hint)
    subqueries.append(Subquery(variable: variable, path: number))
    let operand = try disjunction()
    let condition = try condition(operand)
    subqueries.removeLast()
    ascend()
    try expect(.closeParenthesis, hint)
    guard try accept(.dot), case .function(let name) = token.kind,
      QueryFunction(name) == .count
    else { throw expected("'.@count'", hint) }
    try advance()
    try checkDepth(operand.height + 1, at: start)
    return QueryOperand(
      meaning: .expression(.matches(path, condition)), start: start, height: operand.height + 1)
  }
}

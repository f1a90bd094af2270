/// Something that was read, of which only what follows may tell whether it is a whole
/// condition: after `(a` that may be `> 5)` as well as `+ 2) > 5`.
struct QueryOperand {
  enum Meaning {
    case condition(QueryCondition)
    case expression(QueryExpression)
  }

  var meaning: Meaning
  /// Where it begins.
  var start: Int
  /// How deep values are inside of each other.
  var height = 0
}

/// An operator whose right side is not read yet, or a parenthesis that is open.
struct QueryPending {
  enum Operation {
    case parenthesis
    case subquery(QueryPath)
    case or
    case and
    case not
    case compare(QueryExpression, QueryComparison, TextOptions)
    case calculate(QueryExpression, QueryArithmetic)
    case minus
  }

  let operation: Operation
  /// Where its left side begins, or itself where it has none.
  let start: Int
  /// That of its left side.
  var height = 0
  /// The conditions before `AND` or `OR`.
  var parts: [QueryCondition] = []

  var strength: QueryStrength {
    switch operation {
    case .parenthesis, .subquery: .none
    case .or: .or
    case .and: .and
    case .not: .not
    case .compare: .comparison
    case .calculate(_, let operation): operation.strength
    case .minus: .minus
    }
  }
}

extension QueryParser {
  /// A condition or a value, as much as belongs together.
  ///
  /// Operators wait in an array for their right side, and not in functions inside of
  /// functions, so that no text uses the stack up.
  mutating func operand() throws(QueryProblem) -> QueryOperand {
    var pending: [QueryPending] = []
    while true {
      while let prefix = try prefix(behind: pending.last) { pending.append(prefix) }
      var operand = try primary()
      while true {
        let next = strength(behind: operand)
        let last = pending.last?.strength ?? .none
        // All but AND and OR take what is on their left first.
        let isJoined = last == next && (next == .and || next == .or)
        if last != .none, last >= next, !isJoined {
          operand = try combined(pending.removeLast(), operand)
        } else if next == .none {
          guard let opened = pending.popLast() else { return operand }
          operand = try closed(opened, operand)
        } else if next <= .and {
          let condition = try condition(operand)
          if !isJoined {
            pending.append(QueryPending(operation: next == .or ? .or : .and, start: operand.start))
          }
          pending[pending.count - 1].parts.append(condition)
          pending[pending.count - 1].height = max(operand.height, pending.last?.height ?? 0)
          try advance()
          break
        } else if let whole = try search(operand) {
          operand = whole
        } else {
          pending.append(try infix(operand))
          break
        }
      }
    }
  }

  /// How strongly the operator binds that the token is; conditions have other ones behind
  /// them than values.
  private func strength(behind operand: QueryOperand) -> QueryStrength {
    if token.keyword == .or || token.symbol == .or { return .or }
    if token.keyword == .and || token.symbol == .and { return .and }
    guard case .expression = operand.meaning else { return .none }
    if let arithmetic = token.arithmetic { return arithmetic.strength }
    switch token.keyword {
    case .in, .between, .text: return .comparison
    default: return token.comparison == nil ? .none : .comparison
    }
  }

  /// What stands before a value and is left behind: a sign, `NOT`, or something opened.
  private mutating func prefix(
    behind last: QueryPending?
  ) throws(QueryProblem) -> QueryPending? {
    let start = token.range.lowerBound
    let operation: QueryPending.Operation
    if token.symbol == .openParenthesis {
      operation = .parenthesis
      try advance()
    } else if token.call == .subquery {
      operation = .subquery(try subqueryBeginning())
    } else if token.keyword == .not || token.symbol == .not {
      guard (last?.strength ?? .none) <= .not else { return nil }
      operation = .not
      try advance()
    } else if token.symbol == .minus, try !isNegativeNumber() {
      operation = .minus
      try advance()
    } else {
      return nil
    }
    try descend(at: start)
    return QueryPending(operation: operation, start: start)
  }

  /// A comparison or a calculation with its left side; the token is the operator, and is left
  /// behind.
  private mutating func infix(_ left: QueryOperand) throws(QueryProblem) -> QueryPending {
    let value = try expression(left)
    let operation: QueryPending.Operation
    if let arithmetic = token.arithmetic {
      try advance()
      operation = .calculate(value, arithmetic)
    } else {
      let comparison = token.comparison ?? .equal
      try advance()
      operation = .compare(value, comparison, try textOptions())
    }
    return QueryPending(operation: operation, start: left.start, height: left.height)
  }

  /// An operator with both of its sides.
  private mutating func combined(
    _ pending: QueryPending, _ right: QueryOperand
  ) throws(QueryProblem) -> QueryOperand {
    let meaning: QueryOperand.Meaning
    switch pending.operation {
    case .or: meaning = .condition(.or(pending.parts + [try condition(right)]))
    case .and: meaning = .condition(.and(pending.parts + [try condition(right)]))
    case .not:
      meaning = .condition(.not(try condition(right)))
      ascend()
    case .compare(let left, let comparison, let options):
      let other = try expression(right)
      noteTexts(left, at: pending.start, other, at: right.start)
      meaning = .condition(.compare(left, comparison, other, options))
    case .calculate(let left, let operation):
      meaning = .expression(.arithmetic(left, operation, try expression(right)))
    case .minus:
      meaning = .expression(.arithmetic(.constant(.int(0)), .subtract, try expression(right)))
      ascend()
    case .parenthesis, .subquery: return right
    }
    let height = max(pending.height, right.height) + 1
    try checkDepth(height, at: pending.start)
    return QueryOperand(meaning: meaning, start: pending.start, height: height)
  }
}

extension QueryParser {
  /// Remembers the texts of a comparison of constants with each other.
  private mutating func noteTexts(
    _ left: QueryExpression, at leftPlace: Int, _ right: QueryExpression, at rightPlace: Int
  ) {
    guard case .constant(let first) = left, case .constant(let second) = right,
      subqueries.isEmpty
    else { return }
    for (value, place) in [(first, leftPlace), (second, rightPlace)] {
      guard case .string(let text) = value else { continue }
      comparedTexts.append(QueryText.ComparedText(text: text, place: place))
    }
  }
}

// MARK: - Parentheses

extension QueryParser {
  /// `SUBQUERY(dogs, $dog,`
  private mutating func subqueryBeginning() throws(QueryProblem) -> QueryPath {
    try advance()
    try advance()
    let path = try plainPath()
    let number = paths.count - 1
    try expect(.comma, Self.subqueryHint)
    guard case .variable(let variable) = token.kind else {
      throw expected("a name that begins with '$'", Self.subqueryHint)
    }
    try advance()
    try expect(.comma, Self.subqueryHint)
    subqueries.append(Subquery(variable: variable, path: number))
    return path
  }

  /// What is in parentheses, with the one that closes them; of a sub-query also what stands
  /// behind it.
  private mutating func closed(
    _ opened: QueryPending, _ inner: QueryOperand
  ) throws(QueryProblem) -> QueryOperand {
    ascend()
    guard case .subquery(let path) = opened.operation else {
      try expect(.closeParenthesis, "Every '(' needs a ')'.")
      return QueryOperand(meaning: inner.meaning, start: opened.start, height: inner.height)
    }
    let condition = try condition(inner)
    subqueries.removeLast()
    try expect(.closeParenthesis, Self.subqueryHint)
    guard try accept(.dot), case .function(let name) = token.kind,
      QueryFunction(name) == .count
    else { throw expected("'.@count'", Self.subqueryHint) }
    try advance()
    let height = inner.height + 1
    try checkDepth(height, at: opened.start)
    return QueryOperand(
      meaning: .expression(.matches(path, condition)), start: opened.start, height: height)
  }

  private static let subqueryHint = "Write it as SUBQUERY(dogs, $dog, $dog.age > 3).@count."
}

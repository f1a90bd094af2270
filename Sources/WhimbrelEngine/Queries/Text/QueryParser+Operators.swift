/// A condition or a value that was read. The following tokens may decide which it is: `(a` may
/// continue as `> 5)` or as `+ 2) > 5`.
struct QueryOperand {
  enum Meaning {
    case condition(QueryCondition)
    case expression(QueryExpression)
  }

  var meaning: Meaning
  /// The start of the operand in the text.
  var start: Int
  /// The depth of nesting inside the operand.
  var height = 0
}

/// An operator that waits for its right side, or an open parenthesis.
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
  /// The start of the left side, or of the operator if it has no left side.
  let start: Int
  /// The depth of nesting in the left side.
  var height = 0
  /// The conditions before the latest `AND` or `OR`.
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
  /// Reads a condition or a value.
  /// Operators wait for their right side in an array and not in recursive calls, so no text can
  /// exhaust the stack.
  mutating func operand() throws(QueryProblem) -> QueryOperand {
    var pending: [QueryPending] = []
    while true {
      while let prefix = try prefix(behind: pending.last) { pending.append(prefix) }
      var operand = try primary()
      while true {
        let next = strength(behind: operand)
        let last = pending.last?.strength ?? .none
        // Operators of equal strength are left-associative. `AND` and `OR` collect their parts
        // instead.
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

  /// Returns the strength of the operator at the current token. Only `AND` and `OR` may follow a
  /// condition.
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

  /// Reads the prefix of a value: a sign, `NOT`, or an opening parenthesis. Returns nil if there is
  /// none.
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

  /// Reads the operator of a comparison or a calculation, and keeps its left side.
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

  /// Combines an operator with its right side.
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
  /// Records the texts in a comparison of two constants, for ``QueryText/checkNames(of:in:)``.
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
  /// Reads `SUBQUERY(dogs, $dog,`.
  private mutating func subqueryBeginning() throws(QueryProblem) -> QueryPath {
    try advance()
    try advance()
    let path = try plainPath()
    let number = paths.count - 1
    let stepCount = (subqueries.last?.stepCount ?? 0) + path.steps.count
    try expect(.comma, Self.subqueryHint)
    guard case .variable(let variable) = token.kind else {
      throw expected("a name that begins with '$'", Self.subqueryHint)
    }
    try advance()
    try expect(.comma, Self.subqueryHint)
    subqueries.append(Subquery(variable: variable, path: number, stepCount: stepCount))
    return path
  }

  /// Reads a closing parenthesis and, after a sub-query, `.@count`. Returns the operand in the
  /// parentheses.
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

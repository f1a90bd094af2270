extension QueryParser {
  /// Returns the condition of an operand. Throws if the operand is a value. The error depends on
  /// the current token.
  func condition(_ operand: QueryOperand) throws(QueryProblem) -> QueryCondition {
    if case .condition(let condition) = operand.meaning { return condition }
    if token.keyword == .not {
      throw expected("an operator", "Write NOT before the whole comparison: NOT a IN {1, 2}.")
    }
    if case .word(let word, nil, _) = token.kind {
      throw QueryProblem(
        token.range.lowerBound, "\(quoted(token.range)) is not an operator",
        Self.operatorHint(word))
    }
    throw expected(
      "an operator", "Compare it with a value, as in 'area > 1000' or 'isCapital == true'.")
  }

  /// Returns advice on a word that is not an operator but may have been meant as one.
  private static func operatorHint(_ word: String) -> String {
    switch word.lowercased() {
    case "is": "Write '== nil' or '!= nil'."
    case "startswith": "Did you mean 'BEGINSWITH'?"
    case "matches": "Write LIKE, where '*' matches any characters and '?' matches one."
    default:
      Sentence.suggestion(
        for: word,
        among: ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "BETWEEN", "IN", "TEXT"],
        called: "operators in letters")
    }
  }
}

// MARK: - Comparisons

extension QueryParser {
  /// Reads the right side of `IN`, `BETWEEN` and `TEXT`, which is not an ordinary value. Returns
  /// nil if the token is another operator.
  mutating func search(_ left: QueryOperand) throws(QueryProblem) -> QueryOperand? {
    let condition: QueryCondition
    switch token.keyword {
    case .in: condition = try membership(of: try expression(left))
    case .between: condition = try range(around: try expression(left))
    case .text: condition = try wordSearch(in: left)
    default: return nil
    }
    let height = left.height + 1
    try checkDepth(height, at: left.start)
    return QueryOperand(meaning: .condition(condition), start: left.start, height: height)
  }

  /// Returns the value of an operand. Throws if the operand is a condition.
  func expression(_ operand: QueryOperand) throws(QueryProblem) -> QueryExpression {
    if case .expression(let expression) = operand.meaning { return expression }
    throw QueryProblem(
      operand.start, "expected a value, not a condition",
      "Combine conditions with AND, OR and NOT.")
  }

  /// Reads `[c]`, `[d]`, `[cd]`, or nothing.
  mutating func textOptions() throws(QueryProblem) -> TextOptions {
    guard try accept(.openBracket) else { return [] }
    let hint = "Write [c] to ignore case, [d] to ignore accents, or [cd] to ignore both."
    guard case .word(let letters, _, _) = token.kind else {
      throw expected("text options", hint)
    }
    var options: TextOptions = []
    for letter in letters.unicodeScalars {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      default:
        throw QueryProblem(
          token.range.lowerBound, "\(Sentence.quoted(String(letter))) is not an option", hint)
      }
    }
    try advance()
    try expect(.closeBracket, hint)
    return options
  }

  /// Reads the right side of `IN`: constants in braces, an argument that is a list, or a path to
  /// several values.
  private mutating func membership(
    of value: QueryExpression
  ) throws(QueryProblem) -> QueryCondition {
    try advance()
    let options = try textOptions()
    let start = token.range.lowerBound
    let hint = "Write the values as IN {1, 2, 3}, or give a list as the argument: [1, 2, 3]."
    switch token.kind {
    case .symbol(.openBrace):
      return .isIn(value, try constants(hint), options)
    case .argument(let number):
      guard case .list(let values) = try takeArgument(number) else {
        throw QueryProblem(start, "the argument after IN is not a list", hint)
      }
      return .isIn(value, values, options)
    default:
      guard isAtPath else { throw expected("values in braces", hint) }
      return .compare(value, .equal, .property(try plainPath()), options)
    }
  }

  /// Reads constants in braces, separated by commas.
  private mutating func constants(_ hint: String) throws(QueryProblem) -> [PropertyValue] {
    try advance()
    var values: [PropertyValue] = []
    if try accept(.closeBrace) { return values }
    repeat { values.append(try constant(hint)) } while try accept(.comma)
    try expect(.closeBrace, hint)
    return values
  }

  /// Reads the right side of `BETWEEN`: `{1, 5}`, `1...5`, `1..<5`, or an argument that is a list
  /// of two values.
  private mutating func range(
    around value: QueryExpression
  ) throws(QueryProblem) -> QueryCondition {
    try advance()
    let hint = "Write the range as BETWEEN {1, 5}, or as BETWEEN 1 ..< 5 to exclude its end."
    let start = token.range.lowerBound
    if token.symbol == .openBrace {
      return try closedRange(value, try constants(hint), start, hint)
    }
    let lower = try constant(hint)
    let includesUpper = token.symbol == .closedRange
    guard includesUpper || token.symbol == .halfOpenRange else {
      if case .list(let bounds) = lower { return try closedRange(value, bounds, start, hint) }
      throw expected("'...' or '..<'", hint)
    }
    try advance()
    let upper = try constant(hint)
    return .isBetween(value, lower: lower, upper: upper, includesUpper: includesUpper)
  }

  private func closedRange(
    _ value: QueryExpression, _ bounds: [PropertyValue], _ start: Int, _ hint: String
  ) throws(QueryProblem) -> QueryCondition {
    guard bounds.count == 2 else {
      let count = Sentence.count(bounds.count, "value")
      throw QueryProblem(start, "a range has two values, but this has \(count)", hint)
    }
    return .isBetween(value, lower: bounds[0], upper: bounds[1], includesUpper: true)
  }

  /// Reads the right side of `TEXT`: the words to search for.
  private mutating func wordSearch(
    in operand: QueryOperand
  ) throws(QueryProblem) -> QueryCondition {
    let hint =
      "Write a property that has a full-text index before TEXT, and words after it: "
      + "name TEXT 'swan -lake'."
    guard case .expression(.property(let path)) = operand.meaning else {
      throw QueryProblem(operand.start, "only a property can be searched for words", hint)
    }
    try advance()
    let start = token.range.lowerBound
    guard case .string(let search) = try constant(hint) else {
      throw QueryProblem(start, "the words to search for are not text", hint)
    }
    return .hasWords(path, search: search)
  }
}

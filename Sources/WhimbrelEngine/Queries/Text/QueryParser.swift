/// A parser that reads the text of a query token by token.
///
/// Its use of the stack does not depend on the depth of the text. But its result is nested, and
/// other code visits it recursively. ``depthLimit`` protects that code.
struct QueryParser {
  /// The limit on the nesting of parentheses, `NOT` and calculations, and on the steps of a path.
  static let depthLimit = QueryCondition.depthLimit

  private var scanner: QueryScanner
  /// The first token that is not yet consumed.
  private(set) var token: QueryToken
  /// The range of the previous token.
  private var lastRange = 0..<0
  private let arguments: [PropertyValue]
  /// The index of the argument for the next `%@`.
  private var nextArgument = 0
  private var depth = 0

  /// The sub-queries around the current token.
  var subqueries: [Subquery] = []
  /// All paths of the text, with their offsets.
  var paths: [QueryPathPlaces] = []
  /// The texts that are compared with constants. Each may be a property name in the wrong quotes.
  var comparedTexts: [QueryText.ComparedText] = []

  struct Subquery {
    var variable: String
    /// The index of the path to its objects.
    var path: Int
    /// The number of steps to its objects, with those of the enclosing sub-queries.
    var stepCount: Int
  }

  init(_ text: String, arguments: [PropertyValue]) throws(QueryProblem) {
    scanner = QueryScanner(text)
    token = try scanner.next()
    self.arguments = arguments
  }
}

// MARK: - Tokens

extension QueryParser {
  mutating func advance() throws(QueryProblem) {
    lastRange = token.range
    token = try scanner.next()
  }

  /// Returns the token after the current one.
  func tokenAhead() throws(QueryProblem) -> QueryToken {
    var ahead = scanner
    return try ahead.next()
  }

  /// Consumes the current token if it is this symbol. Returns whether the token was consumed.
  mutating func accept(_ symbol: QuerySymbol) throws(QueryProblem) -> Bool {
    guard token.symbol == symbol else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: QuerySymbol, _ hint: String) throws(QueryProblem) {
    guard try accept(symbol) else { throw expected("'\(symbol.rawValue)'", hint) }
  }

  /// Returns the error for a token that is not the expected one.
  func expected(_ what: String, _ hint: String) -> QueryProblem {
    let place = lastRange.isEmpty ? "at the beginning" : "after \(scanner.quoted(lastRange))"
    return QueryProblem(token.range.lowerBound, "expected \(what) \(place)", hint)
  }

  func quoted(_ range: Range<Int>) -> String { scanner.quoted(range) }

  /// Returns the error for an integer that is out of range.
  func outOfRange(_ range: Range<Int>) -> QueryProblem { scanner.outOfRange(range) }

  /// Returns the value of the argument at the current token, and consumes the token.
  mutating func takeArgument(_ number: Int?) throws(QueryProblem) -> PropertyValue {
    let index = number ?? nextArgument
    guard arguments.indices.contains(index) else {
      let given = arguments.count
      throw QueryProblem(
        token.range.lowerBound, "there is no argument for \(quoted(token.range))",
        given == 0
          ? "Give the query its arguments; none was given."
          : "\(Sentence.count(given, "argument")) \(given == 1 ? "was" : "were") given, and the "
            + "first is $0.")
    }
    if number == nil { nextArgument += 1 }
    try advance()
    return arguments[index]
  }
}

// MARK: - Depth

extension QueryParser {
  /// Enters a level of nesting. ``ascend()`` leaves it.
  mutating func descend(at offset: Int) throws(QueryProblem) {
    depth += 1
    try checkDepth(depth, at: offset)
  }

  mutating func ascend() { depth -= 1 }

  func checkDepth(_ depth: Int, at offset: Int) throws(QueryProblem) {
    guard depth <= Self.depthLimit else {
      throw QueryProblem(
        offset, "this is nested more than \(Self.depthLimit) levels deep",
        "Leave out parentheses that are not needed, or split the query into several.")
    }
  }

  /// Throws if a path is too long, alone or with those of the enclosing sub-queries.
  func checkLength(_ path: QueryPathPlaces) throws(QueryProblem) {
    guard let last = path.steps.last else { return }
    guard path.steps.count <= Self.depthLimit else { throw QueryProblem.longPath(last.place) }
    try checkDepth((subqueries.last?.stepCount ?? 0) + path.steps.count, at: last.place)
  }
}

// MARK: - Stages

extension QueryParser {
  /// Reads the whole query: an optional condition, then stages.
  mutating func stages() throws(QueryProblem) -> [QueryStage] {
    var stages: [QueryStage] = []
    if token.kind != .end, token.call?.isStage != true {
      stages.append(.filter(try wholeCondition()))
    }
    while let keyword = token.call, keyword.isStage {
      stages.append(try stage(keyword))
    }
    guard token.kind == .end else {
      throw expected(
        stages.isEmpty ? "a condition" : "AND, OR, a stage or the end",
        "Stages are SORT(…), DISTINCT(…), OFFSET(…), LIMIT(…) and FILTER(…).")
    }
    return stages
  }

  private mutating func stage(_ keyword: QueryKeyword) throws(QueryProblem) -> QueryStage {
    try advance()
    try advance()
    let stage: QueryStage =
      switch keyword {
      case .filter: .filter(try wholeCondition())
      case .sort: .sort(try sortKeys())
      case .distinct: .distinct(try distinctPaths())
      case .offset: .offset(try objectCount())
      default: .limit(try objectCount())
      }
    try expect(.closeParenthesis, "Close the parenthesis of the stage.")
    return stage
  }

  private mutating func wholeCondition() throws(QueryProblem) -> QueryCondition {
    let operand = try operand()
    return try condition(operand)
  }

  private mutating func sortKeys() throws(QueryProblem) -> [QuerySortKey] {
    var keys: [QuerySortKey] = []
    repeat {
      var key = QuerySortKey(try plainPath())
      switch token.keyword {
      case .asc, .ascending: try advance()
      case .desc, .descending:
        key.isAscending = false
        try advance()
      default: break
      }
      keys.append(key)
    } while try accept(.comma)
    return keys
  }

  private mutating func distinctPaths() throws(QueryProblem) -> [QueryPath] {
    var paths: [QueryPath] = []
    repeat { paths.append(try plainPath()) } while try accept(.comma)
    return paths
  }

  private mutating func objectCount() throws(QueryProblem) -> Int {
    let start = token.range.lowerBound
    let hint = "Give a whole number that is not negative."
    switch token.kind {
    case .integer(let number):
      guard let count = Int(exactly: number) else { throw outOfRange(token.range) }
      try advance()
      return count
    case .argument(let number):
      guard case .int(let value) = try takeArgument(number), value >= 0,
        let count = Int(exactly: value)
      else { throw QueryProblem(start, "the argument is not a valid number of objects", hint) }
      return count
    default: throw expected("a number of objects", hint)
    }
  }
}

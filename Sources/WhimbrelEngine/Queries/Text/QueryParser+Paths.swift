/// A path of a query, with the offsets of its names in the text.
struct QueryPathPlaces: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    var step: QueryPath.Step
    /// The offset of the name, or of the class name of an inverse.
    var place: Int
    /// The offset of the property name of an inverse.
    var propertyPlace: Int?
  }

  /// The index of the path that this one continues, for a path in a sub-query. Nil for a path that
  /// starts at the queried objects.
  var origin: Int?
  var steps: [Step] = []
}

/// The functions after an `@` in a path.
enum QueryFunction: Hashable {
  case count
  case aggregate(QueryAggregate)
  case names
  case values
  case inverse

  init?(_ name: String) {
    switch name.lowercased() {
    case "count", "size": self = .count
    case "min": self = .aggregate(.minimum)
    case "max": self = .aggregate(.maximum)
    case "sum": self = .aggregate(.sum)
    case "avg", "average": self = .aggregate(.average)
    case "keys", "allkeys": self = .names
    case "values", "allvalues": self = .values
    case "links": self = .inverse
    default: return nil
    }
  }

  static let spellings = ["@count", "@min", "@max", "@sum", "@avg", "@keys", "@values", "@links"]
}

extension QueryParser {
  /// Whether a path may start at the current token.
  var isAtPath: Bool {
    switch token.kind {
    case .name, .variable, .function: true
    case .word(_, let keyword, let isCall):
      keyword == .self || (keyword?.isReserved != true && !(isCall && keyword?.isStage == true))
    default: false
    }
  }

  /// Reads a path that leads to values. A function that computes something from them is not
  /// allowed.
  mutating func plainPath() throws(QueryProblem) -> QueryPath {
    let hint =
      "Write a path as 'name' or 'country.name'. Put a name that is a keyword in backquotes."
    guard isAtPath else { throw expected("a path", hint) }
    let start = token.range.lowerBound
    guard case .property(let path) = try pathExpression() else {
      throw QueryProblem(
        start, "expected a path to the values themselves, without a function such as '@count'",
        hint)
    }
    return path
  }

  /// Reads a path, and the function at its end if there is one.
  mutating func pathExpression() throws(QueryProblem) -> QueryExpression {
    var places = QueryPathPlaces(origin: subqueries.last?.path)
    var function: QueryFunction?
    try pathBeginning(&places)
    while function != .count {
      try checkLength(places)
      if try accept(.openBracket) {
        try mapName(&places)
      } else if try accept(.dot) {
        guard let next = try step(&places) else { continue }
        guard function == nil else {
          throw QueryProblem(
            token.range.lowerBound, "this path already has a function",
            "Use only one function, such as '@sum', in a path.")
        }
        function = next
        try advance()
      } else {
        break
      }
    }
    paths.append(places)
    let path = QueryPath(places.steps.map(\.step))
    switch function {
    case .count: return .count(path)
    case .aggregate(let aggregate): return .aggregate(aggregate, path)
    default: return .property(path)
    }
  }

  private mutating func pathBeginning(
    _ places: inout QueryPathPlaces
  ) throws(QueryProblem) {
    let start = token.range.lowerBound
    if case .variable(let variable) = token.kind {
      guard variable == subqueries.last?.variable else {
        throw QueryProblem(
          start, "\(quoted(token.range)) is not the object of the enclosing SUBQUERY",
          subqueries.last.map { "Begin the path with '$\($0.variable)'." }
            ?? "Write a path without it, or an argument such as $0.")
      }
      return try advance()
    }
    if let subquery = subqueries.last {
      throw QueryProblem(
        start, "a path in a SUBQUERY must begin at its object",
        "Begin the path with '$\(subquery.variable)'.")
    }
    if token.keyword == .self { return try advance() }
    guard try step(&places) == nil else {
      throw QueryProblem(
        start, "expected a path before \(quoted(token.range))",
        "Write the path that it applies to before it, as in 'dogs.@count'.")
    }
  }

  /// Reads the step after a dot. Returns nil if the step was a part of the path. If it is a
  /// function that ends the path, returns the function without consuming it.
  private mutating func step(
    _ places: inout QueryPathPlaces
  ) throws(QueryProblem) -> QueryFunction? {
    let start = token.range.lowerBound
    guard case .function(let name) = token.kind else {
      let name = try pathName("a name")
      places.steps.append(.init(step: .property(name), place: start))
      return nil
    }
    switch QueryFunction(name) {
    case .names:
      places.steps.append(.init(step: .names, place: start))
      try advance()
    case .values: try advance()
    case .inverse: try inverse(&places)
    case let function?: return function
    case nil:
      throw QueryProblem(
        start, "\(quoted(token.range)) is not a function",
        Sentence.suggestion(for: "@" + name, among: QueryFunction.spellings, called: "functions"))
    }
    return nil
  }

  /// Reads `@links.Dog.owner`.
  private mutating func inverse(_ places: inout QueryPathPlaces) throws(QueryProblem) {
    let hint = "Write the class and its property that links here, as in '@links.Dog.owner'."
    try advance()
    try expect(.dot, hint)
    let place = token.range.lowerBound
    let name = try pathName("a class", hint)
    try expect(.dot, hint)
    let propertyPlace = token.range.lowerBound
    let property = try pathName("a property", hint)
    places.steps.append(
      .init(
        step: .inverse(class: name, property: property), place: place,
        propertyPlace: propertyPlace))
  }

  private mutating func pathName(
    _ what: String, _ hint: String = "Write names with other characters in backquotes."
  ) throws(QueryProblem) -> String {
    switch token.kind {
    case .word(let name, _, _), .name(let name):
      try advance()
      return name
    default: throw expected(what, hint)
    }
  }

  /// Reads the name in a map after `[`.
  private mutating func mapName(_ places: inout QueryPathPlaces) throws(QueryProblem) {
    let start = token.range.lowerBound
    let hint = "Write the key of a map as text: attributes['name']."
    guard case .string(let name) = try constant(hint) else {
      throw QueryProblem(start, "the key of a map is not text", hint)
    }
    places.steps.append(.init(step: .name(name), place: start))
    try expect(.closeBracket, hint)
  }
}

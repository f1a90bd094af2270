/// The parts of a condition that indexes can answer. Its properties are resolved once.
///
/// With the values of the parameters, a plan becomes a ``QueryAccess``.
struct QueryPlan {
  /// The parts of the condition, all of which must be satisfied.
  let parts: [Part]

  enum Part {
    case test(QueryTest)
    case comparison(ParameterComparison)
    /// At least one of several conditions is satisfied.
    case anyOf([QueryPlan])
    case words(FullTextSearch, IndexRanges)
    case linked(LinkPlan)
    /// Indexes do not help.
    case other
  }

  init(_ condition: QueryCondition, in table: ClassTable) {
    parts = condition.parts.enumerated().map { Part($1, $0, in: table) }
  }
}

/// A comparison of a property with a parameter.
struct ParameterComparison {
  let position: Int
  let comparison: QueryComparison
  let parameter: Int

  /// - Parameter part: The number of the part of the whole condition.
  func test(_ values: [PropertyValue], part: Int) -> QueryTest? {
    QueryTest.Operation(comparison, values[parameter]).map {
      QueryTest(position: position, operation: $0, part: part)
    }
  }
}

extension ParameterComparison {
  /// Creates the comparison of a condition. Returns nil for other conditions.
  init?(_ condition: QueryCondition, in resolved: ResolvedClass) {
    let (path, found, parameter): (QueryPath, QueryComparison?, QueryParameter)
    switch condition {
    case .compare(.property(let left), let comparison, .parameter(let right), []):
      (path, found, parameter) = (left, comparison == .like ? nil : comparison, right)
    case .compare(.parameter(let left), let comparison, .property(let right), []):
      (path, found, parameter) = (right, comparison.exchanged, left)
    default: return nil
    }
    guard let comparison = found, let position = path.position(in: resolved) else { return nil }
    self.init(position: position, comparison: comparison, parameter: parameter.number)
  }
}

extension QueryPlan.Part {
  fileprivate init(_ condition: QueryCondition, _ number: Int, in table: ClassTable) {
    if let test = QueryTest(condition, part: number, in: table.resolved) {
      self = .test(test)
    } else if let comparison = ParameterComparison(condition, in: table.resolved) {
      self = .comparison(comparison)
    } else if case .or(let alternatives) = condition {
      self = .anyOf(alternatives.map { QueryPlan($0, in: table) })
    } else if case .hasWords(let path, let text) = condition {
      self.init(words: text, path, number, in: table)
    } else if let link = LinkPlan(condition, in: table) {
      self = .linked(link)
    } else {
      self = .other
    }
  }

  private init(words text: String, _ path: QueryPath, _ number: Int, in table: ClassTable) {
    let search = FullTextSearch(parsing: text)
    // A full-text index finds the words that are present. It cannot find the objects that lack a
    // word, so each alternative needs a word that is not excluded.
    guard search.alternatives.allSatisfy({ $0.contains { !$0.isExcluded } }),
      let position = path.position(in: table.resolved), let index = table.fullTextIndex(position)
    else {
      self = .other
      return
    }
    let test = QueryTest(position: position, operation: .words(text), part: number)
    self = .words(search, IndexRanges(QueryIndex(index), test))
  }
}

extension QueryPath {
  /// Parses a path that starts at the objects of a class, and looks up its names: `country.name`,
  /// `attributes['name']`, `@links.Zone.country`.
  ///
  /// - Throws: ``QueryTextError``, which shows the path.
  /// - Complexity: O(*n*) in the length of the text.
  package init(
    parsing text: String, of className: String, in schema: StoreSchema
  ) throws(QueryTextError) {
    let paths: [QueryPathPlaces]
    do throws(QueryProblem) {
      (self, paths) = try Self.parse(text)
    } catch {
      throw QueryTextError(error, in: text)
    }
    try QueryText(text: text, paths: paths).checkNames(of: className, in: schema)
  }

  /// Parses a path without looking up its names. Returns nil if the text is not a path.
  package init?(parsing text: String) {
    do throws(QueryProblem) { self = try Self.parse(text).path } catch { return nil }
  }

  private static func parse(
    _ text: String
  ) throws(QueryProblem) -> (path: QueryPath, places: [QueryPathPlaces]) {
    var parser = try QueryParser(text, arguments: [])
    let path = try parser.plainPath()
    guard parser.token.kind == .end else {
      throw parser.expected("a dot or the end", "Separate paths with commas.")
    }
    return (path, parser.paths)
  }
}

extension QueryText {
  /// Creates a text that consists of paths only.
  fileprivate init(text: String, paths: [QueryPathPlaces]) {
    self.text = text
    self.paths = paths
    stages = []
    comparedTexts = []
  }
}

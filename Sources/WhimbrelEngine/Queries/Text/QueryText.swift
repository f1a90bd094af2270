/// A query that was read from text.
///
/// ```
/// latitude > 60 AND identifier BEGINSWITH[c] 'europe/' SORT(identifier ASC) LIMIT(10)
/// ```
/// First comes a condition, which may be left out, and then any stages one after the
/// other: `SORT(a ASC, b.c DESC)`, `DISTINCT(a, b)`, `OFFSET(n)`, `LIMIT(n)` and
/// `FILTER(condition)`. Case does not count in the words of the language.
///
/// - **Conditions**: `AND`, `OR`, `NOT` (`&&`, `||`, `!`), `TRUEPREDICATE`,
///   `FALSEPREDICATE`; `==` (`=`), `!=` (`<>`), `<`, `<=` (`=<`), `>`, `>=` (`=>`),
///   `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, with `[c]`, `[d]` or `[cd]` behind them
///   to leave case or accents out of account; `IN {1, 2}`, `IN $0`, `IN path`;
///   `BETWEEN {1, 5}`, `BETWEEN 1 ... 5`, `BETWEEN 1 ..< 5`; `TEXT 'swan -lake'`.
/// - **Values**: `+`, `-`, `*`, `/`; whole numbers, also as `0x1F`, and doubles; `inf`,
///   `nan`; texts in single or double quotes with `\n`, `\'`, `\u{1F600}` and the like; `true`,
///   `false`, `nil` (`null`); `2020-01-31`, `2020-01-31@12:00:00`, `2020-01-31T12:00:00Z`;
///   `uuid(…)`, `oid(…)`, `decimal(…)`, `float(…)`, `B64"…"`; arguments as `$0` and `$1`, or
///   as `%@` one after the other.
/// - **Paths**: `country.name`, with `ANY` (`SOME`), `ALL` or `NONE` before it;
///   `attributes['name']`, `attributes.@keys`, `attributes.@values`; `@links.Dog.owner`;
///   `dogs.@count` (`@size`), `dogs.@sum.age`, also `@min`, `@max` and `@avg`; `SELF`;
///   `SUBQUERY(dogs, $dog, $dog.age > 3).@count`. A name that is a word of the language or
///   has other characters than letters and digits stands in backquotes: `` `link origin` ``; as
///   in Realm, a blank may have a backslash before it instead: `link\ origin`.
package struct QueryText: Sendable {
  /// The text as it was given.
  package let text: String
  /// What it says.
  package let stages: [QueryStage]
  /// Its paths, each behind the one that it begins at.
  let paths: [QueryPathPlaces]
  /// The texts that are compared with constants.
  let comparedTexts: [ComparedText]

  /// A text in quotes, and where it is.
  struct ComparedText: Hashable, Sendable {
    let text: String
    let place: Int
  }

  /// Reads a query.
  ///
  /// - Parameter arguments: the values of `$0`, `$1` …; for `IN` one that is a list.
  /// - Complexity: O(*n*) in the length of the text.
  package init(
    parsing text: String, arguments: [PropertyValue] = []
  ) throws(QueryTextError) {
    self.text = text
    do throws(QueryProblem) {
      var parser = try QueryParser(text, arguments: arguments)
      stages = try parser.stages()
      paths = parser.paths
      comparedTexts = parser.comparedTexts
    } catch {
      throw QueryTextError(error, in: text)
    }
  }
}

extension QueryRequest {
  /// Reads what is asked of a class, and looks its names up.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery`.
  package init(
    _ className: String, parsing text: String, arguments: [PropertyValue] = [],
    in schema: StoreSchema
  ) throws(StoreError) {
    do throws(QueryTextError) {
      let query = try QueryText(parsing: text, arguments: arguments)
      try query.checkNames(of: className, in: schema)
      self.init(className, query.stages)
    } catch {
      throw StoreError.invalidQuery(error, class: className)
    }
  }
}

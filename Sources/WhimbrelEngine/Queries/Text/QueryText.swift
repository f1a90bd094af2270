/// A query parsed from text.
///
/// ```
/// latitude > 60 AND identifier BEGINSWITH[c] 'europe/' SORT(identifier ASC) LIMIT(10)
/// ```
/// An optional condition comes first. Any number of stages follow, one after another:
/// `SORT(a ASC, b.c DESC)`, `DISTINCT(a, b)`, `OFFSET(n)`, `LIMIT(n)` and
/// `FILTER(condition)`. The words of the language ignore case.
///
/// - **Conditions**: `AND`, `OR`, `NOT` (`&&`, `||`, `!`), `TRUEPREDICATE`,
///   `FALSEPREDICATE`; `==` (`=`), `!=` (`<>`), `<`, `<=` (`=<`), `>`, `>=` (`=>`),
///   `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`, followed by `[c]`, `[d]` or `[cd]` to
///   ignore case, accents or both; `IN {1, 2}`, `IN $0`, `IN path`; `BETWEEN {1, 5}`,
///   `BETWEEN 1 ... 5`, `BETWEEN 1 ..< 5`; `TEXT 'swan -lake'`.
/// - **Values**: `+`, `-`, `*`, `/`; integers, also as `0x1F`, and doubles; `inf`, `nan`;
///   texts in single or double quotes with `\n`, `\'`, `\u{1F600}` and the like; `true`,
///   `false`, `nil` (`null`); `2020-01-31`, `2020-01-31@12:00:00`, `2020-01-31T12:00:00Z`;
///   `uuid(…)`, `oid(…)`, `decimal(…)`, `float(…)`, `B64"…"`; arguments as `$0` and `$1`,
///   or as `%@` for one after another.
/// - **Paths**: `country.name`, preceded by `ANY` (`SOME`), `ALL` or `NONE`;
///   `attributes['name']`, `attributes.@keys`, `attributes.@values`; `@links.Dog.owner`;
///   `dogs.@count` (`@size`), `dogs.@sum.age`, also `@min`, `@max` and `@avg`; `SELF`;
///   `SUBQUERY(dogs, $dog, $dog.age > 3).@count`. Backquotes enclose a name that is a word
///   of the language or has characters other than letters and digits: `` `link origin` ``.
///   As in Realm, a space after a backslash works too: `link\ origin`.
package struct QueryText: Sendable {
  package let text: String
  package let stages: [QueryStage]
  /// The paths of the query. A path follows the one that it continues.
  let paths: [QueryPathPlaces]
  /// The texts that are compared with constants.
  let comparedTexts: [ComparedText]

  /// A text in quotes, and its offset in the query.
  struct ComparedText: Hashable, Sendable {
    let text: String
    let place: Int
  }

  /// Parses a query.
  ///
  /// - Parameter arguments: The values of `$0`, `$1` and so on. `IN` takes a list.
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
  /// Parses a query on a class, and looks up its names.
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

internal import Foundation

/// A query as text, with arguments for the values that do not have a literal.
package struct PrintedQuery: Sendable {
  package var text: String
  package var arguments: [PropertyValue]
}

extension [QueryStage] {
  /// The stages as a text that ``QueryText`` parses into the same stages.
  ///
  /// Links, lists and maps become arguments, and so do the few numbers and dates without a literal.
  /// Some stages are parsed into another form with the same meaning:
  /// - `AND` and `OR` of one condition or none are simplified.
  /// - Quantifiers are lost where nothing is compared: in a count, an aggregate, a sub-query, a
  ///   sort key or a `DISTINCT`.
  /// - `SORT` and `DISTINCT` without keys are omitted.
  /// - Negative limits and offsets become 0.
  ///
  /// The text cannot be parsed if it is nested deeper than ``QueryParser/depthLimit``.
  package var printed: PrintedQuery {
    var printer = QueryPrinter()
    printer.write(self)
    return PrintedQuery(text: printer.text, arguments: printer.arguments)
  }
}

extension QueryRequest {
  /// The stages as text: see ``Swift/Array/printed``.
  package var text: String { stages.printed.text }
}

struct QueryPrinter {
  private(set) var text = ""
  private(set) var arguments: [PropertyValue] = []
  /// The number of sub-queries around the current position.
  private var subqueries = 0

  mutating func write(_ stages: [QueryStage]) {
    for (number, stage) in stages.enumerated() {
      let mark = text.isEmpty ? "" : " "
      switch stage {
      case .filter(let condition):
        text += mark + (number == 0 ? "" : "FILTER(")
        write(condition)
        text += number == 0 ? "" : ")"
      case .sort(let keys):
        guard !keys.isEmpty else { continue }
        text += mark + "SORT("
        writeList(keys) { printer, key in
          printer.writePath(key.path)
          printer.text += key.isAscending ? " ASC" : " DESC"
        }
        text += ")"
      case .distinct(let paths):
        guard !paths.isEmpty else { continue }
        text += mark + "DISTINCT("
        writeList(paths) { printer, path in printer.writePath(path) }
        text += ")"
      case .offset(let count): text += mark + "OFFSET(\(Swift.max(count, 0)))"
      case .limit(let count): text += mark + "LIMIT(\(Swift.max(count, 0)))"
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], separator: String = ", ",
    _ write: (inout QueryPrinter, Element) -> Void
  ) {
    for (number, element) in elements.enumerated() {
      if number > 0 { text += separator }
      write(&self, element)
    }
  }
}

// MARK: - Conditions

extension QueryPrinter {
  /// Removes an `AND` or `OR` that has only one part or none.
  private func unwrapped(_ condition: QueryCondition) -> QueryCondition {
    switch condition {
    case .and(let parts), .or(let parts):
      if parts.isEmpty { return .always(condition == .and([])) }
      return parts.count == 1 ? unwrapped(parts[0]) : condition
    default: return condition
    }
  }

  private mutating func write(_ condition: QueryCondition, atLeast strength: QueryStrength) {
    let condition = unwrapped(condition)
    let needsParentheses = condition.strength < strength
    if needsParentheses { text += "(" }
    write(condition)
    if needsParentheses { text += ")" }
  }

  private mutating func write(_ condition: QueryCondition) {
    switch unwrapped(condition) {
    case .always(let isMet): text += isMet ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts):
      writeList(parts, separator: " AND ") { $0.write($1, atLeast: .not) }
    case .or(let parts):
      writeList(parts, separator: " OR ") { $0.write($1, atLeast: .and) }
    case .not(let part):
      text += "NOT "
      write(part, atLeast: .not)
    case .compare(let left, let comparison, let right, let options):
      write(left)
      text += " \(comparison.spelling)\(options.spelling) "
      write(right)
    case .isIn(let value, let constants, let options):
      write(value)
      text += " IN\(options.spelling) "
      write(constants)
    case .isBetween(let value, let lower, let upper, let includesUpper):
      write(value)
      text += includesUpper ? " BETWEEN {" : " BETWEEN "
      write(lower)
      text += includesUpper ? ", " : " ..< "
      write(upper)
      text += includesUpper ? "}" : ""
    case .hasWords(let path, let search):
      writeQuantified(path)
      text += " TEXT " + QueryPrinter.quoted(search, "'")
    }
  }
}

// MARK: - Values

extension QueryPrinter {
  private mutating func write(_ expression: QueryExpression) {
    switch expression {
    case .constant(let value): write(value)
    case .parameter(let parameter): text += "$\(parameter.number)"
    case .property(let path): writeQuantified(path)
    case .count(let path):
      writePath(path)
      text += ".@count"
    case .aggregate(let aggregate, let path):
      writePath(path)
      text += aggregate.spelling
    case .matches(let path, let condition):
      text += "SUBQUERY("
      writePath(path)
      subqueries += 1
      text += ", \(variable), "
      write(condition)
      subqueries -= 1
      text += ").@count"
    case .arithmetic(let left, let operation, let right):
      write(left, inParentheses: left.strength < operation.strength)
      text += operation.spelling
      // Operators of equal strength are left-associative, so an equal one on the right needs
      // parentheses.
      write(right, inParentheses: right.strength <= operation.strength)
    }
  }

  private mutating func write(_ expression: QueryExpression, inParentheses: Bool) {
    if inParentheses { text += "(" }
    write(expression)
    if inParentheses { text += ")" }
  }

  /// Writes constants in braces, or as one argument if any of them does not have a literal.
  private mutating func write(_ constants: [PropertyValue]) {
    let literals = constants.compactMap(\.queryLiteral)
    if literals.count == constants.count {
      text += "{" + literals.joined(separator: ", ") + "}"
    } else {
      writeArgument(.list(constants))
    }
  }

  private mutating func write(_ value: PropertyValue) {
    if let literal = value.queryLiteral { text += literal } else { writeArgument(value) }
  }

  private mutating func writeArgument(_ value: PropertyValue) {
    text += "$\(arguments.count)"
    arguments.append(value)
  }
}

// MARK: - Paths

extension QueryPrinter {
  /// The variable of the innermost sub-query.
  private var variable: String { subqueries == 1 ? "$x" : "$x\(subqueries)" }

  private mutating func writeQuantified(_ path: QueryPath) {
    switch path.quantifier {
    case .any: break
    case .all: text += "ALL "
    case .none: text += "NONE "
    }
    writePath(path)
  }

  fileprivate mutating func writePath(_ path: QueryPath) {
    var isBeginning = subqueries == 0
    if !isBeginning { text += variable }
    if isBeginning, !path.beginsWithName {
      text += "SELF"
      isBeginning = false
    }
    for step in path.steps {
      switch step {
      case .name(let name): text += "[" + Self.quoted(name, "'") + "]"
      case .names: text += ".@keys"
      case .property(let name):
        text += (isBeginning ? "" : ".") + Self.name(name, isBeginning: isBeginning)
      case .inverse(let className, let property):
        text +=
          (isBeginning ? "" : ".") + "@links." + Self.name(className) + "."
          + Self.name(property)
      }
      isBeginning = false
    }
  }

  /// Returns a name, in backquotes if it would not be read as a name.
  private static func name(_ name: String, isBeginning: Bool = false) -> String {
    let isReserved = isBeginning && QueryKeyword(rawValue: name.lowercased())?.isReserved == true
    return QueryScanner.isPlainName(name) && !isReserved ? name : quoted(name, "`")
  }

  static func quoted(_ text: String, _ quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    result.append(quote)
    for scalar in text.unicodeScalars {
      switch scalar {
      case quote, "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      default:
        if scalar.isControl {
          let number = String(scalar.value, radix: 16, uppercase: true)
          result.append(contentsOf: "\\u{\(number)}".unicodeScalars)
        } else {
          result.append(scalar)
        }
      }
    }
    result.append(quote)
    return String(result)
  }
}

extension QueryPath {
  /// The path as text, without its quantifier.
  var text: String {
    var printer = QueryPrinter()
    printer.writePath(self)
    return printer.text
  }

  /// Whether the path can start with its first step, without `SELF`.
  fileprivate var beginsWithName: Bool {
    switch steps.first {
    case .property, .inverse: true
    case .name, .names, nil: false
    }
  }
}

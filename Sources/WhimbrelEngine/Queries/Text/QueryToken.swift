/// A word, a symbol or a value in the text of a query.
struct QueryToken {
  enum Kind: Hashable {
    case end
    /// A name or a word of the language. `isCall` states whether `(` follows.
    case word(String, QueryKeyword?, isCall: Bool)
    /// A name in backquotes.
    case name(String)
    /// `$dog`: an object of a sub-query.
    case variable(String)
    /// `$0`, or `%@` for the next argument.
    case argument(Int?)
    /// `@count`, without the `@`.
    case function(String)
    /// An integer without its sign.
    case integer(UInt64)
    case literal(PropertyValue)
    case symbol(QuerySymbol)
  }

  let kind: Kind
  /// The range of the token in the UTF-8 of the text.
  let range: Range<Int>
}

extension QueryToken {
  var keyword: QueryKeyword? {
    guard case .word(_, let keyword, _) = kind else { return nil }
    return keyword
  }

  /// The word of the language, if `(` follows it.
  var call: QueryKeyword? {
    guard case .word(_, let keyword, isCall: true) = kind else { return nil }
    return keyword
  }

  var symbol: QuerySymbol? {
    guard case .symbol(let symbol) = kind else { return nil }
    return symbol
  }

  /// The comparison that the token represents, or nil.
  var comparison: QueryComparison? {
    switch kind {
    case .symbol(let symbol): symbol.comparison
    case .word(_, let keyword?, _): keyword.comparison
    default: nil
    }
  }
}

extension QueryToken {
  /// The arithmetic operation that the token represents, or nil.
  var arithmetic: QueryArithmetic? {
    switch symbol {
    case .plus: .add
    case .minus: .subtract
    case .times: .multiply
    case .divide: .divide
    default: nil
    }
  }
}

enum QuerySymbol: String {
  case openParenthesis = "("
  case closeParenthesis = ")"
  case openBrace = "{"
  case closeBrace = "}"
  case openBracket = "["
  case closeBracket = "]"
  case comma = ","
  case dot = "."
  case closedRange = "..."
  case halfOpenRange = "..<"
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case and = "&&"
  case or = "||"
  case not = "!"

  /// All spellings, the longest ones first. The first one that matches is used.
  static let spellings: [(utf8: [UInt8], symbol: QuerySymbol)] = {
    let texts: [(String, QuerySymbol)] = [
      ("...", .closedRange), ("..<", .halfOpenRange),
      ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
      ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
      ("&&", .and), ("||", .or),
      ("=", .equal), ("<", .less), (">", .greater), ("!", .not), ("(", .openParenthesis),
      (")", .closeParenthesis), ("{", .openBrace), ("}", .closeBrace), ("[", .openBracket),
      ("]", .closeBracket), (",", .comma), (".", .dot), ("+", .plus), ("-", .minus),
      ("*", .times), ("/", .divide),
    ]
    return texts.map { (Array($0.utf8), $1) }
  }()

  var comparison: QueryComparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: nil
    }
  }
}

/// The words of the language, which ignore case.
enum QueryKeyword: String, CaseIterable {
  case and, or, not
  case any, some, all, none
  case `in`, between, contains, beginswith, endswith, like, text
  case `true`, `false`, null, `nil`, inf, infinity, nan
  case `self`, truepredicate, falsepredicate, subquery
  case filter, sort, distinct, offset, limit
  case asc, ascending, desc, descending

  /// Whether the word has a meaning where a name is allowed. A property with this name needs
  /// backquotes there.
  var isReserved: Bool {
    switch self {
    case .and, .or, .not, .any, .some, .all, .none, .true, .false, .null, .nil, .inf, .infinity,
      .nan, .self, .truepredicate, .falsepredicate:
      true
    default: false
    }
  }

  var comparison: QueryComparison? {
    switch self {
    case .contains: .contains
    case .beginswith: .beginsWith
    case .endswith: .endsWith
    case .like: .like
    default: nil
    }
  }

  var quantifier: QueryPath.Quantifier? {
    switch self {
    case .any, .some: .any
    case .all: .all
    case .none: QueryPath.Quantifier.none
    default: nil
    }
  }

  /// Whether the word starts a stage if `(` follows it.
  var isStage: Bool {
    switch self {
    case .filter, .sort, .distinct, .offset, .limit: true
    default: false
    }
  }
}

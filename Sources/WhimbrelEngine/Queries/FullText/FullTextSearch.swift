/// A search for words in a text.
///
/// | search | finds |
/// |---|---|
/// | `swan lake` | texts with both words, in any order |
/// | `swan OR lake` | texts with at least one of the words |
/// | `swan -lake`, `swan NOT lake` | texts with the first word and without the second |
/// | `swa*` | texts with a word that begins with `swa` |
///
/// `OR` binds weaker than the space between words: `swan lake OR duck` has two alternatives. `AND`
/// between words is allowed and has no effect. Every text is a valid search. A search without words
/// does not find any text.
package struct FullTextSearch: Hashable, Sendable {
  /// The alternatives. A text matches if it satisfies all terms of at least one.
  package let alternatives: [[Term]]

  /// Words that a text must contain or, if excluded, must not all contain.
  package struct Term: Hashable, Sendable {
    /// The folded words. A piece such as `a-b` has several.
    package let words: [String]
    /// Whether the last word is only a prefix.
    package let isPrefix: Bool
    package let isExcluded: Bool
  }

  package init(parsing text: String) {
    var alternatives: [[Term]] = [[]]
    var isNegated = false
    for piece in text.split(whereSeparator: \.isWhitespace) {
      switch piece {
      case "AND": continue
      case "OR": alternatives.append([])
      case "NOT": isNegated = true
      default:
        let words = FullText.wordList(of: String(piece))
        if words.isEmpty { continue }
        alternatives[alternatives.count - 1].append(
          Term(
            words: words, isPrefix: piece.hasSuffix("*"),
            isExcluded: isNegated != piece.hasPrefix("-")))
        isNegated = false
      }
    }
    self.alternatives = alternatives.filter { !$0.isEmpty }
  }

  /// Returns whether a text matches the search.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func matches(_ text: String) -> Bool {
    if alternatives.isEmpty { return false }
    let words = FullText.words(of: text)
    return alternatives.contains { terms in
      terms.allSatisfy { $0.isIn(words) != $0.isExcluded }
    }
  }
}

extension FullTextSearch.Term {
  fileprivate func isIn(_ found: Set<String>) -> Bool {
    guard isPrefix, let last = words.last else { return found.isSuperset(of: words) }
    return found.isSuperset(of: words.dropLast())
      && found.contains { $0.utf8.starts(with: last.utf8) }
  }

  /// Whether an index contains all of the words completely. It contains only the beginning of long
  /// words.
  var isExact: Bool { words.allSatisfy { $0.utf8.count <= FullText.wordLimit } }
}

/// What a search asks of the words of a text.
///
/// | search | finds |
/// |---|---|
/// | `swan lake` | what has both words, in any order |
/// | `swan OR lake` | what has either |
/// | `swan -lake`, `swan NOT lake` | what has the one and not the other |
/// | `swa*` | what has a word that begins so |
///
/// `OR` binds weaker than the space between words: `swan lake OR duck` has two alternatives.
/// `AND` may stand between words and says nothing. Any text is a search; one without words
/// finds nothing.
package struct FullTextSearch: Hashable, Sendable {
  /// Of these, one at least has to be met: all of its terms.
  package let alternatives: [[Term]]

  /// Words that have to be there, all of them, or must not all be there.
  package struct Term: Hashable, Sendable {
    /// The words, folded. There are several where `a-b` is asked for.
    package let words: [String]
    /// Whether the last word may go on.
    package let isPrefix: Bool
    package let isExcluded: Bool
  }

  /// Reads a search.
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

  /// Whether a text has what is asked for.
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

  /// Whether an index can say who has the words: it does not have all of long ones.
  var isExact: Bool { words.allSatisfy { $0.utf8.count <= FullText.wordLimit } }
}

internal import WhimbrelLMDB

extension ClassTable {
  /// Returns the objects whose text a search matches, in the order of their IDs. Returns nil if the
  /// property does not have a full-text index, or if an alternative of the search has only excluded
  /// words, which an index cannot answer.
  ///
  /// - Complexity: O(*n* log *n*) for *n* entries of the words in the search.
  package func objectIDs(
    matching search: FullTextSearch, in position: Int
  ) throws -> [ObjectID]? {
    guard let index = fullTextIndex(position),
      search.alternatives.allSatisfy({ $0.contains { !$0.isExcluded } })
    else { return nil }
    var found: Set<ObjectID> = []
    for terms in search.alternatives { found.formUnion(try objectIDs(with: terms, in: index)) }
    let sorted = found.sorted()
    if search.isExact { return sorted }
    return try sorted.filter { id in
      guard let record = try record(id),
        case .string(let text) = try value(position, of: record, id)
      else { return false }
      return search.matches(text)
    }
  }

  /// Returns the objects whose text contains all required words and none of the excluded ones. The
  /// result may contain further objects, because the index contains only the beginning of long
  /// words.
  private func objectIDs(
    with terms: [FullTextSearch.Term], in index: TableIndex
  ) throws -> Set<ObjectID> {
    var found: Set<ObjectID>?
    for term in terms where !term.isExcluded {
      let ids = try objectIDs(with: term, in: index)
      found = found.map { $0.intersection(ids) } ?? ids
      if found?.isEmpty == true { return [] }
    }
    var result = found ?? []
    for term in terms where term.isExcluded && term.isExact {
      result.subtract(try objectIDs(with: term, in: index))
    }
    return result
  }

  private func objectIDs(
    with term: FullTextSearch.Term, in index: TableIndex
  ) throws -> Set<ObjectID> {
    var found: Set<ObjectID>?
    for (number, word) in term.words.enumerated() {
      let isPrefix = term.isPrefix && number == term.words.count - 1
      let key =
        isPrefix ? Array(word.utf8.prefix(FullText.wordLimit)) : FullText.key(of: word)
      let ids = try objectIDs(under: key, in: index, isWhole: !isPrefix)
      found = found.map { $0.intersection(ids) } ?? ids
    }
    return found ?? []
  }

  /// Returns the objects of the entries whose keys begin with some bytes.
  ///
  /// - Parameter isWhole: Whether the keys must consist of the bytes and an object ID only.
  private func objectIDs(
    under prefix: [UInt8], in index: TableIndex, isWhole: Bool
  ) throws -> Set<ObjectID> {
    let cursor = try session.view.cursor(index.table)
    var found: Set<ObjectID> = []
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      let length = cursor.key.count
      if isWhole ? length == prefix.count + 8 : length >= prefix.count + 8 {
        found.insert(ObjectID(rawValue: cursor.key.loadBigEndian(at: length - 8)))
      }
      isInside = try cursor.move(to: .next)
    }
    return found
  }
}

extension FullTextSearch {
  /// Whether the index is enough to decide which objects match.
  fileprivate var isExact: Bool { alternatives.allSatisfy { $0.allSatisfy(\.isExact) } }
}

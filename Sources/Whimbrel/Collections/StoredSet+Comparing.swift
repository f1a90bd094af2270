extension StoredSet {
  /// What is to be asked whether it has elements: others as they are if they are a
  /// set, else a set of them.
  private func asSet(_ others: some Sequence<Element>) -> StoredSet {
    others as? StoredSet ?? StoredSet(others)
  }

  /// Whether others have all elements of this.
  ///
  /// - Complexity: O(*n* log *m*), and O(*m*) for others that are no set.
  public func isSubset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count <= others.count && allSatisfy { others.contains($0) }
  }

  /// Whether this has all elements of others.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isSuperset(of others: some Sequence<Element>) -> Bool {
    others.allSatisfy { contains($0) }
  }

  /// Whether others have all elements of this, and more.
  ///
  /// - Complexity: that of ``isSubset(of:)``.
  public func isStrictSubset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count < others.count && isSubset(of: others)
  }

  /// Whether this has all elements of others, and more.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isStrictSuperset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count > others.count && isSuperset(of: others)
  }

  /// Whether no element is in both.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isDisjoint(with others: some Sequence<Element>) -> Bool { !intersects(others) }

  /// Whether an element is in both.
  ///
  /// - Complexity: O(*m* log *n*).
  public func intersects(_ others: some Sequence<Element>) -> Bool {
    others.contains { contains($0) }
  }
}

extension StoredSet where Element: Hashable {
  /// The elements of this and of others; this is not changed.
  public func union(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).union(others)
  }

  /// The elements that are in both; this is not changed.
  public func intersection(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).intersection(others)
  }

  /// The elements that are not among others; this is not changed.
  public func subtracting(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).subtracting(others)
  }

  /// The elements that are in one of both only; this is not changed.
  public func symmetricDifference(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).symmetricDifference(Set(others))
  }
}

extension StoredSet: Equatable {
  /// Whether both have the same elements, be they managed or not.
  ///
  /// - Complexity: O(*n* log *n*).
  public static func == (lhs: StoredSet, rhs: StoredSet) -> Bool {
    if lhs === rhs || lhs.storage.isSame(as: rhs.storage) { return true }
    return lhs.count == rhs.count && lhs.isSubset(of: rhs)
  }
}

extension StoredSet {
  /// Returns others as they are if they are a `StoredSet`, and otherwise a set of them, for fast
  /// lookups.
  private func asSet<Others: Sequence<Element>>(_ others: Others) -> StoredSet {
    // A cast of a `Set` to a class makes a set of Foundation, which never ends for `Decimal`s.
    guard Others.self == StoredSet.self, let others = others as? StoredSet else {
      return StoredSet(others)
    }
    return others
  }

  /// Returns whether others contain all elements of this set.
  ///
  /// - Complexity: O(*n* log *m*), plus O(*m*) if the others are not a `StoredSet`.
  public func isSubset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count <= others.count && allSatisfy { others.contains($0) }
  }

  /// Returns whether this set contains all others.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isSuperset(of others: some Sequence<Element>) -> Bool {
    others.allSatisfy { contains($0) }
  }

  /// Returns whether others contain all elements of this set, and at least one more.
  ///
  /// - Complexity: As ``isSubset(of:)``.
  public func isStrictSubset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count < others.count && isSubset(of: others)
  }

  /// Returns whether this set contains all others, and at least one more element.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isStrictSuperset(of others: some Sequence<Element>) -> Bool {
    let others = asSet(others)
    return count > others.count && isSuperset(of: others)
  }

  /// Returns whether this set and others have no element in common.
  ///
  /// - Complexity: O(*m* log *n*).
  public func isDisjoint(with others: some Sequence<Element>) -> Bool { !intersects(others) }

  /// Returns whether this set and others have at least one element in common.
  ///
  /// - Complexity: O(*m* log *n*).
  public func intersects(_ others: some Sequence<Element>) -> Bool {
    others.contains { contains($0) }
  }
}

extension StoredSet where Element: Hashable {
  /// Returns the elements of this set and of others. This set does not change.
  public func union(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).union(others)
  }

  /// Returns the elements that are in this set and among others. This set does not change.
  public func intersection(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).intersection(others)
  }

  /// Returns the elements that are not among others. This set does not change.
  public func subtracting(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).subtracting(others)
  }

  /// Returns the elements that are in this set or among others, and not in both. This set does not
  /// change.
  public func symmetricDifference(_ others: some Sequence<Element>) -> Set<Element> {
    Set(self).symmetricDifference(Set(others))
  }
}

extension StoredSet: Equatable {
  /// Returns whether both sets have the same elements. Either set may be managed or unmanaged.
  ///
  /// - Complexity: O(*n* log *n*).
  public static func == (lhs: StoredSet, rhs: StoredSet) -> Bool {
    if lhs === rhs || lhs.storage.isSame(as: rhs.storage) { return true }
    return lhs.count == rhs.count && lhs.isSubset(of: rhs)
  }
}

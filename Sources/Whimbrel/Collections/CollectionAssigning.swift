// What a property of an unmanaged object becomes when it is set: a copy, as that of a
// managed one does. Setting it to itself leaves it as it is.

extension StoredList {
  /// Not for use: what a property that has this list becomes.
  public func _$assigned(_ other: StoredList) -> StoredList {
    other === self ? self : StoredList(other)
  }
}

extension StoredSet {
  /// Not for use: what a property that has this set becomes.
  public func _$assigned(_ other: StoredSet) -> StoredSet {
    other === self ? self : StoredSet(other)
  }
}

extension StoredMap {
  /// Not for use: what a property that has this map becomes.
  public func _$assigned(_ other: StoredMap) -> StoredMap {
    if other === self { return self }
    let copy = StoredMap()
    for (key, value) in other { copy[key] = value }
    return copy
  }
}

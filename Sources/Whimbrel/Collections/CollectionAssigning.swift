// The value that a property of an unmanaged object gets when it is set: a copy, as for a managed
// object. Setting a property to its own value leaves it unchanged.

extension StoredList {
  /// Returns the new value of a property that has this list. For use by generated code.
  public func _$assigned(_ other: StoredList) -> StoredList {
    other === self ? self : StoredList(other)
  }
}

extension StoredSet {
  /// Returns the new value of a property that has this set. For use by generated code.
  public func _$assigned(_ other: StoredSet) -> StoredSet {
    other === self ? self : StoredSet(other)
  }
}

extension StoredMap {
  /// Returns the new value of a property that has this map. For use by generated code.
  public func _$assigned(_ other: StoredMap) -> StoredMap {
    if other === self { return self }
    let copy = StoredMap()
    for (key, value) in other { copy[key] = value }
    return copy
  }
}

// What a property of an unmanaged object becomes when it is set: a copy, as that of a
// managed one does. Setting it to itself leaves it as it is.

extension List {
  /// Not for use: what a property that has this list becomes.
  public func _$assigned(_ other: List) -> List { other === self ? self : List(other) }
}

extension MutableSet {
  /// Not for use: what a property that has this set becomes.
  public func _$assigned(_ other: MutableSet) -> MutableSet {
    other === self ? self : MutableSet(other)
  }
}

extension Map {
  /// Not for use: what a property that has this map becomes.
  public func _$assigned(_ other: Map) -> Map {
    if other === self { return self }
    let copy = Map()
    for (key, value) in other { copy[key] = value }
    return copy
  }
}

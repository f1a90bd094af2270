public import Foundation
internal import WhimbrelEngine

extension StoredList: MutableCollection, RangeReplaceableCollection {
  /// Appends an element.
  ///
  /// - Complexity: O(log *n*).
  public func append(_ element: Element) {
    guard isManaged else { return local.append(element) }
    storage.append(CollectionOfOne(element))
  }

  /// Appends elements.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* elements.
  public func append(contentsOf elements: some Sequence<Element>) {
    guard isManaged else { return local.append(contentsOf: Array(elements)) }
    storage.append(elements)
  }

  /// Appends elements. The same as ``append(contentsOf:)``.
  public func append(objectsIn elements: some Sequence<Element>) {
    append(contentsOf: elements)
  }

  /// Inserts an element before the element at an index, or at the end.
  ///
  /// - Complexity: O(log *n*); O(*n*) in an unmanaged list.
  public func insert(_ element: Element, at position: Int) {
    storage.requirePosition(position, in: count, orEnd: true)
    guard isManaged else { return local.insert(element, at: position) }
    storage.edit(adding: CollectionOfOne(element), else: ()) { values, editor in
      for value in values { try editor.insert(value, at: position) }
    }
  }

  /// Inserts elements before the element at an index, or at the end.
  ///
  /// - Complexity: O(*m* log *n*) for *m* elements.
  public func insert(contentsOf elements: some Collection<Element>, at position: Int) {
    replaceSubrange(position..<position, with: elements)
  }

  /// Replaces the element at an index, as the subscript does.
  ///
  /// - Complexity: O(log *n*).
  public func replace(index position: Int, object element: Element) {
    storage.requirePosition(position, in: count)
    guard isManaged else { return local[position] = element }
    storage.edit(adding: CollectionOfOne(element), else: ()) { values, editor in
      for value in values where try !editor.value(at: position).isIdentical(to: value) {
        try editor.replace(at: position, with: value)
      }
      // Without a value, the new element was a link to an object that the migration has deleted.
      if values.isEmpty { try editor.removeSubrange(position..<position + 1) }
    }
  }

  /// Replaces the elements in a range.
  ///
  /// - Complexity: O((*k* + *m*) log *n*) for *k* removed and *m* new elements.
  public func replaceSubrange(
    _ range: Range<Int>, with elements: some Collection<Element>
  ) {
    storage.requireBounds(range, in: count)
    guard isManaged else { return local.replaceSubrange(range, with: Array(elements)) }
    storage.edit(adding: elements, else: ()) { values, editor in
      try editor.replaceSubrange(range, with: values)
    }
  }
}

// MARK: - Removing

extension StoredList {
  /// Removes the element at an index.
  ///
  /// - Returns: The element. An embedded object is deleted, so it is invalidated.
  /// - Complexity: O(log *n*); O(*n*) in an unmanaged list.
  @discardableResult
  public func remove(at position: Int) -> Element {
    storage.requirePosition(position, in: count)
    guard isManaged else { return local.remove(at: position) }
    let element = self[position]
    storage.edit(else: ()) { try $0.removeSubrange(position..<position + 1) }
    return element
  }

  /// Removes the elements at a set of indexes.
  ///
  /// - Complexity: O(*k* log *n*) for *k* indexes.
  public func remove(atOffsets offsets: IndexSet) {
    guard let last = offsets.last else { return }
    storage.requirePosition(last, in: count)
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Removes the first element. Stops the program if the list is empty.
  ///
  /// - Returns: The element: see ``remove(at:)``.
  @discardableResult
  public func removeFirst() -> Element { remove(at: 0) }

  /// Removes a number of elements from the beginning.
  public func removeFirst(_ number: Int) { removeSubrange(0..<number) }

  /// Removes the last element. Stops the program if the list is empty.
  ///
  /// - Returns: The element: see ``remove(at:)``.
  @discardableResult
  public func removeLast() -> Element { remove(at: count - 1) }

  /// Removes a number of elements from the end.
  public func removeLast(_ number: Int) { removeSubrange(count - number..<count) }

  /// Removes the elements in a range.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* elements; O(*k* log *n*) if they are links, texts or
  ///   data.
  public func removeSubrange(_ range: Range<Int>) {
    storage.requireBounds(range, in: count)
    guard isManaged else { return local.removeSubrange(range) }
    storage.edit(else: ()) { try $0.removeSubrange(range) }
  }

  /// Removes all elements.
  public func removeAll(keepingCapacity: Bool = false) { removeSubrange(0..<count) }

  /// Removes the elements that meet a condition. The condition may delete objects of a list of
  /// objects; otherwise it must not add or remove elements.
  ///
  /// - Complexity: O(*n* + *k* log *n*) for *k* removed elements.
  public func removeAll(where condition: (Element) throws -> Bool) rethrows {
    let countBefore = count
    var (offsets, objects) = (IndexSet(), Set<ObjectID>())
    for (position, element) in zip(0..<countBefore, self) where try condition(element) {
      offsets.insert(position)
      if let object = element._$object { objects.insert(object._$row.id) }
    }
    if offsets.isEmpty { return }
    if objects.isEmpty {
      storage.requireCount(count, still: countBefore, after: "removeAll(where:)")
    } else if count != countBefore {
      // The list has lost the objects that the condition has deleted, and the others have moved.
      offsets = IndexSet()
      for (position, element) in enumerated() {
        if let object = element._$object, objects.contains(object._$row.id) {
          offsets.insert(position)
        }
      }
    }
    remove(atOffsets: offsets)
  }
}

internal import WhimbrelEngine

extension CollectionStorage {
  /// Returns the objects of the collection as a request of their class.
  ///
  /// Stops the program if the collection is unmanaged, because that cannot be queried.
  func objects(of className: String) -> ObjectList {
    guard let owner, let session = owner.session, let table = owner.table else {
      stopProgram(
        """
        Could not query a collection of '\(className)': it does not belong to \
        an object in a store. Add its object to a store first, or iterate over the elements.
        """)
    }
    let property = table.resolved.properties[index].name
    return ObjectList(
      session,
      QueryRequest(
        className, from: .collection(of: owner.id, class: table.name, property: property)))
  }
}

extension StoredList: QueryableObjects where Element: Model {
  /// The objects as results, in the order of the list. They are live, and empty after the owner of
  /// the list is deleted.
  public var results: Results<Element> { Results(storage.objects(of: Element._$schema.name)) }
}

extension StoredSet: QueryableObjects where Element: Model {
  /// The objects as results, in the order of the set. They are live, and empty after the owner of
  /// the set is deleted.
  public var results: Results<Element> { Results(storage.objects(of: Element._$schema.name)) }
}

extension StoredMap where Value: Model {
  /// The objects as results, in the order of their keys. They are live, and empty after the owner
  /// of the map is deleted.
  public var results: Results<Value> { Results(storage.objects(of: Value._$schema.name)) }
}

extension LinkingObjects: QueryableObjects {
  /// The objects as results. They are live, and empty after the object that they link to is
  /// deleted.
  public var results: Results<Element> { Results(sources.objects) }
}

extension LinkSources {
  /// The objects as a request of their class. Stops the program if the object is unmanaged.
  var objects: ObjectList {
    guard let session = target.session, let table = target.table else {
      stopProgram(
        """
        Could not query the objects that link by '\(source).\(property)': the object is not in \
        a store. Add it to a store first.
        """)
    }
    return ObjectList(
      session,
      QueryRequest(source, from: .linking(to: target.id, class: table.name, property: property)))
  }
}

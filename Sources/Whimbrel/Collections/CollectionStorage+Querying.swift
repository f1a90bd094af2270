internal import WhimbrelEngine

extension CollectionStorage {
  /// The objects of the collection as a request of their class.
  ///
  /// A collection that belongs to no object of a store cannot be queried: an error of the
  /// program.
  func objects(of className: String) -> ObjectList {
    guard let owner, let session = owner.session, let table = owner.table else {
      stopProgram(
        """
        Could not query a collection of '\(className)': it belongs to no object of a store. \
        Add its object to a store first, or go through the elements.
        """)
    }
    let property = table.resolved.properties[index].name
    return ObjectList(
      session,
      QueryRequest(
        className, from: .collection(of: owner.id, class: table.name, property: property)))
  }
}

extension StoredList: LiveObjects where Element: Model {}

extension StoredList: QueryableObjects where Element: Model {
  /// The objects as results, in the order of the list. They are live; there are none once
  /// the object is deleted that the list belongs to.
  public var results: Results<Element> { Results(storage.objects(of: Element._$schema.name)) }
}

extension StoredSet: LiveObjects where Element: Model {}

extension StoredSet: QueryableObjects where Element: Model {
  /// The objects as results, in the order of the set. They are live; there are none once
  /// the object is deleted that the set belongs to.
  public var results: Results<Element> { Results(storage.objects(of: Element._$schema.name)) }
}

extension StoredMap where Value: Model {
  /// The objects as results, in the order of their names. They are live; there are none
  /// once the object is deleted that the map belongs to.
  public var results: Results<Value> { Results(storage.objects(of: Value._$schema.name)) }
}

extension LinkingObjects: QueryableObjects {
  /// The objects as results. They are live; there are none once the object is deleted that
  /// they link to.
  public var results: Results<Element> { Results(sources.objects) }
}

extension LinkSources {
  /// The objects as a request of their class.
  var objects: ObjectList {
    guard let session = target.session, let table = target.table else {
      stopProgram(
        """
        Could not query the objects that link by '\(source).\(property)': the object is in no \
        store. Add it to a store first.
        """)
    }
    return ObjectList(
      session,
      QueryRequest(source, from: .linking(to: target.id, class: table.name, property: property)))
  }
}

internal import WhimbrelEngine

/// Finds the objects that links of a text lead to.
package struct LinkResolver {
  /// The object that an object ID of the text names.
  let byID: (ObjectID, ClassTable) throws -> ObjectID
  /// The object with a primary key, or nil when there is none.
  let byKey: (PropertyValue, ClassTable) throws -> ObjectID?

  /// Object IDs and primary keys are those of the store.
  static var ofStore: LinkResolver {
    LinkResolver(byID: { id, _ in id }, byKey: { key, table in try table.find(key) })
  }
}

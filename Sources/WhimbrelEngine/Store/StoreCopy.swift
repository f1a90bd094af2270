package import WhimbrelLMDB

/// A store that is made of objects of another: the same classes, object IDs and record layouts;
/// its indexes are built from its records.
///
/// ```swift
/// let copy = try StoreCopy(of: session, to: "small.whimbrel")
/// for id in kept { try copy.add(id, of: table) }
/// guard try copy.finish() else { … }
/// ```
///
/// The file has a temporary name until ``finish(_:)``; when that is never called, or fails,
/// nothing is left.
package final class StoreCopy {
  /// A value that an object gets in the copy.
  package struct Change {
    /// The place of the property among those of the class.
    package var position: Int
    package var value: PropertyValue

    package init(_ position: Int, _ value: PropertyValue) {
      self.position = position
      self.value = value
    }
  }

  /// - Parameter dropping: properties that the copy's schema does not have, by class. Records of
  ///   these classes are written in the current layout; those of all others keep theirs.
  package init(
    of source: Session, to path: String, dropping: [String: Set<String>] = [:]
  ) throws {
    throw StoreError.readOnlyStore(verb: "copy")  // Being written; the API stays.
  }

  /// Adds an object of the source: its record as it is, in the layout that it has, or with
  /// other values. Objects of a class are added in the order of their IDs, classes in any.
  ///
  /// What has a link keeps it: who adds the objects sees to it that links lead to objects which
  /// are added too, or changes them to nil.
  package func add(
    _ id: ObjectID, of table: ClassTable, changing changes: [Change] = []
  ) throws {
  }

  /// Builds the indexes, waits until the store is on the disk and gives it its name.
  ///
  /// - Parameter progress: is told which class is being indexed, and how far that is.
  /// - Returns: whether it has got the name; if not, a file has it already.
  /// - Throws: ``StoreError``, with `duplicatePrimaryKey` or `duplicateValues` where what has to be
  ///   unique is not.
  package func finish(
    _ progress: (_ className: String, _ completed: Int, _ total: Int) throws -> Void = { _, _, _ in }
  ) throws -> Bool { false }
}

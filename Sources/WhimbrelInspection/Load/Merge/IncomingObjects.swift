package import WhimbrelEngine

/// A sequence of objects to load. It is read twice: first to learn which objects exist, then to
/// read their values, whose links may lead to any of these objects.
package protocol IncomingObjects {
  /// The name of the source in errors.
  var name: String { get }
  /// Whether links may name objects by primary key.
  var linksNameKeys: Bool { get }
  /// The embedded classes of which objects may lack an owner, because it is left out. Such objects
  /// are left out too.
  var classesOfOmittedOwners: Set<ClassID> { get }

  /// Calls `body` with each object, embedded objects included. Every call gives the same objects in
  /// the same order.
  func forEach(_ body: (any IncomingObject) throws -> Void) throws
  /// Returns notes about guessed or dropped values. Called once, after all values have been read.
  ///
  /// - Throws: ``InspectionError`` with `lossyImport` if too much was lost.
  func finish() throws -> [String]
}

extension IncomingObjects {
  package var classesOfOmittedOwners: Set<ClassID> { [] }

  package func finish() -> [String] { [] }
}

/// An object to load.
package protocol IncomingObject {
  var table: ClassTable { get }
  /// The ID by which links name the object, unique in its class.
  var sourceID: UInt64 { get }
  /// The position or name of the object, for errors.
  var place: String { get }
  /// The primary key as the source spells it, or nil if it is missing or not one.
  var keyText: String? { get }

  /// Returns the primary key, or nil if it is missing.
  func key() throws -> PropertyValue?
  /// Returns the embedded objects that the object owns.
  func children() throws -> [IncomingReference]
  /// Returns the given values by the index of the property.
  ///
  /// - Parameter links: Resolves links to objects of the store.
  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue]
  /// Returns an error that names the object and its place, for a reason without a place.
  func explain(_ reason: String) -> InspectionError
}

extension IncomingObject {
  /// The class of the object, and its primary key or its number in the source, for errors.
  package var objectName: String {
    let key = keyText.map(PlainText.quoted) ?? "number \(sourceID)"
    return "\(PlainText.escaped(table.name)) \(key)"
  }

  /// Calls `body`, and names the object in problems with its values.
  package func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problem as JSONProblem { throw explain(problem.reason) }
  }
}

/// The identity of a loaded object, as links name it.
package struct IncomingReference: Hashable {
  let classID: ClassID
  package let sourceID: UInt64

  package init(classID: ClassID, sourceID: UInt64) {
    (self.classID, self.sourceID) = (classID, sourceID)
  }

  init(_ object: any IncomingObject) {
    self.init(classID: object.table.resolved.id, sourceID: object.sourceID)
  }
}

/// An error: a link leads to an object that does not exist.
package struct UnknownTarget: Error {
  let className: String
  let name: String

  package init(className: String, name: String) { (self.className, self.name) = (className, name) }

  /// The reason as a clause, without a full stop.
  package var reason: String {
    "it links to object \(PlainText.quoted(name)) of class \(PlainText.quoted(className)), which "
      + "does not exist"
  }
}

extension ClassTable {
  /// Runs `body`, which reads a value of a property, and adds the name of the property to the
  /// problem with the value.
  ///
  /// - Parameter offset: The offset of the value, for a link to an object that does not exist.
  package func naming<Value>(
    _ property: CatalogProperty, at offset: Int = 0, _ body: () throws -> Value
  ) throws -> Value {
    func problem(_ offset: Int, _ reason: String) -> JSONProblem {
      JSONProblem(offset, "\(reason), in \(PlainText.quoted("\(name).\(property.name)"))")
    }
    do {
      return try body()
    } catch let error as JSONProblem {
      throw problem(error.offset, error.reason)
    } catch let error as UnknownTarget {
      throw problem(offset, error.reason)
    }
  }
}

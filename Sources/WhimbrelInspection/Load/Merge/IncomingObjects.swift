package import WhimbrelEngine

/// Objects from elsewhere that are to be loaded, which can be gone through twice: to learn which
/// there are, and to read their values, whose links may lead to any of them.
package protocol IncomingObjects {
  /// What they are called in errors.
  var name: String { get }
  /// Whether links name objects by their primary keys.
  var linksNameKeys: Bool { get }

  /// Calls `body` with each object, each time the same in the same order. Embedded objects are
  /// objects like all others.
  func forEach(_ body: (any IncomingObject) throws -> Void) throws
  /// What is to be said once all values have been read: what was guessed or left out.
  ///
  /// - Throws: ``InspectionError`` with `lossyImport` when that is too much.
  func finish() throws -> [String]
}

extension IncomingObjects {
  /// Nothing.
  package func finish() -> [String] { [] }
}

/// One of them.
package protocol IncomingObject {
  var table: ClassTable { get }
  /// By what links of others name it; no other of its class has the same.
  var sourceID: UInt64 { get }
  /// Where it stands, or what it is called, for errors.
  var place: String { get }

  /// The primary key, or nil when it is not given.
  func key() throws -> PropertyValue?
  /// The embedded objects that belong to it.
  func children() throws -> [IncomingReference]
  /// The values that are given, by position, each once.
  ///
  /// - Parameter links: knows the objects that links lead to.
  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue]
  /// What is said of it when it cannot be loaded: errors that have a place already stay.
  func explain(_ reason: String) -> InspectionError
}

/// An object as links of others name it.
package struct IncomingReference: Hashable {
  let classID: ClassID
  package let sourceID: UInt64

  package init(classID: ClassID, sourceID: UInt64) {
    (self.classID, self.sourceID) = (classID, sourceID)
  }
}

/// A link leads to no object that is there.
package struct UnknownTarget: Error {
  let className: String
  let name: String

  package init(className: String, name: String) { (self.className, self.name) = (className, name) }

  /// Without a full stop.
  package var reason: String {
    "it links to object \(PlainText.quoted(name)) of class \(PlainText.quoted(className)), "
      + "which is not there"
  }
}

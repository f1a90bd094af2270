internal import WhimbrelEngine

/// A change of observed sections: see ``SectionedResults/observe(isolation:_:)``.
public enum SectionedChange<Key: Hashable, Element: Model> {
  /// The sections are observed from now on. The same is told again if a change cannot be told in
  /// detail: show the sections anew.
  case initial(SectionedResults<Key, Element>)
  /// The sections have changed. They show the state after the change, and the update says what leads
  /// there.
  case update(SectionedResults<Key, Element>, SectionedUpdate)
  /// The sections cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension SectionedChange: Sendable {}

/// A change of one observed section: see ``ResultsSection/observe(isolation:_:)``.
public enum SectionChange<Key: Hashable, Element: Model> {
  /// The section is observed from now on. The same is told again if a change cannot be told in
  /// detail.
  case initial(ResultsSection<Key, Element>)
  /// The objects of the section have changed. If it is empty, no object has its value any more.
  case update(ResultsSection<Key, Element>, CollectionUpdate)
  /// The section cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension SectionChange: Sendable {}

/// The position of an object in sections.
public struct SectionPosition: Hashable, Comparable, Sendable {
  /// The position of the section.
  public let section: Int
  /// The position of the object in the section.
  public let item: Int

  /// Makes a position.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Returns whether a position precedes another: by sections, then in the section.
  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension SectionPosition: CustomStringConvertible {
  /// The two numbers, with a full stop between them.
  public var description: String { "\(section).\(item)" }
}

/// The difference between sections before and after a change.
///
/// ```swift
/// token = zones.sectioned(by: \.area).observe { change in
///   guard case .update(_, let update) = change else { return table.reloadData() }
///   func paths(_ positions: [SectionPosition]) -> [IndexPath] {
///     positions.map { IndexPath(item: $0.item, section: $0.section) }
///   }
///   table.performBatchUpdates {
///     table.deleteSections(IndexSet(update.deletedSections))
///     table.insertSections(IndexSet(update.insertedSections))
///     table.deleteItems(at: paths(update.deletions))
///     table.insertItems(at: paths(update.insertions))
///     table.reloadItems(at: paths(update.modificationsBefore))
///   }
/// }
/// ```
///
/// The order of sections is that of their first objects, so a section moves when these do. It is then
/// deleted and inserted; as few sections as possible are. The objects of a section that is deleted or
/// inserted go and come with it, and are not listed. All others can be applied in this order: remove
/// the objects at ``deletions``, from the last to the first, and then the sections at
/// ``deletedSections``. Insert the sections at ``insertedSections``, and then the objects at
/// ``insertions``, from the first to the last.
public struct SectionedUpdate: Hashable, Sendable {
  /// The positions before the change of the sections that are gone or have moved, ascending.
  public let deletedSections: [Int]
  /// The positions after the change of the sections that came or have moved, ascending.
  public let insertedSections: [Int]
  /// The positions before the change of the objects that left their section or moved in it,
  /// ascending.
  public let deletions: [SectionPosition]
  /// The positions after the change of the objects that came to their section or moved in it,
  /// ascending.
  public let insertions: [SectionPosition]
  /// The positions after the change of the objects that were modified and did not move, ascending.
  public let modifications: [SectionPosition]
  /// The positions before the change of the objects at ``modifications``, ascending. Table views want
  /// these, because they apply a batch to the rows before it.
  public let modificationsBefore: [SectionPosition]

  init(_ difference: SectionsDifference) {
    func positions(_ positions: [SectionsDifference.Position]) -> [SectionPosition] {
      positions.map { SectionPosition(section: $0.section, item: $0.item) }
    }
    (deletedSections, insertedSections) = (difference.deletedSections, difference.insertedSections)
    deletions = positions(difference.deletions)
    insertions = positions(difference.insertions)
    modifications = positions(difference.modifications)
    modificationsBefore = positions(difference.modificationsBefore)
  }
}

extension SectionedUpdate: CustomStringConvertible {
  /// The positions that have changed; of very many, the first ones.
  public var description: String {
    """
    deleted sections \(printed(deletedSections)), inserted sections \(printed(insertedSections)), \
    deletions \(printed(deletions)), insertions \(printed(insertions)), \
    modifications \(printed(modifications))
    """
  }
}

extension StoreDump {
  /// The objects that a dump contains. The default is all.
  ///
  /// ```swift
  /// var options = StoreDump.Options()
  /// options.selections = [try ObjectSelection("Zone where latitude > 60")]
  /// options.reach = .linked
  /// try StoreDump(inspector, options).write(to: &text)
  /// ```
  ///
  /// Every dump has the whole schema and can be loaded. The counts in its first line are those of
  /// the selected objects. Embedded objects are included with their owners.
  public struct Options: Hashable, Sendable {
    /// The selections. The dump contains the union of them. The default is none, which selects all
    /// objects.
    public var selections: [ObjectSelection] = []
    /// Classes whose objects are left out, even if they are selected or linked to.
    public var excludedClasses: [String] = []
    /// How far the selection reaches. The default is the selected objects only.
    public var reach = Reach.selected
    /// How links that lead out of the dump are treated. The default is to drop them.
    public var outgoingLinks = OutgoingLinks.dropped
    /// Whether the dump contains objects. The default is to include them.
    public var contents = Contents.objects

    /// Creates options for a dump of all objects.
    public init() {}

    /// The reach of a selection.
    public enum Reach: Hashable, Sendable {
      /// The selected objects and the objects embedded in them.
      case selected
      /// Also all objects that the selected objects link to, directly or through other objects.
      case linked
    }

    /// The treatment of links that lead out of the dump.
    public enum OutgoingLinks: Hashable, Sendable {
      /// Single links become nil. Elements of lists, sets and maps are removed.
      case dropped
      /// Writing fails with an error that names the first such link.
      case refused
    }

    /// The content of a dump.
    public enum Contents: Hashable, Sendable {
      /// The schema and the selected objects.
      case objects
      /// The schema only.
      case schemaOnly
    }

    /// Whether the options select the whole store.
    var isWhole: Bool {
      selections.isEmpty && excludedClasses.isEmpty && contents == .objects
    }
  }
}

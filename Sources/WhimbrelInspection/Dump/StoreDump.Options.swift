extension StoreDump {
  /// Which objects of a store a dump has; the default is all.
  ///
  /// ```swift
  /// var options = StoreDump.Options()
  /// options.selections = [try ObjectSelection("Zone where latitude > 60")]
  /// options.reach = .linked
  /// try StoreDump(inspector, options).write(to: &text)
  /// ```
  ///
  /// Whatever is selected, the dump has the whole schema and loads again: its first line counts
  /// the objects that are in it. Embedded objects go with those that they belong to.
  public struct Options: Hashable, Sendable {
    /// The objects, all those of any of the selections; when there are none, all objects.
    public var selections: [ObjectSelection] = []
    /// Classes of which no objects are wanted, whatever else is selected.
    public var excludedClasses: [String] = []
    /// How far the selection reaches. The default is to the objects selected.
    public var reach = Reach.selected
    /// What becomes of links that lead out of what is dumped. The default is that they are
    /// left out.
    public var outgoingLinks = OutgoingLinks.dropped
    /// Whether there are to be any objects. The default is all that are selected.
    public var contents = Contents.objects

    /// All of a store.
    public init() {}

    /// How far a selection reaches.
    public enum Reach: Hashable, Sendable {
      /// To the objects selected, and those embedded in them.
      case selected
      /// To all objects that these link to as well, directly or by way of others.
      case linked
    }

    /// What becomes of links that lead out of what is dumped.
    public enum OutgoingLinks: Hashable, Sendable {
      /// They become nil; elements of lists, sets and maps go.
      case dropped
      /// They are an error that names the first.
      case refused
    }

    /// What a dump has.
    public enum Contents: Hashable, Sendable {
      /// The schema and objects.
      case objects
      /// The schema, and no objects.
      case schemaOnly
    }

    /// Whether that is everything.
    var isWhole: Bool {
      selections.isEmpty && excludedClasses.isEmpty && contents == .objects
    }
  }
}

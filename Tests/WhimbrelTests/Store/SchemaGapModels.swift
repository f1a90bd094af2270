import Foundation
import Whimbrel

enum GapColor: String, PersistableEnum { case red, blue }

enum GapColorMore: String, PersistableEnum { case red, green, blue }

/// The models of an app as it was.
enum GapOld {
  @Model("Paint") final class Paint {
    @PrimaryKey var key: Int
    var name: String
    var color: GapColor
    var words: StoredList<String>
  }

  @Model("Pot") final class Pot {
    var label: String
    var paint: Paint?
  }
}

/// The same app later: an added property of each kind, another order, a new case.
enum GapNew {
  @Model("Paint") final class Paint {
    var price: Double = 2.5
    var color: GapColorMore
    @Indexed var maker: String = "Whimbrel & Sons, painters since 1826"
    @PrimaryKey var key: Int
    var words: StoredList<String>
    var layers: StoredList<Int>
    var note: String?
    var mixed: Pot?
    var name: String
  }

  @Model("Pot") final class Pot {
    var label: String
    var paint: Paint?
  }
}

/// The same with a property whose value nobody but the newer app can give.
enum GapRequired {
  @Model("Paint") final class Paint {
    @PrimaryKey var key: Int
    var name: String
    var color: GapColor
    var words: StoredList<String>
    var uuid: UUID = UUID()
  }

  @Model("Pot") final class Pot {
    var label: String
    var paint: Paint?
  }
}

/// What an app extension declares: fewer properties, a class that the file lacks and links to it.
enum GapExtension {
  @Model("Paint") final class Paint: Model {
    @Indexed var name: String = "unnamed"
    @PrimaryKey var key: Int
    @Inverse(of: \Shelf.paints) var shelves: LinkingObjects<Shelf>
  }

  @Model("Shelf") final class Shelf: Model {
    @PrimaryKey var number: Int
    @Indexed var place: String
    var paints: StoredList<Paint>
    var next: Shelf?
  }
}

/// A class that becomes embedded, or no longer is.
enum GapPlain {
  @Model("Part") final class Part: Model {
    var size: Int
  }

  @Model("Whole") final class Whole: Model {
    var part: Part?
    var parts: StoredList<Part>
  }
}

enum GapEmbedded {
  @Model("Part", .embedded) final class Part: Model {
    var size: Int
  }

  @Model("Whole") final class Whole: Model {
    var part: Part?
    var parts: StoredList<Part>
  }
}

/// What a read-only store can show without code: a rename, an added property with a default.
enum GapRenamed {
  @Model("Pot") final class Pot {
    @Renamed(from: "label") var title: String?
    var size: Int = 3
    var shelf: GapExtension.Shelf?
  }
}

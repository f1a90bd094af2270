public import Whimbrel

// Public models with properties that can be seen less far than they.

enum HiddenKey: Int, PersistableEnum {
  case first, second
}

/// Its primary key cannot be seen as far as itself.
@Model
public final class ShownWithHiddenKey {
  @PrimaryKey var key: HiddenKey
}

/// Its identity cannot be seen as far as itself.
@Model
public final class HiddenIdentity {
  var id: String = ""
}

/// Its identity is of a type of its own.
@Model
public final class OwnTypeOfID {
  /// The identity.
  public enum ID: Int, PersistableEnum {
    case first, second
  }

  /// The primary key.
  @PrimaryKey public var id: ID
}

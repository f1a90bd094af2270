public import Foundation
internal import WhimbrelEngine

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Bytes {
  /// The condition that the bytes have these somewhere in them.
  public func contains(_ bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.contains, part.constant(bytes)))
  }

  /// The condition that the bytes begin with these.
  public func starts(with bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.beginsWith, part.constant(bytes)))
  }

  /// The condition that the bytes end with these.
  public func ends(with bytes: Data) -> QueryValue<Bool> {
    QueryValue<Bool>(part.compared(.endsWith, part.constant(bytes)))
  }
}

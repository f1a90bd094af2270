public import Foundation
internal import WhimbrelEngine

extension Query where Value: QueryMember, Value._$Kind == QueryKind.Bytes {
  /// The condition that the bytes have these somewhere in them.
  public func contains(_ bytes: Data) -> Query<Bool> {
    Query<Bool>(part.compared(.contains, part.constant(bytes)))
  }

  /// The condition that the bytes begin with these.
  public func starts(with bytes: Data) -> Query<Bool> {
    Query<Bool>(part.compared(.beginsWith, part.constant(bytes)))
  }

  /// The condition that the bytes end with these.
  public func ends(with bytes: Data) -> Query<Bool> {
    Query<Bool>(part.compared(.endsWith, part.constant(bytes)))
  }
}

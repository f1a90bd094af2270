import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plug-in with its list of macros.
@main
struct WhimbrelPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ModelMacro.self,
    PersistedMacro.self,
    UnstorableTypeMacro.self,
    UnstorableElementMacro.self,
    RequiredLinkMacro.self,
    AliasedCollectionMacro.self,
    UnstoredMacro.self,
    SuperclassMacro.self,
    InheritedProtocolMacro.self,
    PrimaryKeyMacro.self,
    IndexedMacro.self,
    IndexMacro.self,
    TransientMacro.self,
    StoredNameMacro.self,
    RenamedMacro.self,
    InverseMacro.self,
    InverseGetterMacro.self,
  ]
}

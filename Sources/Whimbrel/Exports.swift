@_exported public import WhimbrelEngine

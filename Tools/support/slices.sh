# shellcheck shell=bash
# Source this: it knows the slices of the package, each of which builds without the rest.

# The slices, as they are listed to people.
whimbrel_slices="engine, model, online, macros, inspection, sampling, import, tool or testing"

# Prints the test targets of a slice, or fails when there is none of that name.
whimbrel_slice_targets() {
  case "$1" in
    engine) echo WhimbrelLMDBTests,WhimbrelEngineTests ;;
    model) echo WhimbrelTests,ModelCompilationTests ;;
    online) echo WhimbrelOnlineTests ;;
    macros) echo WhimbrelMacrosTests ;;
    inspection) echo WhimbrelInspectionTests ;;
    sampling) echo WhimbrelSamplingTests ;;
    import) echo WhimbrelImportTests ;;
    tool) echo WhimbrelToolTests,WhimbrelStudioTests ;;
    testing) echo WhimbrelTestingTests,ZonesTests ;;
    *) return 1 ;;
  esac
}

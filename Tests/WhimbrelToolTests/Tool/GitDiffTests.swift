import Foundation
import Testing
import WhimbrelInspectionTestSupport

/// The tool as what git calls to show changes of a store.
@Suite(
  .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/git"), "there is no git here"))
struct GitDiffTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("zones.whimbrel"))
    _ = try git(
      """
      git init -q . && git config user.name A && git config user.email a@example.com
      echo '*.whimbrel diff=whimbrel' > .gitattributes; echo '*-lock' > .gitignore
      git add . && git commit -q -m first
      """)
  }

  /// Runs a script without what the user has set up for git.
  private func git(_ script: String) throws -> String {
    let setup = """
      export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat TMPDIR="$PWD/temporary"
      mkdir -p temporary; echo temporary > .git/info/exclude 2> /dev/null
      """
    let result = try shell("\(setup)\n\(script)", in: folder)
    #expect(result.exitCode == 0, "\(result.output)")
    return result.output
  }

  /// Changes the store, as `whimbrel set` does.
  private func change(_ value: String) throws {
    let run = try ToolRun(
      ["set", "zones.whimbrel", "Zone", "Asia/Kathmandu", value, "--write"], in: folder)
    #expect(run.exitCode == 0)
  }

  @Test func `a diff driver shows what differs`() throws {
    try change("comments=x")
    let driver = #"git config diff.whimbrel.command "$whimbrel diff --git""#
    #expect(
      try git("\(driver); git diff") == #"""
        whimbrel diff zones.whimbrel
        Zone: 1 changed, 1 unchanged
        ~ Zone Asia/Kathmandu
            comments: "a \"b\"" → "x"

        """#)
    // Two versions that are both git's own files, and one that is none.
    let shown = try git(
      """
      git commit -q -a -m second; echo text > zones.whimbrel; git commit -q -a -m third
      git show --ext-diff --format= HEAD~1
      git show --ext-diff --format= HEAD
      """)
    #expect(
      shown.replacing(#/'/.*/zones/#, with: "'zones") == #"""
        whimbrel diff zones.whimbrel
        Zone: 1 changed, 1 unchanged
        ~ Zone Asia/Kathmandu
            comments: "a \"b\"" → "x"
        whimbrel diff zones.whimbrel
        Could not open the store at 'zones.whimbrel': it is not a Whimbrel store; it has only 5 bytes.

        """#)
    #expect(try git("find temporary -type f") == "")
  }

  @Test func `a diff driver shows stores that come and go`() throws {
    _ = try git(#"git config diff.whimbrel.command "$whimbrel diff --git""#)
    #expect(
      try git("git show --ext-diff --format= HEAD -- zones.whimbrel") == """
        whimbrel diff zones.whimbrel
        New store: 1 Country, 2 Zone

        """)
    #expect(
      try git(
        """
        git rm -q zones.whimbrel; git commit -q -m second
        git show --ext-diff --format= HEAD -- zones.whimbrel
        """) == """
          whimbrel diff zones.whimbrel
          Deleted store: 1 Country, 2 Zone

          """)
  }

  @Test func `a dump is what git compares as text`() throws {
    try change("comments=x")
    let text = try git(
      #"git config diff.whimbrel.textconv "$whimbrel dump"; git diff 2> errors | grep '^[+-][{]'"#)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2, "\(text)")
    #expect(lines.first?.hasPrefix(#"-{"class":"Zone","id":2,"#) == true)
    #expect(lines.last?.contains(#""comments":"x"}"#) == true)
  }
}

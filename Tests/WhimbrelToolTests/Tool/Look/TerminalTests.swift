import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport

/// Whether there is the program that plays the terminal; that of other systems differs.
private let hasScript: Bool = {
  #if os(Linux)
    FileManager.default.isExecutableFile(atPath: "/usr/bin/script")
  #else
    false
  #endif
}()

/// The tool on a terminal, which the program `script` of Linux plays.
@Suite(.enabled(if: hasScript, "it takes the program 'script' of Linux"))
struct TerminalTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  /// What a terminal gets to see.
  ///
  /// - Parameter setup: a line of shell script that is run on it before.
  private func terminal(
    _ arguments: String, _ environment: String = "", setup: String = ""
  ) throws -> String {
    let script =
      "\(environment.contains("TERM=") ? "" : "TERM=xterm ")\(environment) "
      + "script -qec '\(setup)\"$whimbrel\" \(arguments); echo code $?' /dev/null < /dev/null"
    let (output, exitCode) = try shell("export whimbrel; " + script, in: folder)
    #expect(exitCode == 0)
    return output.replacing("\r\n", with: "\n")
  }

  private static let list = "ls a.whimbrel Country --columns code,name"
  private static let coloured =
    "\u{1B}[1mcode\u{1B}[0m  \u{1B}[1mname\u{1B}[0m\n\u{1B}[36mAD\u{1B}[0m    Andorra\ncode 0\n"
  private static let plain = "code  name\nAD    Andorra\ncode 0\n"

  @Test func `a terminal gets colours, unless it or its user does not want them`() throws {
    #expect(try terminal(Self.list, "WHIMBREL_PAGER=") == Self.coloured)
    #expect(try terminal(Self.list, "WHIMBREL_PAGER= NO_COLOR=1") == Self.plain)
    #expect(try terminal(Self.list, "WHIMBREL_PAGER= TERM=dumb") == Self.plain)
    #expect(try terminal(Self.list, "WHIMBREL_PAGER= NO_COLOR=1 CLICOLOR_FORCE=1") == Self.plain)
  }

  @Test func `nothing but a terminal gets colours, unless they are asked for`() throws {
    #expect(try terminal(Self.list + " | cat", "CLICOLOR_FORCE=0") == Self.plain)
    #expect(try terminal(Self.list + " | cat", "CLICOLOR_FORCE=1") == Self.coloured)
    #expect(!(try terminal(Self.list + " --csv", "CLICOLOR_FORCE=1").contains("\u{1B}")))
    #expect(!(try terminal(Self.list + " --json", "CLICOLOR_FORCE=1").contains("\u{1B}")))
  }

  @Test func `a table goes through the pager, whose name the environment has`() throws {
    let paged = "P:code  name\nP:AD    Andorra\ncode 0\n"
    #expect(try terminal(Self.list, "NO_COLOR=1 PAGER=\"sed s/^/P:/\"") == paged)
    #expect(
      try terminal(Self.list, "NO_COLOR=1 PAGER=false WHIMBREL_PAGER=\"sed s/^/P:/\"") == paged)
    #expect(try terminal(Self.list, "NO_COLOR=1 PAGER=cat") == Self.plain)
    #expect(try terminal(Self.list + " | cat", "NO_COLOR=1 PAGER=false") == Self.plain)
    #expect(try terminal(Self.list + " --csv", "PAGER=false").hasPrefix("code,name\n"))
    #expect(
      try terminal("show a.whimbrel Country AD", "NO_COLOR=1 PAGER=\"head -n 1\"")
        == "Country AD id:1\ncode 0\n")
  }

  @Test func `a pager that ends early is success`() throws {
    try makeStore(at: folder.path("a.whimbrel"), [Sample.country, Sample.zone], version: 4) {
      for number in 0..<20_000 {
        _ = try $0.table("Country").create(
          ["code": .string("\(number)"), "name": "n"], replacing: false)
      }
    }
    #expect(try terminal(Self.list, "NO_COLOR=1 PAGER=\"head -n 1\"") == "code  name\ncode 0\n")
    #expect(try terminal(Self.list, "NO_COLOR=1 PAGER=true") == "code 0\n")
  }

  @Test func `an error is seen behind what the pager shows`() throws {
    let seen = try terminal("query a.whimbrel \"Zone where latitude >\"", "PAGER=false")
    #expect(seen.hasPrefix("Error: Could not read the query"))
    #expect(seen.hasSuffix("code 1\n"))
  }

  @Test func `no control character of a store reaches a terminal`() throws {
    let hostile = "a\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\n"
    try makeStore(at: folder.path("b.whimbrel"), [Sample.country]) { session in
      _ = try session.table("Country").create(
        ["code": .string(hostile), "name": .string(hostile)], replacing: false)
    }
    for verb in ["ls b.whimbrel Country", "show b.whimbrel Country id:1", "dump b.whimbrel"] {
      for option in verb.hasPrefix("ls") ? ["", "--json", "--csv"] : ["", "--json"] {
        let seen = try terminal("\(verb) \(option)", "NO_COLOR=1 PAGER=")
        #expect(seen.hasSuffix("code 0\n"))
        for character: Unicode.Scalar in ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"] {
          #expect(!seen.unicodeScalars.contains(character))
        }
      }
    }
  }

  @Test func `a table is as wide as the terminal`() throws {
    let seen = try terminal(
      "ls a.whimbrel Zone", "NO_COLOR=1 PAGER=", setup: "stty columns 36; ")
    #expect(
      seen == """
        #  identifier      latitude
        1  Europe/Andorra      42.5
        2  Asia/Kathmandu     27.75
        Left out: 3 columns (country, area, comments); see '--wide', '--columns'.
        code 0

        """)
  }
}

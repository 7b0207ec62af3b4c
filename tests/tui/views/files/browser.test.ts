/** The file list as plain data: where a typed path leads, which entries of a folder are shown, marks, completion. */
import { describe, expect, test } from "vitest";
import type { FilesPopup } from "../../../../src/tui/screen/popup.ts";
import {
  withParentFolder,
  typedFolder,
  withCompletedName,
  withMark,
  globMatches,
  shownEntries,
  isSpaceText,
} from "../../../../src/tui/views/files/browser.ts";
import { pathCompletion } from "../../../../src/tui/views/files/attach-paths.ts";
import { drawFiles } from "../../../../src/tui/views/files/rows.ts";
import { makeTheme } from "../../../../src/tui/render/theme.ts";
import { fakeDisk } from "../../../support/fake-disk.ts";
import { escapePath, resolvePath, shortPath, unquotePath } from "../../../../src/tui/views/files/paths.ts";

const entries = [
  { name: "b.png", kind: "file", size: 2 },
  { name: "a.PNG", kind: "file", size: 1 },
  { name: ".secret", kind: "file", size: 3 },
  { name: "notes 10.txt", kind: "file", size: 5 },
  { name: "notes 9.txt", kind: "file", size: 4 },
  { name: "pictures", kind: "folder" },
  { name: "socket", kind: "other" },
] as const;
const popup = (query = "", more: Partial<FilesPopup> = {}): FilesPopup => ({
  kind: "files",
  purpose: "attach",
  home: "/home/me",
  folder: "/desk",
  query,
  selected: 0,
  marked: [],
  listing: { folder: "/desk", entries },
  ...more,
});
const names = (one: FilesPopup): string[] => shownEntries(one).map(({ name }) => name);

describe("a typed path", () => {
  test.each([
    ["", "/desk", ""],
    ["no", "/desk", "no"],
    ["sub/no", "/desk/sub", "no"],
    ["../x", "/", "x"],
    ["~", "/home/me", ""],
    ["~/a/b", "/home/me/a", "b"],
    ["/etc/", "/etc", ""],
    ["'/my files/a b", "/my files", "a b"],
    ['"/my files/"', "/my files", ""],
    ["/my\\ files/a\\'s", "/my files", "a's"],
    ["it's", "/desk", "it's"],
  ])("%s is in %s and begins with %s", (query, folder, part) => {
    expect(typedFolder(popup(query))).toEqual({ folder, part });
  });

  test("continues after a blank behind a backslash or in quotes", () => {
    expect(["a\\", "'a", '"'].map((text) => unquotePath(text).open)).toEqual([true, true, true]);
    expect(["a", "a\\\\", "'a'", "it's", ""].map((text) => unquotePath(text).open)).toEqual(
      Array<boolean>(5).fill(false),
    );
  });
});

describe("the entries of a folder", () => {
  test("are sorted with folders first and numbers in order, without hidden files", () => {
    expect(names(popup())).toEqual(["pictures", "a.PNG", "b.png", "notes 9.txt", "notes 10.txt", "socket"]);
  });
  test("are filtered by the beginning of their name, then by other matches; a dot shows hidden files", () => {
    expect(names(popup("p"))).toEqual(["pictures", "a.PNG", "b.png"]);
    expect(names(popup("."))).toEqual([".secret"].concat(["a.PNG", "b.png", "notes 9.txt", "notes 10.txt"]));
  });
  test("begin with what is typed in whatever case, before entries that only contain it", () => {
    const listing = {
      folder: "/desk",
      entries: ["a-zebra.png", "Zebra.txt", "zebra 2.txt"].map((name) => ({
        name,
        kind: "file" as const,
        size: 1,
      })),
    };
    for (const query of ["z", "Z", "zeb", "ZEB"])
      expect(names(popup(query, { listing }))).toEqual(["zebra 2.txt", "Zebra.txt", "a-zebra.png"]);
  });
  test("are empty before the folder was read", () => {
    expect(names(popup("sub/"))).toEqual([]);
  });
  test("for saving are the folder itself and its subfolders", () => {
    expect(names(popup("", { purpose: "save" }))).toEqual([".", "pictures"]);
  });
});

describe("marks", () => {
  test("toggle the file under the cursor and move on", () => {
    const one = withMark(popup("", { selected: 1 }));
    expect([one.marked, one.selected]).toEqual([["/desk/a.PNG"], 2]);
    expect(withMark({ ...one, selected: 1 }).marked).toEqual([]);
  });
  test("leave the cursor on the last file, which can be marked and unmarked in turn", () => {
    const last = withMark(popup("notes", { selected: 1 }));
    expect([last.marked, last.selected]).toEqual([["/desk/notes 10.txt"], 1]);
    expect([withMark(last).marked, withMark(last).selected]).toEqual([[], 1]);
  });
  test("cover all files of a pattern, and no folders or other entries", () => {
    expect(globMatches(popup("*.png"))).toEqual(["/desk/a.PNG", "/desk/b.png"]);
    expect(withMark(popup("*.png")).marked).toEqual(["/desk/a.PNG", "/desk/b.png"]);
    expect(withMark(withMark(popup("*.png"))).marked).toEqual([]);
    expect(withMark(popup()).marked).toEqual([]);
    expect(globMatches(popup("png"))).toEqual([]);
  });
  test("of a pattern are counted in the footer", () => {
    const drawn = (query: string): string =>
      drawFiles(popup(query), { theme: makeTheme(0), columns: 100, rows: 30 }).rows.at(-1)!;
    expect(drawn("a*.png")).toContain(" 1 match · ⏎ attaches");
    expect(drawn("*.png")).toContain(" 2 matches · ⏎ attaches");
  });
});

test("are set by a blank, unless a name continues with one or names are not known yet", () => {
  const takes = ["notes", "NOTES", "a\\", "sub/x"].map((query) => isSpaceText(popup(query)));
  expect(takes).toEqual([true, true, true, true]);
  expect(["", "note", "*.png", "b.png"].map((query) => isSpaceText(popup(query)))).toEqual(
    Array<boolean>(4).fill(false),
  );
});

describe("completion", () => {
  test.each([
    ["no", "notes\\ "],
    ["b", "b.png"],
    ["x", "x"],
    ["*.png", "*.png"],
  ])("of %s gives %s", (query, then) => {
    expect(withCompletedName(popup(query)).query).toBe(then);
  });
  test("enters the only matching folder", () => {
    expect(withCompletedName(popup("pi"))).toMatchObject({ folder: "/desk/pictures", query: "" });
  });
  test("escapes names so that they are read back", () => {
    for (const name of ["a b", "it's", 'say "x"', "back\\slash"])
      expect(unquotePath(escapePath(name)).text).toBe(name);
  });
});

test("a path is resolved from home and the current folder, and shown with a tilde", () => {
  const bases = { home: "/home/me", cwd: "/desk" };
  expect(["~/a", "a", "./a", "/a", "~", "~other"].map((text) => resolvePath(text, bases))).toEqual([
    "/home/me/a",
    "/desk/a",
    "/desk/a",
    "/a",
    "/home/me",
    "/desk/~other",
  ]);
  expect(["/home/me", "/home/me/a", "/home/men"].map((full) => shortPath(full, "/home/me"))).toEqual([
    "~",
    "~/a",
    "/home/men",
  ]);
  expect(withParentFolder(popup("sub/x")).folder).toBe("/desk");
});

test("a path of /attach is completed as it has to be typed, folders to go on and files to the next one", async () => {
  const disk = fakeDisk({ "/home/me/my notes/it's.txt": 2048, "/home/me/my report.pdf": 1 });
  const offered = async (line: string): Promise<unknown> =>
    (await pathCompletion(disk, line))?.items.map(({ insert, label, detail }) => [insert, label, detail]);
  expect(await offered("/attach my")).toEqual([
    ["my\\ notes/", "my notes/", "folder"],
    ["my\\ report.pdf ", "my report.pdf", "1 B"],
  ]);
  expect(await offered("/attach a.txt my\\ notes/")).toEqual([
    ["my\\ notes/it\\'s.txt ", "it's.txt", "2 kB"],
  ]);
});

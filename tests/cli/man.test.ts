/** Manual pages: one for each command with the content of its help, and no text that roff would interpret. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { manPages } from "../../src/cli/help/man.ts";
import { tree } from "../../src/cli/tree.ts";

const pages = new Map(manPages(tree, "0.1.0"));
const hasGroff = spawnSync("groff", ["--version"]).status === 0;

test("every visible command has a page, and the main page names them all", () => {
  for (const path of tree.visiblePaths()) {
    const name = `parley-${path.replaceAll(" ", "-")}`;
    expect(pages.has(name)).toBe(true);
    expect(pages.get("parley")).toContain(name.replaceAll("-", "\\-"));
  }
  expect(pages.size).toBe(tree.visiblePaths().length + 1);
});

test.each([
  ["export", "file", "-f, --file <file>"],
  ["message list", "channel", "-c, --channel <channel>"],
  ["export", "since", "--since <time>"],
  ["export", "threads", "--threads <nested|flat|none>"],
  ["export", "dedupe", "--dedupe"],
])(
  "the page of %s names its flag %s with its letter and its value, as in the help: %s",
  (command, _, term) => {
    expect(pages.get(`parley-${command.replaceAll(" ", "-")}`)).toContain(
      `.TP\n.B ${term.replaceAll("-", "\\-")}\n`,
    );
  },
);

test("no line begins with a roff request other than Parley's own", () => {
  const ours = /^\.(TH|SH|SS|TP|BR|B|br|nf|fi)\b/;
  const odd = [...pages].flatMap(([name, text]) =>
    text
      .split("\n")
      .filter((line) => /^[.']/.test(line) && !ours.test(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(odd).toEqual([]);
});

test.skipIf(!hasGroff)("groff prints no warnings, and shows the example as written", () => {
  const input = [...pages.values()].join("\n");
  const { stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww"], { input, encoding: "utf8" });
  expect(stderr).toBe("");
  const shown = execFileSync("groff", ["-man", "-Tutf8", "-P-cbou"], {
    input: pages.get("parley-send")!,
    encoding: "utf8",
  });
  expect(shown).toContain("parley send '#ops' --lines --report sent.ndjson - < lines.txt");
});

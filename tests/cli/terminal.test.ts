/** Commands on a terminal: the pager and its keys, the editor, confirmations of each level, hidden secrets, and the screen's flags. */
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { until } from "../support/home.ts";
import { PROOF } from "../support/proof.ts";
import { Pty } from "../support/pty.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
const open: Pty[] = [];
beforeAll(async () => {
  home = makeHome({ here: !PROOF });
  await home.sh(
    "parley channel create messaging:ops && seq 1 60 | sed 's/^/line /' | parley send '#ops' - && parley send '#ops' --id short-1 short",
  );
});
afterEach(async () => {
  for (const pty of open.splice(0)) await pty.close();
});
afterAll(() => home.end());

function run(words: string[], env: Record<string, string | undefined> = {}): Pty {
  const pty = Pty.spawn(home.built, words, {
    cwd: path.join(home.folder, "work"),
    env: { ...home.env, PAGER: undefined, PARLEY_PAGER: undefined, ...env },
  });
  open.push(pty);
  return pty;
}

/** The same line in a shell that prints the exit code and the terminal's echo state afterwards. */
function inShell(line: string, env: Record<string, string> = {}): Pty {
  const pty = Pty.spawn("/bin/sh", ["-c", `${line}; echo "code $?"; stty -a | grep -o ' -\\?echo '`], {
    cwd: path.join(home.folder, "work"),
    env: { ...home.env, PATH: `${path.dirname(home.built)}:${home.env.PATH}`, ...env },
  });
  open.push(pty);
  return pty;
}

test("config edit opens the file in PARLEY_EDITOR, else in VISUAL, else in EDITOR", async () => {
  const named = { PARLEY_EDITOR: "touch own", VISUAL: "touch visual", EDITOR: "touch editor" };
  const opened: string[] = [];
  for (const without of [{}, { PARLEY_EDITOR: "" }, { PARLEY_EDITOR: "", VISUAL: "" }]) {
    const pty = run(["config", "edit"], { ...named, ...without });
    expect((await pty.end()).exitCode).toBe(0);
    expect(pty.text()).toContain("nothing was changed");
    const work = path.join(home.folder, "work");
    for (const name of ["own", "visual", "editor"].filter((one) => existsSync(path.join(work, one)))) {
      opened.push(name);
      rmSync(path.join(work, name));
    }
  }
  expect(opened).toEqual(["own", "visual", "editor"]);
});

describe("the pager", () => {
  test("shows a long list, and q ends the run with 0 before the rest is printed", async () => {
    const pty = run(["message", "list", "-c", "#ops", "--limit", "1000"], { PARLEY_PAGER: "less" });
    await pty.waitFor((p) => p.line(23).trim() === ":");
    expect(pty.text()).toContain("line 9");
    expect(pty.text()).not.toContain("line 60");
    pty.type("q");
    expect((await pty.end()).exitCode).toBe(0);
    expect(pty.raw).not.toContain("line 60");
  });
  test("receives Ctrl-C, and continues until q", async () => {
    const pty = run(["message", "list", "-c", "#ops", "--limit", "1000"]);
    await pty.waitFor((p) => p.line(23).trim() === ":");
    pty.key("C-c");
    await pty.settle();
    // An interrupt discards typed keys that less has not read yet: repeat the key until it reaches the end.
    await until("the pager to go on", async () => {
      pty.type("G");
      await pty.settle();
      return pty.text().includes("short");
    });
    expect(pty.exit).toBeUndefined();
    pty.type("q");
    expect((await pty.end()).exitCode).toBe(0);
  });
  test("exits by itself when everything fits (LESS=FRX), and help that fits is not paged", async () => {
    const list = run(["message", "list", "-c", "#ops", "--limit", "1"]);
    expect((await list.end()).exitCode).toBe(0);
    expect(list.text()).toContain("short");
    expect(list.raw.indexOf("more with --next")).toBeGreaterThan(list.raw.indexOf("short"));
    const help = run(["message", "--help"], { PARLEY_PAGER: "echo paged; cat" });
    expect((await help.end()).exitCode).toBe(0);
    expect(help.text()).not.toContain("paged");
  });
  test("shows long help even if the settings are invalid", async () => {
    const words: string[][] = [["--help"], ["help", "environment"], ["send", "--help"]];
    for (const line of words) {
      const pty = run(line, { PARLEY_LIMIT: "nonsense", PAGER: "echo paged; cat" });
      expect((await pty.end()).exitCode).toBe(0);
      expect(pty.raw.startsWith("paged")).toBe(true);
    }
  });
  test("is off with --no-pager, an empty name, cat, an unknown program, a dumb terminal, and in a pipe", async () => {
    const list = ["message", "list", "-c", "#ops", "--limit", "1000"];
    const loud = { PARLEY_PAGER: "echo paged; cat" };
    const ways: [string[], Record<string, string>][] = [
      [[...list, "--no-pager"], loud],
      [list, { PARLEY_PAGER: "", PAGER: "echo paged; cat" }],
      [list, { PAGER: "cat" }],
      [list, { PAGER: "no-such-pager" }],
    ];
    for (const [words, env] of ways) {
      const pty = run(words, env);
      expect((await pty.end()).exitCode).toBe(0);
      expect(pty.raw).toContain("line 60");
      expect(pty.raw).not.toContain("paged");
    }
    const paged = run(list, loud);
    await paged.end();
    expect(paged.raw.startsWith("paged")).toBe(true);
    const dumb = inShell("TERM=dumb parley message list -c '#ops' --limit 1", loud);
    await dumb.waitFor("code 0");
    expect(dumb.raw).not.toContain("paged");
    const piped = await home.sh("PARLEY_PAGER='echo paged; cat' parley message list -c '#ops' --limit 1");
    expect(piped.out).not.toContain("paged");
  });
  test("prints the error of a failed run, which keeps its exit code", async () => {
    const pty = run(["message", "list", "-c", "messaging:nowhere", "-v"]);
    expect((await pty.end()).exitCode).toBe(3);
    // The verbose line was held back while the pager owned the terminal.
    expect(pty.text()).toMatch(/QueryChannels .+ ms/);
    expect(pty.text()).toContain("error: messaging:nowhere does not exist, or you may not read it");
  });
});

describe("questions", () => {
  test("answering no exits with 130 and changes nothing, and yes does it", async () => {
    const no = run(["message", "delete", "short-1"]);
    await no.waitFor("Delete message short-1? [y/N]");
    no.type("n\r");
    expect((await no.end()).exitCode).toBe(130);
    expect((await home.sh("parley message get short-1 --json=text")).out).toBe('{"text":"short"}\n');
    const yes = run(["message", "delete", "short-1"]);
    await yes.waitFor("[y/N]");
    yes.type("y\r");
    expect((await yes.end()).exitCode).toBe(0);
    expect((await home.sh("parley message get short-1 --json=type")).out).toBe('{"type":"deleted"}\n');
  });
  test("Ctrl-C and Ctrl-D exit with 130 and restore the terminal", async () => {
    for (const key of ["C-c", "C-d"]) {
      const pty = inShell("parley message delete --hard short-1");
      await pty.waitFor("permanently? [y/N]");
      pty.key(key);
      await pty.end();
      expect(pty.text()).toContain("code 130");
      expect(pty.text()).toMatch(/ echo $/m);
    }
  });
  test.each([
    "channel replace messaging:nowhere name=x",
    "channel delete messaging:nowhere",
    "channel truncate messaging:nowhere",
    "member ban nobody -c messaging:nowhere",
    "message delete nowhere",
    "user delete nobody",
    "blocklist replace nowhere x",
    "role delete nowhere",
    "permission grant nowhere user create-poll",
    "import upload nowhere.jsonl",
  ])("`%s` exits with 3 and asks nothing", async (line) => {
    const pty = run(line.split(" "));
    expect((await pty.end()).exitCode).toBe(3);
    expect(pty.raw).not.toMatch(/\[y\/N\]|to continue:/);
  });
  test("are not asked when the user is not allowed to do it", async () => {
    const pty = run(["member", "ban", "nobody", "-c", "messaging:ops"]);
    expect((await pty.end()).exitCode).toBe(5);
    expect(pty.raw).toContain("not allowed to ban members");
    expect(pty.raw).not.toContain("[y/N]");
  });
  test("that need a word accept neither yes nor --yes", async () => {
    const wrong = run(["local", "reset", "--yes"]);
    await wrong.waitFor("Type reset to continue:");
    wrong.type("yes\r");
    expect((await wrong.end()).exitCode).toBe(130);
    expect((await home.sh("parley channel list --jq .cid")).out).toBe("messaging:ops\n");
  });
  test("are not asked with --non-interactive or CI", async () => {
    for (const [words, env] of [
      [["--non-interactive"], {}],
      [[], { CI: "1" }],
    ] as const) {
      const pty = run(["message", "delete", "short-1", ...words], env);
      expect((await pty.end()).exitCode).toBe(2);
      expect(pty.text()).toContain("hint: Add --yes to continue.");
    }
  });
});

describe("login", () => {
  test("asks for key and token, does not show the token, and signs in", async () => {
    const token = (await home.sh("parley local token mira")).out.trim();
    const status = JSON.parse((await home.sh("parley local status --json")).out) as Record<string, string>;
    const key = (await home.sh("parley local status -o env")).out.match(/KEY='([^']+)'/)![1]!;
    const pty = inShell(`unset PARLEY_USER; parley login work --url '${status.url}'`);
    await pty.waitFor("API key:");
    pty.type(`${key}\r`);
    await pty.waitFor("token (not shown):");
    pty.type(`${token}\r`);
    await pty.waitFor("code 0");
    expect(pty.raw).not.toContain(token.slice(0, 12));
    expect(pty.text()).toContain("signed in as mira");
    await pty.end();
    expect(pty.text()).toMatch(/ echo $/m);
    expect((await home.sh("parley profile show --json=name,stored,user")).out).toBe(
      '{"name":"work","stored":true,"user":"mira"}\n',
    );
    await home.sh("parley profile remove work --yes");
  });
  test("Ctrl-C at the hidden question exits with 130, restores the terminal, and adds no profile", async () => {
    const pty = inShell("parley login work --key k --user mira");
    await pty.waitFor("token (not shown):");
    pty.type("half a sec");
    pty.key("C-c");
    await pty.end();
    expect(pty.text()).toContain("code 130");
    expect(pty.text()).toMatch(/ echo $/m);
    expect(pty.raw).not.toContain("half");
    expect((await home.sh("parley profile list --jq .name")).out).toBe("local\n");
  });
});

describe("the screen's flags", () => {
  test("parley --plain and parley chat --plain print plain lines", async () => {
    for (const words of [["--plain"], ["chat", "--plain"], ["chat", "#ops", "--plain"]]) {
      const pty = run(words);
      await pty.waitFor("ops");
      expect(pty.altScreen).toBe(false);
      pty.key("C-d");
      expect((await pty.end()).exitCode).toBe(0);
      expect(pty.raw).not.toContain("\u001b[?1049h");
    }
  });
  test("are refused by other commands", async () => {
    const ran = await home.sh("parley channel list --plain");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("--plain is a flag of the chat screen, not of 'channel list'");
    expect((await home.sh("parley chat --theme pink")).err).toContain("must be one of auto, dark, light");
  });
});

describe("a locale without Unicode", () => {
  const ASCII = "the locale is not UTF-8: the screen draws lines and signs in ASCII";
  test.each([
    [{ LANG: "C" }, ASCII],
    [{ LANG: "en_GB.UTF-8", LC_ALL: "POSIX" }, ASCII],
    [{ LANG: "" }, "the locale is not UTF-8"],
    [{ LANG: "en_GB.UTF-8" }, ""],
  ])("doctor says what %j does to the screen", async (locale, expected) => {
    const none = { LANG: undefined, LC_ALL: undefined, LC_CTYPE: undefined };
    const words = ["doctor", "--jq", 'select(.check == "characters").message'];
    const pty = run(words, { ...none, ...locale });
    await pty.end();
    const said = pty
      .text()
      .split("\n")
      .find((line) => line.includes("the locale"));
    expect(said?.trim() ?? "").toBe(expected);
  });
});

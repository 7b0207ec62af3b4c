/** Completion in real shells: nouns, verbs, flags, files, and channels, whose colon bash treats as a word break. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Pty } from "../support/pty.ts";
import { makeHome, type Home } from "../support/transcript.ts";

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let home: Home;
beforeAll(async () => {
  home = makeHome();
  await home.sh(
    "parley channel create messaging:general && parley channel create messaging:gems && parley local token ana && parley member add ana -c messaging:gems && parley channel list && parley member list -c messaging:gems && parley completion bash > c.bash",
  );
});
afterAll(() => home.end());

/** The line after Tab in an interactive bash: it is run as an argument of `:`, which does nothing, and read from the history. */
async function tab(line: string): Promise<string> {
  await using pty = Pty.spawn("bash", ["--noprofile", "--norc"], {
    cols: 120,
    cwd: `${home.folder}/work`,
    env: { ...home.env, PS1: "> ", INPUTRC: "/dev/null", HISTFILE: "/dev/null" },
  });
  await pty.waitFor(">");
  pty.type(". ./c.bash; echo rea''dy\r");
  await pty.waitFor("ready");
  pty.type(`${line}\t\u0001: \r`);
  pty.type("history 2 | head -1 | cat -A\r");
  const echoed = /^ *\d+ {2}: (.*)\$$/m;
  await pty.waitFor((p) => echoed.test(p.text()));
  return echoed.exec(pty.text())![1]!;
}

/** The candidates computed by the completion script's own function. */
async function candidates(line: string): Promise<string[]> {
  const { out, err } = await home.sh(
    `bash -c '. ./c.bash; COMP_LINE="$1"; COMP_POINT=\${#COMP_LINE}; _parley 2>/dev/null; printf "%s\\n" "\${COMPREPLY[@]}"' _ '${line.replaceAll("'", `'\\''`)}'`,
  );
  expect(err).toBe("");
  return out.split("\n").filter(Boolean).toSorted();
}

describe.skipIf(!isInstalled("bash"))("bash", () => {
  test("completes nouns and verbs", async () => {
    expect(await tab("parley mess")).toBe("parley message ");
    expect(await tab("parley message se")).toBe("parley message send ");
  });
  test("completes channels without repeating the part before the colon", async () => {
    expect(await tab("parley send messaging:gen")).toBe("parley send messaging:general ");
    expect(await tab("parley send messaging:ge")).toBe("parley send messaging:ge");
    expect(await candidates("parley send messaging:ge")).toEqual(["gems", "general"]);
    expect(await candidates("parley message list -c messaging:gen")).toEqual(["general"]);
  });
  test("completes a channel that is written before the others, and what follows it", async () => {
    expect(await candidates("parley member set '#gen")).toEqual(["#general"]);
    expect(await candidates("parley member set '#gems' an")).toEqual(["ana"]);
    expect(await candidates("parley member remove messaging:ge")).toEqual(["gems", "general"]);
    expect(await candidates("parley message list messaging:gen")).toEqual(["general"]);
    expect(await candidates("parley message list messaging:general messaging:ge")).toEqual([]);
  });
  test("completes channels in quotes", async () => {
    expect(await tab("parley send '#gen")).toBe("parley send '#general' ");
    expect(await tab("parley send '#general' x --thr")).toBe("parley send '#general' x --thread ");
  });
  test("completes ids of campaigns, segments, channel types and roles, but no deleted channels", async () => {
    await home.sh(
      "parley segment create user --id spring && parley campaign create --id april --text hi --sender ana --segment spring; parley campaign list; parley channel-type list; parley role list; parley channel create messaging:gone && parley channel delete messaging:gone --yes",
    );
    expect(await candidates("parley campaign get ")).toEqual(["april"]);
    expect(await candidates("parley segment get sp")).toEqual(["spring"]);
    expect(await candidates("parley channel-type get li")).toEqual(["livestream"]);
    expect(await candidates("parley user list --role ad")).toEqual(["admin"]);
    // A deleted channel is no longer offered.
    expect(await candidates("parley send messaging:go")).toEqual([]);
  });
  test("forgets the names of what was deleted, and of polls that went with it", async () => {
    const said = async (): Promise<string> => (await home.sh("find .. -name names.json -exec cat {} +")).out;
    await home.sh(
      "parley user upsert left --name Goneperson --yes; parley segment create user --id s1 --name Gonesegment; parley campaign create --id c1 --name Gonecampaign --text hi --sender ana --segment s1; parley poll create Gonepoll --option a --option b -c messaging:general; parley poll list; parley user list",
    );
    for (const word of ["Goneperson", "Gonesegment", "Gonecampaign", "Gonepoll"])
      expect(await said()).toContain(word);
    await home.sh(
      "parley campaign delete c1 --confirm c1; parley segment delete s1 --yes; parley poll delete $(parley poll list --jq .id) --yes; parley user delete left --hard --confirm left",
    );
    for (const word of ["Goneperson", "Gonesegment", "Gonecampaign", "Gonepoll"])
      expect(await said()).not.toContain(word);
    await home.sh(
      "parley poll create Takenpoll --option a --option b -c messaging:general; parley poll list",
    );
    expect(await said()).toContain("Takenpoll");
    await home.sh(
      "parley message delete $(parley message list -c messaging:general --jq .id | tail -1) --yes",
    );
    expect(await said()).not.toContain("Takenpoll");
  });
  test("completes users of a list whose reader stopped early", async () => {
    await home.sh("parley user upsert zoe --yes && parley user list | true");
    expect(await candidates("parley send @zo")).toEqual(["@zoe"]);
  });
  test("completes each field of --json= and --ndjson=", async () => {
    expect(await tab("parley channel list --json=cid,na")).toBe("parley channel list --json=cid,name ");
    expect(await candidates("parley channel list --json=cid,ci")).toEqual([]);
    expect(await tab("parley channel list --ndjson=cid,na")).toBe("parley channel list --ndjson=cid,name ");
  });
  test("completes a value after a flag and =", async () => {
    expect(await candidates("parley --profile=l")).toEqual(["local"]);
    expect(await candidates("parley export --threads=n")).toEqual(["nested", "none"]);
    expect(await tab("parley message list --channel=messaging:gen")).toBe(
      "parley message list --channel=messaging:general ",
    );
  });
  test("completes values after a comma", async () => {
    expect(await tab("parley export --format md,sq")).toBe("parley export --format md,sqlite ");
    expect(await candidates("parley export --format=md,json,")).not.toContain("md,json,json");
    expect(await candidates("parley export --format json,nd")).toEqual(["json,ndjson"]);
    expect(await candidates("parley campaign test spring.yaml --to bo,an")).toEqual(["bo,ana"]);
    // A flag that takes no comma-separated list gets no candidates after a comma.
    expect(await candidates("parley user list --role user,ad")).toEqual([]);
  });
  test("completes each further value of a list, with those that are not in it yet", async () => {
    const complete = async (line: string): Promise<string[]> =>
      (await home.sh(`parley __complete -- ${line}`)).out
        .split("\n")
        .filter(Boolean)
        .map((row) => row.split("\t")[0]!);
    for (const [line, before] of [
      ["channel list --json=", "--json="],
      ["channel list --ndjson=", "--ndjson="],
      ["export --format=", "--format="],
      ["export --format ", ""],
    ] as const) {
      const all = (await complete(line === "export --format " ? `${line}''` : line)).map((one) =>
        one.slice(before.length),
      );
      expect(all.length).toBeGreaterThan(4);
      for (let n = 1; n <= 4; n++) {
        const named = all.slice(0, n).join(",");
        expect([line, n, await complete(`${line}${named},`)]).toEqual([
          line,
          n,
          all.slice(n).map((one) => `${before}${named},${one}`),
        ]);
      }
    }
    expect(await tab("parley channel list --json=cid,name,fro")).toBe(
      "parley channel list --json=cid,name,frozen ",
    );
  });
  test("completes file names", async () => {
    await home.sh("touch longname.txt");
    expect(await tab("parley upload longn")).toBe("parley upload longname.txt ");
  });
  test("completes users, choices of flags, settings, flags and verbs", async () => {
    expect(await candidates("parley send @a")).toEqual(["@ana"]);
    expect(await candidates("parley --transport w")).toEqual(["websocket"]);
    expect(await candidates("parley config set theme da")).toEqual(["dark"]);
    expect(await candidates("parley message list --pi")).toEqual(["--pinned"]);
    expect(await candidates("parley local ")).toEqual([
      "clock",
      "coverage",
      "exec",
      "export",
      "fault",
      "import",
      "logs",
      "reset",
      "robot",
      "seed",
      "snapshot",
      "start",
      "status",
      "stop",
      "token",
    ]);
  });
  test("completes nouns within nouns, their verbs and arguments", async () => {
    expect(await tab("parley poll opt")).toBe("parley poll option ");
    expect(await candidates("parley polls option ")).toEqual(["add", "remove", "set"]);
    expect(await candidates("parley poll option add --cu")).toEqual(["--custom"]);
    expect(await candidates("parley export --format s")).toEqual(["slack", "sqlite"]);
    expect(await candidates("parley local snapshot l")).toEqual(["list", "load"]);
    expect(await candidates("parley moderation ban list --channel messaging:gem")).toEqual(["gems"]);
  });
  test("completes every value of arguments that take several users or channels", async () => {
    expect(await candidates("parley user mute bo an")).toEqual(["ana"]);
    expect(await candidates("parley channel read messaging:gems messaging:gen")).toEqual(["general"]);
    expect(await candidates("parley send messaging:gems x --mention an")).toEqual(["ana"]);
  });
});

/** How to start each shell without the user's startup files, and how to load the completion script. */
const OTHERS = {
  zsh: { args: ["-f", "-i"], load: "bindkey -e; autoload -Uz compinit; compinit -u -D; source ./c.zsh" },
  fish: { args: ["-i", "--no-config"], load: "source ./c.fish" },
};

describe.each(Object.entries(OTHERS))("%s", (shell, { args, load }) => {
  test.skipIf(!isInstalled(shell))("completes nouns, flags, quoted channels, and files after =", async () => {
    await home.sh(`parley completion ${shell} > c.${shell}; touch longname.txt`);
    await using pty = Pty.spawn(shell, args, {
      cols: 120,
      cwd: `${home.folder}/work`,
      env: { ...home.env, PS1: "> ", TERM: "xterm" },
    });
    pty.type(`${load}; echo rea''dy\r`);
    await pty.waitFor("ready");
    /** Checks the words of the line after Tab by putting printf in front of it. */
    const tab = async (line: string, words: string): Promise<void> => {
      pty.type(`${line}\t`);
      await pty.waitFor((p) => p.text().trimEnd().endsWith(words.slice(-6)) || p.text().includes(words));
      pty.type("\u0001printf '<%s>' \u0005\r");
      await pty.waitFor(
        words
          .split(" ")
          .map((word) => `<${word.replaceAll("'", "")}>`)
          .join(""),
      );
    };
    await tab("parley message sen", "parley message send");
    await tab("parley send messaging:gen", "parley send messaging:general");
    await tab("parley send '#gen", "parley send '#general'");
    await tab("parley message send --poll=longn", "parley message send --poll=longname.txt");
    await tab("parley upload longn", "parley upload longname.txt");
    await tab("parley message list --pin", "parley message list --pinned");
  });
});

/** Each recipe of ARCHITECTURE.md, followed in a copy of the sources: the copy builds, the new thing works, and hardly another file was touched. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Home } from "../support/home.ts";
import { removeFolder } from "../support/remove-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(path.join(tmpdir(), "parley-added-"));

/** What one recipe writes: new files, and in files that exist a text put before or after another one. */
interface Recipe {
  readonly made: Readonly<Record<string, string>>;
  readonly changed: Readonly<
    Record<string, readonly (readonly [where: "before" | "after", anchor: string, text: string])[]>
  >;
}

const RECIPES = {
  table: {
    made: {
      "src/provider/domain/reminders/storage/teas.ts": `/** Teas that steep. */
import { INTEGER, table, TEXT } from "../../../store/table.ts";

export const teas = table("teas", { user_id: TEXT.key, name: TEXT.key, made_at: INTEGER });
`,
    },
    changed: {
      "src/provider/domain/schema.ts": [
        [
          "after",
          `import { reminders } from "./reminders/storage/reminders.ts";\n`,
          `import { teas } from "./reminders/storage/teas.ts";\n`,
        ],
        ["after", "  RESTRICTED_REPLIES,\n", "  teas.create,\n"],
      ],
    },
  },
  endpoint: {
    made: {
      "src/provider/domain/reminders/rules/teas.ts": `/** Steeps teas. */
import { reminderBodies } from "../../../../wire/bodies/reminders.ts";
import type { Reply, RouteCall } from "../../../base/handler.ts";
import { actor } from "../../users/rules/acting-user.ts";
import { BodyReader } from "../../validation/check.ts";
import { teas } from "../storage/teas.ts";

export function steepTea(call: RouteCall): Reply<"steepTea"> {
  const check = new BodyReader(call.body);
  const { name } = check.read(reminderBodies.steepTea);
  check.done();
  const me = actor(call);
  teas.put(call.db, { user_id: me.id, name: name!, made_at: call.now() });
  call.emit.user(me.id, { type: "tea.ready", tea: name! });
  return { teas: teas.list(call.db, { user_id: me.id }).map((tea) => tea.name) };
}
`,
    },
    changed: {
      "src/provider/domain/reminders/routes.ts": [
        ["after", `} from "./rules/reminders.ts";\n`, `export { steepTea } from "./rules/teas.ts";\n`],
      ],
      "src/wire/endpoints/reminders.ts": [
        [
          "before",
          "  queryReminders:",
          `  steepTea: row("POST /teas", { answer: () => ({ teas: need(list(text())) }) }),\n`,
        ],
        ["before", "list, need", "text, "],
      ],
      "src/wire/bodies/reminders.ts": [
        ["before", "  queryReminders:", "  steepTea: { ...acting, name: need(text()) },\n"],
        ["before", "offset, orNull", "need, text, "],
      ],
    },
  },
  event: {
    made: {},
    changed: {
      "src/wire/events.ts": [["before", `  "reminder.created"`, `  "tea.ready": { tea: need(text()) },\n`]],
      "scripts/protocol/recipients.ts": [
        ["before", `  "message.new":`, `  "tea.ready": ["U", "a tea has steeped"],\n`],
      ],
      "src/core/state/personal-events.ts": [
        [
          "before",
          `  "reminder.created": reminderChanged`,
          `  "tea.ready"(draft, { tea }) {
    const until = draft.context.monotonic + 60_000;
    const notice = { id: \`tea \${tea}\`, level: "success", text: \`\${tea} is ready\`, until } as const;
    draft.state.notices = [...draft.state.notices, notice];
  },
`,
        ],
      ],
    },
  },
  command: {
    made: {
      "src/commands/reminder/steep.ts": `/** Steeps a tea. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Steep a tea",
  changes: "provider",
  examples: ["reminder steep oolong"],
  args: { tea: { kind: "text", positional: true, help: "The tea" } },
  run: (call) => call.core.call("steepTea", { body: { name: call.args.tea } }),
});
`,
    },
    changed: {},
  },
  setting: {
    made: {},
    changed: {
      "src/config/settings.ts": [
        [
          "after",
          "export const SETTINGS = {\n",
          `  teaMinutes: { type: "number", default: 4, from: 1, words: "Minutes that a tea steeps." },\n`,
        ],
      ],
    },
  },
  panel: {
    made: {
      "src/tui/views/teas/teas.ts": `/** The list of teas. */
import { listPane, type ChannelListState } from "../../components/list-pane.tsx";

export const teasPane = listPane<string, ChannelListState>({
  name: "teas",
  section: "In the teas",
  title: "Teas",
  show: { title: "Teas of this channel", keywords: "kettle" },
  open: (cid) => ({ name: "teas", key: cid, cid }),
  items: () => ["oolong", "sencha"],
  keyOf: (tea) => tea,
  rows: (tea, { theme }) => [theme.bold(tea)],
  choose: { title: "Pour the tea", hint: "pour", run: () => {} },
});
`,
    },
    changed: {
      "src/tui/views/panels.ts": [
        [
          "after",
          `import { votes } from "./poll/voters.ts";\n`,
          `import { teasPane } from "./teas/teas.ts";\n`,
        ],
        ["after", "registerPanel(details);\n", "registerPanel(teasPane.definition);\n"],
      ],
    },
  },
} satisfies Record<string, Recipe>;

function follow({ made, changed }: Recipe): void {
  for (const [name, text] of Object.entries(made)) {
    mkdirSync(path.dirname(path.join(copy, name)), { recursive: true });
    writeFileSync(path.join(copy, name), text);
  }
  for (const [name, edits] of Object.entries(changed))
    for (const [where, anchor, text] of edits) {
      const file = path.join(copy, name);
      const source = readFileSync(file, "utf8");
      expect([name, source.split(anchor).length]).toEqual([name, 2]);
      writeFileSync(
        file,
        source.replace(anchor, () => (where === "before" ? text + anchor : anchor + text)),
      );
    }
}

/** Runs a script of the copy. Fails with what it printed. */
function run(...words: string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, encoding: "utf8" });
  expect([words, status, status === 0 ? "" : stdout + stderr]).toEqual([words, 0, ""]);
}

let home: Home;
beforeAll(async () => {
  const names = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" });
  for (const name of names.trim().split("\n")) cpSync(path.join(ROOT, name), path.join(copy, name));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  for (const recipe of Object.values(RECIPES)) follow(recipe);
  run("scripts/docs.mjs");
  // The tests have tables of all events: theirs are part of the recipe, but not of the program.
  const sources = { extends: "./tsconfig.json", include: ["src", "scripts/protocol"] };
  writeFileSync(path.join(copy, "tsconfig.sources.json"), JSON.stringify(sources));
  run("node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.sources.json");
  run("scripts/build.ts");
  home = new Home({ program: path.join(copy, "bin/parley.js") });
  await home.up();
});
afterAll(async () => {
  await home?.end();
  await removeFolder(copy);
});

test("none touches more than three files that exist, and a command none, a panel and a setting one", () => {
  const touched = Object.entries(RECIPES).map(([name, { changed }]) => [name, Object.keys(changed).length]);
  expect(Object.fromEntries(touched)).toEqual({
    table: 1,
    endpoint: 3,
    event: 3,
    command: 0,
    setting: 1,
    panel: 1,
  });
});

test("the command calls the endpoint, which stores rows in the table", async () => {
  const steep = async (tea: string): Promise<unknown> =>
    JSON.parse((await home.sh(`parley reminder steep ${tea} --json`)).out);
  expect(await steep("oolong")).toMatchObject({ teas: ["oolong"] });
  expect(await steep("sencha")).toMatchObject({ teas: ["oolong", "sencha"] });
  expect((await home.sh("parley reminder --help")).out).toMatch(/steep +Steep a tea/);
});

test("the setting has its default, takes a value and keeps its bound", async () => {
  expect((await home.sh("parley config get teaMinutes")).out).toBe("4\n");
  expect((await home.sh("parley config set teaMinutes 0")).code).toBe(2);
  await home.sh("parley config set teaMinutes 7");
  expect((await home.sh("parley config get teaMinutes")).out).toBe("7\n");
});

test("the event reaches the screen, and the panel opens from the palette", async () => {
  await home.channel("room", ["ana"]);
  const ana = home.screen(["chat", "messaging:room"]);
  await ana.waitFor("● online");
  await home.sh("parley reminder steep assam");
  await ana.waitFor("assam is ready");
  ana.key("C-p");
  ana.type("kettle");
  await ana.waitFor("Teas of this channel");
  ana.key("enter");
  await ana.waitFor(/Teas · #room/);
  await ana.waitFor("sencha");
});

test("pages and types derived from the tables know all of it", () => {
  const page = (name: string): string => readFileSync(path.join(copy, name), "utf8");
  expect(page("docs/commands.md")).toContain("parley reminder steep");
  expect(page("docs/settings.md")).toContain("teaMinutes");
  expect(page("docs/protocol.md")).toMatch(/POST \/teas/);
  expect(page("docs/protocol.md")).toContain("tea.ready");
  expect(page("docs/keys.md")).toContain("In the teas");
});

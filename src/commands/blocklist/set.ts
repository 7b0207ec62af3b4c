/** Adds words to a blocklist and removes some, or gives those of a file their words. */
import type { Core } from "../../core/core.ts";
import { count } from "../../text/words.ts";
import type { Blocklist } from "../../wire/entities/blocklist.ts";
import {
  fromWhole,
  isBulkSet,
  oneByOne,
  SET_FILE_ARGS,
  setOneOrFile,
  type Settable,
} from "../base/bulk/set-from-file.ts";
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { settableIn } from "../base/known-fields.ts";
import { describeList } from "./words.ts";

const ARGS = {
  blocklist: { kind: "text", value: "name", positional: true, orFile: true, help: "The blocklist" },
  add: { kind: "list", value: "word", help: "Add these words" },
  remove: { kind: "list", value: "word", help: "Remove these words" },
  ...SET_FILE_ARGS,
} as const satisfies Args;

async function changeOne(call: Call<typeof ARGS>, name: string): Promise<Blocklist> {
  const { args, core } = call;
  if (args.add.length + args.remove.length === 0)
    throw new CommandError(
      "usage",
      "Nothing to change.",
      `Give --add or --remove; parley blocklist replace ${name} takes all its words anew.`,
    );
  const path = { name };
  const { blocklist } = await core.call("getBlocklist", { path });
  const removed = new Set(args.remove.flatMap((word) => [word, word.toLowerCase()]));
  const held = new Set(blocklist.words);
  const missing = args.remove.filter((word) => !held.has(word) && !held.has(word.toLowerCase()));
  if (missing.length > 0) call.note?.(`not in ${name}: ${missing.join(", ")}`);
  const words = [...blocklist.words.filter((word) => !removed.has(word)), ...args.add];
  return (await core.call("updateBlocklist", { path, body: { words } })).blocklist;
}

async function settableBlocklists({ call }: Pick<Core, "call">): Promise<Settable<Blocklist>> {
  const { adminBodies } = await import("../../wire/bodies/admin.ts");
  return {
    noun: "blocklist",
    form: {
      ids: ["name", "blocklist"],
      known: ["name", "words"],
      texts: [],
      readId: (text) => text,
    },
    isSettable: settableIn(adminBodies.updateBlocklist),
    asks: {
      fields: ["words"],
      level: "moderate",
      question: (names) => `Replace the words of ${names}?`,
    },
    ...fromWhole(
      async () => (await call("listBlocklists")).blocklists,
      ({ name }) => name,
    ),
    ...oneByOne(async (name, { set }) => {
      const body = { words: set!.words as string[] };
      return (await call("updateBlocklist", { path: { name }, body })).blocklist;
    }),
  };
}

export default command({
  summary: "Add words to a blocklist, or remove some",
  changes: "provider",
  examples: [
    "blocklist set sweet --add syrup --remove honey",
    "blocklist set sweet --add jam --add candy",
    "parley blocklist list --ndjson > lists.ndjson; parley blocklist set --file lists.ndjson",
  ],
  args: ARGS,
  needs: "secret",
  asksWhileRunning: true,
  confirm: ({ blocklist, remove }) =>
    remove.length === 0
      ? undefined
      : {
          level: "moderate",
          question: `Remove ${count(remove.length, "word")} from blocklist ${blocklist}?`,
        },
  run(call) {
    const { args } = call;
    if (isBulkSet(args) && args.add.length + args.remove.length > 0)
      throw new CommandError(
        "usage",
        "--add and --remove go with one blocklist; a file gives each list its words.",
      );
    const one = (name: string): Promise<Blocklist> => changeOne(call, name);
    return setOneOrFile(call, {
      name: args.blocklist,
      one,
      asked: {},
      of: () => settableBlocklists(call.core),
    });
  },
  show: describeList,
});

/** Every read command with a provider that returns minimal or invalid answers: readable output, never a crash or `undefined`. */
import { expect, test } from "vitest";
import { exitOf } from "../../src/cli/base/exit.ts";
import { problemText, readProblem } from "../../src/cli/base/problem.ts";
import { findOperation } from "../../src/cli/shell-commands/api.ts";
import { fillArgs } from "../../src/commands/base/args.ts";
import { commands } from "../support/commands.ts";
import { asView, type Args, type Call, type View } from "../../src/commands/base/define-command.ts";
import { textOrPlaceholder, senderOf } from "../../src/cli/output/messages.ts";
import { endpoints, type EndpointName, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import type { Field } from "../../src/wire/entities/fields.ts";
import { shapeOf } from "../../src/wire/entities/index.ts";
import { signToken } from "../../src/wire/token.ts";
import { coreOn } from "../support/core-on.ts";
import { isPromised, rowsOf, sample } from "../support/wrong-values.ts";

/** The arguments of each command. */
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  "message list": {},
  "message get": { message: "m" },
  "message replies": { message: "m" },
  "message reactions": { message: "m" },
  "message history": { message: "m" },
  "channel list": {},
  "channel get": {},
  "channel watchers": {},
  "member list": {},
  "user list": {},
  "user get": { user: "u" },
  "thread list": {},
  "poll get": { poll: "p" },
  "poll results": { poll: "p" },
  "poll list": {},
  "draft list": {},
  "reminder list": {},
  "location list": {},
  "campaign list": {},
  "campaign get": { campaign: "c" },
  "campaign stats": { campaign: "c" },
  "segment list": {},
  "moderation ban list": {},
  "moderation flags": {},
  "device list": {},
  "app get": {},
  "channel-type list": {},
  "blocklist list": {},
  "import list": {},
  "task get": { task: "t" },
  unread: {},
  search: { words: "hello" },
};

/** The only fields of an entity that are returned. */
const BARE_FIELDS = /^(id|cid|type|user_id|channel|user|message|created_at)$/;
function bare(field: Field, depth = 0): unknown {
  if (field.kind === "list") return [bare(field.item!, depth)];
  if (field.kind !== "object") return sample(field);
  const rows = rowsOf(shapeOf(field)!).filter(([key, one]) => isPromised(one) && BARE_FIELDS.test(key));
  return depth > 6 ? {} : Object.fromEntries(rows.map(([key, one]) => [key, bare(one, depth + 1)]));
}

const answerOf = (name: string, value: (field: Field) => unknown): string =>
  JSON.stringify(
    Object.fromEntries(
      rowsOf((endpoints[name as EndpointName] as EndpointRow).answer?.() ?? {}).map(([key, field]) => [
        key,
        value(field),
      ]),
    ),
  );

const ANSWERS: Readonly<Record<string, (name: string) => string>> = {
  "every field": (name) => answerOf(name, (field) => sample(field)),
  "required fields only": (name) => answerOf(name, (field) => bare(field)),
  "an empty object": () => "{}",
  "a list": () => "[]",
  "lists of numbers": (name) => answerOf(name, () => [5]),
};

const BROKEN = /NaN|undefined|\[object|Cannot read|is not (a function|iterable)/;

function wordsOf(view: View): string {
  switch (view.kind) {
    case "line":
      return view.text;
    case "text":
      return view.lines.join("\n");
    case "table":
      return view.rows
        .flat()
        .filter((cell) => cell !== undefined)
        .map(String)
        .join("\t");
    case "fields":
      return view.fields
        .map(([, cell]) => cell)
        .filter((cell) => cell !== undefined)
        .map(String)
        .join("\t");
    case "messages":
      return view.messages.map((message) => `${senderOf(message)} ${textOrPlaceholder(message)}`).join("\n");
  }
}

/** The exit code with the rendered answer or the lines of the error. */
async function runWithAnswer(
  name: string,
  answer: (name: string) => string,
): Promise<{ exit: number; text: string }> {
  const command = commands[name]!;
  const secret = "s".repeat(32);
  const request = async ({ method, url }: { method: string; url: string }) => ({
    status: 200,
    headers: {},
    text: answer(findOperation([method, new URL(url).pathname])!.name),
  });
  const core = coreOn("http://provider", { secret }, { request: request as never });
  core.setUser({ id: "mira" }, signToken({ user_id: "mira" }, secret));
  const call = {
    args: fillArgs(command.args, ARGUMENTS[name] as never, {
      channelType: "messaging",
      now: 0,
      currentChannel: "messaging:ops",
    }),
    core,
    currentChannel: "messaging:ops",
    channelType: "messaging",
    page: { limit: 3 },
    signal: new AbortController().signal,
    progress: () => {},
    dry: false,
    now: () => 0,
    random: () => "0b6c2f4e-0000-4000-8000-000000000000",
  } as unknown as Call<Args>;
  try {
    const shown: string[] = [];
    const show = (item: unknown): void =>
      void (command.show && shown.push(wordsOf(asView(command.show(item as never, call as never)))));
    const result = command.run(call);
    let count = 0;
    if (Symbol.asyncIterator in result) {
      for await (const item of result) {
        show(item);
        if (++count === 3) break;
      }
    } else {
      const value: unknown = await result;
      for (const item of Array.isArray(value) ? value : [value]) show(item);
    }
    return { exit: 0, text: shown.join("\n") };
  } catch (error) {
    return { exit: exitOf(error), text: problemText(readProblem(error)) };
  } finally {
    await core.close();
  }
}

test.each(Object.keys(ARGUMENTS))(
  "`%s` shows what it can of an invalid answer, or says that it was not understood",
  async (name) => {
    for (const [what, answer] of Object.entries(ANSWERS)) {
      const { exit, text } = await runWithAnswer(name, answer);
      expect([what, BROKEN.exec(text)?.input]).toEqual([what, undefined]);
      if (what === "a list")
        expect([exit, text]).toEqual([
          1,
          expect.stringMatching(
            /^error: the provider's answer was not understood\n {2}because: .+\nhint: .+\n$/,
          ),
        ]);
    }
  },
);

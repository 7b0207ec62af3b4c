/** Runs one command line to its end on a provider that records its requests and gives scripted answers. */
import { exitOf } from "../../src/cli/base/exit.ts";
import { findOperation } from "../../src/cli/shell-commands/api.ts";
import { textOrPlaceholder, senderOf } from "../../src/cli/output/messages.ts";
import { fillArgs, flagName, assignPositionals } from "../../src/commands/base/args.ts";
import { commands } from "./commands.ts";
import {
  asView,
  type Args,
  type Call,
  type CommandError,
  type PageRequest,
  type Question,
  type View,
  type RawArgs,
} from "../../src/commands/base/define-command.ts";
import { splitWords } from "../../src/commands/line.ts";
import type { HttpRequest } from "../../src/core/base/ports.ts";
import { endpoints } from "../../src/wire/endpoints/index.ts";
import { signToken } from "../../src/wire/token.ts";
import { defaultAnswer } from "./default-answers.ts";
import { createSystemClock } from "../../src/core/adapters/system-clock.ts";
import { coreOn } from "./core-on.ts";

type Json = Record<string, unknown>;

/** One command line and the lines before it that belong to it. */
export interface Block {
  /** As written: comments, answers, input and the command line. */
  source: string[];
  line: string;
  /** Answers from `< Operation {…}` lines, which replace the default ones; used in order, the last one repeatedly. */
  answers: Map<string, string[]>;
  /** Standard input, from `| …` lines. */
  input: string[];
}

/** Parses `$ ` a command line, after its `< ` answers, `| ` input and `# ` comments; all other lines are output. */
export function readLines(text: string): Block[] {
  const blocks: Block[] = [];
  let next: Block = { source: [], line: "", answers: new Map(), input: [] };
  for (const line of text.split("\n")) {
    if (!/^(?:[#<|$] |$)/.test(line)) continue;
    if (line === "" && next.source.length === 0 && blocks.length > 0 && text.endsWith("\n\n")) continue;
    next.source.push(line);
    if (line.startsWith("< ")) {
      const [, op = "", answer = ""] = /^< (\w+) (.*)$/.exec(line) ?? [];
      next.answers.set(op, [...(next.answers.get(op) ?? []), answer]);
    } else if (line.startsWith("| ")) next.input.push(line.slice(2));
    else if (line.startsWith("$ ")) {
      blocks.push({ ...next, line: line.slice(2) });
      next = { source: [], line: "", answers: new Map(), input: [] };
    }
  }
  return blocks;
}

/** Splits words into arguments and flags like the shell's parser. */
function readWords(rows: Args, words: readonly string[]): { raw: RawArgs; page: PageRequest } {
  const raw: RawArgs = {};
  const page: PageRequest = { limit: 30 };
  const remaining: string[] = [];
  const all = [...words];
  for (let word = all.shift(); word !== undefined; word = all.shift()) {
    const found = Object.entries(rows).find(
      ([name, row]) =>
        !row.positional && (word === `--${flagName(name)}` || (row.short && word === `-${row.short}`)),
    );
    if (found) {
      const [name, row] = found;
      if (row.kind === "flag") raw[name] = true;
      else if (row.kind === "list") raw[name] = [...((raw[name] as string[]) ?? []), all.shift()!];
      else raw[name] = all.shift()!;
    } else if (word === "--limit") page.limit = Number(all.shift());
    else if (word === "--all") page.limit = Infinity;
    else if (word === "--page-size") page.size = Number(all.shift());
    else if (word === "--next") page.next = all.shift()!;
    else if (word === "--") remaining.push(...all.splice(0));
    else remaining.push(word);
  }
  assignPositionals(rows, remaining, raw);
  return { raw, page };
}

const cellText = (cell: unknown): string => (typeof cell === "string" ? cell : (JSON.stringify(cell) ?? "–"));

function linesOfView(view: View): string[] {
  switch (view.kind) {
    case "table":
      return view.rows.map((row) =>
        row.map((cell, i) => `${view.columns[i]}: ${cellText(cell)}`).join(" | "),
      );
    case "fields":
      return [view.fields.map(([name, cell]) => `${name}: ${cellText(cell)}`).join(" | ")];
    case "messages":
      return view.messages.map((message) => `${senderOf(message)}: ${textOrPlaceholder(message)}`);
    case "text":
      return [...view.lines];
    default:
      return [view.text];
  }
}

const NOW = Date.UTC(2026, 10, 22, 12);

/** Runs one block and returns its output: questions, requests, what was shown, and how it ended. */
export async function playLine(block: Block, work: string): Promise<string[]> {
  const out: string[] = [];
  const words = splitWords(block.line.replaceAll("FILES", `${work}/files`)) as string[];
  const name = [3, 2, 1].map((n) => words.slice(0, n).join(" ")).find((each) => commands[each])!;
  const command = commands[name]!;
  const secret = "s".repeat(32);
  const core = coreOn(
    "http://provider",
    { secret, sendWait: { waitMs: 50, withdraw: true } },
    {
      request: providerOf(block, (line) => out.push(line)),
      unchecked: true,
      clock: Object.assign(createSystemClock(), { now: () => NOW }),
    },
  );
  core.setUser({ id: "mira" }, signToken({ user_id: "mira" }, secret));
  const plain = (line: string): string => line.replaceAll(work, "WORK");
  let args: unknown;
  let waited = 0;
  const show = (item: unknown): void => {
    const view = command.show?.(item as never, args as never);
    out.push(
      ...(view !== undefined ? linesOfView(asView(view)) : [`${JSON.stringify(item)?.slice(0, 160)}`]).map(
        (line) => `= ${line}`,
      ),
    );
  };
  try {
    const { raw, page } = readWords(command.args, words.slice(name.split(" ").length));
    args = fillArgs(command.args, raw, {
      channelType: "messaging",
      now: NOW,
      currentChannel: "messaging:ops",
    });
    const call: Call<Args> = {
      args: args as never,
      core,
      currentChannel: "messaging:ops",
      channelType: "messaging",
      page: { ...page, onMore: (next) => void out.push(`~ ${next}`) },
      signal: new AbortController().signal,
      progress: (done, total, text) => void out.push(`% ${done}/${total} ${text}`),
      dry: false,
      now: () => NOW + waited,
      random: () => "0b6c2f4e-0000-4000-8000-000000000000",
      input: async function* () {
        for (const line of block.input) yield `${line}\n`;
      },
      machine: {
        profile: "local",
        folder: `${work}/kept`,
        version: "0",
        terminal: false,
        onEmptyProvider: () => Promise.reject(new Error("no provider is started here")),
        announceLongRun: () => {},
        sleep: async (ms) => void (waited += ms),
        identity: () =>
          Promise.resolve({ operation: "test", target: {}, address: "embedded", key: "key", user: "mira" }),
        about: async () => ({ app: "k3y@local", profile: "p", user: "u", provider: "http://127.0.0.1:1" }),
        dataFolders: async () => ({ state: `${work}/no-state`, cache: `${work}/no-cache` }),
        forgetUser: async () => {},
        requireAnswer: () => {},
        ask: async (question) => void out.push(asked(question)),
        askScreens: async () => false,
        live: async () => ({ stopped: new Promise(() => {}) }),
      },
    };
    const question = command.confirm?.(args as never);
    if (question) out.push(asked(question));
    if (command.asApp?.(args as never)) out.push("? as the app");
    const result = command.run(call);
    if (Symbol.asyncIterator in result) {
      let given = 0;
      for await (const item of result) {
        show(item);
        if (++given > page.limit) break;
      }
    } else show(await result);
  } catch (error) {
    const { kind, message, hint } = error as CommandError;
    out.push(`! ${kind ?? `exit ${exitOf(error)}`}: ${message}${hint ? ` (${hint})` : ""}`);
  } finally {
    await core.close();
  }
  return out.map(plain);
}

const asked = ({ level, question, word }: Question): string =>
  `? ${level}: ${question.replaceAll("\n", " | ")}${word ? ` [${word}]` : ""}`;

/** Records each request as `> METHOD path?query body`. */
function providerOf(block: Block, note: (line: string) => void) {
  const remaining = new Map([...block.answers].map(([op, list]) => [op, [...list]]));
  return async ({
    method,
    url,
    body,
  }: HttpRequest): Promise<{ status: number; headers: {}; text: string }> => {
    const { pathname, searchParams } = new URL(url);
    const { op } = endpoints[findOperation([method, pathname])!.name];
    const query = [...searchParams]
      .filter(([key]) => !["api_key", "user_id", "connection_id"].includes(key))
      .map(([key, text]) => `${key}=${text}`);
    note(
      `> ${method} ${pathname}${query.length ? `?${query.join("&")}` : ""}${body === undefined ? "" : ` ${bodyText(body)}`}`,
    );
    const list = remaining.get(op) ?? [];
    const answer = (list.length > 1 ? list.shift() : list[0]) ?? "{}";
    const [, status, code, message] = /^!(\d+) (\d+) (.*)$/.exec(answer) ?? [];
    if (status)
      return { status: Number(status), headers: {}, text: JSON.stringify({ code: Number(code), message }) };
    return {
      status: 200,
      headers: {},
      text: JSON.stringify({ ...defaultAnswer(op), ...(JSON.parse(answer) as Json) }),
    };
  };
}

const bodyText = (body: unknown): string =>
  typeof body === "string"
    ? body
        .replace(/"id":"[0-9a-f-]{36}"/g, '"id":"…"')
        .replace(/mira-[0-9a-f-]{36}/g, "mira-…")
        .replace(/device_id":"[0-9a-f-]{36}"/g, 'device_id":"…"')
    : "(a file)";

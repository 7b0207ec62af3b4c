/** Commands as tools of an assistant in both versions of its protocol: schemas from the table, read-only by default, questions to the user. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/commands/index.ts";
import { offered, toolName, toolOf } from "../../src/cli/shell-commands/mcp/tools.ts";
import { makeHome, type Home } from "../support/transcript.ts";

let home: Home;
beforeAll(async () => {
  home = makeHome();
  await home.sh("parley channel create messaging:ops --name Ops; parley send '#ops' --id m-1 tea");
});
afterAll(() => home.end());

interface Answer {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** Runs `parley mcp`: `ask` resolves with the answer of the same id, and requests from the server are answered by `asked`. */
function assistant(words: string[], asked: (message: Answer) => object = () => ({ action: "decline" })) {
  const child = spawn(home.built, ["mcp", ...words], {
    env: home.env,
    cwd: path.join(home.folder, "work"),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const told: Answer[] = [];
  const batches: Answer[][] = [];
  const put = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Answer | Answer[];
    if (Array.isArray(message)) return void batches.push(message);
    if (message.method !== undefined && message.id !== undefined)
      put({ id: message.id, result: asked(message) });
    else if (message.method !== undefined) told.push(message);
    else waiting.get(message.id)?.(message);
  });
  let next = 0;
  return {
    told,
    batches,
    raw: (line: string) => child.stdin.write(`${line}\n`),
    put,
    ask(method: string, params: object = {}): Promise<Answer> {
      const id = next++;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      put({ id, method, params });
      return answer;
    },
    answerTo: (id: unknown) => new Promise<Answer>((resolve) => waiting.set(id, resolve)),
    async end(): Promise<number | null> {
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      child.stdin.end();
      return ended;
    },
  };
}

const SHAKE = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {} },
  clientInfo: { name: "t", version: "1" },
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const textOf = ({ result }: Answer): string =>
  ((result?.content ?? []) as { text: string }[]).map(({ text }) => text).join("\n");
const resultOf = ({ result }: Answer): unknown => (result?.structuredContent as { result?: unknown })?.result;

describe("the tools", () => {
  const all = { write: true, ops: true, allowed: [] };
  test("have a name each, and schemas from the rows of their arguments", () => {
    const names = offered(all).map(toolName);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(Object.keys(commands).length);
    const { inputSchema, annotations } = toolOf("message react");
    expect(inputSchema).toMatchObject({
      required: expect.arrayContaining(["message"]),
      additionalProperties: false,
    });
    expect(inputSchema.properties.message).toEqual({ type: "string", description: "The message" });
    expect(annotations).toEqual({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
    expect(toolOf("channel delete").annotations.destructiveHint).toBe(true);
  });
  test("are reads without the secret unless more is wanted", () => {
    const reads = offered({ write: false, ops: false, allowed: [] });
    expect(reads.filter((path) => commands[path]!.changes !== "nothing")).toEqual([]);
    expect(reads.filter((path) => commands[path]!.needs === "secret")).toEqual([]);
    expect(reads).toEqual(expect.arrayContaining(["channel list", "message list", "search"]));
  });
  test("are narrowed by each list that says so", () => {
    const allowed = [
      ["channel *", "search"],
      ["channel list", "search", "unread"],
    ];
    expect(offered({ write: true, ops: true, allowed })).toEqual(["channel list", "search"]);
  });
});

describe("an assistant", () => {
  test("with a handshake lists, reads, and is refused what it may not and what is not there", async () => {
    const one = assistant([]);
    expect((await one.ask("initialize", SHAKE)).result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "parley" },
    });
    one.put({ method: "notifications/initialized" });
    const { tools } = (await one.ask("tools/list")).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).not.toContain("message_send");
    const read = await one.ask("tools/call", { name: "message_list", arguments: { channel: "#ops" } });
    expect(resultOf(read)).toMatchObject([{ id: "m-1", text: "tea" }]);
    const refused = await one.ask("tools/call", { name: "message_send", arguments: {} });
    expect(refused.error).toEqual({
      code: -32602,
      message:
        "There is no tool message_send: it changes something, and parley mcp was started without --write.",
    });
    const strange = await one.ask("tools/call", { name: "search", arguments: { wrods: "tea" } });
    expect(strange.result).toMatchObject({ isError: true });
    expect(textOf(strange)).toContain("Unknown argument 'wrods'");
    const gone = await one.ask("tools/call", { name: "channel_get", arguments: { channel: "#nowhere" } });
    expect(textOf(gone)).toMatch(/exit code 3$/);
    expect((await one.ask("nonsense")).error?.code).toBe(-32601);
    const broken = one.answerTo(null);
    one.raw("{");
    expect((await broken).error?.code).toBe(-32700);
    for (const line of ["null", '"x"', '[{"jsonrpc":"2.0","id":9,"method":"ping"}]']) {
      const invalid = one.answerTo(null);
      one.raw(line);
      expect([line, (await invalid).error?.code]).toEqual([line, -32600]);
    }
    // An invalid message gets an error if it can be answered, and ends nothing.
    for (const params of ["null", "[]", "7"])
      one.raw(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    const shapeless = await one.ask("tools/call", { name: "message_list", arguments: "x" });
    expect(shapeless.error).toEqual({ code: -32602, message: "arguments must be an object." });
    expect((await one.ask("tools/call")).error).toMatchObject({ code: -32602 });
    expect((await one.ask("ping", null as never)).result).toEqual({});
    expect(await one.end()).toBe(0);
  });
  test("that has no tool to change anything changes nothing by one that reads", async () => {
    const one = assistant([]);
    await one.ask("initialize", SHAKE);
    const call = { name: "user_presence", arguments: { invisible: true } };
    expect(textOf(await one.ask("tools/call", call))).toMatch(/only reads are allowed.*exit code 5$/);
    await one.end();
  });
  test("with --write plans, sends, and has its user asked before what deletes", async () => {
    const questions: string[] = [];
    const one = assistant(["--write"], ({ params }) => {
      questions.push(String(params?.message));
      return { action: "accept", content: { confirm: questions.length > 1 } };
    });
    await one.ask("initialize", SHAKE);
    const send = { channel: "#ops", text: "--json is no flag here", id: "m-2" };
    const planned = await one.ask("tools/call", {
      name: "message_send",
      arguments: { ...send, dry_run: true },
    });
    expect(resultOf(planned)).toMatchObject({ dry_run: true, operation: "SendMessage" });
    const sent = await one.ask("tools/call", { name: "message_send", arguments: send });
    expect(resultOf(sent)).toMatchObject({ id: "m-2", text: send.text });
    const drop = { name: "message_delete", arguments: { messages: ["m-2"] } };
    expect(textOf(await one.ask("tools/call", drop))).toMatch(/Cancelled.*exit code 130$/);
    expect((await one.ask("tools/call", drop)).result).not.toHaveProperty("isError");
    expect(questions).toHaveLength(2);
    await one.end();
  });
  test("that cannot ask its user is told so, and nothing is deleted", async () => {
    const one = assistant(["--write"]);
    await one.ask("initialize", { ...SHAKE, capabilities: {} });
    const drop = { name: "message_delete", arguments: { messages: ["m-1"] } };
    expect(textOf(await one.ask("tools/call", drop))).toMatch(/cannot prompt its user; .*exit code 2$/);
    const { result } = await one.ask("tools/call", { name: "message_get", arguments: { message: "m-1" } });
    expect(result).not.toHaveProperty("isError");
    await one.end();
  });
  test("of the newer era needs no handshake, and repeats a call with its user's answer", async () => {
    const one = assistant(["--write"]);
    const found = await one.ask("server/discover", { _meta: META });
    expect(found.result).toMatchObject({ supportedVersions: ["2026-07-28"], resultType: "complete" });
    await home.sh("parley send '#ops' --id m-3 coffee");
    const drop = { name: "message_delete", arguments: { messages: ["m-3"] }, _meta: META };
    const asked = await one.ask("tools/call", drop);
    expect(asked.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { answer: { method: "elicitation/create" } },
    });
    const no = await one.ask("tools/call", { ...drop, inputResponses: { answer: { action: "decline" } } });
    expect(no.result).toMatchObject({ isError: true });
    const yes = { answer: { action: "accept", content: { confirm: true } } };
    const done = await one.ask("tools/call", { ...drop, inputResponses: yes });
    expect(done.result).not.toHaveProperty("isError");
    await one.end();
  });
  test("of the version that has batches gets the answers of one in one list, and none where it asks nothing", async () => {
    const one = assistant([]);
    await one.ask("initialize", { ...SHAKE, protocolVersion: "2025-03-26" });
    const ping = { jsonrpc: "2.0", id: "p", method: "ping" };
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    one.raw(JSON.stringify([ping, note, 7, { ...ping, id: "q", method: "nonsense" }]));
    one.raw(JSON.stringify([note]));
    const empty = one.answerTo(null);
    one.raw("[]");
    expect((await empty).error?.code).toBe(-32600);
    expect(await one.end()).toBe(0);
    expect(one.batches).toEqual([
      [
        { jsonrpc: "2.0", id: "p", result: {} },
        { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
        { jsonrpc: "2.0", id: "q", error: expect.objectContaining({ code: -32601 }) },
      ],
    ]);
  });
  test("may take a call back", async () => {
    const one = assistant([]);
    await one.ask("initialize", SHAKE);
    one.put({
      id: "long",
      method: "tools/call",
      params: { name: "wait", arguments: { channel: "#ops", match: "never" } },
    });
    one.put({ method: "notifications/cancelled", params: { requestId: "long" } });
    expect((await one.ask("ping")).result).toEqual({});
    expect(await one.end()).toBe(0);
  });
});

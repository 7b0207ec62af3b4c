/** Commands as tools of an assistant in both versions of its protocol: schemas from the table, read-only by default, questions to the user. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../support/commands.ts";
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
function startAssistant(
  words: string[],
  callWithoutConfirm: (message: Answer) => object = () => ({ action: "decline" }),
) {
  const child = spawn(home.built, ["mcp", ...words], {
    env: home.env,
    cwd: path.join(home.folder, "work"),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const waiting = new Map<unknown, (answer: Answer) => void>();
  const notifications: Answer[] = [];
  const batches: Answer[][] = [];
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Answer | Answer[];
    if (Array.isArray(message)) return void batches.push(message);
    if (message.method !== undefined && message.id !== undefined)
      send({ id: message.id, result: callWithoutConfirm(message) });
    else if (message.method !== undefined) notifications.push(message);
    else waiting.get(message.id)?.(message);
  });
  let next = 0;
  return {
    notifications,
    batches,
    raw: (line: string) => child.stdin.write(`${line}\n`),
    send,
    ask(method: string, params: object = {}): Promise<Answer> {
      const id = next++;
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      send({ id, method, params });
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

const HANDSHAKE = {
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
  test("have unique names, and schemas made from the command's arguments", () => {
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
  test("say what they answer: the fields of an item where they are known, and the cursor of a list that has more", () => {
    for (const path of offered(all)) {
      const { outputSchema } = toolOf(path);
      expect([path, outputSchema.required]).toEqual([path, ["result"]]);
      expect(outputSchema.properties.next).toMatchObject({ type: "string" });
    }
    const { result } = toolOf("channel list").outputSchema.properties;
    expect(result).toMatchObject({
      anyOf: [{ type: "array", items: { properties: { cid: {}, name: {} } } }, { type: "object" }, {}],
    });
  });
  test("by default only read, and need no secret", () => {
    const reads = offered({ write: false, ops: false, allowed: [] });
    expect(reads.filter((path) => commands[path]!.changes !== "nothing")).toEqual([]);
    expect(reads.filter((path) => commands[path]!.needs === "secret")).toEqual([]);
    expect(reads).toEqual(expect.arrayContaining(["channel list", "message list", "search"]));
  });
  test("are limited by each list of allowed commands", () => {
    const allowed = [
      ["channel *", "search"],
      ["channel list", "search", "unread"],
    ];
    expect(offered({ write: true, ops: true, allowed })).toEqual(["channel list", "search"]);
  });
  test.each(["nonsense", "chanel *", "channel", "chan *", "channel list *", "* *", " *"])(
    "are not limited to '%s', which no command is: it is refused, also beside a right one and for a profile",
    async (wrong) => {
      const refused = {
        out: "",
        code: 2,
        err: expect.stringContaining(`There is no command '${wrong}' to offer`),
      };
      expect(await home.sh(`parley mcp --list --tool '${wrong}'`)).toMatchObject(refused);
      expect(await home.sh(`parley mcp --list --tool search --tool '${wrong}'`)).toMatchObject(refused);
      expect(await home.sh(`parley profile add far --key k --tool search --tool '${wrong}'`)).toMatchObject(
        refused,
      );
      expect((await home.sh("parley profile list --jq .name")).out).toBe("local\n");
    },
  );
  test("of a noun and a star are those of this noun, at any depth, and none of a noun that begins with it", () => {
    const paths = offered(all);
    const nouns = paths.flatMap((path) => {
      const parts = path.split(" ");
      return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join(" "));
    });
    expect(nouns).toEqual(expect.arrayContaining(["channel", "channel-type", "push", "push template"]));
    for (const noun of new Set(nouns)) {
      const own = paths.filter((path) => {
        const [parts, wanted] = [path.split(" "), noun.split(" ")];
        return parts.length > wanted.length && wanted.every((word, n) => word === parts[n]);
      });
      for (const allowed of [[[`${noun} *`]], [undefined, [`${noun} *`]]])
        expect([noun, offered({ ...all, allowed })]).toEqual([noun, own]);
    }
  });
});

describe("an assistant", () => {
  test("reads a list by its cursors, each page as data that fits the schema of the tool", async () => {
    await home.sh(
      "parley channel create messaging:pages; seq 6 | parley send '#pages' --lines - > /dev/null",
    );
    const client = startAssistant([]);
    await client.ask("initialize", HANDSHAKE);
    const texts: string[] = [];
    let next: string | undefined;
    for (let pages = 0; pages === 0 || next !== undefined; pages++) {
      expect(pages).toBeLessThan(9);
      const args = { channel: "#pages", limit: 2, ...(next !== undefined && { next }) };
      const answer = await client.ask("tools/call", { name: "message_list", arguments: args });
      const data = answer.result?.structuredContent as { result: { text: string }[]; next?: string };
      expect(data.result.length).toBeLessThanOrEqual(2);
      texts.unshift(...data.result.map(({ text }) => text));
      if (data.next !== undefined) expect(textOf(answer)).toContain(`There is more: next is ${data.next}`);
      next = data.next;
    }
    expect(texts).toEqual(["1", "2", "3", "4", "5", "6"]);
    const members = await client.ask("tools/call", { name: "user_list", arguments: { limit: 1 } });
    expect(members.result?.structuredContent).toHaveProperty("result");
    await client.end();
  });

  test("with a handshake lists tools, reads, and gets errors for what is not allowed or invalid", async () => {
    const client = startAssistant([]);
    expect((await client.ask("initialize", HANDSHAKE)).result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "parley" },
    });
    client.send({ method: "notifications/initialized" });
    const { tools } = (await client.ask("tools/list")).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).not.toContain("message_send");
    const read = await client.ask("tools/call", { name: "message_list", arguments: { channel: "#ops" } });
    expect(resultOf(read)).toMatchObject([{ id: "m-1", text: "tea" }]);
    const refused = await client.ask("tools/call", { name: "message_send", arguments: {} });
    expect(refused.error).toEqual({
      code: -32602,
      message:
        "There is no tool message_send: it changes something, and parley mcp was started without --write.",
    });
    const unknown = await client.ask("tools/call", { name: "message_sing", arguments: {} });
    expect(unknown.error).toEqual({ code: -32602, message: "There is no tool message_sing." });
    const strange = await client.ask("tools/call", { name: "search", arguments: { wrods: "tea" } });
    expect(strange.result).toMatchObject({ isError: true });
    expect(textOf(strange)).toContain("Unknown argument 'wrods'");
    const gone = await client.ask("tools/call", { name: "channel_get", arguments: { channel: "#nowhere" } });
    expect(textOf(gone)).toMatch(/exit code 3$/);
    expect((await client.ask("nonsense")).error?.code).toBe(-32601);
    const broken = client.answerTo(null);
    client.raw("{");
    expect((await broken).error?.code).toBe(-32700);
    for (const line of ["null", '"x"', '[{"jsonrpc":"2.0","id":9,"method":"ping"}]']) {
      const invalid = client.answerTo(null);
      client.raw(line);
      expect([line, (await invalid).error?.code]).toEqual([line, -32600]);
    }
    for (const [id, line] of [
      [null, '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'],
      [null, '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
      ["s", '{"jsonrpc":"2.0","id":"s","method":5}'],
    ] as const) {
      const invalid = client.answerTo(id);
      client.raw(line);
      expect([line, (await invalid).error?.code]).toEqual([line, -32600]);
    }
    expect((await client.ask("tools/call", ["x"])).error).toEqual({
      code: -32602,
      message: "params must be an object.",
    });
    expect((await client.ask("tools/list", { cursor: "2" })).error?.code).toBe(-32602);
    // An invalid message gets an error if it can be answered, and ends nothing.
    for (const params of ["null", "[]", "7"])
      client.raw(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
    const shapeless = await client.ask("tools/call", { name: "message_list", arguments: "x" });
    expect(shapeless.error).toEqual({ code: -32602, message: "arguments must be an object." });
    expect((await client.ask("tools/call")).error).toMatchObject({ code: -32602 });
    expect((await client.ask("ping", null as never)).result).toEqual({});
    expect(await client.end()).toBe(0);
  });
  test("without --write cannot change anything through a tool that usually reads", async () => {
    const client = startAssistant([]);
    await client.ask("initialize", HANDSHAKE);
    const call = { name: "user_presence", arguments: { invisible: true } };
    expect(textOf(await client.ask("tools/call", call))).toMatch(/only reads are allowed.*exit code 5$/);
    await client.end();
  });
  test("with --write makes dry runs, sends, and asks its user before it deletes", async () => {
    const questions: string[] = [];
    const client = startAssistant(["--write"], ({ params }) => {
      questions.push(String(params?.message));
      return { action: "accept", content: { confirm: questions.length > 1 } };
    });
    await client.ask("initialize", HANDSHAKE);
    const send = { channel: "#ops", text: "--json is no flag here", id: "m-2" };
    const planned = await client.ask("tools/call", {
      name: "message_send",
      arguments: { ...send, dry_run: true },
    });
    expect(resultOf(planned)).toMatchObject({ dry_run: true, operation: "SendMessage" });
    const sent = await client.ask("tools/call", { name: "message_send", arguments: send });
    expect(resultOf(sent)).toMatchObject({ id: "m-2", text: send.text });
    const drop = { name: "message_delete", arguments: { messages: ["m-2"] } };
    expect(textOf(await client.ask("tools/call", drop))).toMatch(/Cancelled.*exit code 130$/);
    expect((await client.ask("tools/call", drop)).result).not.toHaveProperty("isError");
    expect(questions).toHaveLength(2);
    await client.end();
  });
  test("that cannot ask its user gets an error, and nothing is deleted", async () => {
    const client = startAssistant(["--write"]);
    await client.ask("initialize", { ...HANDSHAKE, capabilities: {} });
    const drop = { name: "message_delete", arguments: { messages: ["m-1"] } };
    expect(textOf(await client.ask("tools/call", drop))).toMatch(/cannot prompt its user; .*exit code 2$/);
    const { result } = await client.ask("tools/call", { name: "message_get", arguments: { message: "m-1" } });
    expect(result).not.toHaveProperty("isError");
    await client.end();
  });
  test("of the newer protocol needs no handshake, and repeats a call with its user's answer", async () => {
    const client = startAssistant(["--write"]);
    const found = await client.ask("server/discover", { _meta: META });
    expect(found.result).toMatchObject({ supportedVersions: ["2026-07-28"], resultType: "complete" });
    await home.sh("parley send '#ops' --id m-3 coffee");
    const drop = { name: "message_delete", arguments: { messages: ["m-3"] }, _meta: META };
    const callWithoutConfirm = await client.ask("tools/call", drop);
    expect(callWithoutConfirm.result).toMatchObject({
      resultType: "input_required",
      inputRequests: { answer: { method: "elicitation/create" } },
    });
    const no = await client.ask("tools/call", { ...drop, inputResponses: { answer: { action: "decline" } } });
    expect(no.result).toMatchObject({ isError: true });
    const yes = { answer: { action: "accept", content: { confirm: true } } };
    const done = await client.ask("tools/call", { ...drop, inputResponses: yes });
    expect(done.result).not.toHaveProperty("isError");
    await client.end();
  });
  test("of the version with batches gets one list of answers, and none for notifications only", async () => {
    const client = startAssistant([]);
    await client.ask("initialize", { ...HANDSHAKE, protocolVersion: "2025-03-26" });
    const ping = { jsonrpc: "2.0", id: "p", method: "ping" };
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    client.raw(JSON.stringify([ping, note, 7, { ...ping, id: "q", method: "nonsense" }]));
    client.raw(JSON.stringify([note]));
    const empty = client.answerTo(null);
    client.raw("[]");
    expect((await empty).error?.code).toBe(-32600);
    expect(await client.end()).toBe(0);
    expect(client.batches).toEqual([
      [
        { jsonrpc: "2.0", id: "p", result: {} },
        { jsonrpc: "2.0", id: null, error: expect.objectContaining({ code: -32600 }) },
        { jsonrpc: "2.0", id: "q", error: expect.objectContaining({ code: -32601 }) },
      ],
    ]);
  });
  test("can cancel a call", async () => {
    const client = startAssistant([]);
    await client.ask("initialize", HANDSHAKE);
    client.send({
      id: "long",
      method: "tools/call",
      params: { name: "wait", arguments: { channel: "#ops", match: "never" } },
    });
    client.send({ method: "notifications/cancelled", params: { requestId: "long" } });
    expect((await client.ask("ping")).result).toEqual({});
    expect(await client.end()).toBe(0);
  });
});

/** `webhook listen` forwards each webhook once to each address that wants it, however often it is repeated meanwhile. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import {
  forwardAddress,
  Forwarder,
  readTargets,
  worstStatus,
} from "../../src/cli/shell-commands/webhook/forward.ts";
import { makeHome } from "../support/transcript.ts";

test.each([
  ["localhost:3000/h", "http://localhost:3000/h"],
  ["LOCALHOST/h", "http://localhost/h"],
  ["127.0.0.1:3000", "http://127.0.0.1:3000/"],
  ["[::1]:3000/h?x=1", "http://[::1]:3000/h?x=1"],
  ["hooks.example.org:8080/h", "http://hooks.example.org:8080/h"],
  ["3000", "http://localhost:3000/"],
  [":3000/h", "http://localhost:3000/h"],
  ["https://example.org/h", "https://example.org/h"],
])("%s is %s", (text, address) => expect(forwardAddress(text)).toBe(address));

test.each(["nowhere", "", "/h", ":", "localhost3000", "file:///h", "localhost:99999", "javascript:alert(1)"])(
  "'%s' is no address",
  (text) => expect(() => forwardAddress(text)).toThrow("must be an http or https address"),
);

/** A receiver that answers when it is told to. */
async function receiver() {
  const received: { url: string; body: string; answer(status: number): void }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () =>
      received.push({ url: request.url!, body, answer: (status) => void response.writeHead(status).end() }),
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const arrived = (count: number): Promise<void> =>
    expect.poll(() => received.length, { timeout: 5000 }).toBe(count);
  return { port, received, arrived, close: () => (server.closeAllConnections(), server.close()) };
}

const hook = (id: string, text = "tea") => ({
  received_at: "",
  id,
  attempt: 1,
  duplicate: false,
  headers: {},
  body: Buffer.from(text).toString("base64"),
});

test("a webhook that is repeated while the receiver is at work reaches it once, and gets its answer", async () => {
  const { port, received, arrived, close } = await receiver();
  const forwarder = new Forwarder([{ types: "*", url: `http://127.0.0.1:${port}/h` }]);
  const first = forwarder.forward(hook("1"), "message.new");
  await arrived(1);
  const repeated = [forwarder.forward(hook("1"), "message.new"), forwarder.forward(hook("1"), "message.new")];
  const other = forwarder.forward(hook("2", "other"), "message.new");
  await arrived(2);
  received[0]!.answer(201);
  received[1]!.answer(200);
  const statuses = (await Promise.all([first, ...repeated, other])).map(worstStatus);
  expect(statuses).toEqual([201, 201, 201, 200]);
  // After it was accepted it is not sent again either.
  expect(worstStatus(await forwarder.forward(hook("1"), "message.new"))).toBe(201);
  expect(received.map(({ body }) => body)).toEqual(["tea", "other"]);
  close();
});

test("a refused webhook is forwarded again when it is repeated, and only to those who refused it", async () => {
  const { port, received, arrived, close } = await receiver();
  const at = (name: string): string => `http://127.0.0.1:${port}/${name}`;
  const forwarder = new Forwarder([
    { types: "message.*", url: at("good") },
    { types: "*", url: at("bad") },
    { types: "message.new", url: at("bad") },
    { types: "user.updated", url: at("never") },
    { types: "message.newer", url: at("never") },
  ]);
  const first = forwarder.forward(hook("1"), "message.new");
  await arrived(2);
  for (const { url, answer } of received) answer(url === "/bad" ? 500 : 200);
  expect(worstStatus(await first)).toBe(500);
  const second = forwarder.forward(hook("1"), "message.new");
  await arrived(3);
  received[2]!.answer(204);
  expect((await second).map(({ status }) => status)).toEqual([200, 204]);
  expect(received.map(({ url }) => url).toSorted()).toEqual(["/bad", "/bad", "/good"]);
  close();
});

test("webhooks without an id are all forwarded, and an address that cannot be reached is 502", async () => {
  const { port, received, arrived, close } = await receiver();
  const forwarder = new Forwarder([{ types: "*", url: `http://127.0.0.1:${port}/` }]);
  const both = [forwarder.forward(hook(""), "x"), forwarder.forward(hook(""), "x")];
  await arrived(2);
  for (const { answer } of received) answer(200);
  expect((await Promise.all(both)).map(worstStatus)).toEqual([200, 200]);
  close();
  expect(worstStatus(await forwarder.forward(hook("3"), "x"))).toBe(502);
});

test("an address that has not answered in time may be at work: it gets no repetition, one that was not reached does", async () => {
  const failures = [new DOMException("late", "TimeoutError"), new TypeError("fetch failed")];
  const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    throw failures.shift()!;
  });
  const forwarder = new Forwarder([{ types: "*", url: "http://127.0.0.1:9/" }]);
  const status = async (id: string) => worstStatus(await forwarder.forward(hook(id), "x"));
  expect([await status("late"), await status("late")]).toEqual([504, 504]);
  expect(await status("lost")).toBe(502);
  fetching.mockResolvedValue(new Response(null, { status: 200 }));
  expect([await status("late"), await status("lost")]).toEqual([504, 200]);
});

test("a replay sends the recorded webhooks in order, goes on after a refused one, and then fails in part", async () => {
  const { port, received, arrived, close } = await receiver();
  const home = makeHome({ here: true });
  const statuses = [200, 299, 302, 404, 204];
  const rows = statuses.map((status) => JSON.stringify(hook(String(status), `{"type":"is.${status}"}`)));
  writeFileSync(path.join(home.folder, "work", "kept"), `${rows.join("\n")}\n`);
  let answered = 0;
  const replay = async (flags: string, answers: readonly number[]) => {
    const ran = home.sh(
      `parley webhook replay kept --forward-to ${port} ${flags} --jq '[.id, .type, .status]'`,
    );
    for (const status of answers) {
      await arrived(answered + 1);
      received[answered++]!.answer(status);
    }
    return ran;
  };
  const all = await replay("", statuses);
  expect([all.code, all.err]).toEqual([9, "error: 2 of 5 were not accepted\n"]);
  expect(all.out).toBe(statuses.map((status) => `["${status}","is.${status}",${status}]\n`).join(""));
  const some = await replay("--id 204 --id 299", [299, 204]);
  expect([some.code, some.err]).toEqual([0, ""]);
  close();
  await home.end();
});

test("the file of targets is read as YAML or JSON, with one address or several for a type", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-targets-"));
  const file = path.join(folder, "t.yaml");
  writeFileSync(file, 'message.new: localhost:1/a\n"*": [localhost:2, 3]\n');
  expect(await readTargets("9", file)).toEqual([
    { types: "*", url: "http://localhost:9/" },
    { types: "message.new", url: "http://localhost:1/a" },
    { types: "*", url: "http://localhost:2/" },
    { types: "*", url: "http://localhost:3/" },
  ]);
  rmSync(folder, { recursive: true });
});

/** A provider whose disk or database fails: the answer gives the reason, nothing is half-written, and it recovers. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assembleProvider } from "../../../src/provider/assemble.ts";
import type { Provider } from "../../../src/provider/running.ts";
import type { LogEntry } from "../../../src/provider/http/server.ts";
import { signToken } from "../../../src/wire/token.ts";
import { tiny } from "../tiny.ts";
import { removeFolder } from "../../support/remove-folder.ts";

let data: string;
let provider: Provider;
let log: LogEntry[];
/** The provider's own database connection: pragmas set on another one would not affect it. */
let raw: DatabaseSync;
let other: DatabaseSync | undefined;
beforeEach(async () => {
  data = mkdtempSync(path.join(tmpdir(), "parley-trouble-"));
  log = [];
  provider = assembleProvider(tiny, { data, log: (entry) => log.push(entry) });
  await provider.listen();
  provider.transact((_, db) => (raw = db.raw));
});
afterEach(async () => {
  other?.close();
  other = undefined;
  await provider.close();
  removeFolder(data);
});

async function send(id: string, text: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(
    `${provider.url}/channels/messaging/a/message?api_key=${provider.apiKey}&user_id=ana`,
    {
      method: "POST",
      headers: {
        authorization: signToken({ user_id: "ana" }, provider.secret),
        "stream-auth-type": "jwt",
        "content-type": "application/json",
        "x-client-request-id": `try-${id}`,
      },
      body: JSON.stringify({ message: { id, text } }),
    },
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const pragma = (text: string): void => raw.exec(`PRAGMA ${text}`);

test.each<[string, () => void, () => void, number, string]>([
  [
    "a full disk",
    () => pragma("max_page_count = 1"),
    () => pragma("max_page_count = 1073741823"),
    507,
    "the disk of the provider is full",
  ],
  [
    "a read-only disk",
    () => pragma("query_only = ON"),
    () => pragma("query_only = OFF"),
    507,
    "the provider cannot write its data: the disk or its folder is read-only",
  ],
  [
    "a database that another program holds",
    () => {
      pragma("busy_timeout = 20");
      other = new DatabaseSync(path.join(data, "provider.db"));
      other.exec("BEGIN IMMEDIATE");
    },
    () => other!.exec("ROLLBACK"),
    503,
    "the provider's database is held by another program",
  ],
])(
  "%s is answered with its own status and message, and the next write after it succeeds",
  async (_, begin, end, status, says) => {
    provider.transact((_emit, db) => db.run("INSERT INTO person (id, name) VALUES ('ana', 'Ana')"));
    begin();
    const refused = await send("one", "x".repeat(200_000));
    expect(refused).toMatchObject({
      status,
      body: { code: -1, StatusCode: status, message: `SendMessage failed with error: "${says}"` },
    });
    expect(JSON.stringify(refused.body)).not.toMatch(/SQLITE|provider\.db|parley-trouble/);
    expect(log.at(-1)).toMatchObject({ op: "SendMessage", status, code: -1, requestId: "try-one" });
    // The stack appears in the log only.
    expect(log.at(-1)!.fault).toMatch(/\n +at /);
    end();
    expect((await send("one", "again")).status).toBe(201);
  },
);

/** A data folder with one channel of many messages, written in one statement instead of being sent one by one. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chat } from "../../src/provider/chat.ts";
import { indexNewMessages } from "../../src/provider/domain/search/storage/schema.ts";
import { DATA_FILES } from "../../src/provider/lifecycle/identity.ts";
import { openDatabase } from "../../src/provider/store/open.ts";
import { transportMigrations } from "../../src/provider/store/transport.ts";

export const BIG_START = Date.UTC(2026, 0, 1) * 1000;
export const BIG_ROOM = "messaging:big";
/** Members of the channel; the first one created it. */
export const BIG_PEOPLE = ["ada", "bob", "cyd"] as const;

/** Message `n` is `m<n>`, one second after the previous one, by the members in turn; every seventh contains "quince". */
export function makeBigRoom(folder: string, messages: number, cid = BIG_ROOM): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = openDatabase(path.join(folder, DATA_FILES.database), [
    { name: "transport", migrations: transportMigrations },
    {
      name: "domain",
      migrations: chat.migrations,
      registerFunctions: (raw) => chat.registerFunctions?.(raw),
      derived: chat.derived,
    },
  ]);
  db.raw.exec("PRAGMA synchronous = OFF; BEGIN");
  for (const id of BIG_PEOPLE)
    db.run(
      "INSERT OR IGNORE INTO users (id, name, created_at, updated_at) VALUES (?1, upper(?1), ?2, ?2)",
      id,
      BIG_START,
    );
  const last = BIG_START + messages * 1_000_000;
  db.run(
    `INSERT INTO channels (cid, type, id, created_at, updated_at, created_by, member_count, message_count, last_message_at,
     last_stamp) VALUES (?1, 'messaging', substr(?1, 11), ?2, ?2, 'ada', ?3, ?4, ?5, ?5)`,
    cid,
    BIG_START,
    BIG_PEOPLE.length,
    messages,
    last,
  );
  for (const id of BIG_PEOPLE) {
    db.run(
      "INSERT INTO members (cid, user_id, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)",
      cid,
      id,
      BIG_START,
    );
    db.run(
      "INSERT INTO reads (cid, user_id, last_read, unread) VALUES (?, ?, ?, ?)",
      cid,
      id,
      BIG_START,
      messages,
    );
  }
  db.run(
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ?1)
     INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
     SELECT 'm' || n, ?2, ?3 + n * 1000000, ?3 + n * 1000000,
     CASE n % 3 WHEN 0 THEN 'ada' WHEN 1 THEN 'bob' ELSE 'cyd' END, 'regular', 1, 1,
     'number ' || n || CASE WHEN n % 7 = 0 THEN ' quince' ELSE ' apple' END || ' of many words', '{}' FROM c`,
    messages,
    cid,
    BIG_START,
  );
  indexNewMessages(db);
  db.raw.exec("COMMIT");
  db.close();
}

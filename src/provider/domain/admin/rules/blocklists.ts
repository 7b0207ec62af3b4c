/** Routes of blocklists, and the lists as the check of messages reads them (specification/admin.md §5). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import { type Blocklist, type BlocklistType } from "../../../../wire/blocklist.ts";
import { BLOCKLIST_WORD_LENGTH, BLOCKLISTS_PER_APP } from "../../../../wire/constants.ts";
import { timeFromMicros } from "../../../../wire/time.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../store/database.ts";
import { kept } from "../../../store/kept.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { NAME, NAME_FORM } from "../../query/names.ts";
import { BLOCKLIST_STAMP } from "../storage/schema.ts";

interface BlocklistRow {
  name: string;
  type: BlocklistType;
  words: string;
  created_at: number;
  updated_at: number;
}

/** Every list by its name, as this moment of the transaction sees them. */
export const blocklistsOf: (db: Database) => ReadonlyMap<string, Blocklist> = kept(
  BLOCKLIST_STAMP,
  (db) =>
    new Map(
      db.all<BlocklistRow>("SELECT * FROM blocklists ORDER BY name").map((row) => [
        row.name,
        {
          name: row.name,
          type: row.type,
          words: JSON.parse(row.words) as string[],
          created_at: timeFromMicros(row.created_at),
          updated_at: timeFromMicros(row.updated_at),
        },
      ]),
    ),
);

function blocklist(db: Database, name: string): Blocklist {
  const found = blocklistsOf(db).get(name);
  if (!found) throw new ApiProblem(16, `Blocklist ${name.slice(0, 64)} does not exist`);
  return found;
}

function readWords(check: BodyReader, words: readonly string[], type: BlocklistType): string[] {
  for (const [i, word] of words.entries()) {
    if (word.trim() === "") check.fail(`words.${i}`, "must not be blank");
    else if (word.length > BLOCKLIST_WORD_LENGTH)
      check.fail(`words.${i}`, `must hold at most ${BLOCKLIST_WORD_LENGTH} characters`);
    else if (type === "regex" && !isPattern(word)) check.fail(`words.${i}`, "is not a regular expression");
  }
  // a pattern's letters have meanings of their own: \S is not \s
  return [...new Set(type === "regex" ? words : words.map((word) => word.toLowerCase()))];
}

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "iu"));
  } catch {
    return false;
  }
}

export function listBlocklists({ db }: RouteCall): Reply<"listBlocklists"> {
  return { blocklists: [...blocklistsOf(db).values()] };
}

export function getBlocklist({ db, path }: RouteCall): Reply<"getBlocklist"> {
  return { blocklist: blocklist(db, path.name ?? "") };
}

export function createBlocklist(call: RouteCall): Reply<"createBlocklist"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const given = check.read(adminBodies.createBlocklist);
  const { name, type = "word" } = given;
  if (name && !NAME.test(name)) check.fail("name", NAME_FORM);
  else if (blocklistsOf(db).has(name)) check.fail("name", "is taken by another blocklist");
  const words = readWords(check, given.words, type);
  check.done();
  if (blocklistsOf(db).size >= BLOCKLISTS_PER_APP)
    throw invalidField("name", `is one too many: an app has at most ${BLOCKLISTS_PER_APP} blocklists`);
  const now = call.now();
  db.run(
    "INSERT INTO blocklists (name, type, words, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
    name,
    type,
    JSON.stringify(words),
    now,
    now,
  );
  return { blocklist: blocklist(db, name) };
}

export function updateBlocklist(call: RouteCall): Reply<"updateBlocklist"> {
  const { db, body, path } = call;
  const { name, type } = blocklist(db, path.name ?? "");
  const check = new BodyReader(body);
  const words = readWords(check, check.read(adminBodies.updateBlocklist).words, type);
  check.done();
  db.run(
    "UPDATE blocklists SET words = ?, updated_at = ? WHERE name = ?",
    JSON.stringify(words),
    call.now(),
    name,
  );
  return { blocklist: blocklist(db, name) };
}

/** Takes the list out of a configuration; undefined when it is not in there. */
function withoutList(json: string, name: string): string | undefined {
  const settings = JSON.parse(json) as Fields;
  const lists = Array.isArray(settings.blocklists) ? (settings.blocklists as unknown[]) : undefined;
  const left = lists?.filter((one) => !isObject(one) || one.blocklist !== name);
  if (settings.blocklist !== name && left?.length === lists?.length) return undefined;
  if (settings.blocklist === name) {
    delete settings.blocklist;
    delete settings.blocklist_behavior;
  }
  if (left) settings.blocklists = left;
  return JSON.stringify(settings);
}

/** Deletion removes the list from all types, and from the channels that name it. */
export function deleteBlocklist(call: RouteCall): Reply<"deleteBlocklist"> {
  const { db, path } = call;
  const { name } = blocklist(db, path.name ?? "");
  db.run("DELETE FROM blocklists WHERE name = ?", name);
  for (const row of db.all<{ name: string; settings: string }>("SELECT name, settings FROM channel_types")) {
    const after = withoutList(row.settings, name);
    if (after !== undefined)
      db.run(
        "UPDATE channel_types SET settings = ?, updated_at = ? WHERE name = ?",
        after,
        call.now(),
        row.name,
      );
  }
  for (const row of db.all<{ cid: string; overrides: string }>(
    "SELECT cid, overrides FROM channels WHERE overrides IS NOT NULL",
  )) {
    const after = withoutList(row.overrides, name);
    if (after !== undefined)
      db.run("UPDATE channels SET overrides = ? WHERE cid = ?", after === "{}" ? null : after, row.cid);
  }
  return {};
}

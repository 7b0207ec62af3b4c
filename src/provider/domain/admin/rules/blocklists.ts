/** Routes of blocklists (specification/admin.md §5). */
import { adminBodies } from "../../../../wire/bodies/admin.ts";
import type { Blocklist, BlocklistType } from "../../../../wire/entities/blocklist.ts";
import { isPattern, PATTERN_FORM } from "../../../../text/pattern.ts";
import { BLOCKLIST_WORD_LENGTH, BLOCKLISTS_PER_APP } from "../../../../wire/constants.ts";
import { ApiProblem, type RouteCall, type Reply } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import { BodyReader, isObject, invalidField, type Fields } from "../../validation/check.ts";
import { NAME, NAME_FORM } from "../../../../wire/ids.ts";
import { blocklistsOf } from "../storage/blocklists.ts";
import { storedBlocklists, storedTypes } from "../storage/schema.ts";
import { channelsWithOverrides, setOverrides } from "../storage/channel-types.ts";

function requireBlocklist(db: Database, name: string): Blocklist {
  const found = blocklistsOf(db).get(name);
  if (!found) throw ApiProblem.notFound(`Blocklist ${name.slice(0, 64)} does not exist`);
  return found;
}

function readWords(check: BodyReader, words: readonly string[], type: BlocklistType): string[] {
  for (const [i, word] of words.entries()) {
    if (word.trim() === "") check.fail(`words.${i}`, "must not be blank");
    else if (word.length > BLOCKLIST_WORD_LENGTH)
      check.fail(`words.${i}`, `must hold at most ${BLOCKLIST_WORD_LENGTH} characters`);
    else if (type === "regex" && !isPattern(word)) check.fail(`words.${i}`, PATTERN_FORM);
  }
  // Patterns are not lowercased, because \S is not \s.
  return [...new Set(type === "regex" ? words : words.map((word) => word.toLowerCase()))];
}

export function listBlocklists({ db }: RouteCall): Reply<"listBlocklists"> {
  return { blocklists: [...blocklistsOf(db).values()] };
}

export function getBlocklist({ db, path }: RouteCall): Reply<"getBlocklist"> {
  return { blocklist: requireBlocklist(db, path.name ?? "") };
}

export function createBlocklist(call: RouteCall): Reply<"createBlocklist"> {
  const { db, body } = call;
  const check = new BodyReader(body);
  const fields = check.read(adminBodies.createBlocklist);
  const { name, type = "word" } = fields;
  if (name && !NAME.test(name)) check.fail("name", NAME_FORM);
  else if (blocklistsOf(db).has(name)) check.fail("name", "is taken by another blocklist");
  const words = readWords(check, fields.words, type);
  check.done();
  if (blocklistsOf(db).size >= BLOCKLISTS_PER_APP)
    throw invalidField("name", `is one too many: an app has at most ${BLOCKLISTS_PER_APP} blocklists`);
  const now = call.now();
  storedBlocklists.insert(db, {
    name,
    type,
    words: JSON.stringify(words),
    created_at: now,
    updated_at: now,
  });
  return { blocklist: requireBlocklist(db, name) };
}

export function updateBlocklist(call: RouteCall): Reply<"updateBlocklist"> {
  const { db, body, path } = call;
  const { name, type } = requireBlocklist(db, path.name ?? "");
  const check = new BodyReader(body);
  const words = readWords(check, check.read(adminBodies.updateBlocklist).words, type);
  check.done();
  storedBlocklists.change(db, { name }, { words: JSON.stringify(words), updated_at: call.now() });
  return { blocklist: requireBlocklist(db, name) };
}

/** The configuration, as JSON, without the list; undefined if it does not use the list. */
function withoutList(json: string, name: string): string | undefined {
  const settings = JSON.parse(json) as Fields;
  const lists = Array.isArray(settings.blocklists) ? (settings.blocklists as unknown[]) : undefined;
  const remaining = lists?.filter((entry) => !isObject(entry) || entry.blocklist !== name);
  if (settings.blocklist !== name && remaining?.length === lists?.length) return undefined;
  if (settings.blocklist === name) {
    delete settings.blocklist;
    delete settings.blocklist_behavior;
  }
  if (remaining) settings.blocklists = remaining;
  return JSON.stringify(settings);
}

/** Also removes the list from the configuration of channel types and channels. */
export function deleteBlocklist(call: RouteCall): Reply<"deleteBlocklist"> {
  const { db, path } = call;
  const { name } = requireBlocklist(db, path.name ?? "");
  storedBlocklists.remove(db, { name });
  for (const row of storedTypes.list(db)) {
    const settings = withoutList(row.settings, name);
    if (settings !== undefined) storedTypes.update(db, row, { settings, updated_at: call.now() });
  }
  for (const row of channelsWithOverrides(db)) {
    const after = withoutList(row.overrides, name);
    if (after !== undefined) setOverrides(db, row.cid, after === "{}" ? null : after);
  }
  return {};
}

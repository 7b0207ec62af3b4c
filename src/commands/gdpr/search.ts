/** Looks for what a deleted person wrote: in the bytes of files on this machine, and by calls of the provider. */
import { rm } from "node:fs/promises";
import path from "node:path";
import type { TraceFinder } from "../../jobs/traces.ts";
import { isNotFound, isRouteAbsent } from "../../wire/errors.ts";
import type { Args, Call, Machine } from "../base/define-command.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { writtenTexts, type CollectedData } from "./collect.ts";
import type { Proof, SearchedPlace, Traces } from "./proof.ts";

type SearchCall = Pick<Call<Args>, "core" | "signal" | "progress" | "now">;

/** Messages and channels looked for by calls; the bytes of files are searched for all. */
const MAX_CALLS = 50;
/** How far back missed events are asked for, in milliseconds. */
const SYNC_BACK = 24 * 60 * 60_000;

/** Folders of the embedded provider whose files are made of the rest: uploads of imports, results of exports. */
const PASSING_FOLDERS = ["imports", "exports"];

/** Of a provider whose files are not on this machine. */
export const ASKED_ONLY = "the provider's own files: it was asked by get, search and sync";

export const NOT_REACHED = [
  "archives: 'parley archive update FOLDER --look-back 3650d' marks what is gone there",
  "files of exports, downloads and backups",
  "caches, state and logs of other machines",
  "what webhooks, push services and other programs received",
] as const;

/** Every n-th, so that at most `MAX_CALLS` stay. */
const sample = <T>(list: readonly T[]): T[] => {
  const step = Math.ceil(list.length / MAX_CALLS);
  return list.filter((_, n) => n % step === 0);
};

export async function tracesIn(data: CollectedData): Promise<Traces> {
  const { tracesOf } = await import("../../jobs/traces.ts");
  const { traces: texts, short } = tracesOf(writtenTexts(data));
  return { texts, short, messages: sample(data.messages.map(({ id }) => id)), cids: sample(data.cids) };
}

type Findings = Required<Pick<Proof, "searched" | "remaining" | "removed">>;

/** Searches everything that a machine and its provider can show; removes files that can be made again. */
export async function searchTraces(
  call: SearchCall,
  machine: Pick<Machine, "dataFolders" | "forgetUser">,
  { user, traces }: Pick<Proof, "user"> & { traces: Traces },
): Promise<Findings> {
  const { TraceFinder: Finder } = await import("../../jobs/traces.ts");
  const finder = new Finder(traces.texts);
  const shared = new SharedTexts(call, user);
  const searched = await byCalls(call, { user, traces, finder, shared });
  const found: Findings = { searched, remaining: [], removed: [] };
  await machine.forgetUser(user);
  const folders = await machine.dataFolders();
  for (const place of ["provider", "state", "cache"] as const)
    if (folders[place] !== undefined)
      await inFolder(call, { place, folder: folders[place], finder, shared }, found);
  return found;
}

interface Search {
  place: SearchedPlace["place"];
  folder: string;
  finder: TraceFinder;
  shared: SharedTexts;
}

async function inFolder(call: SearchCall, search: Search, into: Findings): Promise<void> {
  const { searchFolder } = await import("../../jobs/traces.ts");
  const { place, folder, finder, shared } = search;
  const seen: SearchedPlace = { by: "bytes", place, looked_at: 0, bytes: 0, found: 0 };
  for await (const { file, bytes, found } of searchFolder(folder, finder, call.signal)) {
    call.progress(seen.looked_at++, seen.looked_at, `searching ${place}`);
    seen.bytes += bytes;
    const texts = await shared.without([...found.values()]);
    if (texts === 0) continue;
    seen.found += texts;
    if (place === "cache" || (place === "provider" && PASSING_FOLDERS.includes(file.split(path.sep)[0]!))) {
      await rm(path.join(folder, file), { force: true });
      into.removed.push(path.join(folder, file));
    } else into.remaining.push({ place, file: path.join(folder, file), texts });
  }
  into.searched.push(seen);
}

/** Texts that somebody else has written, too, and that may therefore stay. */
class SharedTexts {
  readonly #call: SearchCall;
  readonly #user: string;
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(call: SearchCall, user: string) {
    this.#call = call;
    this.#user = user;
  }

  /** How many of the pieces nobody else has written. */
  async without(pieces: readonly Buffer[]): Promise<number> {
    let own = 0;
    for (const piece of pieces) if (!(await this.#isShared(piece.toString()))) own++;
    return own;
  }

  #isShared(piece: string): Promise<boolean> {
    const known = this.#known.get(piece) ?? this.#look(piece);
    this.#known.set(piece, known);
    return known;
  }

  async #look(piece: string): Promise<boolean> {
    const filter_conditions = { name: piece };
    const { users } = await this.#call.core.call("queryUsers", { query: { filter_conditions, limit: 2 } });
    if (users.some(({ id }) => id !== this.#user)) return true;
    // Cut at any byte: its first and last word may be parts of words.
    const words = piece
      .split(/\s+/u)
      .slice(piece.includes(" ") ? 1 : 0)
      .join(" ");
    if (!/[\p{L}\p{N}]/u.test(words)) return false;
    const { results } = await this.#call.core.call("search", {
      query: {
        filter_conditions: { created_at: { $gt: new Date(0).toISOString() } },
        query: words,
        limit: 100,
      },
    });
    return results.some(({ message }) => message.user.id !== this.#user && message.text.includes(piece));
  }
}

/** Asks for messages by id, for messages of the person, and for missed events of the channels, and searches the answers. */
async function byCalls(
  { core, now }: SearchCall,
  { user, traces, finder, shared }: Pick<Search, "finder" | "shared"> & { user: string; traces: Traces },
): Promise<SearchedPlace[]> {
  const [got, searched, synced] = (["get", "search", "sync"] as const).map((by): SearchedPlace => ({
    by,
    place: "provider",
    looked_at: 0,
    bytes: 0,
    found: 0,
  })) as [SearchedPlace, SearchedPlace, SearchedPlace];
  const look = async (at: SearchedPlace, answer: unknown, messages: number): Promise<void> => {
    const bytes = Buffer.from(JSON.stringify(answer));
    at.looked_at++;
    at.bytes += bytes.length;
    at.found += messages || (await shared.without([...finder.find(bytes).values()]));
  };
  for (const id of traces.messages) {
    const answer = await core.call("getMessage", { path: { id } }).catch(absent);
    await look(got, answer ?? {}, answer === undefined ? 0 : 1);
  }
  for (const cid of traces.cids) {
    const filters = { filter_conditions: { cid }, message_filter_conditions: { "user.id": user } };
    const { results } = await core.call("search", { query: { ...filters, limit: 100 } });
    await look(searched, results, results.length);
    const events = await missedEvents(core, cid, now() - SYNC_BACK);
    if (events) await look(synced, events, 0);
  }
  return [got, searched, synced];
}

/** What a member of the channel who was away is told; undefined without one, or when that is more than one answer holds. */
async function missedEvents(core: Call<Args>["core"], cid: string, since: number): Promise<unknown> {
  const [reader] =
    (await lookUpChannel(core, cid, { state: true, message_limit: 1 }).catch(absent))?.members ?? [];
  if (!reader) return undefined;
  const last_sync_at = new Date(since).toISOString();
  const body = { channel_cids: [cid], last_sync_at, user_id: reader.user_id };
  return (await core.call("sync", { body }).catch(refused))?.events;
}

function absent(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function refused(error: unknown): undefined {
  const { name, status = 0 } = error as { name?: string; status?: number };
  if (name !== "ApiError" || (status >= 500 && !isRouteAbsent(error))) throw error;
}

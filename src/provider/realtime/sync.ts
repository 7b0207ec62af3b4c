/** POST /sync, stop-watching and /hi: the calls about the realtime connection (specification/realtime.md §8–10). */
import { cidOfPath } from "../base/channel-path.ts";
import { SYNC_AGE, SYNC_CHANNELS, SYNC_EVENTS } from "../../wire/constants.ts";
import { splitCid } from "../../wire/ids.ts";
import type { AnyEvent } from "../../wire/events.ts";
import { timeToMicros } from "../../wire/time.ts";
import { ApiProblem, type RouteCall, type Handler, type HandlersOf, type Reply } from "../base/handler.ts";
import { invalidField, refuseProblems } from "../base/problems.ts";
import type { Domain } from "../base/ports.ts";
import { asFlag } from "../../wire/absent.ts";
import { eventWithoutGone, NOTHING_GONE, subjectsOf } from "../../wire/gone.ts";
import { logCompleteFrom, readLog, readRemoval } from "./log.ts";

export const NEEDS_CONNECTION = "watch and presence need the connection_id of an open connection";
const TOO_MANY = "too many events to sync, reload the channels";

const noConnection = (): ApiProblem =>
  invalidField("connection_id", "is not an open connection of yours", NEEDS_CONNECTION);

type SyncDomain = Pick<
  Domain,
  "account" | "inaccessible" | "touch" | "announcesWatching" | "blockedAuthor" | "hiddenBefore" | "findGone"
>;

function readBody(call: RouteCall): { cids: string[]; since: number } {
  const { channel_cids: cids, last_sync_at: date } = call.body;
  const fields: Record<string, string> = {};
  if (!Array.isArray(cids) || cids.length < 1 || cids.length > SYNC_CHANNELS)
    fields.channel_cids = `must be a list of 1 to ${SYNC_CHANNELS} cids`;
  else if (!cids.every((cid) => typeof cid === "string" && splitCid(cid)))
    fields.channel_cids = "must hold cids that look like type:id";
  const since = typeof date === "string" ? timeToMicros(date) : Number.NaN;
  if (typeof date === "string" && date.trim() === "") fields.last_sync_at = "cannot be blank";
  else if (Number.isNaN(since)) fields.last_sync_at = "must be an RFC 3339 date";
  for (const name of ["with_inaccessible_cids", "watch"])
    if (call.body[name] != null && typeof call.body[name] !== "boolean")
      fields[name] = "must be true or false";
  refuseProblems(fields);
  return { cids: [...new Set(cids as string[])], since };
}

function sync(domain: SyncDomain): Handler<"sync"> {
  return (call) => {
    const { db, body, query, caller, connectionId } = call;
    const { cids, since } = readBody(call);
    const userId = caller.userId;
    if (userId === undefined)
      throw invalidField(
        "user_id",
        "is required with server-side auth",
        "user_id must be provided when using server side auth",
      );
    const account = domain.account(db, userId);
    // A user with a token may not be stored yet, but a user named by a server must exist.
    if (caller.kind === "server" && (!account || account.deleted))
      throw ApiProblem.notFound(`User ${userId} does not exist`);
    const watch = body.watch === true;
    if (watch && !(connectionId && call.emit.isOpen(connectionId, userId))) throw noConnection();
    // A time before the log begins is refused like too many events: some would be missing.
    if (since < call.now() - SYNC_AGE * 1000 || since < logCompleteFrom(db)) throw ApiProblem.input(TOO_MANY);
    const inaccessible = new Set(domain.inaccessible(db, userId, cids));
    const readable = cids.filter((cid) => !inaccessible.has(cid));
    const events = readLog(db, userId, readable, since, SYNC_EVENTS + 1);
    if (events.length > SYNC_EVENTS) throw ApiProblem.input(TOO_MANY);
    for (const cid of inaccessible) {
      const removal = readRemoval(db, userId, cid, since);
      if (removal) events.push(removal);
    }
    if (watch) for (const cid of readable) startWatching(call, domain, connectionId!, userId, cid);
    const reply: Reply<"sync"> = { events: visibleEvents(call, domain, userId, readable, events) };
    if (asFlag(body.with_inaccessible_cids) || asFlag(query.with_inaccessible_cids))
      reply.inaccessible_cids = [...inaccessible];
    return reply;
  };
}

/**
 * The events without what was deleted since, without those caused by a user the reader has blocked, in a channel of the two (specification/events.md §2), and
 * without messages of history that is hidden from the reader.
 */
function visibleEvents(
  call: RouteCall,
  domain: SyncDomain,
  userId: string,
  cids: string[],
  events: string[],
): AnyEvent[] {
  const parsed = withoutDeleted(call, domain, events);
  const blockedAuthors = new Map(cids.map((cid) => [cid, domain.blockedAuthor(call.db, cid, userId)]));
  const hidden = new Map(cids.map((cid) => [cid, domain.hiddenBefore?.(call.db, cid, userId) ?? 0]));
  return parsed.filter(({ cid, user, message }) => {
    const hiddenUntil = cid === undefined ? 0 : (hidden.get(cid) ?? 0);
    const createdAt =
      hiddenUntil > 0 ? (message as { created_at?: unknown } | undefined)?.created_at : undefined;
    if (typeof createdAt === "string" && timeToMicros(createdAt) <= hiddenUntil) return false;
    const blockedAuthor = cid === undefined ? undefined : blockedAuthors.get(cid);
    return blockedAuthor === undefined || user?.id !== blockedAuthor;
  });
}

/** Deletions reach stored events in steps, so what is deleted by now is left out here. */
function withoutDeleted({ db }: RouteCall, { findGone }: SyncDomain, events: string[]): AnyEvent[] {
  const parsed = events.map((json) => JSON.parse(json) as AnyEvent);
  const gone = findGone?.(db, subjectsOf(parsed)) ?? NOTHING_GONE;
  return parsed.map((event) => eventWithoutGone(event, gone)).filter((event) => event !== undefined);
}

function startWatching(
  call: RouteCall,
  domain: SyncDomain,
  connectionId: string,
  userId: string,
  cid: string,
): void {
  if (!call.emit.watch(connectionId, cid) || !domain.announcesWatching(call.db, userId, cid)) return;
  const user = domain.touch(call.db, call.emit, userId, call.now());
  const watcher_count = call.emit.watcherInfo(cid).count;
  call.emit.watchers(cid, { type: "user.watching.start", user, watcher_count });
}

function stopWatching(domain: SyncDomain): Handler<"stopWatching"> {
  return (call) => {
    const { connectionId, caller, emit, path, db } = call;
    const { userId } = caller;
    const cid = cidOfPath(path);
    if (!connectionId || userId === undefined || !emit.isOpen(connectionId, userId)) throw noConnection();
    if (emit.unwatch(connectionId, cid) && domain.announcesWatching(db, userId, cid)) {
      const user = domain.touch(db, emit, userId, call.now());
      const watcher_count = emit.watcherInfo(cid).count;
      emit.watchers(cid, { type: "user.watching.stop", user, watcher_count });
    }
    return {};
  };
}

export function realtimeHandlers(domain: SyncDomain): HandlersOf<"hi" | "sync" | "stopWatching"> {
  return { hi: () => ({}), sync: sync(domain), stopWatching: stopWatching(domain) };
}

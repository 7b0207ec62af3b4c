/** Puts the core together: calls, connection and recovery on one side, state, outbox and composer on the other, behind one `Core`. */
import { FEATURE_DEFAULTS, MESSAGE_PAGE } from "../wire/constants.ts";
import { createAppSettings } from "./features/app-settings.ts";
import type { CallDefaults } from "./base/api-types.ts";
import { createCacheWriter } from "./store/cache-writer.ts";
import { createChannels } from "./features/channel.ts";
import { createCheckpoint } from "./features/checkpoint.ts";
import { createComposerRegistry } from "./composer/composer-registry.ts";
import { createDrafts } from "./composer/drafts.ts";
import { partsOf } from "./base/validate-call.ts";
import { createTyping } from "./composer/typing.ts";
import type { Core } from "./core.ts";
import { LocalError } from "../model/errors.ts";
import { createFollowers } from "./followers.ts";
import { createMembers } from "./lists/members.ts";
import { createSearch } from "./lists/search.ts";
import { createActions } from "./features/actions.ts";
import { createOperations } from "./features/operations.ts";
import type { RateLimit } from "../model/errors.ts";
import { createCaller } from "./http/caller.ts";
import { createTokens } from "./http/token.ts";
import { createRealtime } from "./live/realtime.ts";
import type { Mode } from "./live/transitions.ts";
import { createRefetchQueue } from "./live/refetch-queue.ts";
import { createOutbox } from "./outbox/outbox.ts";
import type { SendWait } from "./outbox/outbox.ts";
import { createPages } from "./features/pages.ts";
import { createSending } from "./features/sending.ts";
import { createSteps } from "./features/steps.ts";
import { withVotes } from "./features/polls.ts";
import type { Ports } from "./base/ports.ts";
import { DeliveryReceipts } from "./features/delivery-receipts.ts";
import { ReadMarks } from "./features/read-marks.ts";
import { createStateMachine } from "./state/machine.ts";
import type { StateMachine } from "./state/machine.ts";
import { thisOwner } from "../model/owner.ts";
import { createUploads } from "./uploads/uploads.ts";

export interface CoreOptions {
  /** `http://host:port`; a function is asked anew for each call, because an embedded provider may move. */
  baseUrl: string | (() => string);
  /** Absent = made from the base URL. */
  wsUrl?: string;
  apiKey: string;
  transport: Mode;
  /** With it, server-only calls are made with a server token, and every call when no user is set (specification/auth.md §10). */
  secret?: string;
  /** Name and version, for the provider's log. */
  clientName: string;
  /** The provider is on this machine: it is never offline (specification/realtime.md §6). */
  isLoopback?: boolean;
  /** Process that owns new outbox rows; absent = this one. */
  owner?: string;
  /** Runs before each connection attempt; may start the provider (specification/embedded-provider.md §1). */
  prepare?(): Promise<void>;
  /** Awaited before a call, when who is to be called may not be known yet; a rejection is the failure of the call. */
  reach?(): Promise<void>;
  /** Others are told while the user types; default true. */
  typing?: boolean;
  /** The provider keeps a copy of drafts; default false (R-DRAFT). */
  drafts?: boolean;
  /** Links get previews while one writes; default false (R-LINK). */
  linkPreviews?: boolean;
  /** Locations are shared and followed; default true (R-LOC). */
  locations?: boolean;
  /** UTF-16 units of a text; default the channel's own limit (R-SEND-2). */
  maxTextLength?: number;
  /** How far the provider's clock is known to be ahead before it was asked, milliseconds: an embedded one that was moved. */
  ahead?: number;
  /** The token source reads what a sign-in stores: while the token is refused it is looked at often. */
  tokenIsStored?: boolean;
  /** What calls of features begin with; absent = the request's own time limit and no repeats. */
  calls?: CallDefaults;
  /** How long a send of a one-shot waits, and whether a row never sent is taken back (specification/sending.md §3). */
  sendWait?: SendWait;
}

/** What the one who made the core may ask beyond `Core`. */
export interface Client extends Core {
  /** The numbers of the last answer of an operation (D14). */
  rateLimit(op: string): RateLimit | undefined;
}

/** A `Date` header counts whole seconds: smaller differences than this say nothing, milliseconds. */
const DATE_GRAIN = 2000;

export function createCore(options: CoreOptions, ports: Ports): Client {
  const { clock, random, log, store } = ports;
  const { baseUrl: base } = options;
  const baseUrl = typeof base === "function" ? base : () => base;
  const { drafts: copies, linkPreviews, locations: shares, typing: publishes } = FEATURE_DEFAULTS;
  const chosen = {
    drafts: options.drafts ?? copies,
    linkPreviews: options.linkPreviews ?? linkPreviews,
    locations: options.locations ?? shares,
    typing: options.typing ?? publishes,
  };
  const online = (): boolean => options.isLoopback === true || (ports.online?.() ?? true);
  const tokens = createTokens({ clock, random, secret: options.secret, now: () => now() });
  const userId = (): string | undefined => tokens.userId;
  const inner = createStateMachine({ clock, random, log, userId });
  const cache = createCacheWriter({
    store,
    clock,
    log,
    isBehind: (cid) => inner.state().channels.get(cid)?.stale === true,
    storage: (storage) => inner.apply({ kind: "storage", storage }),
  });
  /** The state, with everything that follows from a change of it. */
  const machine: StateMachine = {
    ...inner,
    dispatch(events, past) {
      inner.dispatch(events, past);
      cache.events(events);
      for (const event of events) {
        marks.heard(event);
        receipts.arrived(event);
      }
      followers.heard(events);
      composers.heard(events);
      refetchQueue.look();
    },
    apply(change) {
      inner.apply(change);
      cache.change(change);
      // A call without a connection is a script looking in, not a device that receives.
      if (change.kind === "channels" && realtime.connection.connectionId() !== undefined)
        receipts.queried(change.states);
      if (change.kind === "channels") {
        checkpoint.vouch();
        composers.queried(change.states);
      }
      refetchQueue.look();
    },
  };
  let openCid: string | undefined;
  const checkpoint = createCheckpoint({ store, cache, log, seen: () => realtime.checkpoint() });

  const steps = createSteps(clock, options.calls);
  const caller = createCaller({
    baseUrl,
    apiKey: options.apiKey,
    clientName: options.clientName,
    request: ports.request,
    unchecked: ports.unchecked,
    clock,
    random,
    log,
    tokens,
    connectionId: () => realtime.connection.connectionId(),
    beforeWrite: steps.beforeWrite,
    ready() {
      const { reach } = options;
      const first = realtime.connection.firstAttempt();
      return reach ? Promise.resolve(first).then(reach) : first;
    },
    suspect: () => realtime.connection.verifyLink(),
    refused: () => realtime.connection.verifyCredentials(),
    clockSeen(date) {
      // Health checks know better while the link is open.
      if (realtime.connection.connectionId() !== undefined) return;
      const ms = date - clock.now();
      if (Math.abs(ms - inner.offset()) > DATE_GRAIN) inner.apply({ kind: "offset", ms });
    },
  });
  const plain = caller.call;
  const watched = steps.around(caller);
  const { call } = watched;
  const pages = createPages({ call, machine, userId });
  const marks = new ReadMarks({ call: plain, machine, clock, log });
  const receipts = new DeliveryReceipts({ call: plain, machine, clock, log, userId });
  const refetchQueue = createRefetchQueue({ call: plain, machine, clock, log });
  const outbox = createOutbox({
    store,
    call: plain,
    machine,
    clock,
    random,
    log,
    userId,
    user: () => machine.state().me,
    owner: options.owner ?? thisOwner(),
    maximum: options.maxTextLength,
    // Without a connection rows are tried as they come; with one they wait until it is open.
    online() {
      if (userId() === undefined && options.secret === undefined) return false;
      const { phase, cause } = realtime.connection.state();
      // What ends every connection may let single calls through.
      return phase === "idle" || cause === "ended" ? online() : phase === "open";
    },
    refused: () => realtime.connection.state().cause === "refused",
  });
  const realtime = createRealtime({
    call: plain,
    tokens,
    machine,
    socket: ports.socket,
    clock,
    random,
    log,
    mode: options.transport,
    apiKey: options.apiKey,
    clientName: options.clientName,
    baseUrl,
    wsUrl: () => options.wsUrl,
    online,
    ...(options.prepare && { prepare: options.prepare }),
    openCid: () => openCid,
    listQuery: pages.listQuery,
    checkpoint: checkpoint.kept,
    ...(options.tokenIsStored && { tokenIsStored: true }),
    opened: () => outbox.drain(),
    stopped: () => outbox.drain(),
  });
  const appSettings = createAppSettings({ call });
  const uploads = createUploads({
    caller: watched,
    beforeWrite: steps.beforeWrite,
    settings: appSettings.get,
    clock,
    random,
    log,
    openFile(file) {
      if (!ports.openFile) throw new LocalError("Files cannot be read here");
      return ports.openFile(file);
    },
    notify: (notice) => notify(notice),
  });
  const typing = createTyping({
    clock,
    state: machine.state,
    publishes: () => chosen.typing,
    send({ cid, parentId }, type) {
      const event = { type, ...(parentId !== undefined && { parent_id: parentId }) };
      plain("sendEvent", { path: partsOf(cid), body: { event } }).catch((error: Error) => {
        log.debug("typing was not told", { error: error.message });
      });
    },
  });
  const now = (): number => clock.now() + machine.offset();
  if (options.ahead) inner.apply({ kind: "offset", ms: options.ahead });
  const notify: Core["notify"] = (notice) => machine.apply({ kind: "notice", notice });
  const followers = createFollowers({
    call,
    clock,
    random,
    log,
    store,
    state: machine.state,
    userId,
    now,
    follows: chosen,
    notify,
  });
  const { threads, reminders, locations } = followers;
  const drafts = createDrafts({
    store,
    clock,
    log,
    storage: (storage) => inner.apply({ kind: "storage", storage }),
  });

  const sending = createSending({
    outbox,
    steps,
    random,
    userId,
    wait: options.sendWait,
    sent(place, outcome) {
      typing.sent(place);
      drafts.sent(place);
      composers.sent(place, outcome);
    },
  });
  const composers = createComposerRegistry({
    call,
    clock,
    random,
    log,
    drafts,
    uploads,
    state: machine.state,
    userId,
    now,
    deviceId: locations.deviceId,
    copy: chosen.drafts,
    linkPreviews: chosen.linkPreviews,
    locations: chosen.locations,
    maximum: options.maxTextLength,
    send: sending.send,
    sendApart: sending.sendApart,
    edit: sending.edit,
    typed: typing.typed,
    notify,
  });
  const operations = createOperations({
    call,
    settings: appSettings,
    realtime,
    channel: createChannels({ pages, uploads }),
  });
  /** A link that is not open would be waited for. */
  const reachable = (): boolean => ["open", "idle"].includes(realtime.connection.state().phase);

  inner.on("connection.changed", checkpoint.keep);
  inner.on("connection.recovered", checkpoint.keep);

  return {
    get userId() {
      return userId();
    },
    state: machine.state,
    subscribe: machine.subscribe,
    on: machine.on,
    setUser: realtime.setUser,
    ...operations,
    ...createActions({ call, machine }),
    async disconnectUser() {
      checkpoint.keep();
      await composers.flush(reachable());
      await realtime.disconnectUser();
      marks.close();
      receipts.close();
      pages.forget();
      composers.forget();
      followers.forget();
      appSettings.forget();
      openCid = undefined;
      inner.apply({ kind: "me", me: undefined });
      inner.apply({ kind: "reset" });
    },
    reconnect: realtime.reconnect,
    restore() {
      const me = store.cache.me();
      inner.apply({ kind: "restored", ...(me && { me }), states: store.cache.channels(MESSAGE_PAGE) });
      outbox.resume();
    },
    async close() {
      checkpoint.keep();
      await outbox.close();
      await composers.flush(reachable());
      await realtime.disconnectUser();
      typing.close();
      marks.close();
      receipts.close();
      refetchQueue.close();
      composers.forget();
      followers.forget();
      cache.flush();
      inner.close();
      store.close();
    },
    call: withVotes(call, machine),
    use: steps.use,
    queryChannels: pages.queryChannels,
    watch: pages.watch,
    stopWatching: pages.stopWatching,
    openDirect: pages.openDirect,
    loadOlder: pages.loadOlder,
    loadNewer: pages.loadNewer,
    jumpTo: pages.jumpTo,
    backToLatest: pages.backToLatest,
    openThread: pages.openThread,
    send: sending.send,
    retry: outbox.retry,
    drop: outbox.drop,
    edit: sending.edit,
    remove: sending.remove,
    react: sending.react,
    unreact: sending.unreact,
    async pin(message, pinned, expires) {
      const since = machine.revision();
      const { message: copy } = await call("updateMessagePartial", {
        path: { id: message.id },
        body: { set: { pinned, ...(expires !== undefined && { pin_expires: expires }) } },
      });
      machine.apply({ kind: "message", message: copy, since });
    },
    seen(cid) {
      openCid = cid;
      marks.seen(cid);
    },
    left(cid) {
      if (openCid === cid) openCid = undefined;
      marks.left(cid);
      composers.left(cid);
    },
    markRead: (cid) => marks.markRead(cid),
    markUnread: (cid, messageId) => marks.markUnread(cid, messageId),
    typed: typing.typed,
    composer: composers.composer,
    threads,
    reminders,
    locations,
    search: (scope) => createSearch({ call, clock }, scope),
    members: (cid, query) => createMembers({ call }, cid, query),
    draft: composers.draft,
    drafts: drafts.all,
    saveDraft: composers.saveDraft,
    remember: (key) => store.get(key),
    keep: (key, value) => store.set(key, value),
    upload: uploads.upload,
    notify,
    dismiss: (id) => machine.apply({ kind: "dismiss", id }),
    providerNow: now,
    rateLimit: caller.rateLimit,
  };
}

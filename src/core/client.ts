/** Puts the core together: calls, connection and recovery on one side, state, outbox and composer on the other, behind one `Core`. */
import { FEATURE_DEFAULTS, UPLOAD_STALL } from "../wire/constants.ts";
import { LocalError } from "../model/errors.ts";
import type { RateLimit } from "../wire/rate-limits.ts";
import type { CallDefaults } from "./base/api-types.ts";
import { createEndingClock } from "./base/ending-clock.ts";
import { createBus, type Bus } from "./base/bus.ts";
import type { Clock, Log, Random, RequestPort, SocketPort, UploadSource } from "./base/ports.ts";
import { partsOf } from "./base/validate-call.ts";
import { ComposerRegistry } from "./composer/composer-registry.ts";
import { createDrafts, type Drafts } from "./composer/drafts.ts";
import { createTyping, type TypingSignals } from "./composer/typing.ts";
import type { Core } from "./core.ts";
import { createActions } from "./features/actions.ts";
import { createAppSettings } from "./features/app-settings.ts";
import { createCheckpoint, type Checkpoint } from "./features/checkpoint.ts";
import { DeliveryReceipts } from "./features/delivery-receipts.ts";
import { createLifecycle } from "./features/lifecycle.ts";
import { createOwnLists, type OwnLists } from "./features/own-lists.ts";
import { createPages, type Pages } from "./features/pages.ts";
import { withVotes } from "./features/polls.ts";
import { ReadMarks } from "./features/read-marks.ts";
import { createSending, type Sending } from "./features/sending.ts";
import { createSteps, type StepRunner } from "./features/steps.ts";
import { UnreadMentions } from "./features/unread-mentions.ts";
import { createViewing, type Viewing } from "./features/viewing.ts";
import { createApiCaller, type ApiCall, type ApiCaller } from "./http/caller.ts";
import { createTokens, type Tokens } from "./http/token.ts";
import { createMembers } from "./lists/members.ts";
import { SearchSource } from "./lists/search.ts";
import { createRealtime, type Realtime } from "./live/realtime.ts";
import { createRefetchQueue } from "./live/refetch-queue.ts";
import type { Mode } from "./live/transitions.ts";
import { createDeviceId } from "./locations/device-id.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { SendWait } from "./outbox/options.ts";
import { createStateMachine, type StateMachine } from "./state/machine.ts";
import type { Message } from "../wire/entities/message.ts";
import type { Store } from "./store/store.ts";
import { createCacheWriter, type CacheWriter } from "./store/cache-writer.ts";
import { createUploads } from "./uploads/uploads.ts";

export interface CorePorts {
  request: RequestPort;
  /** Answers are a test's own and leave out what it does not look at: their shape is not checked. */
  unchecked?: true;
  socket: SocketPort;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** A network interface that is not internal is up; absent = always (specification/realtime.md §6). */
  online?(): boolean;
  /** Opens a file for an upload; throws `LocalError` when it cannot be read. Absent = no uploads from files. */
  openFile?(file: string): Promise<UploadSource>;
}

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
  ensureReachable?(): Promise<void>;
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
  /** How long an upload may stand still, milliseconds; 0 = for ever, absent = 30 s. */
  uploadStall?: number;
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

/** What all parts stand on: the outside world, who the user is, the state, and the bus that tells what happened to it. */
interface Base extends Pick<CorePorts, "clock" | "random" | "log" | "store"> {
  endClock(): void;
  bus: Bus;
  tokens: Tokens;
  userId(): string | undefined;
  state: StateMachine["state"];
  /** The state, with everything that follows from a change of it. */
  machine: StateMachine;
  /** The same state; what follows from a change does not: it came from there. */
  silent: StateMachine;
  cache: CacheWriter;
  /** Provider time, milliseconds. */
  now(): number;
  notify: Core["notify"];
}

/** Calls and the connection. */
interface Network {
  steps: StepRunner;
  /** Of the connection, the outbox and receipts: without options of the client, told to nobody. */
  plain: ApiCall;
  /** Of features and of who uses this core. */
  calls: Pick<ApiCaller, "call" | "upload">;
  rateLimit: ApiCaller["rateLimit"];
  realtime: Realtime;
  checkpoint: Checkpoint;
  /** There is a network, as far as this machine knows. */
  online(): boolean;
}

/** What is read, and what of it is on screen. */
interface Reading {
  pages: Pages;
  marks: ReadMarks;
  viewing: Viewing;
}

/** What is written, from the first key to the provider's answer. */
interface Writing {
  outbox: Outbox;
  drafts: Drafts;
  typing: TypingSignals;
  sending: Sending;
  composers: ComposerRegistry;
}

function createBase(options: CoreOptions, { random, log, store, ...ports }: CorePorts): Base {
  const bus = createBus();
  const clock = createEndingClock(ports.clock);
  const tokens = createTokens({ clock, random, secret: options.secret, now: () => base.now() });
  const userId = (): string | undefined => tokens.userId;
  const silent = createStateMachine({ clock, random, log, userId });
  const cache = createCacheWriter({
    store,
    clock,
    log,
    isBehind: (cid) => silent.state().channels.get(cid)?.stale === true,
    storage: (storage) => silent.apply({ kind: "storage", storage }),
  });
  const machine = followed(silent, cache, bus);
  if (options.ahead) silent.apply({ kind: "offset", ms: options.ahead });
  const base: Base = {
    clock,
    endClock: clock.end,
    random,
    log,
    store,
    bus,
    tokens,
    userId,
    state: machine.state,
    machine,
    silent,
    cache,
    now: () => clock.now() + silent.offset(),
    notify(notice) {
      machine.apply({ kind: "notice", notice });
      return machine.state().notices.at(-1)!.id;
    },
  };
  return base;
}

/** The state machine; what it takes is copied to the cache and told to every part. */
function followed(silent: StateMachine, cache: CacheWriter, bus: Bus): StateMachine {
  return {
    ...silent,
    dispatch(events, past) {
      silent.dispatch(events, past);
      cache.events(events);
      for (const event of events) {
        bus.tell("heard", event);
        if (event.type === "connection.changed" && event.online === true) bus.tell("connected");
      }
      bus.tell("changed");
    },
    apply(change) {
      silent.apply(change);
      cache.change(change);
      if (change.kind === "channels") bus.tell("queried", change.states);
      bus.tell("changed");
    },
  };
}

function createNetwork(
  base: Base,
  options: CoreOptions,
  ports: CorePorts,
  shown: { openCid: Viewing["openCid"]; listQuery: Pages["listQuery"] },
): Network {
  const { bus, clock, tokens, silent } = base;
  const { baseUrl: address, apiKey, clientName } = options;
  const baseUrl = typeof address === "function" ? address : () => address;
  const online = (): boolean => options.isLoopback === true || (ports.online?.() ?? true);
  const checkpoint = createCheckpoint({ ...base, seen: () => realtime.checkpoint() });
  const steps = createSteps(clock, options.calls);
  const caller = createApiCaller({
    ...base,
    baseUrl,
    apiKey,
    clientName,
    request: ports.request,
    unchecked: ports.unchecked,
    tokens,
    connectionId: () => realtime.connection.connectionId(),
    beforeWrite: steps.beforeWrite,
    ready() {
      const { ensureReachable } = options;
      const first = realtime.connection.firstAttempt();
      return ensureReachable ? Promise.resolve(first).then(ensureReachable) : first;
    },
    suspect: () => realtime.connection.verifyLink(),
    refused: () => realtime.connection.verifyCredentials(),
    clockSeen(date) {
      // Health checks know better while the link is open.
      if (realtime.connection.connectionId() !== undefined) return;
      const ms = date - clock.now();
      if (Math.abs(ms - silent.offset()) > DATE_GRAIN) silent.apply({ kind: "offset", ms });
    },
  });
  const realtime = createRealtime({
    ...base,
    call: caller.call,
    socket: ports.socket,
    mode: options.transport,
    apiKey,
    clientName,
    baseUrl,
    wsUrl: () => options.wsUrl,
    online,
    ...(options.prepare && { prepare: options.prepare }),
    ...shown,
    checkpoint: checkpoint.kept,
    ...(options.tokenIsStored && { tokenIsStored: true }),
    opened: () => bus.tell("linkMoved"),
    stopped: () => bus.tell("linkMoved"),
  });
  bus.join({ queried: () => checkpoint.begin() });
  silent.on("connection.changed", checkpoint.keep);
  silent.on("connection.recovered", checkpoint.keep);
  return {
    steps,
    plain: caller.call,
    calls: steps.around(caller),
    rateLimit: caller.rateLimit,
    realtime,
    checkpoint,
    online,
  };
}

function createReading(base: Base, { plain, calls, realtime }: Network): Reading {
  const { bus } = base;
  const marks = bus.join(new ReadMarks({ ...base, call: plain }));
  const connected = (): boolean => realtime.connection.connectionId() !== undefined;
  bus.join(new DeliveryReceipts({ ...base, call: plain, connected }));
  bus.join(new UnreadMentions({ ...base, call: plain, connected }));
  const refetches = createRefetchQueue({ ...base, call: plain });
  bus.join({ changed: refetches.look, close: refetches.close });
  const viewing = createViewing({ bus, marks });
  bus.join({ forget: viewing.forget });
  return { pages: bus.join(createPages({ ...base, call: calls.call })), marks, viewing };
}

function createWriting(
  base: Base,
  network: Network,
  options: CoreOptions,
  ports: CorePorts,
  own: OwnLists,
): Writing {
  const { bus } = base;
  const outbox = createOwnOutbox(base, network, options);
  bus.join({ linkMoved: outbox.drain });
  const settings = bus.join(createAppSettings(network.calls));
  const uploads = createUploads({
    ...base,
    caller: network.calls,
    stall: options.uploadStall ?? UPLOAD_STALL,
    beforeWrite: network.steps.beforeWrite,
    settings: settings.get,
    openFile(file) {
      if (!ports.openFile) throw new LocalError("Files cannot be read here");
      return ports.openFile(file);
    },
  });
  const typing = bus.join(createOwnTyping(base, network, options));
  const drafts = createDrafts({
    ...base,
    storage: (storage) => base.silent.apply({ kind: "storage", storage }),
  });
  bus.join({ close: drafts.close });
  const sending = createSending({
    ...base,
    outbox,
    steps: network.steps,
    wait: options.sendWait,
    sent(place, outcome) {
      typing.sent(place);
      drafts.sent(place);
      composers.sent(place, outcome);
    },
  });
  const composers = new ComposerRegistry({
    ...base,
    call: network.calls.call,
    drafts,
    uploads,
    deviceId: own.locations.deviceId,
    copy: options.drafts ?? FEATURE_DEFAULTS.drafts,
    linkPreviews: options.linkPreviews ?? FEATURE_DEFAULTS.linkPreviews,
    locations: options.locations ?? FEATURE_DEFAULTS.locations,
    maximum: options.maxTextLength,
    ...sending,
    typed: typing.typed,
  });
  bus.join(composers);
  return { outbox, drafts, typing, sending, composers };
}

function createOwnOutbox(base: Base, { plain, realtime, online }: Network, options: CoreOptions): Outbox {
  const { timeout } = options.calls ?? {};
  return createOutbox({
    ...base,
    // Its repeats are its own, and it outlives a call that was called off.
    call: timeout === undefined ? plain : (name, args) => plain(name, { timeout, ...args! }),
    user: () => base.state().me,
    owner: options.owner ?? base.store.owner,
    maximum: options.maxTextLength,
    // Without a connection rows are tried as they come; with one they wait until it is open.
    online() {
      if (base.userId() === undefined && options.secret === undefined) return false;
      const { phase, cause } = realtime.connection.state();
      // What ends every connection may let single calls through.
      return phase === "idle" || cause === "ended" ? online() : phase === "open";
    },
    refused: () => realtime.connection.state().cause === "refused",
  });
}

function createOwnTyping(base: Base, { plain }: Network, options: CoreOptions): TypingSignals {
  return createTyping({
    ...base,
    publishes: () => options.typing ?? FEATURE_DEFAULTS.typing,
    send({ cid, parentId }, type) {
      const event = { type, ...(parentId !== undefined && { parent_id: parentId }) };
      plain("sendEvent", { path: partsOf(cid), body: { event } }).catch((error: Error) => {
        base.log.debug("typing was not told", { error: error.message });
      });
    },
  });
}

/** What was taken in a moment ago is found too. */
function searchHeld({ cache, store }: Base, ...what: Parameters<Store["cache"]["search"]>): Message[] {
  cache.flush();
  return store.cache.search(...what);
}

export function createCore(options: CoreOptions, ports: CorePorts): Client {
  const base = createBase(options, ports);
  const { bus, machine, store } = base;
  const network: Network = createNetwork(base, options, ports, {
    openCid: () => reading.viewing.openCid(),
    listQuery: () => reading.pages.listQuery(),
  });
  const { realtime } = network;
  const { call } = network.calls;
  const reading = createReading(base, network);
  const own = createOwnLists({
    ...base,
    call,
    deviceId: createDeviceId(base),
    follows: { locations: options.locations ?? FEATURE_DEFAULTS.locations },
  });
  const writing = createWriting(base, network, options, ports, own);
  const { outbox, composers, sending } = writing;
  const { pages, marks, viewing } = reading;

  return {
    get userId() {
      return base.userId();
    },
    state: machine.state,
    subscribe: machine.subscribe,
    // What came over the wire was checked against the shape of its type (live/connection-attempt.ts).
    on: machine.on as Core["on"],
    setUser: realtime.setUser,
    connectUser: realtime.connectUser,
    setLocalDevice: realtime.setDevice,
    ...createActions({ call, machine }),
    ...createLifecycle({ ...base, ...network, bus, outbox, composers }),
    reconnect: realtime.reconnect,
    call: withVotes(call, machine),
    use: network.steps.use,
    queryChannels: pages.queryChannels,
    watch: pages.watch,
    watchExisting: pages.watchExisting,
    stopWatching: pages.stopWatching,
    openDirect: pages.openDirect,
    loadOlder: pages.loadOlder,
    loadNewer: pages.loadNewer,
    jumpTo: pages.jumpTo,
    backToLatest: pages.backToLatest,
    openThread: pages.openThread,
    send: sending.send,
    unsent: outbox.unsent,
    dropUnsent: outbox.dropUnsent,
    unsend: outbox.unsend,
    retry: outbox.retry,
    drop: outbox.drop,
    edit: sending.edit,
    remove: sending.remove,
    keepMessage: outbox.keep,
    react: sending.react,
    unreact: sending.unreact,
    seen: viewing.seen,
    left: viewing.left,
    markRead: (cid) => marks.markRead(cid),
    markUnread: (cid, messageId) => marks.markUnread(cid, messageId),
    composer: (place, how) => composers.composer(place, how),
    ...own,
    search: (scope) =>
      new SearchSource({ ...base, call, held: (...what) => searchHeld(base, ...what) }, scope),
    members: (cid, query) => createMembers({ call, machine }, cid, query),
    drafts: writing.drafts.all,
    replacedDrafts: () => store.replacedDrafts(),
    remember: (key) => store.get(key),
    keep: (key, value) => store.set(key, value),
    notify: base.notify,
    dismiss: (id) => machine.apply({ kind: "dismiss", id }),
    providerNow: base.now,
    rateLimit: network.rateLimit,
  };
}

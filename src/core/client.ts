/** Creates the core from its parts: calls, connection, state, cache, outbox and composers. */
import { FEATURE_DEFAULTS, UPLOAD_STALL } from "../wire/constants.ts";
import { LocalError } from "../model/errors.ts";
import type { ApiCall, CallDefaults } from "./base/api-types.ts";
import { createClosableClock } from "./base/closable-clock.ts";
import { createBus, type Bus } from "./base/bus.ts";
import type { Clock, Log, Random, RequestPort, SocketPort, UploadSource } from "./base/ports.ts";
import { partsOf } from "./base/validate-call.ts";
import { Audiences } from "./composer/audiences.ts";
import { ComposerRegistry } from "./composer/composer-registry.ts";
import { createDrafts, type Drafts } from "./composer/drafts.ts";
import { createTyping, type TypingSignals } from "./composer/typing.ts";
import type { Core } from "./core.ts";
import { createActions } from "./features/actions.ts";
import { createAppSettings } from "./features/app-settings.ts";
import { createCheckpoint, type Checkpoint } from "./features/checkpoint.ts";
import { DeliveryReceipts } from "./features/delivery-receipts.ts";
import { createLifecycle } from "./features/lifecycle.ts";
import { createUserLists, type UserLists } from "./features/user-lists.ts";
import { createPages, type Pages } from "./features/pages.ts";
import { withVotes } from "./features/polls.ts";
import { ReadMarks } from "./features/read-marks.ts";
import { createSending, type Sending } from "./features/sending.ts";
import { createSteps, type StepRunner } from "./features/steps.ts";
import { UnreadMentions } from "./features/unread-mentions.ts";
import { createViewing, type Viewing } from "./features/viewing.ts";
import { answersDryRuns } from "./http/dry-run.ts";
import { createApiCaller, type ApiCaller } from "./http/caller.ts";
import { answeredLimits, type AnsweredHeaders } from "./http/answered-limits.ts";
import { Oddities } from "./http/oddities.ts";
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
  /** For tests, whose answers leave out fields: the shape of answers is not checked. */
  unchecked?: true;
  socket: SocketPort;
  store: Store;
  clock: Clock;
  random: Random;
  log: Log;
  /** Whether an external network interface is up; absent = always (specification/realtime.md §6). */
  online?(): boolean;
  /** Opens a file for an upload; throws `LocalError` when it cannot be read. Absent = no uploads from files. */
  openFile?(file: string): Promise<UploadSource>;
}

export interface CoreOptions {
  /** `http://host:port`; a function is evaluated for each call, because an embedded provider may change its port. */
  baseUrl: string | (() => string);
  /** Absent = derived from the base URL. */
  wsUrl?: string;
  apiKey: string;
  transport: Mode;
  /** Signs server tokens: for server-only calls, and for every call while no user is set (specification/auth.md §10). */
  secret?: string;
  /** Name and version, for the provider's log. */
  clientName: string;
  /** The provider is on this machine, so it is reachable without a network (specification/realtime.md §6). */
  isLoopback?: boolean;
  /** Id of the process that owns new outbox rows; absent = this one. */
  owner?: string;
  /** Runs before each connection attempt; may start the embedded provider (specification/embedded-provider.md §1). */
  prepare?(): Promise<void>;
  /** Awaited before each call, while the provider's address may still be unknown; when it rejects, the call fails with that error. */
  ensureReachable?(): Promise<void>;
  /** Send typing events; default true. */
  typing?: boolean;
  /** Copy drafts to the provider; default false (R-DRAFT). */
  drafts?: boolean;
  /** Fetch link previews while the user writes; default false (R-LINK). */
  linkPreviews?: boolean;
  /** Allow sharing locations and follow live ones; default true (R-LOC). */
  locations?: boolean;
  /** Longest message text, UTF-16 units, if that is less than the channel's limit (R-SEND-2). */
  maxTextLength?: number;
  /** How far the provider's clock is known to be ahead before the first answer, milliseconds: an embedded one can be moved. */
  clockOffset?: number;
  /** The token source reads a token that a sign-in stores: poll it while the current token is refused. */
  tokenIsStored?: boolean;
  /** Defaults of feature calls; absent = the default timeout and no retries. */
  calls?: CallDefaults;
  /** How long an upload may go without progress, milliseconds; 0 = no limit, absent = 30 s. */
  uploadStall?: number;
  /** How long a send of a one-shot command waits, and whether an unsent row is withdrawn then (specification/sending.md §3). */
  sendWait?: SendWait;
}

/** A `Date` header has whole seconds: smaller differences than this are ignored, milliseconds. */
const DATE_PRECISION = 2000;

/** Shared by all parts: ports, the user, the state, and the bus that announces its changes. */
interface Base extends Pick<CorePorts, "clock" | "random" | "log" | "store"> {
  closeClock(): void;
  bus: Bus;
  tokens: Tokens;
  userId(): string | undefined;
  state: StateMachine["state"];
  /** The state machine; its changes are copied to the cache and announced on the bus. */
  machine: StateMachine;
  /** The same state without these side effects, for changes that come from the cache or the connection itself. */
  stateWithoutEffects: StateMachine;
  cache: CacheWriter;
  /** Provider time, milliseconds. */
  now(): number;
  notify: Core["notify"];
  oddities: Oddities;
  answered: AnsweredHeaders;
}

interface Network {
  answersDryRuns(): boolean;
  steps: StepRunner;
  /** Calls of the connection, the outbox and receipts: without the client's defaults, and not reported to `Steps.called`. */
  internalCall: ApiCall;
  /** Calls of features and of the user of this core. */
  calls: Pick<ApiCaller, "call" | "upload">;
  realtime: Realtime;
  checkpoint: Checkpoint;
  online(): boolean;
}

interface Reading {
  pages: Pages;
  marks: ReadMarks;
  viewing: Viewing;
}

interface Writing {
  outbox: Outbox;
  drafts: Drafts;
  typing: TypingSignals;
  sending: Sending;
  audiences: Audiences;
  composers: ComposerRegistry;
}

function createBase(options: CoreOptions, { random, log, store, ...ports }: CorePorts): Base {
  const bus = createBus();
  const clock = createClosableClock(ports.clock);
  const tokens = createTokens({ clock, random, secret: options.secret, now: () => base.now() });
  const userId = (): string | undefined => tokens.userId;
  const stateWithoutEffects = createStateMachine({ clock, random, log, userId });
  const cache = createCacheWriter({
    store,
    clock,
    log,
    isBehind: (cid) => stateWithoutEffects.state().channels.get(cid)?.stale === true,
    storage: (storage) => stateWithoutEffects.apply({ kind: "storage", storage }),
  });
  const machine = withSideEffects(stateWithoutEffects, cache, bus);
  if (options.clockOffset) stateWithoutEffects.apply({ kind: "offset", ms: options.clockOffset });
  const base: Base = {
    oddities: new Oddities(log),
    answered: new Map(),
    clock,
    closeClock: clock.close,
    random,
    log,
    store,
    bus,
    tokens,
    userId,
    state: machine.state,
    machine,
    stateWithoutEffects,
    cache,
    now: () => clock.now() + stateWithoutEffects.offset(),
    notify(notice) {
      machine.apply({ kind: "notice", notice });
      return machine.state().notices.at(-1)!.id;
    },
  };
  return base;
}

/** The state machine with its side effects: every change is copied to the cache and announced on the bus. */
function withSideEffects(stateWithoutEffects: StateMachine, cache: CacheWriter, bus: Bus): StateMachine {
  return {
    ...stateWithoutEffects,
    dispatch(events, past) {
      stateWithoutEffects.dispatch(events, past);
      cache.events(events);
      for (const event of events) {
        bus.emit("onEvent", event);
        if (event.type === "connection.changed" && event.online === true) bus.emit("onConnected");
      }
      bus.emit("onStateChanged");
    },
    apply(change) {
      stateWithoutEffects.apply(change);
      cache.change(change);
      if (change.kind === "channels") bus.emit("onQueried", change.states);
      bus.emit("onStateChanged");
    },
  };
}

function createNetwork(
  base: Base,
  options: CoreOptions,
  ports: CorePorts,
  shown: { openCid: Viewing["openCid"]; listQuery: Pages["listQuery"]; listing: Pages["listing"] },
): Network {
  const { bus, clock, tokens, stateWithoutEffects } = base;
  const { baseUrl: address, apiKey, clientName } = options;
  const baseUrl = typeof address === "function" ? address : () => address;
  const online = (): boolean => options.isLoopback === true || (ports.online?.() ?? true);
  const checkpoint = createCheckpoint({ ...base, currentTime: () => realtime.checkpoint() });
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
    onNoAnswer: () => realtime.connection.verifyLink(),
    onCredentialsRefused: () => realtime.connection.verifyCredentials(),
    onServerDate(date) {
      // While the link is open, health checks measure the offset more precisely.
      if (realtime.connection.connectionId() !== undefined) return;
      const ms = date - clock.now();
      if (Math.abs(ms - stateWithoutEffects.offset()) > DATE_PRECISION)
        stateWithoutEffects.apply({ kind: "offset", ms });
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
    checkpoint: checkpoint.stored,
    ...(options.tokenIsStored && { tokenIsStored: true }),
    opened: () => bus.emit("onLinkChanged"),
    stopped: () => bus.emit("onLinkChanged"),
  });
  bus.join({ onQueried: () => checkpoint.begin() });
  stateWithoutEffects.on("connection.changed", checkpoint.save);
  stateWithoutEffects.on("connection.recovered", checkpoint.save);
  return {
    answersDryRuns: () => answersDryRuns(baseUrl(), apiKey),
    steps,
    internalCall: caller.call,
    calls: steps.around(caller),
    realtime,
    checkpoint,
    online,
  };
}

function createReading(base: Base, { internalCall: plain, calls, realtime }: Network): Reading {
  const { bus } = base;
  const marks = bus.join(new ReadMarks({ ...base, call: plain }));
  const connected = (): boolean => realtime.connection.connectionId() !== undefined;
  bus.join(new DeliveryReceipts({ ...base, call: plain, isConnected: connected }));
  bus.join(new UnreadMentions({ ...base, call: plain, isConnected: connected }));
  const refetches = createRefetchQueue({ ...base, call: plain });
  bus.join({ onStateChanged: refetches.check, close: refetches.close });
  const viewing = createViewing({ bus, marks, machine: base.machine });
  bus.join({ reset: viewing.reset });
  return { pages: bus.join(createPages({ ...base, call: calls.call })), marks, viewing };
}

function createWriting(
  base: Base,
  network: Network,
  options: CoreOptions,
  ports: CorePorts,
  own: UserLists,
): Writing {
  const { bus } = base;
  const outbox = createOwnOutbox(base, network, options);
  bus.join({ onLinkChanged: outbox.sendWaiting });
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
    storage: (storage) => base.stateWithoutEffects.apply({ kind: "storage", storage }),
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
  const audiences = createOwnAudiences(base, network, own);
  const composers = new ComposerRegistry({
    ...base,
    call: network.calls.call,
    drafts,
    audiences,
    uploads,
    deviceId: own.locations.deviceId,
    syncDrafts: options.drafts ?? FEATURE_DEFAULTS.drafts,
    providerDraft: own.providerDrafts.at,
    linkPreviews: options.linkPreviews ?? FEATURE_DEFAULTS.linkPreviews,
    locations: options.locations ?? FEATURE_DEFAULTS.locations,
    maximum: options.maxTextLength,
    ...sending,
    typed: typing.typed,
  });
  bus.join(composers);
  return { outbox, drafts, typing, sending, audiences, composers };
}

const createOwnAudiences = (base: Base, network: Network, { threads }: UserLists): Audiences =>
  new Audiences({
    ...base,
    call: network.calls.call,
    threadParent: (id) =>
      threads.state().threads.find((thread) => thread.parent_message_id === id)?.parent_message,
  });

function createOwnOutbox(
  base: Base,
  { internalCall: plain, realtime, online }: Network,
  options: CoreOptions,
): Outbox {
  const { timeout } = options.calls ?? {};
  return createOutbox({
    ...base,
    // Without the retries and the signal of the defaults: the outbox retries by itself and outlives a cancelled call.
    call: timeout === undefined ? plain : (name, args) => plain(name, { timeout, ...args! }),
    user: () => base.state().me,
    owner: options.owner ?? base.store.owner,
    maximum: options.maxTextLength,
    locations: options.locations,
    // Without a connection rows are sent at once; with one they wait until it is open.
    online() {
      if (base.userId() === undefined && options.secret === undefined) return false;
      const { phase, cause } = realtime.connection.state();
      // Single calls may still succeed when connections were ended by the provider.
      return phase === "idle" || cause === "ended" ? online() : phase === "open";
    },
    refused: () => realtime.connection.state().cause === "refused",
  });
}

function createOwnTyping(base: Base, { internalCall: plain }: Network, options: CoreOptions): TypingSignals {
  return createTyping({
    ...base,
    publishes: () => options.typing ?? FEATURE_DEFAULTS.typing,
    send({ cid, parentId }, type) {
      const event = { type, ...(parentId !== undefined && { parent_id: parentId }) };
      plain("sendEvent", { path: partsOf(cid), body: { event } }).catch((error: Error) => {
        base.log.debug("sending a typing event failed", { error: error.message });
      });
    },
  });
}

/** Searches the cache, including changes that were not yet written. */
function searchCached({ cache, store }: Base, ...what: Parameters<Store["cache"]["search"]>): Message[] {
  cache.flush();
  return store.cache.search(...what);
}

export function createCore(options: CoreOptions, ports: CorePorts): Core {
  const base = createBase(options, ports);
  const { bus, machine, store } = base;
  const network: Network = createNetwork(base, options, ports, {
    openCid: () => reading.viewing.openCid(),
    listQuery: () => reading.pages.listQuery(),
    listing: () => reading.pages.listing(),
  });
  const { realtime } = network;
  const { call } = network.calls;
  const reading = createReading(base, network);
  const own = createUserLists({
    ...base,
    call,
    deviceId: createDeviceId(base),
    follows: {
      locations: options.locations ?? FEATURE_DEFAULTS.locations,
      drafts: options.drafts ?? FEATURE_DEFAULTS.drafts,
    },
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
    // The shape of each event was checked when it arrived (live/connection-attempt.ts).
    on: machine.on as Core["on"],
    setUser: realtime.setUser,
    connectUser: realtime.connectUser,
    setLocalDevice: realtime.setDevice,
    ...createActions({ call, machine }),
    ...createLifecycle({ ...base, ...network, bus, outbox, composers }),
    reconnect: realtime.reconnect,
    call: withVotes(call, machine),
    use: network.steps.use,
    answersDryRuns: network.answersDryRuns,
    oddities: base.oddities.all,
    answeredLimits: () => answeredLimits(base.answered),
    queryChannels: pages.queryChannels,
    expectList: pages.expectList,
    listed: pages.listed,
    watch: pages.watch,
    watchExisting: pages.watchExisting,
    stopWatching: pages.stopWatching,
    openDirect: pages.openDirect,
    loadOlder: pages.loadOlder,
    loadNewer: pages.loadNewer,
    jumpTo: pages.jumpTo,
    loadAround: pages.loadAround,
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
    keepMessage: outbox.cancelDelete,
    react: sending.react,
    unreact: sending.unreact,
    seen: viewing.seen,
    left: viewing.left,
    endLine: viewing.endLine,
    hold: viewing.hold,
    markRead: (cid) => marks.markRead(cid),
    markUnread: (cid, messageId) => marks.markUnread(cid, messageId),
    composer: (place, options) => composers.composer(place, options),
    setLinkPreviews: (on) => composers.setLinkPreviews(on),
    audiences: writing.audiences,
    ...own,
    search: (scope) =>
      new SearchSource(
        { ...base, call, me: base.userId, join: bus.join, held: (...what) => searchCached(base, ...what) },
        scope,
      ),
    heldChannels: () => store.cache.channels(0),
    members: (cid, query) => createMembers({ call, machine }, cid, query),
    drafts: writing.drafts.all,
    replacedDrafts: () => store.replacedDrafts(),
    remember: (key) => store.get(key),
    keep: (key, value) => store.set(key, value),
    firstSent: (id) => store.firstSent(id),
    recordFirstSent: (id, digest) => store.recordFirstSent(id, digest),
    notify: base.notify,
    dismiss: (id) => machine.apply({ kind: "dismiss", id }),
    providerNow: base.now,
  };
}

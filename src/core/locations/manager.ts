/** Own live locations: which are active, which this device moves, throttled updates, and when tracking must run (specification/locations.md §4, §5, §7). */
import { CLEANING_INTERVAL, LOCATION_UPDATE_THROTTLE } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { SharedLocation } from "../../wire/location.ts";
import type { Message } from "../../wire/message.ts";
import { compareTimes, timeToMs } from "../../wire/time.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import { needMessageId } from "../base/validate-call.ts";
import { ApiError, LocalError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import { isPosition } from "./validity.ts";

/** A live location that is known by the message that carries it. */
export type LiveLocation = SharedLocation & { message_id: string; end_at: string };

export interface LocationsState {
  /** Own active ones that were started from this device: their position is moved from here. */
  tracked: readonly LiveLocation[];
  /** Own active ones of other devices: shown only. */
  elsewhere: readonly LiveLocation[];
}

export interface LocationManager extends Observable<LocationsState> {
  /** Stable, made once and kept (L-1). */
  deviceId(): string;
  /** A new position of this device: moves every tracked location (LU-6, LU-7). Throws `LocalError` for none on the globe (L-2). */
  position(latitude: number, longitude: number): void;
  /** Ends the sharing now (LU-4); rejects with the provider's refusal. */
  stop(messageId: string): Promise<void>;
  /** LE-5: `true` when tracking must begin (at once, if it must run already), `false` when the last location has ended. */
  onTracking(listener: (run: boolean) => void): () => void;
  /** Asks the provider which are active; done by itself on connect and after each recovery. */
  load(): Promise<void>;
  /** Events that were dispatched. */
  heard(event: AnyEvent): void;
  /** The user is gone. */
  forget(): void;
}

export interface LocationsDeps {
  call: ApiCall;
  clock: Clock;
  log: Log;
  userId(): string | undefined;
  /** Provider time, milliseconds (specification/wire.md §7). */
  now(): number;
  /** The id kept on this machine, made when there is none. */
  deviceId(): string;
}

/** Sending of one location: when the window ends, and what goes then. */
interface Moving {
  window: Timer | undefined;
  next?: { latitude: number; longitude: number };
}

const NONE: LocationsState = { tracked: [], elsewhere: [] };

/** Events that end what is shared in a channel (LE-3). */
const ENDS: ReadonlySet<string> = new Set([
  "channel.deleted",
  "notification.channel_deleted",
  "notification.removed_from_channel",
]);

export function createLocations(deps: LocationsDeps): LocationManager {
  const { call, clock, log } = deps;
  const cell = createObservable<LocationsState>(NONE);
  const listeners = new Set<(run: boolean) => void>();
  const held = new Map<string, LiveLocation>();
  const moving = new Map<string, Moving>();
  /** Messages told about since the last question to the provider began: its answer may be older. */
  let told: Set<string> | undefined;
  let cleaning: Timer | undefined;
  let tracking = false;

  const isLive = (location: SharedLocation | undefined): location is LiveLocation =>
    typeof location?.message_id === "string" &&
    typeof location.end_at === "string" &&
    timeToMs(location.end_at) > deps.now();

  function publish(): void {
    for (const [id, location] of held) if (!isLive(location)) drop(id);
    const device = deps.deviceId();
    const all = [...held.values()];
    const next: LocationsState = {
      tracked: all.filter((each) => each.created_by_device_id === device),
      elsewhere: all.filter((each) => each.created_by_device_id !== device),
    };
    const before = cell.state();
    const same = (["tracked", "elsewhere"] as const).every(
      (key) =>
        next[key].length === before[key].length && next[key].every((each, n) => each === before[key][n]),
    );
    if (!same) cell.set(next);
    const run = next.tracked.length > 0;
    if (run !== tracking) {
      tracking = run;
      for (const listener of Array.from(listeners)) listener(run);
    }
    if (held.size > 0) cleaning ??= clock.setTimeout(clean, CLEANING_INTERVAL);
  }

  /** LE-2: nobody tells of an expiry. */
  function clean(): void {
    cleaning = undefined;
    publish();
  }

  function drop(id: string): void {
    clock.clearTimeout(moving.get(id)?.window);
    moving.delete(id);
    held.delete(id);
  }

  /** Newer replaces, older is ignored (specification/locations.md §7). */
  function take(location: LiveLocation): void {
    const before = held.get(location.message_id);
    if (before && compareTimes(location.updated_at, before.updated_at) < 0) return;
    held.set(location.message_id, location);
  }

  function send(id: string, position: { latitude: number; longitude: number }): void {
    const entry: Moving = { window: undefined };
    entry.window = clock.setTimeout(() => {
      entry.window = undefined;
      const { next } = entry;
      moving.delete(id);
      if (next) move(id, next);
    }, LOCATION_UPDATE_THROTTLE);
    moving.set(id, entry);
    call("updateLiveLocation", { body: { message_id: id, ...position } }).then(
      ({ duration: _time, ...answer }) => {
        if (!held.has(id)) return;
        if (isLive({ ...answer, message_id: id })) take({ ...held.get(id)!, ...answer, message_id: id });
        else drop(id);
        publish();
      },
      (error: Error) => {
        log.debug("a live location could not be moved", { error: error.message });
        // LU-8: not there, or not live any more.
        if (error instanceof ApiError && (error.code === 16 || error.code === 4)) drop(id);
        publish();
      },
    );
  }

  /** LU-6: first at once, then the latest at the end of the window; an unchanged position is not sent. */
  function move(id: string, position: { latitude: number; longitude: number }): void {
    const location = held.get(id);
    if (!location || !isLive(location)) return;
    const running = moving.get(id);
    if (running) {
      running.next = position;
      return;
    }
    if (location.latitude === position.latitude && location.longitude === position.longitude) return;
    send(id, position);
  }

  function onMessage(event: AnyEvent): void {
    const message = event.message as Message | undefined;
    if (typeof message?.id !== "string") return;
    const location = message.shared_location;
    if (event.type === "message.deleted" || !location) {
      if (event.type === "message.deleted" && held.has(message.id)) drop(message.id);
      return;
    }
    if ((location.user_id ?? message.user?.id) !== deps.userId()) return;
    const cid = location.channel_cid ?? message.cid ?? event.cid;
    const mine = { ...location, message_id: message.id, ...(cid !== undefined && { channel_cid: cid }) };
    told?.add(message.id);
    if (!isLive(mine)) {
      const before = held.get(message.id);
      if (before && compareTimes(mine.updated_at, before.updated_at) >= 0) drop(message.id);
      return;
    }
    // LE-4: a second one in the same channel ends the first.
    if (event.type === "message.new")
      for (const [id, other] of held)
        if (id !== message.id && cid !== undefined && other.channel_cid === cid) drop(id);
    take(mine);
  }

  return {
    state() {
      publish();
      return cell.state();
    },
    subscribe: cell.subscribe,
    deviceId: deps.deviceId,
    position(latitude, longitude) {
      if (!isPosition({ latitude, longitude }))
        throw new LocalError("A position needs a latitude from -90 to 90 and a longitude from -180 to 180");
      publish();
      for (const { message_id } of cell.state().tracked) move(message_id, { latitude, longitude });
    },
    async stop(messageId) {
      needMessageId(messageId);
      const end_at = new Date(deps.now()).toISOString();
      await call("updateLiveLocation", { body: { message_id: messageId, end_at } });
      drop(messageId);
      publish();
    },
    onTracking(listener) {
      listeners.add(listener);
      if (tracking) listener(true);
      return () => listeners.delete(listener);
    },
    async load() {
      const since = new Set<string>();
      told = since;
      const { active_live_locations: active = [] } = await call("getLiveLocations", { retries: 1 });
      const listed = new Set(active.map(({ message_id }) => message_id));
      for (const id of Array.from(held.keys())) if (!listed.has(id) && !since.has(id)) drop(id);
      for (const location of active) if (isLive(location)) take(location);
      if (told === since) told = undefined;
      publish();
    },
    heard(event) {
      if (ENDS.has(event.type)) {
        for (const [id, { channel_cid }] of held) if (channel_cid === event.cid) drop(id);
      } else if (event.type.startsWith("message.")) {
        const message = event.message as Message | undefined;
        if (!message?.shared_location && !held.has(message?.id ?? "")) return;
        onMessage(event);
      } else return;
      publish();
    },
    forget() {
      for (const id of Array.from(held.keys())) drop(id);
      clock.clearTimeout(cleaning);
      cleaning = undefined;
      publish();
    },
  };
}

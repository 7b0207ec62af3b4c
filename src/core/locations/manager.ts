/** Own live locations: which are active, which this device updates, and when tracking must run (specification/locations.md §4, §5, §7). */
import { sameList } from "../../model/same-list.ts";
import { CLEANING_INTERVAL } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { SharedLocation } from "../../wire/entities/location.ts";
import { CHANNEL_ENDS } from "../../model/membership.ts";
import type { Message } from "../../wire/entities/message.ts";
import { compareTimes } from "../../wire/time.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { requireMessageId } from "../base/validate-call.ts";
import { ApiError, LocalError } from "../../model/errors.ts";
import type { Timer } from "../base/ports.ts";
import { ActiveLocations, isTrackable, type LiveLocation } from "./active.ts";
import { PositionThrottle } from "./throttle.ts";
import { isPosition } from "./validity.ts";
import { INPUT_ERROR, NOT_FOUND } from "../../wire/errors.ts";
import type { Position } from "../../model/locations.ts";
import type { Services } from "../http/services.ts";

interface LocationsState {
  /** Own active ones that were started from this device: their position is moved from here. */
  tracked: readonly LiveLocation[];
  /** Own active ones of other devices: shown only. */
  elsewhere: readonly LiveLocation[];
}

export interface LocationsDeps extends Pick<Services, "call" | "clock" | "log" | "userId" | "now"> {
  /** The id kept on this machine, made when there is none. */
  deviceId(): string;
}

const NONE: LocationsState = { tracked: [], elsewhere: [] };

export class LocationManager implements Observable<LocationsState> {
  readonly #deps: LocationsDeps;
  readonly #held = createObservable<LocationsState>(NONE);
  readonly #throttle: PositionThrottle;
  readonly #active: ActiveLocations;
  readonly #listeners = new Set<(run: boolean) => void>();
  /** What was told since the last question to the provider began, whose answer may be older: messages, and where nothing is shared any more. */
  #told: { live: Set<string>; gone: Set<string> } | undefined;
  /** Messages on their way whose sharing ends as soon as it is known, and who waits for that. */
  readonly #unwanted = new Map<string, (ended: Promise<SharedLocation>) => void>();
  #cleaning: Timer | undefined;
  #tracking = false;

  /** Stable, made once and kept (L-1). */
  readonly deviceId: () => string;
  readonly subscribe = this.#held.subscribe;

  constructor(deps: LocationsDeps) {
    this.#deps = deps;
    this.deviceId = deps.deviceId;
    this.#throttle = new PositionThrottle(deps.clock, (id, position) => this.#move(id, position));
    this.#active = new ActiveLocations((id) => this.#throttle.drop(id));
  }

  state = (): LocationsState => {
    this.#publish();
    return this.#held.state();
  };

  /** A new position of this device: moves every tracked location (LU-6, LU-7). Throws `LocalError` for none on the globe (L-2). */
  position(latitude: number, longitude: number): void {
    if (!isPosition({ latitude, longitude }))
      throw new LocalError("A position needs a latitude from -90 to 90 and a longitude from -180 to 180");
    for (const { message_id } of this.state().tracked)
      this.#throttle.move(message_id, { latitude, longitude });
  }

  /** Ends the sharing (LU-4), now or at that provider time in milliseconds, and gives it as it was answered; rejects with the provider's refusal. */
  async stop(messageId: string, at = this.#deps.now()): Promise<SharedLocation> {
    requireMessageId(messageId);
    const end_at = new Date(at).toISOString();
    const body = { message_id: messageId, end_at };
    const ended = await this.#deps.call("updateLiveLocation", { body });
    this.#active.end(messageId, ended.updated_at);
    this.#publish();
    return ended;
  }

  /** The same for a message that is on its way: as soon as its sharing is known. */
  stopOnceShared(messageId: string): Promise<SharedLocation> {
    return new Promise((resolve) => {
      this.#unwanted.set(messageId, resolve);
      this.#publish();
    });
  }

  /** LE-5: `true` when tracking must begin (at once, if it must run already), `false` when the last location has ended. */
  onTracking(listener: (run: boolean) => void): () => void {
    this.#listeners.add(listener);
    if (this.#tracking) listener(true);
    return () => this.#listeners.delete(listener);
  }

  /** Asks the provider which are active, and gives them in its order; done by itself on connect and after each recovery. */
  async load(): Promise<readonly SharedLocation[]> {
    const since = { live: new Set<string>(), gone: new Set<string>() };
    this.#told = since;
    const { active_live_locations: active = [] } = await this.#deps.call("getLiveLocations");
    const listed = new Set(active.map(({ message_id }) => message_id));
    this.#active.dropWhere(({ message_id: id }) => !listed.has(id) && !since.live.has(id));
    const isGone = ({ message_id, channel_cid }: LiveLocation): boolean =>
      since.gone.has(message_id) || since.gone.has(channel_cid ?? "");
    for (const location of active)
      if (this.#isActive(location) && !isGone(location)) this.#active.take(location);
    if (this.#told === since) this.#told = undefined;
    this.#publish();
    return active;
  }

  /** Events that were dispatched. */
  heard(event: AnyEvent): void {
    // LE-3
    if (CHANNEL_ENDS.has(event.type)) {
      this.#told?.gone.add(event.cid ?? "");
      this.#active.dropWhere(({ channel_cid }) => channel_cid === event.cid);
    } else if (!event.type.startsWith("message.") || !this.#message(event)) return;
    this.#publish();
  }

  /** The link opened. */
  connected(): void {
    this.load().catch((error: Error) => {
      this.#deps.log.debug("live locations could not be asked for", { error: error.message });
    });
  }

  /** The user is gone. */
  forget(): void {
    this.#active.forget();
    this.#unwanted.clear();
    this.#deps.clock.clearTimeout(this.#cleaning);
    this.#cleaning = undefined;
    this.#publish();
  }

  #isActive(location: SharedLocation | undefined): location is LiveLocation {
    return isTrackable(location, this.#deps.now());
  }

  /** What is held becomes what is shown; tracking begins and ends with it. */
  #publish(): void {
    this.#active.dropWhere((location) => !this.#isActive(location));
    const device = this.deviceId();
    const all = this.#active.all();
    const tracked = all.filter((each) => each.created_by_device_id === device);
    const elsewhere = all.filter((each) => each.created_by_device_id !== device);
    const before = this.#held.state();
    if (!sameList(tracked, before.tracked) || !sameList(elsewhere, before.elsewhere))
      this.#held.set({ tracked, elsewhere });
    for (const { message_id: id } of all) {
      const ended = this.#unwanted.get(id);
      if (this.#unwanted.delete(id)) ended?.(this.stop(id));
    }
    const run = tracked.length > 0;
    if (run !== this.#tracking) {
      this.#tracking = run;
      for (const listener of Array.from(this.#listeners)) listener(run);
    }
    if (all.length > 0) this.#cleaning ??= this.#deps.clock.setTimeout(this.#clean, CLEANING_INTERVAL);
  }

  /** LE-2: nobody tells of an expiry. */
  #clean = (): void => {
    this.#cleaning = undefined;
    this.#publish();
  };

  /** LU-6: an unchanged position is not sent. */
  #move(id: string, position: Position): void {
    const location = this.#active.get(id);
    if (!this.#isActive(location)) return;
    if (location.latitude === position.latitude && location.longitude === position.longitude) return;
    this.#throttle.opened(id);
    this.#deps.call("updateLiveLocation", { body: { message_id: id, ...position } }).then(
      ({ duration: _time, ...answer }) => this.#moved(id, { ...answer, message_id: id }),
      (error: Error) => this.#notMoved(id, error),
    );
  }

  #moved(id: string, answer: SharedLocation): void {
    const held = this.#active.get(id);
    if (!held) return;
    if (this.#isActive(answer)) this.#active.take({ ...held, ...answer });
    else this.#active.end(id, answer.updated_at);
    this.#publish();
  }

  #notMoved(id: string, error: Error): void {
    this.#deps.log.debug("a live location could not be moved", { error: error.message });
    // LU-8: not there, or not live any more.
    if (error instanceof ApiError && (error.code === NOT_FOUND || error.code === INPUT_ERROR))
      this.#active.drop(id);
    this.#publish();
  }

  /** False for messages that have nothing to do with the own locations. */
  #message(event: AnyEvent): boolean {
    const message = event.message as Message | undefined;
    const location = message?.shared_location;
    if (typeof message?.id !== "string") return false;
    const { id } = message;
    if (event.type === "message.deleted") this.#told?.gone.add(id);
    if (!location && !this.#active.get(id)) return false;
    if (event.type === "message.deleted" || !location) {
      if (event.type === "message.deleted") this.#active.drop(id);
      return true;
    }
    if ((location.user_id ?? message.user?.id) !== this.#deps.userId()) return true;
    const cid = location.channel_cid ?? message.cid ?? event.cid;
    this.#told?.live.add(id);
    this.#told?.gone.delete(id);
    this.#own({ ...location, message_id: id, ...(cid !== undefined && { channel_cid: cid }) }, event.type);
    return true;
  }

  #own(location: SharedLocation & { message_id: string }, told: AnyEvent["type"]): void {
    const { message_id: id, channel_cid: cid } = location;
    if (!this.#isActive(location)) {
      const before = this.#active.get(id);
      if (before && compareTimes(location.updated_at, before.updated_at) >= 0)
        this.#active.end(id, location.updated_at);
      return;
    }
    // LE-4: a second one in the same channel ends the first.
    if (told === "message.new" && cid !== undefined)
      this.#active.dropWhere((other) => other.message_id !== id && other.channel_cid === cid);
    this.#active.take(location);
  }
}

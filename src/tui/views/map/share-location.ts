/** Shares the user's location: asks where and for how long, moves it by hand, and stops it. */
import { findPlaces } from "../../../atlas/places.ts";
import { positionOf } from "../../../commands/location/position.ts";
import type { Composer } from "../../../core/composer/composer.ts";
import { answeredIds } from "../../../model/audience.ts";
import type { ClientMessage } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { duration } from "../../../text/times.ts";
import { readDuration } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import { LOCATION_MIN_DURATION } from "../../../wire/constants.ts";
import type { SharedLocation } from "../../../wire/entities/location.ts";
import { positionWords, timeLeft } from "../../render/location.ts";
import type { Choice, PickerInput } from "../../screen/popup.ts";
import { showPosted } from "../../navigation/show-posted.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import type { UserListStates } from "../../screen/store.ts";
import { composerPlace, topPanelOf } from "../../screen/screen.ts";
import { MAP, type MapPanel } from "./state.ts";
import { selectedIn } from "../../screen/selectors.ts";
import { askToConfirm, attempt, openPicker, showNotice } from "../../screen/notices.ts";
import { isLive } from "../../../model/locations.ts";

const texts = words.map.sharing;
const MAX_PLACES = 30;
const MINUTE = 60_000;
const DURATIONS = [15 * MINUTE, 60 * MINUTE, 8 * 60 * MINUTE];

/** Typed coordinates, else towns by name. */
function positionChoices({ query, places }: PickerInput, go: (to: SharedLocation) => void): Choice[] {
  const typed = positionOf(query);
  if (typed) return [{ label: positionWords(typed), choose: () => go(typed) }];
  if (!places) return [];
  return findPlaces(places, query, MAX_PLACES).map(({ name, country, latitude, longitude }) => ({
    label: cleanLine(name),
    detail: country,
    choose: () => go({ latitude, longitude }),
  }));
}

/** Durations to choose from, or the typed one; undefined for a location that does not move. */
function durationChoices(query: string, use: (ms: number | undefined) => void): Choice[] {
  const live = (ms: number): Choice => ({ label: texts.live(duration(ms)), choose: () => use(ms) });
  const all = [...DURATIONS.map(live), { label: texts.still, choose: () => use(undefined) }];
  if (query === "") return all;
  const ms = readDuration(query);
  if (ms !== undefined && ms >= LOCATION_MIN_DURATION) return [live(ms)];
  return all.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
}

function pickPosition(ports: Pick<Ports, "store">, title: string, go: (to: SharedLocation) => void): void {
  ports.store.get().look.maps?.load();
  openPicker(ports, { title, hint: texts.typePlace, choices: (input) => positionChoices(input, go) });
}

/** The duration counts from the send (L-4). */
type SharePorts = Pick<Ports, "core" | "store" | "clock">;

function send(ports: SharePorts, location: SharedLocation, ms: number | undefined): void {
  const { core, store, clock } = ports;
  const place = composerPlace(store.screen);
  if (!place) return showNotice(ports, texts.noChannel);
  const shared_location: SharedLocation = {
    ...location,
    created_by_device_id: core.locations.deviceId(),
    ...(ms !== undefined && { end_at: new Date(clock.now() + ms).toISOString() }),
  };
  attempt(ports, sendLocation(core.composer(place), shared_location));
  showPosted(ports, place);
}

/** For those who see what is sent from the box (R-SEND-16). */
async function sendLocation(composer: Composer, shared_location: SharedLocation): Promise<void> {
  await composer.findAudience(answeredIds(composer.place, undefined));
  const outcome = await composer.sendBeside({ text: "", custom: { shared_location } }).outcome;
  if (outcome.state === "failed") throw outcome.error;
}

export const openSharing = (ports: SharePorts): void =>
  composerPlace(ports.store.screen)
    ? pickPosition(ports, texts.where, (to) =>
        openPicker(ports, {
          title: texts.howLong,
          choices: ({ query }) => durationChoices(query, (ms) => send(ports, to, ms)),
        }),
      )
    : showNotice(ports, texts.noChannel);

type Locations = UserListStates["locations"];

/** The user's live locations, of this device and of others. */
const ownLive = ({ tracked, elsewhere }: Locations, now: number): SharedLocation[] =>
  [...tracked, ...elsewhere].filter((location) => isLive(location, now));

/** `sharing your location · 14 min left` and a short form, for the location that lasts longest; "" while none is shared. */
export function sharingWords(locations: Locations, now: number): { sharing: string; sharingShort: string } {
  const live = ownLive(locations, now);
  const last = live.toSorted((a, b) => ((a.end_at ?? "") < (b.end_at ?? "") ? 1 : -1))[0];
  if (!last) return { sharing: "", sharingShort: "" };
  const left = timeLeft(last, now);
  return { sharing: texts.status(live.length, left), sharingShort: texts.shortStatus(left) };
}

/** For the menu of a message: whether it is a live location of the user; undefined for other actions. */
export function canStopSharing(
  action: string,
  { shared_location, user }: ClientMessage,
  me: string | undefined,
  now: number,
): boolean | undefined {
  if (action !== "stopLocation") return undefined;
  return shared_location !== undefined && user.id === me && isLive(shared_location, now);
}

/** The message id of the user's live location under the cursor, or of the open map. */
function targetLocationId({ core, store }: Ports): string | undefined {
  const model = store.get();
  const map = topPanelOf<MapPanel>(model.screen, MAP);
  const message = selectedIn(model);
  if (
    message &&
    model.screen.focus !== "composer" &&
    canStopSharing("stopLocation", message, core.userId, model.now)
  )
    return message.id;
  return map?.id;
}

/** Ids of location messages not yet acknowledged; failed and scheduled ones are not shared. */
const unsentShares = (core: Ports["core"], now: number): string[] =>
  core
    .unsent()
    .filter(({ state, send_at }) => state !== "failed" && send_at === undefined)
    .flatMap(({ id, shared_location: at }) => (at && isLive(at, now) ? [id] : []));

type StopPorts = Pick<Ports, "core" | "store" | "clock">;

/** Stops the locations of these messages, now or once they are shared. */
export function stopSharing(ports: StopPorts, ids: readonly string[]): void {
  const { core } = ports;
  const sharedIds = new Set(
    ownLive(core.locations.state(), ports.clock.now()).map(({ message_id }) => message_id),
  );
  const unsent = unsentShares(core, ports.clock.now()).filter((id) => ids.includes(id) && !sharedIds.has(id));
  const shared = ids.filter((id) => !unsent.includes(id));
  const stops = shared.map((id) => core.locations.stop(id));
  if (stops.length > 0) confirmStopped(ports, stops);
  if (unsent.length > 0) stopUnsent(ports, unsent);
}

/** Unsends what was not sent yet; a location in flight is stopped once it is shared. */
function stopUnsent(ports: StopPorts, ids: readonly string[]): void {
  const { core, store } = ports;
  const inFlight = ids.filter((id) => core.unsend(id) === undefined);
  if (inFlight.length < ids.length) showNotice(ports, texts.unsent, "success");
  store.update((s) => s);
  if (inFlight.length === 0) return;
  showNotice(ports, texts.stopsThen);
  const stops = inFlight.map((id) => core.locations.stopOnceShared(id));
  confirmStopped(ports, stops);
}

function confirmStopped(ports: StopPorts, requests: readonly Promise<unknown>[]): void {
  const all = Promise.all(requests).then(() => {
    showNotice(ports, texts.stopped, "success");
    ports.store.update((s) => s);
  });
  attempt(ports, all);
}

/** Stops the location under the cursor, else all. */
const stopSelected: Action = (ports) => {
  const { core } = ports;
  const now = ports.clock.now();
  const live = ownLive(core.locations.state(), now).map(({ message_id }) => message_id!);
  const all = [...new Set([...live, ...unsentShares(core, now)])];
  const targetId = targetLocationId(ports);
  if (all.length === 0) showNotice(ports, texts.none);
  else stopSharing(ports, targetId !== undefined && all.includes(targetId) ? [targetId] : all);
};

/** For clicks, which may be accidental. */
export const askToStop = (ports: Ports): void =>
  askToConfirm(ports, { level: "mild", question: texts.stopIt }, () => stopSelected(ports));

const moveLocation: Action = (ports) =>
  ports.core.locations.state().tracked.length > 0
    ? pickPosition(ports, texts.whereNow, (to) => {
        ports.core.locations.position(to.latitude, to.longitude);
        showNotice(ports, texts.moved(positionWords(to)), "success");
      })
    : showNotice(ports, texts.none);

export const sharingActions = {
  shareLocation: openSharing,
  moveLocation,
  stopLocation: stopSelected,
} satisfies Record<string, Action>;

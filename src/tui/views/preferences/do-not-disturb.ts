/** Do-not-disturb, notification levels of channels, and the user's status text. */
import { channelTitle } from "../../../model/channels.ts";
import { quietEnd } from "../../../model/notifiable.ts";
import type { ChannelEntry, State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { duration, momentWords } from "../../../text/times.ts";
import { parseWhen } from "../../../text/when.ts";
import { words } from "../../../text/words.ts";
import type { Choice, PickerInput } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Screen } from "../../screen/screen.ts";
import { targetChannel, openEntry } from "../../screen/selectors.ts";
import { attempt, openPicker, showNotice } from "../../screen/notices.ts";

type QuietPorts = Pick<Ports, "core" | "store" | "clock">;

const HOUR = 3_600_000;
const DURATIONS = [HOUR / 2, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
/** What ends do-not-disturb. */
const OFF = "off";

/** When do-not-disturb ends, ms; undefined if it is off. A value set here is valid until the provider's value changes, as set on another device. */
export function quietUntil(
  { me }: Pick<State, "me">,
  { quiet }: Pick<Screen, "quiet">,
  now: number,
): number | undefined {
  const providerEnd = me?.push_preferences?.disabled_until;
  const isChangedHere = quiet !== undefined && quiet.before === providerEnd;
  const until = isChangedHere ? quiet.until : quietEnd(me);
  return until && until > now ? until : undefined;
}

/** The offered durations, or the typed time if it is in the future; `set` takes the end, ms. */
function quietChoices({ query, now, utc }: PickerInput, set: (until: number | undefined) => void): Choice[] {
  const choice = (label: string, at: number): Choice => ({
    label,
    detail: words.quiet.until(momentWords(at, now, { utc })),
    choose: () => set(at),
  });
  const off: Choice = { label: OFF, detail: words.quiet.off, choose: () => set(undefined) };
  if (query === "") return [...DURATIONS.map((ms) => choice(duration(ms), now + ms)), off];
  const at = parseEnd(query, now, utc);
  return typeof at === "number" ? [choice(query, at)] : OFF.startsWith(query) ? [off] : [];
}

/** Parses `2h`, `18:30` or `tomorrow` to ms; returns a sentence if it is invalid. */
function parseEnd(text: string, now: number, utc: boolean): number | string {
  try {
    const at = parseWhen(text, { now, direction: "future", utc });
    return at > now ? at : words.quiet.past;
  } catch (error) {
    return (error as Error).message;
  }
}

export const openQuiet = (ports: QuietPorts): void =>
  openPicker(ports, {
    title: words.quiet.title,
    hint: words.quiet.hint,
    followsTime: true,
    choices: (input) => quietChoices(input, (until) => attempt(ports, setQuiet(ports, until))),
  });

/** `/dnd 2h`; returns a sentence if the time is invalid. */
export function quietLine(ports: QuietPorts, text: string): Promise<void> | string {
  if (text === OFF) return setQuiet(ports, undefined);
  const until = parseEnd(text, ports.clock.now(), ports.store.get().look.utc);
  return typeof until === "string" ? until : setQuiet(ports, until);
}

/** Applies at once here; the notice follows when the provider has stored it for other devices and the next start. */
async function setQuiet({ core, store, clock }: QuietPorts, until: number | undefined): Promise<void> {
  const before = store.state.me?.push_preferences?.disabled_until;
  store.update((s) => ({ ...s, quiet: { until: until ?? 0, before } }));
  const { utc } = store.get().look;
  const end = until === undefined ? undefined : momentWords(until, clock.now(), { utc });
  const notice = end === undefined ? words.quiet.over : words.quiet.on(end);
  const change =
    until === undefined ? { remove_disable: true } : { disabled_until: new Date(until).toISOString() };
  await core.call("setPushPreferences", { body: { preferences: [change] } });
  showNotice({ core }, notice, "success");
}

const LEVELS = ["all", "mentions", "none", "default"] as const;
type Level = (typeof LEVELS)[number];
/** Levels set here, by cid, each with the provider's level at that time. */
type Levels = Readonly<Record<string, { level: Level; before?: string | undefined }>>;

const isLevel = (text: string): text is Level => (LEVELS as readonly string[]).includes(text);

/** Maps the provider's level to one of this file; the provider has two kinds of mentions. */
function levelAtProvider(pushLevel = "default"): Level {
  if (isLevel(pushLevel)) return pushLevel;
  return pushLevel.endsWith("mentions") ? "mentions" : "default";
}

/** The notification level of a channel; a level set here is valid until the provider's level changes. */
export function levelOf(
  core: Pick<Ports["core"], "remember" | "keep">,
  { cid, pushLevel, stale }: Pick<ChannelEntry, "cid" | "pushLevel" | "stale">,
): Level {
  const { [cid]: local, ...rest } = core.remember<Levels>("notices") ?? {};
  if (!local) return levelAtProvider(pushLevel);
  if (stale || local.before === pushLevel) return local.level;
  core.keep("notices", rest);
  return levelAtProvider(pushLevel);
}

export function openLevels(ports: QuietPorts): void {
  const { core, store } = ports;
  const entry = targetChannel(store.get());
  if (!entry) return showNotice({ core }, words.lines.noChannel);
  const current = levelOf(core, entry);
  const choices = LEVELS.map((level) => ({
    label: words.quiet.levels[level],
    choose: () => attempt(ports, setLevel(ports, entry.cid, level)),
    ...(level === current && { mark: words.choices.current }),
  }));
  const selected = LEVELS.indexOf(current);
  const title = words.quiet.levelTitle(channelTitle(entry, core.userId));
  openPicker(ports, { title, selected, choices });
}

/** `/notify mentions`; returns a sentence if it is invalid. */
export function levelLine(ports: QuietPorts, text: string): Promise<void> | string {
  const entry = openEntry(ports.store.get());
  if (!entry) return words.lines.noChannel;
  return isLevel(text) ? setLevel(ports, entry.cid, text) : words.quiet.noLevel(cleanLine(text));
}

/** Applies at once here; the provider stores it for other devices and push notifications. */
async function setLevel({ core, store }: QuietPorts, cid: string, level: Level): Promise<void> {
  const before = store.state.channels.get(cid)?.pushLevel;
  core.keep("notices", { ...core.remember<Levels>("notices"), [cid]: { level, before } });
  await core.call("setPushPreferences", { body: { preferences: [{ channel_cid: cid, chat_level: level }] } });
  showNotice({ core }, words.quiet.levelSet(words.quiet.levels[level]), "success");
}

/** `/status at lunch`; an empty text removes the status. */
export async function setStatus({ core }: Pick<QuietPorts, "core">, text: string): Promise<void> {
  const id = core.userId!;
  const change = text === "" ? { unset: ["status"] } : { set: { status: text } };
  await core.call("updateUsersPartial", { body: { users: [{ id, ...change }] } });
  showNotice({ core }, text === "" ? words.quiet.noStatus : words.quiet.status(cleanLine(text)), "success");
}

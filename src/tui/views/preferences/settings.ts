/** The settings as pickers: a list of settings, and the values of one. */
import { SETTINGS, readSetting, type SettingKey, type SettingRow } from "../../../config/settings.ts";
import { words } from "../../../text/words.ts";
import { popupPushed, type Choice, type Picker, type Popup } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import type { SettingsEditor, CurrentSetting } from "../../screen/host.ts";
import { attempt, showError, showNotice, openPicker } from "../../screen/notices.ts";
import { completeTourStep } from "../../screen/tour.ts";
import { openThemes } from "./theme.ts";

type Needs = Pick<Ports, "core" | "store" | "settingsEditor" | "themes">;

const rowOf = (key: SettingKey): SettingRow => SETTINGS[key];

/** Settings that apply as soon as they are changed. */
const AT_ONCE: ReadonlySet<SettingKey> = new Set<SettingKey>([
  "emoji",
  "skinTone",
  "theme",
  "keys",
  "mouse",
  "pictures",
  "pictures.hosts",
  "utc",
  "readOn",
  "sidebar.order",
  "sidebar.preview",
  "messages.width",
  "undoSend",
  "notifications",
  "notifications.route",
  "notifications.words",
  "notifications.text",
  "notifications.command",
]);

/** The words by which a setting is found: description, values and synonyms. */
const soughtBy = ({ words: said, choices = [], also = "" }: SettingRow): string =>
  [said, ...choices, also].join(" ");

const choiceOf = ({ key, value, from }: CurrentSetting): Choice => ({
  label: key,
  detail: value === "" ? words.settings.empty : value,
  mark: from === "" ? words.settings.default : shortFrom(from),
  value: key,
  keywords: soughtBy(rowOf(key)),
  note: `${rowOf(key).words}${from === "" ? "" : ` ${words.settings.setBy(from)}`}${AT_ONCE.has(key) ? "" : ` ${words.settings.nextStart}`}`,
});

/** A path is shortened to its file name. */
const shortFrom = (from: string): string => from.slice(from.lastIndexOf("/") + 1);

const listed = (own: SettingsEditor): Choice[] => own.list().map(choiceOf);

export function openSettings(ports: Needs, query = ""): void {
  try {
    const choices = listed(ports.settingsEditor);
    openPicker(ports, { name: "settings", title: words.settings.title, query, choices });
  } catch (error) {
    showError(ports, error);
  }
}

/** Enter on a setting: toggles a flag, opens the values of a choice, or opens a text input. */
function openSetting(ports: Needs, key: SettingKey): void {
  const now = ports.settingsEditor.list().find((one) => one.key === key)!;
  const row = rowOf(key);
  if (row.type === "theme") return openThemes(ports);
  if (row.type === "flag") return attempt(ports, keep(ports, key, now.value === "true" ? "false" : "true"));
  const popup = { kind: "picker", title: key, about: key, selected: 0 } as const;
  if (row.type !== "choice") {
    const query = now.value;
    return ports.store.update((s) => popupPushed(s, { ...popup, name: "settingText", query }));
  }
  const choices = row.choices!.map((value) => ({
    label: value,
    value,
    note: row.words,
    ...(value === now.value
      ? { mark: words.choices.current }
      : value === row.default && { mark: words.settings.default }),
  }));
  const selected = Math.max(0, row.choices!.indexOf(now.value));
  ports.store.update((s) => popupPushed(s, { ...popup, name: "setting", query: "", choices, selected }));
}

/** The value of a choice that shows an invalid input. */
export const NO_VALUE = "\0";

/** The choice shown while a value is typed: the value, or why it is invalid. */
export function writtenChoice(popup: Picker): Choice[] {
  const key = popup.about as SettingKey;
  const value = popup.query.trim();
  const row = rowOf(key);
  if (value === "" && row.type !== "text" && row.type !== "proxy")
    return [{ label: words.settings.reset(String(row.default)), value: "", note: row.words }];
  try {
    readSetting(key, value, key);
    return [{ label: value === "" ? words.settings.empty : value, value, note: row.words }];
  } catch (error) {
    return [{ label: (error as Error).message, value: NO_VALUE, note: row.words }];
  }
}

/** Saves a setting, and shows whether it applies now, at the next start, or is overridden. */
export async function keep(ports: Needs, key: SettingKey, raw: string | undefined): Promise<void> {
  const { settingsEditor, store } = ports;
  await settingsEditor.set(key, raw);
  if (key === "theme") completeTourStep(ports, "theme");
  const now = settingsEditor.list();
  const { value, from } = now.find((one) => one.key === key)!;
  store.update((s) => ({ ...s, popups: s.popups.map((popup) => relisted(popup, now)) }));
  const overruled = raw !== undefined && value !== raw && from !== "" && !from.endsWith(".json");
  const stronger = overruled ? ` ${words.settings.overruled(from, value)}` : "";
  const later = AT_ONCE.has(key) || overruled ? "" : ` ${words.settings.nextStart}`;
  const said = `${key} = ${(overruled ? raw : value) || words.settings.empty}.${stronger}${later}`;
  showNotice(ports, said, stronger ? "warning" : "success");
}

const relisted = (popup: Popup, now: readonly CurrentSetting[]): Popup =>
  popup.kind === "picker" && popup.name === "settings" ? { ...popup, choices: now.map(choiceOf) } : popup;

/** Handles the chosen value of the settings pickers. */
export function settingChosen(ports: Needs, popup: Picker, value: string): void {
  if (popup.name === "settings") return openSetting(ports, value as SettingKey);
  const written =
    popup.name === "settingText" && value === "" && rowOf(popup.about as SettingKey).type !== "text";
  attempt(ports, keep(ports, popup.about as SettingKey, written ? undefined : value));
}

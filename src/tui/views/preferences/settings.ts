/** The settings as pickers: a list of settings, and the values of one. */
import { SETTINGS, readSetting, type SettingKey, type SettingRow } from "../../../config/settings.ts";
import { words } from "../../../text/words.ts";
import { popupPushed, type Choice, type Picker, type Popup } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import type { SettingsEditor, CurrentSetting } from "../../screen/host.ts";
import { attempt, showError, showNotice, openPicker } from "../../screen/notices.ts";
import { completeTourStep } from "../../screen/tour.ts";
import { openThemes } from "./theme.ts";

type SettingPorts = Pick<Ports, "core" | "store" | "settingsEditor" | "themes">;

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
const keywordsOf = ({ words: description, choices = [], also = "" }: SettingRow): string =>
  [description, ...choices, also].join(" ");

const choiceOf = ({ key, value, from }: CurrentSetting): Choice => ({
  label: key,
  detail: value === "" ? words.settings.empty : value,
  mark: from === "" ? words.settings.default : shortSource(from),
  value: key,
  keywords: keywordsOf(rowOf(key)),
  note: `${rowOf(key).words}${from === "" ? "" : ` ${words.settings.setBy(from)}`}${AT_ONCE.has(key) ? "" : ` ${words.settings.nextStart}`}`,
});

/** A path is shortened to its file name. */
const shortSource = (from: string): string => from.slice(from.lastIndexOf("/") + 1);

const settingChoices = (own: SettingsEditor): Choice[] => own.list().map(choiceOf);

export function openSettings(ports: SettingPorts, query = ""): void {
  try {
    const choices = settingChoices(ports.settingsEditor);
    openPicker(ports, { name: "settings", title: words.settings.title, query, choices });
  } catch (error) {
    showError(ports, error);
  }
}

/** Enter on a setting: toggles a flag, opens the values of a choice, or opens a text input. */
function openSetting(ports: SettingPorts, key: SettingKey): void {
  const current = ports.settingsEditor.list().find((one) => one.key === key)!;
  const row = rowOf(key);
  if (row.type === "theme") return openThemes(ports);
  if (row.type === "flag")
    return attempt(ports, changeSetting(ports, key, current.value === "true" ? "false" : "true"));
  const popup = { kind: "picker", title: key, about: key, selected: 0 } as const;
  if (row.type !== "choice") {
    const query = current.value;
    return ports.store.update((s) => popupPushed(s, { ...popup, name: "settingText", query }));
  }
  const choices = row.choices!.map((value) => ({
    label: value,
    value,
    note: row.words,
    ...(value === current.value
      ? { mark: words.choices.current }
      : value === row.default && { mark: words.settings.default }),
  }));
  const selected = Math.max(0, row.choices!.indexOf(current.value));
  ports.store.update((s) => popupPushed(s, { ...popup, name: "setting", query: "", choices, selected }));
}

/** The value of a choice that shows an invalid input. */
export const INVALID_VALUE = "\0";

/** The choice shown while a value is typed: the value, or why it is invalid. */
export function typedValueChoice(popup: Picker): Choice[] {
  const key = popup.about as SettingKey;
  const value = popup.query.trim();
  const row = rowOf(key);
  if (value === "" && row.type !== "text" && row.type !== "proxy")
    return [{ label: words.settings.reset(String(row.default)), value: "", note: row.words }];
  try {
    readSetting(key, value, key);
    return [{ label: value === "" ? words.settings.empty : value, value, note: row.words }];
  } catch (error) {
    return [{ label: (error as Error).message, value: INVALID_VALUE, note: row.words }];
  }
}

/** Saves a setting, and shows whether it applies now, at the next start, or is overridden. */
export async function changeSetting(
  ports: SettingPorts,
  key: SettingKey,
  raw: string | undefined,
): Promise<void> {
  const { settingsEditor, store } = ports;
  await settingsEditor.set(key, raw);
  if (key === "theme") completeTourStep(ports, "theme");
  const settings = settingsEditor.list();
  const { value, from } = settings.find((one) => one.key === key)!;
  store.update((s) => ({ ...s, popups: s.popups.map((popup) => withSettings(popup, settings)) }));
  const isOverridden = raw !== undefined && value !== raw && from !== "" && !from.endsWith(".json");
  const overrideNote = isOverridden ? ` ${words.settings.overruled(from, value)}` : "";
  const later = AT_ONCE.has(key) || isOverridden ? "" : ` ${words.settings.nextStart}`;
  const notice = `${key} = ${(isOverridden ? raw : value) || words.settings.empty}.${overrideNote}${later}`;
  showNotice(ports, notice, overrideNote ? "warning" : "success");
}

const withSettings = (popup: Popup, settings: readonly CurrentSetting[]): Popup =>
  popup.kind === "picker" && popup.name === "settings"
    ? { ...popup, choices: settings.map(choiceOf) }
    : popup;

/** Handles the chosen value of the settings pickers. */
export function onSettingChosen(ports: SettingPorts, popup: Picker, value: string): void {
  if (popup.name === "settings") return openSetting(ports, value as SettingKey);
  const isReset =
    popup.name === "settingText" && value === "" && rowOf(popup.about as SettingKey).type !== "text";
  attempt(ports, changeSetting(ports, popup.about as SettingKey, isReset ? undefined : value));
}

/** The settings as pickers: a list of settings, and the values of one. */
import { SETTINGS, readSetting, type SettingKey, type SettingRow } from "../../../config/settings.ts";
import { cellWidth } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { Choice } from "../../screen/popup.ts";
import type { Ports } from "../../ports/ports.ts";
import type { CurrentSetting } from "../../screen/host.ts";
import { attempt, openPicker, showError, showNotice } from "../../screen/notices.ts";
import { namedSettings, type NamedSetting } from "./setting-names.ts";
import { completeTourStep } from "../../screen/tour.ts";

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
  "openAt",
  "keys.layout",
  "channelType",
  "sidebar.order",
  "sidebar.preview",
  "messages.width",
  "messages.spacing",
  "undoSend",
  "linkPreviews",
  "notifications",
  "notifications.route",
  "notifications.words",
  "notifications.text",
  "notifications.command",
]);

/** The words by which a setting is found: description, values and synonyms. */
const keywordsOf = ({ words: description, choices = [], also = "" }: SettingRow): string =>
  [description, ...choices, also].join(" ");

/** Cells of the longest name, and a gap. */
const VALUE_COLUMN = Math.max(...namedSettings.map(({ name }) => cellWidth(name))) + 1;

/** A value as people say it. */
function shownValue({ key, value }: Pick<CurrentSetting, "key" | "value">): string {
  if (rowOf(key).type === "flag") return value === "true" ? words.settings.on : words.settings.off;
  return value === "" ? words.settings.empty : value;
}

function choiceOf(ports: SettingPorts, { key, group, name }: NamedSetting, current: CurrentSetting): Choice {
  const { from } = current;
  const row = rowOf(key);
  const set = from === "" ? "" : ` ${words.settings.setBy(from)}`;
  const later = AT_ONCE.has(key) ? "" : ` ${words.settings.nextStart}`;
  return {
    label: name,
    named: key,
    group,
    column: VALUE_COLUMN,
    detail: shownValue(current),
    ...(from !== "" && { changed: true, mark: shortSource(from) }),
    choose: () => openSetting(ports, key, name),
    keywords: `${key} ${keywordsOf(row)}`,
    note: `${key}: ${row.words}${set}${later}`,
  };
}

/** A path is shortened to its file name. */
const shortSource = (from: string): string => from.slice(from.lastIndexOf("/") + 1);

function settingChoices(ports: SettingPorts): Choice[] {
  const current = new Map(ports.settingsEditor.list().map((one) => [one.key, one]));
  return namedSettings.flatMap((named) => {
    const one = current.get(named.key);
    return one ? [choiceOf(ports, named, one)] : [];
  });
}

export function openSettings(ports: SettingPorts, query = ""): void {
  try {
    const stays = (): Choice[] => settingChoices(ports);
    openPicker(ports, { title: words.settings.title, query, choices: stays(), stays });
  } catch (error) {
    showError(ports, error);
  }
}

/** Opens the theme picker; effects/theme-preview.ts previews the selected theme. */
export function openThemes(ports: SettingPorts): void {
  const all = ports.themes.list();
  const current = ports.themes.chosen();
  const choices = all.map(({ name, words: note }) => ({
    label: name,
    note,
    theme: name,
    choose: () => attempt(ports, changeSetting(ports, "theme", name)),
    ...(name === current && { mark: words.choices.current }),
  }));
  const selected = Math.max(
    0,
    all.findIndex(({ name }) => name === current),
  );
  openPicker(ports, { title: words.themes.title, undimmed: true, selected, choices });
}

/** Enter on a setting: toggles a flag, opens the values of a choice, or opens a text input. */
function openSetting(ports: SettingPorts, key: SettingKey, title: string): void {
  const current = ports.settingsEditor.list().find((one) => one.key === key)!;
  const row = rowOf(key);
  if (row.type === "theme") return openThemes(ports);
  if (row.type === "flag")
    return attempt(ports, changeSetting(ports, key, current.value === "true" ? "false" : "true"));
  const change = (value: string | undefined) => () => attempt(ports, changeSetting(ports, key, value));
  if (row.type !== "choice")
    return openPicker(ports, {
      title,
      query: current.value,
      choices: ({ query }) => [typedValueChoice(key, query, change)],
    });
  const choices = row.choices!.map((value) => ({
    label: value,
    choose: change(value),
    note: row.words,
    ...(value === current.value
      ? { mark: words.choices.current }
      : value === row.default && { mark: words.settings.default }),
  }));
  const selected = Math.max(0, row.choices!.indexOf(current.value));
  openPicker(ports, { title, choices, selected });
}

/** The choice shown while a value is typed: the value, or why it is invalid. */
function typedValueChoice(
  key: SettingKey,
  value: string,
  change: (value: string | undefined) => () => void,
): Choice {
  const row = rowOf(key);
  const { words: note } = row;
  if (value === "" && row.type !== "text") {
    const label = row.type === "proxy" ? words.settings.empty : words.settings.reset(String(row.default));
    return { label, choose: change(undefined), note };
  }
  try {
    readSetting(key, value, key);
    return { label: value === "" ? words.settings.empty : value, choose: change(value), note };
  } catch (error) {
    return { label: (error as Error).message, note };
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
  const { value, from } = settingsEditor.list().find((one) => one.key === key)!;
  store.update((s) => ({
    ...s,
    popups: s.popups.map((popup) =>
      popup.kind === "picker" && popup.stays ? { ...popup, choices: popup.stays() } : popup,
    ),
  }));
  const isOverridden = raw !== undefined && value !== raw && from !== "" && !from.endsWith(".json");
  const overrideNote = isOverridden ? ` ${words.settings.overruled(from, value)}` : "";
  const later = AT_ONCE.has(key) || isOverridden ? "" : ` ${words.settings.nextStart}`;
  const notice = `${key} = ${(isOverridden ? raw : value) || words.settings.empty}.${overrideNote}${later}`;
  showNotice(ports, notice, overrideNote ? "warning" : "success");
}

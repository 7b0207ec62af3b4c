/** Holds settings, theme and keys, and applies changes of them while the screen runs. */
import { unwatchFile, watchFile, type StatsListener } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { keysFile } from "../../config/paths.ts";
import type { SettingKey, Settings } from "../../config/settings.ts";
import type { Host } from "../../open.ts";
import { words } from "../../text/words.ts";
import { pipeToProgram, type NoticeFacts } from "../../config/notice-program.ts";
import { KEY_TABLES } from "../bindings/key-tables.ts";
import { TEMPLATE, readKeys } from "../bindings/key-file.ts";
import { isWithoutLetters, type KeyProfile, type KeyTable } from "../keys/lookup.ts";
import { createSettingsEditor } from "./settings-editor.ts";
import type { Theme } from "../render/theme.ts";
import type { Ports } from "../ports/ports.ts";
import type { KeyFile, SettingsEditor, ScreenSettings } from "../screen/host.ts";
import { emojiPolicy } from "../screen/look.ts";
import { showNotice } from "../screen/notices.ts";
import { ThemeLibrary } from "./themes.ts";
import type { TerminalSession } from "../terminal/session.ts";
import { readSmallFile } from "../../model/files/small-file.ts";

interface Needs {
  host: Host;
  level: Theme["level"];
  /** The profile's name. */
  profile: string;
  env: Readonly<Record<string, string | undefined>>;
  readOnly: boolean;
  /** An archive is read. */
  withoutProvider?: boolean;
}

type FixedSettings = Pick<ScreenSettings, "profile" | "readOnly" | "withoutProvider">;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Undefined if the file cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readSmallFile(file);
  } catch {
    return undefined;
  }
}

/** Calls back within a second after a change; Node compares the times outside of this thread. Returns how to stop. */
function onFileChange(file: string, changed: () => void): () => void {
  const listener: StatsListener = (now, before) => now.mtimeMs !== before.mtimeMs && changed();
  watchFile(file, { interval: 1000, persistent: false }, listener);
  return () => unwatchFile(file, listener);
}

const screenSettings = (settings: Settings, fixed: FixedSettings): ScreenSettings => ({
  // A read-only screen marks nothing read.
  readOn: fixed.readOnly ? "manual" : settings.readOn,
  openAt: settings.openAt,
  notifications: settings.notifications,
  undoSend: settings.undoSend,
  keywords: settings["notifications.words"],
  noticeText: settings["notifications.text"],
  keyboard: settings["keys.layout"],
  skinTone: settings.skinTone,
  emoji: settings.emoji,
  channelType: settings.channelType,
  sidebar: { order: settings["sidebar.order"], preview: settings["sidebar.preview"] },
  textWidth: settings["messages.width"],
  spacing: settings["messages.spacing"],
  longest: settings["messages.longest"],
  ...fixed,
});

export class LiveSettings {
  readonly settings: Mutable<ScreenSettings>;
  readonly themes: ThemeLibrary;
  readonly settingsEditor: SettingsEditor;
  readonly #fixed: FixedSettings;
  readonly #keysFile: string;
  #noticeProgram: string;
  #keyProfile: KeyProfile;
  #keys: KeyTable;
  #ports: Ports | undefined;
  #session: TerminalSession | undefined;
  /** Faults found before there is a screen to show them. */
  readonly #pendingFaults: string[] = [];
  /** The key file as it was read last. */
  #keysText: string | undefined;
  #stopTheme = (): void => {};

  constructor({ host, level, profile, env, readOnly, withoutProvider = false }: Needs) {
    this.#fixed = { profile, readOnly, withoutProvider };
    this.settings = screenSettings(host.settings, this.#fixed);
    this.#keysFile = keysFile(env);
    this.#noticeProgram = host.settings["notifications.command"];
    this.#keyProfile = host.settings.keys;
    this.#keys = KEY_TABLES[this.#keyProfile];
    this.#readKeys();
    const onFault = (sentence: string): void => this.#report(sentence);
    this.themes = new ThemeLibrary({ level, env, chosen: host.settings.theme, onFault });
    this.settingsEditor = createSettingsEditor({
      host,
      env,
      apply: (settings, key) => this.#apply(settings, key),
    });
  }

  /** Passes a notification to the user's own program; false if none is set. */
  pipeToProgram = (facts: NoticeFacts): boolean => {
    if (this.#noticeProgram === "") return false;
    pipeToProgram(this.#noticeProgram, facts).catch((error: Error) =>
      this.#report(words.quiet.failed(error.message)),
    );
    return true;
  };

  keys = (): KeyTable => this.#keys;

  /** Connects the screen: faults found so far are shown, and later changes are applied to it. */
  attach(ports: Ports, session: TerminalSession): void {
    this.#ports = ports;
    this.#session = session;
    for (const sentence of this.#pendingFaults.splice(0)) this.#report(sentence);
  }

  /** Sets whether the terminal's background is light. */
  setBackground(light: boolean): void {
    this.themes.setBackground(light);
    if (this.themes.chosen() === "auto") this.#retheme();
  }

  /** Watches the key file and the file of the chosen theme; returns how to stop. */
  watchFiles(): () => void {
    this.#watchTheme();
    const stop = onFileChange(this.#keysFile, () => {
      // What the screen has written itself is read already.
      if (readText(this.#keysFile) === this.#keysText) return;
      if (this.#readKeys().length === 0) this.#report(words.keyFile.reloaded, "success");
    });
    return () => {
      stop();
      this.#stopTheme();
    };
  }

  #watchTheme(): void {
    this.#stopTheme();
    const file = this.themes.file();
    this.#stopTheme = file === undefined ? () => {} : onFileChange(file, () => this.#retheme());
  }

  #apply(settings: Settings, key: SettingKey): void {
    // The client takes the limit of texts at its start.
    const { longest = 0 } = this.settings;
    Object.assign(this.settings, screenSettings(settings, this.#fixed), { longest });
    this.#noticeProgram = settings["notifications.command"];
    if (key === "theme") {
      this.themes.choose(settings.theme);
      this.#watchTheme();
      this.#retheme();
    } else if (key === "keys") {
      this.#keyProfile = settings.keys;
      this.#readKeys();
    }
    if (key === "pictures") this.#ports?.pictures.setSetting(settings.pictures);
    else if (key === "pictures.hosts") this.#ports?.pictures.setHosts(settings["pictures.hosts"]);
    else if (key === "linkPreviews") this.#applyLinkPreviews(settings.linkPreviews);
    else if (key === "mouse") this.#session?.setMouse(settings.mouse);
    else if (key === "notifications.route" && this.#session)
      this.#session.notifications = settings["notifications.route"];
    this.#ports?.store.restyle((look) => ({
      ...look,
      utc: settings.utc,
      sidebar: this.settings.sidebar,
      textWidth: settings["messages.width"],
      spacing: settings["messages.spacing"],
      glyphs: { ...look.glyphs, ...emojiPolicy(this.settings) },
    }));
  }

  #applyLinkPreviews(on: boolean): void {
    this.#ports?.core.setLinkPreviews(on);
    this.#ports?.boxes.change((composer) => composer.refreshLinks());
  }

  #retheme(): void {
    this.#ports?.store.restyle((look) => ({ ...look, theme: this.themes.make(this.themes.chosen()) }));
  }

  readonly keyFile: KeyFile = {
    read: () => readText(this.#keysFile) ?? TEMPLATE,
    write: async (text) => {
      await mkdir(path.dirname(this.#keysFile), { recursive: true, mode: 0o700 });
      await writeFile(this.#keysFile, text, { mode: 0o600 });
      return this.#readKeys();
    },
  };

  /** Reads the key file, shows its faults and returns them. */
  #readKeys(): string[] {
    const text = (this.#keysText = readText(this.#keysFile));
    const { table, faults } =
      text === undefined
        ? { table: KEY_TABLES[this.#keyProfile], faults: [] }
        : readKeys(text, this.#keysFile, this.#keyProfile);
    this.#keys = table;
    this.#ports?.store.restyle((look) => ({ ...look, withoutLetters: isWithoutLetters(table) }));
    if (faults.length > 0) this.#report(words.keyFile.faults(faults[0]!, faults.length - 1));
    return faults;
  }

  #report(sentence: string, level: "warning" | "success" = "warning"): void {
    if (this.#ports) showNotice(this.#ports, sentence, level);
    else this.#pendingFaults.push(sentence);
  }
}

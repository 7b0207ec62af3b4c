/** Interfaces of the machine for the screen: settings, files, profiles, the terminal and the desktop. */
import type { KeyboardLayout } from "../keys/layouts.ts";
import type { NoticeFacts } from "../../config/notice-program.ts";
import type { Extension, ExtensionContext } from "../../config/extensions.ts";
import type { SavableFile } from "../../model/message-links.ts";
import type { Snippet } from "../../config/snippets.ts";
import type { SettingKey } from "../../config/settings.ts";
import type { AuthKind } from "../../config/profiles.ts";
import type { SkinTone } from "../../text/emoji.ts";
import type { Theme } from "../render/theme.ts";
import type { Layer } from "../terminal/pixel-layer.ts";
import type { SidebarLook, Spacing } from "./look.ts";

/** Settings the screen reads while it runs. */
export interface ScreenSettings {
  readOn: "shown" | "focused" | "answered" | "manual";
  /** Where channels and threads with unread messages open. */
  openAt?: "unread" | "newest";
  /** Milliseconds in which sending a message can be undone. */
  undoSend: number;
  notifications: "off" | "mentions" | "direct" | "all";
  /** Comma-separated words that notify like a mention. */
  keywords?: string;
  /** False = notifications do not show the message text. */
  noticeText?: boolean;
  /** Which keys letters of other alphabets are; `auto` if absent. */
  keyboard?: KeyboardLayout;
  /** Skin tone of completed emoji. */
  skinTone?: SkinTone;
  emoji?: "pictures" | "names";
  channelType: string;
  sidebar?: SidebarLook;
  /** Maximum width of message text in cells; 0 = as wide as its pane. */
  textWidth?: number;
  spacing?: Spacing;
  /** Maximum length of a sent text at the start; 0 = the channel's. */
  longest?: number;
  /** Shown in the header. */
  profile: string;
  /** Changes at the provider are refused. */
  readOnly?: boolean;
  /** An archive is read: there is no connection to tell of. */
  withoutProvider?: boolean;
}

export interface DiskEntry {
  name: string;
  kind: "folder" | "file" | "other";
  /** Size of a file in bytes; absent if it was not looked up. */
  size?: number;
}

/** The user's files. */
export interface Disk {
  readonly home: string;
  /** Relative paths are resolved against it. */
  readonly cwd: string;
  /** The entries of a folder, unordered. Rejects with a sentence. */
  list(folder: string): Promise<DiskEntry[]>;
  /** The entry at a path; undefined if it does not exist or may not be read. */
  entryAt(file: string): Promise<DiskEntry | undefined>;
  /** Writes a file that is deleted when the program ends, and returns its path. Throws file system errors. */
  writeTemp(name: string, text: string): string;
}

/** Saves files of messages. */
export interface Downloads {
  /** The folder of the setting; empty until one was chosen. */
  folder(): string;
  /** Sets the folder and saves the setting. */
  choose(folder: string): Promise<void>;
  /** Resolves with the path of the saved file. */
  save(file: SavableFile, folder: string, progress: (done: number, total: number) => void): Promise<string>;
}

/** The content of the clipboard; `files` has paths or file URLs as text, `picture` a file with the picture. */
export type ClipboardContent =
  | { kind: "files"; text: string }
  | { kind: "picture"; file: string }
  | { kind: "text"; text: string }
  | { kind: "none"; why: string };

/** The values of the sign-in form. */
interface Credentials {
  name: string;
  url: string;
  key: string;
  kind: Exclude<AuthKind, "local">;
  /** A token, the app's secret, or a command that prints a token, depending on `kind`. */
  secret: string;
  /** Empty if the token contains it. */
  user: string;
}

/** The profiles of this machine. */
export interface Profiles {
  readonly current: string;
  list(): readonly { name: string; about: string }[];
  /** Ends this screen and opens another profile, showing `notice`; if that fails, returns to this profile and shows why. */
  open(name: string, notice?: string): void;
  /** The initial values of the sign-in form of a profile; undefined for the embedded provider. */
  signInDefaults(name: string): Omit<Credentials, "name"> | undefined;
  /** Tries the credentials and saves the profile as the default; resolves with a sentence to show. Rejects with a sentence. */
  signIn(credentials: Credentials): Promise<string>;
}

/** The terminal and the desktop around it. */
export interface Terminal {
  copy(text: string): boolean;
  setTitle(title: string): void;
  /** A notice with the key of an earlier one replaces it, where the terminal can. */
  notify(title: string, body: string, key?: string): void;
  /** Removes the notice with this key, where the terminal can. */
  withdraw(key: string): void;
  /** Passes a notification to the user's own program; false if none is set. */
  pipeToProgram?(facts: NoticeFacts): boolean;
  redraw(): void;
  /** Draws pixels over blank cells; undefined removes them. */
  layer(layer: Layer | undefined): void;
  suspend(): Promise<void>;
  /** Opens a URL; false if no program can open it; `failed` runs if that turns out later. */
  openUrl(url: string, failed: () => void): Promise<boolean>;
  /** Edits the text in `$EDITOR`; undefined if the editor exited with an error. */
  editExternally(text: string): Promise<string | undefined>;
  clipboard(): Promise<ClipboardContent>;
  quit(): void;
}

export interface CurrentSetting {
  key: SettingKey;
  /** The value as written in the config file. */
  value: string;
  /** The flag, variable or file that set it; empty for the default. */
  from: string;
}

/** Reads and changes the user's settings. */
export interface SettingsEditor {
  /** Throws if a file cannot be read. */
  list(): CurrentSetting[];
  /** Checks, saves and, where possible, applies a value at once; `undefined` resets it. Rejects with a sentence. */
  set(key: SettingKey, raw: string | undefined): Promise<void>;
}

/** The user's key file. */
export interface KeyFile {
  /** Its content, or the template of a new one. */
  read(): string;
  /** Saves it, applies it at once, and resolves with its faults. */
  write(text: string): Promise<readonly string[]>;
}

/** The user's snippets: texts by name. */
export interface Snippets {
  /** `faults` are sentences about the snippet file. */
  read(): { snippets: readonly Snippet[]; faults: readonly string[] };
  /** Replaces the snippet of that name; undefined removes it. */
  save(name: string, text: string | undefined): void;
}

/** What an extension is told of the screen. */
export type ExtensionPlace = Pick<ExtensionContext, "args" | "user_id" | "cid" | "parent_id" | "message">;

/** How an extension ended: by itself, with a code or the name of a signal, or stopped by the user or a limit. */
export type ExtensionEnd =
  | { end: "exit"; code: number | string; out: string; err: string }
  | { end: "stopped" | "time" | "size" };

/** The user's own programs as commands of the message box (docs/extensions.md). */
export interface Extensions {
  /** For completion; one that was installed since may be missing. */
  list(): readonly Extension[];
  find(name: string): Extension | undefined;
  /** Rejects if it cannot be started. */
  run(extension: Extension, place: ExtensionPlace, signal: AbortSignal): Promise<ExtensionEnd>;
}

export interface Themes {
  /** In display order. */
  list(): { name: string; words: string }[];
  /** The value of the setting. */
  chosen(): string;
  /** The theme of that name for the terminal's colour level; `dark` for an unknown name. */
  make(name: string): Theme;
}

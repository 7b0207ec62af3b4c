/** What the machine gives the screen: settings, files, profiles, the terminal and the desktop. */
import type { SavableFile } from "../../model/message-links.ts";
import type { Snippet } from "../../config/snippets.ts";
import type { SettingKey } from "../../config/settings.ts";
import type { AuthKind } from "../../config/profiles.ts";
import type { SkinTone } from "../../text/emoji.ts";
import type { Theme } from "../render/theme.ts";
import type { Layer } from "../terminal/pixel-layer.ts";
import type { SidebarLook } from "./look.ts";

/** The settings that the screen reads while it runs. */
export interface ScreenSettings {
  readOn: "shown" | "focused" | "answered" | "manual";
  /** Milliseconds in which a message can be taken back. */
  undoSend: number;
  notifications: "off" | "mentions" | "direct" | "all";
  /** Words that call as a mention does, with commas between them. */
  keywords?: string;
  /** False = notices do not show what was written. */
  noticeText?: boolean;
  /** Of emoji that are completed. */
  skinTone?: SkinTone;
  emoji?: "pictures" | "names";
  channelType: string;
  sidebar?: SidebarLook;
  /** Cells that the text of a message is wide at most; 0 = as wide as its pane. */
  textWidth?: number;
  /** Shown in the header. */
  profile: string;
  /** Nothing is changed at the provider. */
  readOnly?: boolean;
}

/** A name in a folder. */
export interface DiskEntry {
  name: string;
  kind: "folder" | "file" | "other";
  /** Bytes of a file; absent where it was not asked for. */
  size?: number;
}

/** The person's own files. */
export interface Disk {
  readonly home: string;
  /** Where relative paths begin. */
  readonly cwd: string;
  /** What is in a folder, in no order. Rejects with a sentence. */
  list(folder: string): Promise<DiskEntry[]>;
  /** What is at a path; undefined for nothing that may be read. */
  look(file: string): Promise<DiskEntry | undefined>;
  /** A file for as long as the program runs; its path. Throws what the disk says. */
  keep(name: string, text: string): string;
}

/** Where files of messages are saved. */
export interface Downloads {
  /** Empty until somebody chose one. */
  folder(): string;
  /** For good. */
  choose(folder: string): Promise<void>;
  /** The path of the saved file. */
  save(file: SavableFile, folder: string, progress: (done: number, total: number) => void): Promise<string>;
}

/** What is on the clipboard: paths or addresses of files as a text, a picture in a file, or words. */
export type ClipboardContent =
  | { kind: "files"; text: string }
  | { kind: "picture"; file: string }
  | { kind: "text"; text: string }
  | { kind: "none"; why: string };

/** What one signs in to a provider with: a token, the secret of the app, or a command that prints a token. */
interface Credentials {
  name: string;
  url: string;
  key: string;
  kind: Exclude<AuthKind, "local">;
  /** The token, the secret or the command. */
  proof: string;
  /** Empty where the token names it. */
  user: string;
}

/** The profiles of this machine. */
export interface Profiles {
  readonly current: string;
  list(): readonly { name: string; about: string }[];
  /** Ends this screen and opens the other one's, which says `said`; where that cannot be, this one comes back and says why. */
  open(name: string, said?: string): void;
  /** What the form of a hosted profile begins with, a command as its proof; undefined for the embedded provider. */
  hosted(name: string): Omit<Credentials, "name"> | undefined;
  /** Adds a profile, or its new token, tries it and uses it from then on; what is to be told of it. Rejects with a sentence. */
  signIn(given: Credentials): Promise<string>;
}

/** The terminal and the desktop around it. */
export interface Terminal {
  copy(text: string): boolean;
  setTitle(title: string): void;
  notify(title: string, body: string): void;
  /** Tells the person's own program of a notice; false where there is none. */
  pipeToProgram?(facts: object): boolean;
  redraw(): void;
  /** A picture of pixels over blank cells; none any more without one. */
  layer(layer: Layer | undefined): void;
  suspend(): Promise<void>;
  /** Opens a checked address outside; false where the machine has no program for it, which may show only later: `failed` runs then. */
  openUrl(url: string, failed: () => void): Promise<boolean>;
  /** Gives the text to `$EDITOR`; undefined when it was left without saving. */
  editExternally(text: string): Promise<string | undefined>;
  /** What the desktop has on its clipboard. */
  clipboard(): Promise<ClipboardContent>;
  quit(): void;
}

/** A setting as it is now. */
export interface CurrentSetting {
  key: SettingKey;
  /** As it is written in a file. */
  value: string;
  /** The flag, the variable or the file that says so; empty for the default. */
  from: string;
}

/** The person's settings, as the screen changes them. */
export interface OwnSettings {
  /** Throws a sentence where a file cannot be read. */
  list(): CurrentSetting[];
  /** Checks it, keeps it for good and has it count at once where that can be; `undefined` takes it back. Rejects with a sentence. */
  set(key: SettingKey, raw: string | undefined): Promise<void>;
}

/** The file with the person's own keys. */
export interface KeyFile {
  /** What is in it, or what a new one begins with. */
  read(): string;
  /** Keeps it, has it count at once, and gives back what is wrong in it. */
  write(text: string): Promise<readonly string[]>;
}

/** The person's own texts, by name. */
export interface Snippets {
  /** With what is wrong in their file, as sentences. */
  read(): { snippets: readonly Snippet[]; faults: readonly string[] };
  /** In place of the one before; undefined takes it out. */
  save(name: string, text: string | undefined): void;
}

/** The themes there are. */
export interface Themes {
  /** In the order of a list. */
  list(): { name: string; words: string }[];
  /** The name of the setting. */
  chosen(): string;
  /** A theme of that name in as many colours as the terminal has; the dark one for a name that is none. */
  make(name: string): Theme;
}

/** The pictures of a screen in tests: files by address, in a folder removed afterwards; without terminal answers nothing is drawn. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { PictureRoute, TerminalAnswers, OuterTerminal } from "../../src/config/picture-route.ts";
import { Pictures, type PicturesParts } from "../../src/tui/pictures/pictures.ts";

interface FakePicturesOptions {
  /** Address → content; other addresses cannot be fetched. */
  files?: Readonly<Record<string, Uint8Array>>;
  setting?: PicturesParts["setting"];
  level?: PicturesParts["level"];
  env?: PicturesParts["env"];
  /** The setting's list of hosts; absent: every public host. */
  hosts?: string;
  /** Storage for the hosts of earlier uploads. */
  kept?: PicturesParts["storage"];
  /** The terminal's answers to queries; absent: it has not answered. */
  answers?: TerminalAnswers;
  tmux?: OuterTerminal;
  /** Receives bytes that are written outside of frames. */
  write?: (bytes: string) => void;
}

export const HALF_BLOCKS: TerminalAnswers = { kittyGraphics: false, sixel: false };
export const KITTY: TerminalAnswers = { version: "kitty(0.42.1)", kittyGraphics: true, sixel: false };
export const ITERM2: TerminalAnswers = { version: "iTerm2 3.5.0", kittyGraphics: false, sixel: false };
export const SIXEL: TerminalAnswers = { version: "foot(1.20)", kittyGraphics: false, sixel: true };

export class FakePictures {
  readonly pictures: Pictures;
  /** Fetched addresses in order. */
  readonly fetched: string[] = [];
  #folder: string | undefined;
  #isClosed = false;

  constructor({ files = {}, answers, ...more }: FakePicturesOptions = {}) {
    // The folder is only needed for files.
    if (Object.keys(files).length > 0) this.#folder = mkdtempSync(path.join(tmpdir(), "parley-pictures-"));
    this.pictures = new Pictures({
      onlyProvider: false,
      setting: more.setting ?? "auto",
      level: more.level ?? 3,
      env: more.env ?? {},
      providerHost: "127.0.0.1",
      hosts: more.hosts ?? "*",
      storage: more.kept ?? { remember: () => undefined, keep() {} },
      folder: this.#folder ?? path.join(tmpdir(), "parley-no-pictures"),
      output: {
        write: (bytes) => more.write?.(bytes),
        drained: (go) => void setImmediate(go),
      },
      fetch: async (url, file) => {
        // What was asked for before the close has made the folder again.
        if (this.#isClosed) this.#removeFolder();
        this.fetched.push(url);
        const bytes = files[url];
        if (!bytes) throw new Error("No such file.");
        await writeFile(file, bytes);
        return createHash("sha256").update(bytes).digest("hex");
      },
      tmux: async () => more.tmux,
      load: () => import("../../src/tui/pictures/drawing.ts"),
    });
    if (answers) this.pictures.setCapabilities(answers);
  }

  get route(): PictureRoute | undefined {
    return this.pictures.route;
  }

  close(): void {
    this.#isClosed = true;
    this.pictures.close();
    this.#removeFolder();
  }

  #removeFolder(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Drives the screen without drawing it: takes keys and mouse input, and records calls to core and notices. */
// Commands are loaded when they first run; here they are loaded beforehand, so that `settle` need not wait for files.
import "./commands.ts";
import { KEY_TABLES } from "../../src/tui/bindings/key-tables.ts";
import { TYPING_PAUSE_MS } from "../../src/tui/input/pace.ts";
import { handleInput } from "../../src/tui/bindings/route.ts";
import { createInputParser } from "../../src/tui/input/parser.ts";
import type { KeyProfile, KeyTable } from "../../src/tui/keys/lookup.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";
import { createScreen } from "../../src/tui/create-screen.ts";
import { openChannel } from "../../src/tui/navigation/open-channel.ts";
import type { Ports } from "../../src/tui/ports/ports.ts";
import type {
  ClipboardContent,
  Disk,
  Downloads,
  ScreenSettings,
  Terminal,
} from "../../src/tui/screen/host.ts";
import type { Pictures } from "../../src/tui/pictures/pictures.ts";
import type { Sounds } from "../../src/tui/sounds/sounds.ts";
import type { Screen } from "../../src/tui/screen/screen.ts";
import { selectedIn } from "../../src/tui/screen/selectors.ts";
import type { Model } from "../../src/tui/screen/store.ts";
import type { ClientMessage, State } from "../../src/model/state.ts";
import { EPOCH, type FakeCore } from "./fake-core.ts";
import { fakeSettings, type FakeSettings } from "./fake-settings.ts";
import { fakeDisk, fakeDownloads, fakeProfiles } from "./fake-disk.ts";
import { FakePictures } from "./fake-pictures.ts";
import { noSounds } from "./fake-sounds.ts";
import { bytesOf } from "./keyboard.ts";

export interface ScreenDriverOptions {
  columns?: number;
  rows?: number;
  keys?: KeyProfile;
  keyTable?: KeyTable;
  /** The channel to open; `""` opens none. */
  open?: string;
  edited?: (text: string) => string | undefined;
  settings?: Partial<ScreenSettings>;
  terminal?: Partial<Terminal>;
  disk?: Disk;
  clipboard?: ClipboardContent;
  downloads?: Downloads;
  preferences?: FakeSettings;
  pictures?: Pictures;
  sounds?: Sounds;
  /** Wall clock, ms. */
  now?: () => number;
}

export class ScreenDriver {
  readonly ports: Ports;
  readonly core: FakeCore;
  readonly copied: string[] = [];
  readonly opened: string[] = [];
  /** Profiles that were opened. */
  readonly gone: string[] = [];
  left = false;
  redrawn = 0;
  suspended = 0;
  readonly #parser;
  #due: (() => void) | undefined;
  /** Milliseconds that passed between the keys so far. */
  #waited = 0;
  #timers: { run: () => void; at: number }[] = [];

  constructor(core: FakeCore, options: ScreenDriverOptions = {}) {
    const { columns = 120, rows = 40, open = "messaging:general" } = options;
    this.core = core;
    this.ports = createScreen(
      {
        core,
        clock: {
          now: options.now ?? (() => EPOCH + 86_400_000),
          setTimeout: (run, ms) => ms >= TYPING_PAUSE_MS && this.#timers.push({ run, at: this.#waited + ms }),
          clearTimeout: () => {},
        },
        theme: makeTheme(3),
        keys: () => options.keyTable ?? KEY_TABLES[options.keys ?? "default"],
        utc: true,
        maps: "off",
        settings: {
          readOn: "manual",
          notifications: "off",
          channelType: "messaging",
          undoSend: 0,
          profile: "work",
          ...options.settings,
        },
        terminal: {
          copy: (text) => this.copied.push(text) > 0,
          setTitle: () => {},
          notify: () => {},
          withdraw: () => {},
          redraw: () => void this.redrawn++,
          layer: () => {},
          suspend: async () => void this.suspended++,
          openUrl: async (url) => this.opened.push(url) > 0,
          editExternally: async (text) => options.edited?.(text),
          clipboard: async () => options.clipboard ?? { kind: "none", why: "nothing" },
          quit: () => void (this.left = true),
          ...options.terminal,
        },
        disk: options.disk ?? fakeDisk(),
        downloads: options.downloads ?? fakeDownloads(),
        ...fakeSettings(options.preferences),
        profiles: fakeProfiles((name) => void this.gone.push(name)),
        pictures: options.pictures ?? new FakePictures().pictures,
        sounds: options.sounds ?? noSounds(),
        random: () => "00000000-0000-4000-8000-000000000000",
      },
      { columns, rows },
    );
    this.#parser = createInputParser((event) => handleInput(this.ports, event), {
      timers: { set: (run) => (this.#due = run), clear: () => (this.#due = undefined) },
    });
    if (open !== "") this.open(open);
    core.asked.length = 0;
  }

  get screen(): Screen {
    return this.ports.store.screen;
  }
  get model(): Model {
    return this.ports.store.get();
  }
  get state(): State {
    return this.ports.store.state;
  }
  change(change: (screen: Screen) => Screen): void {
    this.ports.store.update(change);
  }
  open(cid: string): void {
    openChannel(this.ports, cid);
  }
  /** The message under the browse cursor. */
  selected(): ClientMessage | undefined {
    return selectedIn(this.model);
  }

  /** Sends bytes like a terminal and waits for their effects. */
  async send(bytes: string): Promise<void> {
    this.#parser.push(bytes);
    this.#due?.();
    await this.settle();
  }
  async settle(): Promise<void> {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    this.change((s) => s);
  }
  /** Presses keys one by one, so slowly that letters are no text, and again what asks for it. */
  async press(...chords: string[]): Promise<void> {
    for (const chord of chords) {
      await this.send(bytesOf(chord));
      if (this.screen.typed?.state === "asked") await this.send(bytesOf(chord));
      await this.wait(TYPING_PAUSE_MS);
    }
  }
  /** Lets so many milliseconds pass for letters that wait; the clock stands still. */
  async wait(ms: number): Promise<void> {
    this.#waited += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#waited);
    this.#timers = this.#timers.filter(({ at }) => at > this.#waited);
    for (const { run } of due) run();
    if (due.length > 0) await this.settle();
  }
  type(text: string): Promise<void> {
    return this.send(text);
  }
  paste(text: string): Promise<void> {
    return this.send(`\x1b[200~${text}\x1b[201~`);
  }
  /** Cells from 0. */
  click(x: number, y: number, button = 0): Promise<void> {
    return this.send(`\x1b[<${button};${x + 1};${y + 1}M\x1b[<${button};${x + 1};${y + 1}m`);
  }
  wheel(x: number, y: number, down: boolean): Promise<void> {
    return this.send(`\x1b[<${down ? 65 : 64};${x + 1};${y + 1}M`);
  }

  /** Texts of all notices and errors, in order. */
  told(): string[] {
    return this.core.calls("notify").map(([notice]) => (notice as { text: string }).text);
  }
  /** Recorded calls to core with these names; arguments that have an id are replaced by it. */
  asked(...names: string[]): unknown[][] {
    return this.core.asked
      .filter((a) => names.includes(a.name))
      .map((a) => [a.name, ...a.args.map((arg) => (arg as { id?: string } | undefined)?.id ?? arg)]);
  }
  text(): string {
    return this.ports.boxes.at().editor.text;
  }
}

/** The complete screen in this process over a fake core: takes keys and shows the picture of a headless terminal. */
// Loaded beforehand, so that nothing waits for files.
import "./commands.ts";
import { EventEmitter } from "node:events";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm, { type Terminal as XTerm } from "@xterm/headless";
import { App } from "../../src/tui/app.tsx";
import { PortsContext } from "../../src/tui/components/context.ts";
import { createEffects } from "../../src/tui/effects/effects.ts";
import type { KeyProfile } from "../../src/tui/keys/lookup.ts";
import { KEY_TABLES } from "../../src/tui/bindings/key-tables.ts";
import type { Pictures } from "../../src/tui/pictures/pictures.ts";
import type { Sounds } from "../../src/tui/sounds/sounds.ts";
import { TYPING_PAUSE_MS } from "../../src/tui/input/pace.ts";
import { handleInput } from "../../src/tui/bindings/route.ts";
import type { MapSetting } from "../../src/tui/maps.ts";
import { resized } from "../../src/tui/screen/transitions.ts";
import type { StoreClock, Model } from "../../src/tui/screen/store.ts";
import { mountScreen } from "../../src/tui/terminal/mount.ts";
import { TerminalSession, type TerminalProcess } from "../../src/tui/terminal/session.ts";
import { makeTheme, type Theme } from "../../src/tui/render/theme.ts";
import { createScreen, redrawOnChange } from "../../src/tui/create-screen.ts";
import { openChannel } from "../../src/tui/navigation/open-channel.ts";
import type { Ports } from "../../src/tui/ports/ports.ts";
import type { ClipboardContent, Disk, Downloads } from "../../src/tui/screen/host.ts";
import type { Screen } from "../../src/tui/screen/screen.ts";
import { selectedIn } from "../../src/tui/screen/selectors.ts";
import type { ClientMessage, State } from "../../src/model/state.ts";
import { EPOCH, type FakeCore } from "./fake-core.ts";
import { fakeSettings, type FakeSettings } from "./fake-settings.ts";
import { fakeDisk, fakeDownloads, fakeProfiles } from "./fake-disk.ts";
import { FakePictures } from "./fake-pictures.ts";
import { noSounds } from "./fake-sounds.ts";
import { bytesOf } from "./keyboard.ts";

/** Only the parts of a process that a session uses. */
class FakeProcess extends EventEmitter {
  readonly env = { TERM: "dumb" };
  readonly stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => {},
    resume: () => {},
    pause: () => {},
  });
  readonly stdout: EventEmitter & {
    columns: number;
    rows: number;
    isTTY: boolean;
    write(data: string): boolean;
  };
  readonly stderr = Object.assign(new EventEmitter(), { isTTY: false, write: () => true });
  constructor(columns: number, rows: number, write: (data: string) => void) {
    super();
    this.stdout = Object.assign(new EventEmitter(), {
      columns,
      rows,
      isTTY: true,
      write: (data: string) => {
        write(data);
        return true;
      },
    });
  }
  kill(): boolean {
    return true;
  }
}

export interface MountOptions {
  columns?: number;
  rows?: number;
  keys?: KeyProfile;
  readOn?: "shown" | "focused" | "manual";
  openAt?: "unread" | "newest";
  open?: string;
  theme?: Theme;
  /** Off by default: the atlas loads asynchronously. */
  maps?: MapSetting;
  disk?: Disk;
  clipboard?: ClipboardContent;
  downloads?: Downloads;
  preferences?: FakeSettings;
  sounds?: Sounds;
  pictures?: (screen: Mounted) => Pictures;
  edited?: (text: string) => string | undefined;
}

/** A clock for the store: network changes are painted when the test advances it. */
class HandPace implements StoreClock {
  at = EPOCH + 86_400_000;
  #due: { run: () => void; ms: number }[] = [];
  now(): number {
    return this.at;
  }
  setTimeout(run: () => void, ms: number): unknown {
    const timer = { run, ms };
    this.#due.push(timer);
    return timer;
  }
  clearTimeout(timer: unknown): void {
    this.#due = this.#due.filter((one) => one !== timer);
  }
  /** What waits for a pause between letters. */
  pause(): void {
    this.#run(() => true);
  }
  #run(isDue: (timer: { ms: number }) => boolean): void {
    const due = this.#due.filter(isDue);
    this.#due = this.#due.filter((timer) => !isDue(timer));
    for (const { run } of due) run();
  }
  tick(ms: number): void {
    this.at += ms;
    this.#run((timer) => timer.ms < TYPING_PAUSE_MS);
  }
}

export class Mounted {
  readonly ports: Ports;
  readonly core: FakeCore;
  readonly pace = new HandPace();
  readonly copied: string[] = [];
  readonly opened: string[] = [];
  readonly notified: string[][] = [];
  readonly withdrawn: string[] = [];
  title = "";
  left = false;
  error: Error | undefined;
  /** Writes to the terminal since the last `count`. */
  writes: string[] = [];
  readonly #term: XTerm;
  readonly #process: FakeProcess;
  readonly #session: TerminalSession;
  readonly #screen: { flushed(): Promise<void>; unmount(): void };
  readonly #stop: () => void;
  #pending = 0;

  constructor(core: FakeCore, options: MountOptions = {}) {
    const { columns = 120, rows = 40 } = options;
    this.core = core;
    this.#term = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
    this.#term.loadAddon(new UnicodeGraphemesAddon());
    this.#process = new FakeProcess(columns, rows, (data) => {
      this.writes.push(data);
      this.#pending++;
      this.#term.write(data, () => this.#pending--);
    });
    this.#session = new TerminalSession({
      process: this.#process as unknown as TerminalProcess,
      onInput: (event) => handleInput(this.ports, event),
      end: (_code, error) => {
        this.left = true;
        this.error = error;
      },
      log: () => {},
      removePictures: () => this.ports.pictures.removeAll(),
      returned: () => this.ports.pictures.redrawAll(),
      notifications: "off",
    });
    this.ports = createScreen(
      {
        core,
        clock: this.pace,
        theme: options.theme ?? makeTheme(3),
        keys: () => KEY_TABLES[options.keys ?? "default"],
        utc: true,
        maps: options.maps ?? "off",
        settings: {
          readOn: options.readOn ?? "shown",
          ...(options.openAt && { openAt: options.openAt }),
          notifications: "mentions",
          channelType: "messaging",
          undoSend: 0,
          profile: "work",
        },
        terminal: {
          copy: (text) => this.copied.push(text) > 0,
          setTitle: (title) => (this.title = title),
          notify: (title, body) => this.notified.push([title, body]),
          withdraw: (key) => this.withdrawn.push(key),
          redraw: () => this.#session.repaint(),
          layer: (layer) => this.#session.out.setLayer(layer),
          suspend: async () => {},
          openUrl: async (url) => this.opened.push(url) > 0,
          editExternally: async (text) => options.edited?.(text),
          clipboard: async () => options.clipboard ?? { kind: "none", why: "nothing" },
          quit: () => (this.left = true),
        },
        disk: options.disk ?? fakeDisk(),
        downloads: options.downloads ?? fakeDownloads(),
        ...fakeSettings(options.preferences),
        profiles: fakeProfiles(),
        pictures: options.pictures?.(this) ?? new FakePictures().pictures,
        sounds: options.sounds ?? noSounds(),
        random: () => "00000000-0000-4000-8000-000000000000",
      },
      { columns, rows },
    );
    const effects = createEffects(this.ports);
    this.ports.store.onChange = (_model, changed) => effects.modelChanged(changed);
    this.#stop = redrawOnChange(this.ports);
    this.#session.start();
    const first = options.open ?? "messaging:general";
    if (core.state().channels.has(first)) this.open(first);
    const tree = (
      <PortsContext value={this.ports}>
        <App />
      </PortsContext>
    );
    this.#screen = mountScreen(this.#session, tree, (size) =>
      this.change((s) => resized(s, size.columns, size.rows)),
    );
  }

  get screen(): Screen {
    return this.ports.store.screen;
  }
  /** The message under the browse cursor. */
  selected(): ClientMessage | undefined {
    return selectedIn(this.model);
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

  /** Paints network changes and waits until the terminal has processed everything. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      this.pace.tick(50);
      const before = this.writes.length;
      await this.#screen.flushed();
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#pending > 0) await new Promise((resolve) => setImmediate(resolve));
      quiet = this.writes.length === before ? quiet + 1 : 0;
    }
  }

  /** Writes bytes outside of frames. */
  direct(bytes: string): void {
    this.#session.out.direct(bytes);
  }
  /** Input bytes as a terminal sends them. */
  send(bytes: string): void {
    this.#process.stdin.emit("data", Buffer.from(bytes));
  }
  async type(text: string): Promise<void> {
    this.send(text);
    await this.settle();
  }
  /** Presses chords named as in the key tables, so slowly that letters are no text, and again what asks for it; after Esc it waits for the timeout. */
  async press(...chords: string[]): Promise<void> {
    for (const chord of chords) {
      this.send(bytesOf(chord));
      if (chord === "esc") await new Promise((resolve) => setTimeout(resolve, 60));
      await this.settle();
      if (this.ports.store.screen.typed?.state === "asked") this.send(bytesOf(chord));
      const acts = this.ports.store.screen.typed?.state === "due";
      this.pace.pause();
      if (acts) await this.settle();
    }
  }
  async paste(text: string): Promise<void> {
    await this.type(`\x1b[200~${text}\x1b[201~`);
  }
  /** Cells from 0. */
  async click(x: number, y: number): Promise<void> {
    await this.type(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);
  }
  async wheel(x: number, y: number, down: boolean): Promise<void> {
    await this.type(`\x1b[<${down ? 65 : 64};${x + 1};${y + 1}M`);
  }
  async resize(columns: number, rows: number): Promise<void> {
    this.#term.resize(columns, rows);
    this.#process.stdout.columns = columns;
    this.#process.stdout.rows = rows;
    this.#process.stdout.emit("resize");
    // Resizes in quick succession are drawn as one: waits longer than that pause.
    await new Promise((resolve) => setTimeout(resolve, 25));
    await this.settle();
  }

  line(y: number): string {
    const buffer = this.#term.buffer.active;
    return buffer.getLine(buffer.baseY + y)?.translateToString(true, 0, this.#term.cols) ?? "";
  }
  /** The content of a cell; empty for the second cell of a wide character. */
  cell(x: number, y: number): string {
    const { active } = this.#term.buffer;
    const found = active.getLine(active.baseY + y)?.getCell(x);
    return found?.getWidth() === 0 ? "" : found?.getChars() || " ";
  }
  text(): string {
    return Array.from({ length: this.#term.rows }, (_, y) => this.line(y)).join("\n");
  }
  cursor(): { x: number; y: number } {
    const buffer = this.#term.buffer.active;
    return { x: buffer.cursorX, y: buffer.cursorY };
  }
  /** UTF-16 units and write calls since the last call. */
  count(): { units: number; writes: number } {
    const units = this.writes.reduce((n, w) => n + w.length, 0);
    const writes = this.writes.length;
    this.writes = [];
    return { units, writes };
  }
  unmount(): void {
    this.#stop();
    this.#screen.unmount();
    this.#session.restore();
    this.#term.dispose();
  }
}

export async function mount(core: FakeCore, options: MountOptions = {}): Promise<Mounted> {
  const mounted = new Mounted(core, options);
  await mounted.settle();
  return mounted;
}

/** The picture without trailing blanks and without lines that contain only the frame. */
export const picture = (m: Mounted): string =>
  m
    .text()
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => !/^│[ │]*│$/.test(line))
    .join("\n");

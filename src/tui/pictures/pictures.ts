/** Renders pictures on the screen; the drawing code is loaded with the first visible picture. */
import {
  pictureRoute,
  type PictureRoute,
  type TerminalAnswers,
  type OuterTerminal,
} from "../../config/picture-route.ts";
import type { Settings } from "../../config/settings.ts";
import type { Core } from "../../core/core.ts";
import { ANY_HOST, mayFetchUnasked, mayFollow, pictureOf, type Picture } from "../../model/pictures.ts";
import { shownHost } from "../../text/safe-url.ts";
import { truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Drawing, DrawnPicture, DrawingParts, MovingPicture } from "./drawing.ts";
import type { Refused } from "./decoding.ts";
import { DEFAULT_CELL, cellsFor, type Cells, type Pixels } from "./size.ts";

type Setting = Settings["pictures"];

export interface PicturesParts {
  setting: Setting;
  level: 0 | 1 | 2 | 3;
  env: Readonly<Record<string, string | undefined>>;
  /** The host of the profile's provider, with its port where only that counts. */
  providerHost: string;
  /** No other host is asked by itself, whatever the setting says. */
  onlyProvider: boolean;
  /** The setting `pictures.hosts`: further hosts whose pictures are fetched automatically. */
  hosts: string;
  /** Stores the hosts to which the provider has uploaded this user's files, and those that the user was asked about. */
  storage: Pick<Core, "remember" | "keep">;
  folder: string;
  output: DrawingParts["output"];
  /** Writes the content of an address to a new file and returns its SHA-256; redirects only where `follow` says so. */
  fetch(
    url: string,
    file: string,
    options: Parameters<DrawingParts["fetch"]>[2] & { follow(from: string, to: string): boolean },
  ): Promise<string>;
  /** Queries the surrounding tmux; called once, when needed. */
  tmux(): Promise<OuterTerminal | undefined>;
  load(): Promise<typeof import("./drawing.ts")>;
}

/** From this width of the text on thumbnails are larger. */
const WIDE_TEXT = 68;

/** Thumbnail sizes within the byte budget of a frame: a half-block cell takes 38 bytes, a placeholder 10. */
const THUMBNAIL: Record<"kitty" | "half-blocks", { wide: Cells; narrow: Cells }> = {
  kitty: { wide: { cols: 40, rows: 12 }, narrow: { cols: 28, rows: 8 } },
  "half-blocks": { wide: { cols: 28, rows: 8 }, narrow: { cols: 20, rows: 6 } },
};

/** In a very wide text a thumbnail grows to a third of it, up to the size of the sharpest ones. */
function largestThumbnail(stream: keyof typeof THUMBNAIL, width: number): Cells {
  if (width < WIDE_TEXT) return THUMBNAIL[stream].narrow;
  const { wide } = THUMBNAIL[stream];
  const most = THUMBNAIL.kitty.wide;
  const cols = Math.min(most.cols, Math.max(wide.cols, Math.floor(width / 3)));
  return { cols, rows: Math.max(wide.rows, Math.floor((most.rows * cols) / most.cols)) };
}

/** The storage keys of the hosts that are trusted, and of those that the user was asked about. */
const UPLOAD_HOSTS = "uploadHosts";
const ASKED_HOSTS = "askedHosts";

const trustedHosts = (setting: string, learned: readonly string[]): ReadonlySet<string> =>
  new Set([...setting.toLowerCase().split(","), ...learned].map((host) => host.trim()));

const NO_HOSTS: ReadonlySet<string> = new Set();

const WAITING = { kind: "waiting" } as const;

/** Why a picture is not shown, in a few words. */
export function refusalWords({ why, size }: Refused): string {
  return why === "pixels" && size
    ? words.pictures.pixels(size.width, size.height)
    : words.pictures.refused[why === "pixels" ? "damaged" : why];
}

export class Pictures {
  readonly #parts: PicturesParts;
  #setting: Setting;
  #hosts: ReadonlySet<string>;
  #capabilities: (TerminalAnswers & { cell?: Pixels }) | undefined;
  #tmux: OuterTerminal | undefined;
  #drawing: Drawing | undefined;
  #moving: MovingPicture | undefined;
  #loading = false;
  /** A message was drawn without its picture because the terminal had not answered yet. */
  #drawnTooEarly = false;
  #changeScheduled: NodeJS.Immediate | undefined;
  /** Called when pictures have to be drawn again. */
  onChange: () => void = () => {};

  constructor(parts: PicturesParts) {
    this.#parts = parts;
    this.#setting = parts.setting;
    this.#hosts = this.#trusted(parts.hosts);
  }

  get setting(): Setting {
    return this.#setting;
  }

  /** Undefined until the terminal has answered. */
  get route(): PictureRoute | undefined {
    const { level, env } = this.#parts;
    if (!this.#capabilities) return undefined;
    const { kittyGraphics, sixel, version } = this.#capabilities;
    return pictureRoute({
      setting: this.#setting,
      level,
      env,
      answers: { kittyGraphics, sixel, ...(version !== undefined && { version }) },
      ...(this.#tmux && { tmux: this.#tmux }),
    });
  }

  /** Takes the capabilities of the terminal, or the defaults if it did not answer. */
  setCapabilities(capabilities: TerminalAnswers & { cell?: Pixels }): void {
    const before = this.route;
    this.#capabilities = capabilities;
    if (this.route?.reason === before?.reason) return;
    this.#stopDrawing();
    if (before || this.#drawnTooEarly) this.onChange();
  }

  /** Changes the setting. */
  setSetting(setting: Setting): void {
    if (setting === this.#setting) return;
    this.#setting = setting;
    const removal = this.removeAll();
    if (removal !== "") this.#parts.output.write(removal);
    this.#stopDrawing();
    this.onChange();
  }

  /** Changes the setting `pictures.hosts`. */
  setHosts(hosts: string): void {
    this.#hosts = this.#trusted(hosts);
    this.onChange();
  }

  /** Trusts the host of a file the user uploaded: it is the provider's file storage. */
  uploaded(attachment: Attachment): void {
    const host = URL.parse(pictureOf(attachment)?.url ?? "")?.hostname;
    if (host !== undefined) this.trust(host);
  }

  /** The public host of a picture that is opened, if its pictures are not fetched unasked and nobody was asked about it; not twice. */
  hostToAsk({ url }: Picture): string | undefined {
    const { providerHost, storage } = this.#parts;
    const host = URL.parse(url)?.hostname;
    const asked = storage.remember<string[]>(ASKED_HOSTS) ?? [];
    if (host === undefined || asked.includes(host) || mayFetchUnasked(url, providerHost, this.#hosts))
      return undefined;
    if (!mayFetchUnasked(url, providerHost, new Set([ANY_HOST]))) return undefined;
    storage.keep(ASKED_HOSTS, [...asked, host]);
    return host;
  }

  /** Fetches this host's pictures unasked from now on, also after a restart. */
  trust(host: string): void {
    const hosts = this.#uploadHosts();
    if (host === this.#parts.providerHost || hosts.includes(host)) return;
    this.#parts.storage.keep(UPLOAD_HOSTS, [...hosts, host]);
    this.#hosts = new Set([...this.#hosts, host]);
    this.onChange();
  }

  /** Cycles through the configured route, half blocks and off; returns a sentence. */
  next(): string {
    const configured = this.#parts.setting === "off" ? "auto" : this.#parts.setting;
    const cycle: Setting[] =
      configured === "half-blocks" ? [configured, "off"] : [configured, "half-blocks", "off"];
    this.setSetting(cycle[(cycle.indexOf(this.#setting) + 1) % cycle.length]!);
    return words.pictures.switched(this.route?.reason ?? this.#setting);
  }

  /** Whether pictures are drawn in the panel, and whether as pixels over its cells. */
  get draws(): boolean {
    return (this.route?.panel ?? "off") !== "off";
  }
  get drawsPixels(): boolean {
    const { panel } = this.route ?? {};
    return panel === "iterm2" || panel === "sixel";
  }

  /** Whether thumbnails are drawn between messages. */
  get drawsThumbnails(): boolean {
    return (this.route?.stream ?? "off") !== "off";
  }

  /** A cache key that changes when the thumbnail would be drawn differently. */
  cacheKey(attachments: readonly Attachment[] | undefined): string {
    if (!attachments?.length) return "";
    const picture = firstPicture(attachments);
    if (picture && !this.#capabilities) this.#drawnTooEarly = true;
    return picture && this.drawsThumbnails
      ? `${this.#setting}${this.#mayFetch(picture)}${this.#drawing?.loader.version(picture.thumb) ?? "-"}`
      : "";
  }

  /** The rows of a thumbnail in at most `width` cells; the number of rows is the same while it is loading. */
  thumbnail(attachment: Attachment, width: number): string[] {
    const stream = this.route?.stream ?? "off";
    const picture = pictureOf(attachment);
    if (stream === "off" || !picture) return [];
    const max = largestThumbnail(stream, width);
    if (width < max.cols) return [];
    if (!this.#mayFetch(picture))
      return [truncate(words.pictures.elsewhere(shownHost(picture.thumb)), width)];
    const box = picture.size ? cellsFor(picture.size, max, this.#cellSize()) : max;
    const state = this.#draw(picture.thumb, "stream", box);
    if (state.kind === "refused") return [words.pictures.notShown(refusalWords(state.refused))];
    const rows = state.kind === "rows" ? state.rows : [];
    return Array.from({ length: box.rows }, (_, i) => rows[i] ?? "");
  }

  /** The whole picture, for the panel. */
  drawInPanel({ url }: Picture, box: Cells): DrawnPicture {
    return (this.route?.panel ?? "off") === "off" ? WAITING : this.#draw(url, "panel", box);
  }

  /** Lets a picture move while it is selected, and no other. */
  play(picture: MovingPicture | undefined): void {
    this.#moving = picture;
    this.#drawing?.play(picture);
  }

  /** Retries a failed fetch when the picture is opened again. */
  retry({ url }: Picture): void {
    this.#drawing?.loader.dropFailed(url);
  }

  /** The bytes that remove all pictures from the terminal; `again` redraws them. */
  removeAll(): string {
    return this.#drawing?.removeAll() ?? "";
  }

  /** Draws all pictures again after the terminal was cleared. */
  redrawAll(): void {
    const removal = this.removeAll();
    if (removal !== "") this.#parts.output.write(removal);
    this.#drawing?.loader.invalidateAll();
    this.onChange();
  }

  close(): void {
    clearImmediate(this.#changeScheduled);
    this.#stopDrawing();
  }

  /** Whether files of this address are fetched unasked. */
  knowsHost(url: string): boolean {
    return mayFetchUnasked(url, this.#parts.providerHost, this.#hosts);
  }

  /** Whether a redirect is followed. */
  follows(from: string, to: string): boolean {
    return mayFollow(from, to, this.#parts.providerHost, this.#hosts);
  }

  #mayFetch({ thumb }: Picture): boolean {
    return this.knowsHost(thumb);
  }

  #trusted(setting: string): ReadonlySet<string> {
    return this.#parts.onlyProvider ? NO_HOSTS : trustedHosts(setting, this.#uploadHosts());
  }

  #uploadHosts(): readonly string[] {
    return this.#parts.storage.remember<string[]>(UPLOAD_HOSTS) ?? [];
  }

  #stopDrawing(): void {
    this.#drawing?.close();
    this.#drawing = undefined;
  }

  #cellSize(): Pixels {
    return this.#capabilities?.cell ?? DEFAULT_CELL;
  }

  #draw(url: string, where: "stream" | "panel", box: Cells): DrawnPicture {
    if (this.#drawing) return this.#drawing.draw(url, where, box);
    void this.#load();
    return WAITING;
  }

  /** Loads the drawing code and queries tmux, once the first picture is visible. */
  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    const { load, tmux, level } = this.#parts;
    const [{ Drawing }, outerTmux] = await Promise.all([load(), this.#tmux ?? tmux()]);
    this.#loading = false;
    this.#tmux = outerTmux;
    const { route } = this;
    if (!route || route.stream === "off" || level < 2) return;
    const { folder, output, fetch } = this.#parts;
    this.#drawing = new Drawing({
      route,
      level: level as 2 | 3,
      folder,
      output,
      fetch: (url, file, limits) =>
        fetch(url, file, {
          ...limits,
          follow: (from, to) => this.follows(from, to),
        }),
      cell: () => this.#cellSize(),
      changed: () => this.#scheduleChange(),
    });
    if (this.#moving) this.#drawing.play(this.#moving);
    this.onChange();
  }

  /** Batches pictures that arrive in the same turn. */
  #scheduleChange(): void {
    this.#changeScheduled ??= setImmediate(() => {
      this.#changeScheduled = undefined;
      this.onChange();
    });
  }
}

/** The picture shown as a thumbnail; further pictures of a message are lines that `v` opens. */
function firstPicture(attachments: readonly Attachment[]): Picture | undefined {
  for (const attachment of attachments) {
    const picture = pictureOf(attachment);
    if (picture) return picture;
  }
  return undefined;
}

/** Renders pictures on the screen; the drawing code is loaded with the first visible picture. */
import {
  pictureRoute,
  type PictureRoute,
  type TerminalAnswers,
  type TmuxAround,
} from "../../config/picture-route.ts";
import type { Settings } from "../../config/settings.ts";
import type { Core } from "../../core/core.ts";
import { mayFetchUnasked, pictureOf, type Picture } from "../../model/pictures.ts";
import { shownHost } from "../../text/safe-url.ts";
import { truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Drawing, DrawnPicture, DrawingParts } from "./drawing.ts";
import type { Refused } from "./decoding.ts";
import { USUAL_CELL, cellsFor, type Cells, type Pixels } from "./size.ts";

type Setting = Settings["pictures"];

export interface PicturesParts {
  setting: Setting;
  level: 0 | 1 | 2 | 3;
  env: Readonly<Record<string, string | undefined>>;
  /** The host of the profile's provider. */
  ownHost: string;
  /** The setting `pictures.hosts`: further hosts whose pictures are fetched automatically. */
  hosts: string;
  /** Stores the hosts to which the provider has uploaded this user's files. */
  kept: Pick<Core, "remember" | "keep">;
  folder: string;
  line: DrawingParts["line"];
  fetch: DrawingParts["fetch"];
  /** Queries the surrounding tmux; called once, when needed. */
  tmux(): Promise<TmuxAround | undefined>;
  load(): Promise<typeof import("./drawing.ts")>;
}

/** Thumbnail sizes within the byte budget of a frame: a half-block cell takes 38 bytes, a placeholder 10. */
const THUMBNAIL: Record<"kitty" | "half-blocks", Cells> = {
  kitty: { cols: 20, rows: 6 },
  "half-blocks": { cols: 16, rows: 5 },
};

/** The storage key of the upload hosts. */
const UPLOAD_HOSTS = "uploadHosts";

const hostsIn = (setting: string, uploads: readonly string[]): ReadonlySet<string> =>
  new Set([...setting.toLowerCase().split(","), ...uploads].map((host) => host.trim()));

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
  #answers: (TerminalAnswers & { cell?: Pixels }) | undefined;
  #tmux: TmuxAround | undefined;
  #drawing: Drawing | undefined;
  #loading = false;
  /** A message was drawn without its picture because the terminal had not answered yet. */
  #missed = false;
  #told: NodeJS.Immediate | undefined;
  /** Called when pictures have to be drawn again. */
  onChange: () => void = () => {};

  constructor(parts: PicturesParts) {
    this.#parts = parts;
    this.#setting = parts.setting;
    this.#hosts = hostsIn(parts.hosts, this.#uploadHosts());
  }

  get setting(): Setting {
    return this.#setting;
  }

  /** Undefined until the terminal has answered. */
  get route(): PictureRoute | undefined {
    const { level, env } = this.#parts;
    if (!this.#answers) return undefined;
    const { kittyGraphics, sixel, version } = this.#answers;
    return pictureRoute({
      setting: this.#setting,
      level,
      env,
      answers: { kittyGraphics, sixel, ...(version !== undefined && { version }) },
      ...(this.#tmux && { tmux: this.#tmux }),
    });
  }

  /** Takes the capabilities of the terminal, or the defaults if it did not answer. */
  answered(answers: TerminalAnswers & { cell?: Pixels }): void {
    const before = this.route;
    this.#answers = answers;
    if (this.route?.says === before?.says) return;
    this.#stop();
    if (before || this.#missed) this.onChange();
  }

  /** Changes the setting. */
  choose(setting: Setting): void {
    if (setting === this.#setting) return;
    this.#setting = setting;
    const taken = this.takeDown();
    if (taken !== "") this.#parts.line.write(taken);
    this.#stop();
    this.onChange();
  }

  /** Changes the setting `pictures.hosts`. */
  trust(hosts: string): void {
    this.#hosts = hostsIn(hosts, this.#uploadHosts());
    this.onChange();
  }

  /** Trusts the host of a file the user uploaded: it is the provider's file storage. */
  uploaded(a: Attachment): void {
    const host = URL.parse(pictureOf(a)?.url ?? "")?.hostname;
    const known = this.#uploadHosts();
    if (host === undefined || host === this.#parts.ownHost || known.includes(host)) return;
    this.#parts.kept.keep(UPLOAD_HOSTS, [...known, host]);
    this.#hosts = new Set([...this.#hosts, host]);
    this.onChange();
  }

  /** Cycles through the configured route, half blocks and off; returns a sentence. */
  next(): string {
    const usual = this.#parts.setting === "off" ? "auto" : this.#parts.setting;
    const ways: Setting[] = usual === "half-blocks" ? [usual, "off"] : [usual, "half-blocks", "off"];
    this.choose(ways[(ways.indexOf(this.#setting) + 1) % ways.length]!);
    return words.pictures.switched(this.route?.says ?? this.#setting);
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
  stamp(attachments: readonly Attachment[] | undefined): string {
    if (!attachments?.length) return "";
    const picture = firstPicture(attachments);
    if (picture && !this.#answers) this.#missed = true;
    return picture && this.drawsThumbnails
      ? `${this.#setting}${this.#mayFetch(picture)}${this.#drawing?.album.version(picture.thumb) ?? "-"}`
      : "";
  }

  /** The rows of a thumbnail in at most `width` cells; the number of rows is the same while it is loading. */
  thumbnail(a: Attachment, width: number): string[] {
    const stream = this.route?.stream ?? "off";
    const picture = pictureOf(a);
    if (stream === "off" || !picture) return [];
    const most = THUMBNAIL[stream];
    if (width < most.cols) return [];
    if (!this.#mayFetch(picture))
      return [truncate(words.pictures.elsewhere(shownHost(picture.thumb)), width)];
    const box = picture.size ? cellsFor(picture.size, most, this.#cell()) : most;
    const drawn = this.#draw(picture.thumb, "stream", box);
    if (drawn.kind === "refused") return [words.pictures.notShown(refusalWords(drawn.refused))];
    const rows = drawn.kind === "rows" ? drawn.rows : [];
    return Array.from({ length: box.rows }, (_, i) => rows[i] ?? "");
  }

  /** The whole picture, for the panel. */
  whole({ url }: Picture, box: Cells): DrawnPicture {
    return (this.route?.panel ?? "off") === "off" ? WAITING : this.#draw(url, "panel", box);
  }

  /** Retries a failed fetch when the picture is opened again. */
  retry({ url }: Picture): void {
    this.#drawing?.album.forget(url);
  }

  /** The bytes that remove all pictures from the terminal; `again` redraws them. */
  takeDown(): string {
    return this.#drawing?.takeDown() ?? "";
  }

  /** Draws all pictures again after the terminal was cleared. */
  again(): void {
    const taken = this.takeDown();
    if (taken !== "") this.#parts.line.write(taken);
    this.#drawing?.album.touchAll();
    this.onChange();
  }

  close(): void {
    clearImmediate(this.#told);
    this.#stop();
  }

  #mayFetch({ thumb }: Picture): boolean {
    return mayFetchUnasked(thumb, this.#parts.ownHost, this.#hosts);
  }

  #uploadHosts(): readonly string[] {
    return this.#parts.kept.remember<string[]>(UPLOAD_HOSTS) ?? [];
  }

  #stop(): void {
    this.#drawing?.close();
    this.#drawing = undefined;
  }

  #cell(): Pixels {
    return this.#answers?.cell ?? USUAL_CELL;
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
    const [{ Drawing }, around] = await Promise.all([load(), this.#tmux ?? tmux()]);
    this.#loading = false;
    this.#tmux = around;
    const { route } = this;
    if (!route || route.stream === "off" || level < 2) return;
    const { folder, line, fetch } = this.#parts;
    this.#drawing = new Drawing({
      route,
      level: level as 2 | 3,
      folder,
      line,
      fetch,
      cell: () => this.#cell(),
      changed: () => this.#changed(),
    });
    this.onChange();
  }

  /** Batches pictures that arrive in the same turn. */
  #changed(): void {
    this.#told ??= setImmediate(() => {
      this.#told = undefined;
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

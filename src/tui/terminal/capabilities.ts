/** Queries the capabilities of the terminal once; no frame waits for the answers. */
import type { ReplyEvent } from "../input/events.ts";
import { printsQueries, terminalName } from "../../config/terminal-replies.ts";

/** Measured widths (cells) of sequences that terminals draw differently. */
interface ProbedWidths {
  /** ❤️: text heart with an emoji selector. */
  vs16: number;
  /** 👍🏽: emoji with a skin tone. */
  skinTone: number;
  /** 👩‍👩‍👧: three people joined. */
  zwj: number;
}

export interface Capabilities {
  /** The terminal answered at least its device attributes. */
  answered: boolean;
  /** Name and version from XTVERSION; untrusted, without control characters. */
  version?: string;
  kittyKeyboard: boolean;
  kittyGraphics: boolean;
  sixel: boolean;
  /** 0–255 each. */
  background?: { r: number; g: number; b: number };
  /** Size of a cell in pixels. */
  cell?: { width: number; height: number };
  widths?: ProbedWidths;
}

const PROBES: readonly (keyof ProbedWidths)[] = ["vs16", "skinTone", "zwj"];
const GLYPHS: Readonly<Record<keyof ProbedWidths, string>> = { vs16: "❤️", skinTone: "👍🏽", zwj: "👩‍👩‍👧" };

/**
 * The queries, for an empty alternate screen: glyphs are drawn hidden on row 2 and erased again; the device
 * attributes are queried last, so their answer means that no other follows. Empty for a terminal known to print
 * unknown queries. With `stands` a frame is already shown and is not erased: the next frame covers the glyphs.
 */
export function capabilityQueries(env: Record<string, string | undefined>, isFrameShown = false): string {
  if (printsQueries(env)) return "";
  const isAppleTerminal = env["TERM_PROGRAM"] === "Apple_Terminal";
  const probes = PROBES.map((name) => `\x1b[2;1H${GLYPHS[name]}\x1b[6n`).join("");
  return (
    `\x1b[8m${probes}\x1b[0m\x1b[H${isFrameShown ? "" : "\x1b[J"}\x1b[?u` +
    (isAppleTerminal ? "" : "\x1b[>0q\x1b[16t\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\") +
    "\x1b]11;?\x1b\\\x1b[c"
  );
}

/** A colour component of one to four hexadecimal digits as 0–255, like XParseColor. */
const component = (hex: string): number => Math.round((parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);

/** Collects the answers; `done` becomes true with the last one. */
export class CapabilityReader {
  readonly found: Capabilities = {
    answered: false,
    kittyKeyboard: false,
    kittyGraphics: false,
    sixel: false,
  };
  done = false;
  readonly #columns: number[] = [];

  /** True if the reply answered one of the queries. */
  take(reply: ReplyEvent): boolean {
    const { kind, data } = reply;
    const found = this.found;
    if (kind === "csi") {
      const position = /^\d+;(\d+)R$/.exec(data);
      if (position) {
        this.#columns.push(Number(position[1]));
        if (this.#columns.length === PROBES.length)
          found.widths = Object.fromEntries(
            PROBES.map((name, i) => [name, this.#columns[i]! - 1]),
          ) as unknown as ProbedWidths;
        return true;
      }
      if (/^\?\d+u$/.test(data)) return (found.kittyKeyboard = true);
      const cell = /^6;(\d+);(\d+)t$/.exec(data);
      if (cell) {
        if (Number(cell[1]) > 0 && Number(cell[2]) > 0)
          found.cell = { width: Number(cell[2]), height: Number(cell[1]) };
        return true;
      }
      const attributes = /^\?([\d;]+)c$/.exec(data);
      if (attributes) {
        found.sixel = attributes[1]!.split(";").slice(1).includes("4");
        found.answered = true;
        this.done = true;
        return true;
      }
      return false;
    }
    if (kind === "dcs" && data.startsWith(">|")) {
      found.version = terminalName(data.slice(2));
      return true;
    }
    if (kind === "apc" && data.startsWith("Gi=31;")) {
      found.kittyGraphics = data === "Gi=31;OK";
      return true;
    }
    const colour = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(data);
    if (kind === "osc" && colour) {
      found.background = { r: component(colour[1]!), g: component(colour[2]!), b: component(colour[3]!) };
      return true;
    }
    return false;
  }
}

/** Whether the background is light; undefined if the terminal did not report it. */
export function isLight(capabilities: Capabilities): boolean | undefined {
  const { background } = capabilities;
  return background && 0.299 * background.r + 0.587 * background.g + 0.114 * background.b > 140;
}

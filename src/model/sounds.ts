/** Finds the sounds of a message: voice messages and audio files with a safe address. */
import { cleanLine } from "../text/sanitize.ts";
import { safeUrl } from "../text/safe-url.ts";
import type { Attachment } from "../wire/entities/attachment.ts";
import type { Message } from "../wire/entities/message.ts";
import { isLinkCard } from "./message-links.ts";

export interface Sound {
  url: string;
  name: string;
  /** Milliseconds, as the message claims; absent if it does not. */
  length?: number;
}

const TYPES = new Set(["audio", "voiceRecording"]);

const isLength = (n: unknown): n is number => typeof n === "number" && n > 0 && n < 1e6;

/** Undefined if the attachment is no sound or has no safe address. */
export function soundOf(a: Attachment): Sound | undefined {
  const isOne = TYPES.has(String(a.type)) || /^audio\//i.test(String(a.mime_type ?? ""));
  if (!isOne || isLinkCard(a)) return undefined;
  const url = safeUrl(String(a.asset_url ?? ""))?.href;
  if (url === undefined) return undefined;
  const { duration } = a;
  return {
    url,
    name: cleanLine(String(a.title || a.fallback || "")),
    ...(isLength(duration) && { length: duration * 1000 }),
  };
}

export const soundsOf = ({ attachments = [] }: Partial<Pick<Message, "attachments">>): Sound[] =>
  attachments.flatMap((a) => soundOf(a) ?? []);

/** How far the sound is that was played last; times in milliseconds. */
export type SoundState = Pick<Sound, "url" | "length"> & {
  phase: "loading" | "playing" | "ended";
  /** Whole seconds of it that were heard. */
  heard: number;
};

/** Identifiers of the protocol: their forms, cids, and the messages of the local checks (R-ID). */
import { CHANNEL_ID_LENGTH, USER_ID_LENGTH } from "./constants.ts";

export const ANONYMOUS_ID = "!anon";
/** Keys that would reach a prototype. They are dropped when reading, and not allowed as names that become keys in answers. */
export const POISONED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
export const POISONED_KEY_PROBLEM = `must not be ${[...POISONED_KEYS].join(" or ")}`;
const USER_ID = new RegExp(`^[\\w@-]{1,${USER_ID_LENGTH}}$`);
const CHANNEL_TYPE = /^[\w-]{1,64}$/;
const CHANNEL_ID = new RegExp(`^[\\w!-]{1,${CHANNEL_ID_LENGTH}}$`);

export const CID_FORM = "Cid must look like type:id";

/** A message id: non-blank, at most 255 characters, without `,` and `%`. */
export function isMessageId(id: string): boolean {
  return id.trim() !== "" && id.length <= 255 && !/[,%]/.test(id);
}

export function isUserId(id: string): boolean {
  return USER_ID.test(id) && !POISONED_KEYS.has(id);
}

/** Why a channel type is invalid (R-ID-1), or undefined. */
export function channelTypeProblem(type: string): string | undefined {
  if (type.includes(":")) return `Invalid channel type ${type}, it may not contain a colon`;
  if (POISONED_KEYS.has(type)) return `Invalid channel type ${type}, it ${POISONED_KEY_PROBLEM}`;
  if (!CHANNEL_TYPE.test(type)) return `Invalid channel type ${type}, use letters, digits, "_" and "-"`;
  return undefined;
}

/** Why a channel id is invalid (R-ID-2), or undefined. */
export function channelIdProblem(id: string): string | undefined {
  if (id.includes(":")) return `Invalid channel id ${id}, it may not contain a colon`;
  if (!CHANNEL_ID.test(id))
    return `Invalid channel id ${id}, use at most 64 letters, digits, "_", "-" and "!"`;
  return undefined;
}

export function makeCid(type: string, id: string): string {
  return `${type}:${id}`;
}

/** Splits at the first colon; undefined when there is none or a half is empty. */
export function splitCid(cid: string): { type: string; id: string } | undefined {
  const colon = cid.indexOf(":");
  if (colon < 1 || colon === cid.length - 1) return undefined;
  return { type: cid.slice(0, colon), id: cid.slice(colon + 1) };
}

/** Why a cid is invalid: its form, its type, then its id; or undefined. */
export function cidProblem(cid: string): string | undefined {
  const parts = splitCid(cid);
  return parts ? (channelTypeProblem(parts.type) ?? channelIdProblem(parts.id)) : CID_FORM;
}

/** The form of names of roles, permissions, commands and blocklists (specification/wire.md §8). */
export const NAME = /^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_-]{1,64}$/;
export const NAME_FORM = `may hold letters, digits, _ and - only, at most 64, and ${POISONED_KEY_PROBLEM}`;

/** The form of ids that callers choose for campaigns and segments. */
export const CHOSEN_ID = /^[\w@.!:-]{1,255}$/;
export const CHOSEN_ID_FORM = "must hold letters, digits, _, -, @, ., : and ! only";

/** R-ID-13: a message id made by the client, recognizable after a retry. `uuid` is a fresh UUID v4. */
export function makeMessageId(userId: string, uuid: string): string {
  return `${userId}-${uuid}`;
}

/** Lists of words that messages are checked against (specification/admin.md §5). */
import { choice, list, need, shape, text, time, type Infer } from "./fields.ts";

export const BLOCKLIST_TYPES = [
  "word",
  "regex",
  "domain",
  "domain_allowlist",
  "email",
  "email_allowlist",
] as const;
export type BlocklistType = (typeof BLOCKLIST_TYPES)[number];

export const Blocklist = shape(() => ({
  name: need(text()),
  type: need(choice(...BLOCKLIST_TYPES)),
  /** Lower-case. */
  words: need(list(text())),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface Blocklist extends Infer<typeof Blocklist> {}

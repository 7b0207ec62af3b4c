/** Lists of words that messages are checked against (specification/admin.md §5). */

export const BLOCKLIST_TYPES = [
  "word",
  "regex",
  "domain",
  "domain_allowlist",
  "email",
  "email_allowlist",
] as const;
export type BlocklistType = (typeof BLOCKLIST_TYPES)[number];

export interface Blocklist {
  name: string;
  type: BlocklistType;
  /** Lower-case. */
  words: string[];
  created_at: string;
  updated_at: string;
}

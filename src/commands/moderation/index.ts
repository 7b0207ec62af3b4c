/** The commands on bans, flags and reports, by their full names. */
import act from "./act.ts";
import banList from "./ban-list.ts";
import flags from "./flags.ts";
import futureBans from "./future-bans.ts";
import logs from "./logs.ts";
import queue from "./queue.ts";
import reports from "./reports.ts";
import review from "./review.ts";

export const moderationCommands = {
  "moderation ban list": banList,
  "moderation future-bans": futureBans,
  "moderation flags": flags,
  "moderation reports": reports,
  "moderation review": review,
  "moderation queue": queue,
  "moderation act": act,
  "moderation logs": logs,
};

/** What every form of a slackdump archive holds: Slack's own objects, people, channels and messages. */
import type { Tally } from "../../tally.ts";

export interface SlackdumpRows {
  users(tally: Tally): AsyncIterable<unknown>;
  /** Also of channels that only have messages. */
  channels(tally: Tally): AsyncIterable<{ fields: object; members?: string[] | undefined }>;
  /** Of copies from several runs the newest; the others are counted. */
  messagesIn(channel: string, tally: Tally): AsyncIterable<unknown>;
  close(): void;
}

/** A copy of a message that another run or list has, too. */
export const COPY = "a message is in the export twice";

/** Runs a command of the chat line, for the screen and plain mode. */
import type { Args, Call, View } from "./base/define-command.ts";
import { startCommand } from "./base/start-command.ts";
import type { LoadedLine } from "./line.ts";

/** The context of a chat line. */
interface ChatCaller extends Pick<Call<Args>, "core" | "channelType" | "now" | "random"> {
  currentChannel: string | undefined;
  /** Maximum items of a list. */
  limit: number;
}

export interface ChatResult {
  views: View[];
  /** Set when there is nothing to show: an empty list, or done. */
  word?: "nothing" | "done";
}

export async function runInChat({ command, values }: LoadedLine, caller: ChatCaller): Promise<ChatResult> {
  const { core, currentChannel, channelType, now, random, limit } = caller;
  const { list, items } = startCommand(command, {
    args: values as never,
    core,
    ...(currentChannel === undefined ? {} : { currentChannel }),
    channelType,
    page: { limit },
    signal: new AbortController().signal,
    progress: () => {},
    dry: false,
    now,
    random,
  });
  const views: View[] = [];
  let count = 0;
  for await (const { view } of items) {
    if (view) views.push(view);
    if (++count >= limit) break;
  }
  if (list && count === 0) return { views, word: "nothing" };
  return views.length < count ? { views, word: "done" } : { views };
}

/** Runs a command of the chat line, for the screen and for plain lines: what it shows, or in a word how it ended. */
import type { Args, CommandCall, View } from "./base/define-command.ts";
import { startCommand } from "./base/start-command.ts";
import type { CommandLine } from "./line.ts";

/** Where the line was typed, and whose clock and chance it uses. */
interface ChatCaller extends Pick<CommandCall<Args>, "core" | "channelType" | "now" | "random"> {
  here: string | undefined;
  /** Items of a list at most. */
  limit: number;
}

export interface ChatResult {
  views: View[];
  /** Where there is nothing to show: an empty list, or something that was done. */
  word?: "nothing" | "done";
}

export async function runInChat({ command, values }: CommandLine, caller: ChatCaller): Promise<ChatResult> {
  const { core, here, channelType, now, random, limit } = caller;
  const { list, items } = startCommand(command, {
    args: values as never,
    core,
    ...(here === undefined ? {} : { here }),
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

/** One message in full in the panel, for texts that are folded in the list. */
import { userName, wholeUserName } from "../../../model/channels.ts";
import { wrapText } from "../../../text/wrap.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { pagePanel, type PageState } from "../../components/page.tsx";
import type { RowContext } from "../../render/context.ts";
import { messageRows } from "../../render/message.ts";

interface MessagePanel extends PageState {
  /** The message, or nothing once it is erased. */
  readonly found: readonly Message[];
}

const MESSAGE = "message";

export const messagePanel = (message: Message): MessagePanel => ({
  name: MESSAGE,
  key: message.id,
  cid: message.cid,
  found: [message],
});

/** Its author's name in rows of their own, if the row above the text cuts it. */
function wholeName({ user }: Message, { width, theme }: RowContext): string[] {
  const name = wholeUserName(user);
  return name === userName(user) ? [] : wrapText(name, width - 1).map(theme.bold);
}

export const fullMessage = pagePanel<MessagePanel>({
  name: MESSAGE,
  title: ({ found: [message] }) => userName(message?.user),
  rows({
    panel: {
      found: [message],
    },
    context,
  }) {
    if (!message) return [context.theme.dim(` ${words.message.deleted}`)];
    const rows = messageRows(message, { ...context, expanded: true, revealed: true });
    return [...wholeName(message, context), ...rows].map((row) => ` ${row}`);
  },
  copies: "found",
});

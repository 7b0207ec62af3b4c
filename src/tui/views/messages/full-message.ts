/** One message in full in the panel, for texts that are folded in the list. */
import { userName } from "../../../model/channels.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { pagePanel, type PageState } from "../../components/page.tsx";
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
    return messageRows(message, { ...context, expanded: true, revealed: true }).map((row) => ` ${row}`);
  },
  copies: "found",
});

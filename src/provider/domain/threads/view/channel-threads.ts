/** The threads of one channel that the viewer takes part in, newest first (specification/channels.md §5). */
import type { Thread } from "../../../../wire/entities/thread.ts";
import {
  THREAD_MEMBERS_LIMIT,
  THREAD_PARTICIPANTS_LIMIT,
  THREAD_REPLIES_LIMIT,
} from "../../../../wire/constants.ts";
import type { Permissions } from "../../access/view/policy.ts";
import { findMessage, isVisible } from "../../messages/storage/rows.ts";
import { visibilityOf } from "../../messages/view/visibility.ts";
import type { ViewContext } from "../../users/view/view-context.ts";
import { threadViews } from "./threads.ts";
import { headsOfUser } from "../storage/rows.ts";

const MAX_THREADS = 10;

export function threadsIn(context: ViewContext, permissions: Permissions): Thread[] {
  if (context.viewer === undefined) return [];
  const heads = headsOfUser(context.db, context.viewer, permissions.channel.cid, MAX_THREADS);
  const visibility = visibilityOf(permissions);
  const found = heads.flatMap((head) => {
    const parent = findMessage(context.db, head.parent_id);
    return parent && (permissions.unrestricted || isVisible(visibility, parent))
      ? [{ head, parent, permissions }]
      : [];
  });
  if (found.length === 0) return [];
  return threadViews(context, found, {
    participants: THREAD_PARTICIPANTS_LIMIT[0],
    replies: THREAD_REPLIES_LIMIT[0],
    members: THREAD_MEMBERS_LIMIT[0],
  });
}

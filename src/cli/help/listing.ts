/** The short list of commands: what belongs together shares a line, and what nobody types from a shell is left out. */
import type { CommandTree } from "../base/command-tree.ts";

/** Verbs of one noun that share a line, by their first one. */
const TOGETHER: readonly (readonly string[])[] = `
list get render check
get list results votes
export delete
create update set unset replace delete
add remove
delete undelete restore
set unset replace remove delete
set list remove
hide unhide
read unread
mute unmute muted
block unblock blocked
pin unpin
enable disable
archive unarchive
freeze unfreeze
join leave
accept reject
react unreact
flag unflag
vote unvote
ban unban shadow-ban
deactivate reactivate
promote demote
schedule unschedule
grant revoke
create delete
share stop
retry drop
start stop
save load
verify replay
show data
view show`
  .trim()
  .split("\n")
  .map((row) => row.split(" "));

/** Typed by programs or on the screen, or another name for what stands beside it. */
const UNLISTED: ReadonlySet<string> = new Set(
  `message send,message action,message open,message commit,thread mark-unread,draft get,member set,local robot say,local robot react,
local robot vote,local robot type,local robot move,local robot flood,permission create,permission set,permission delete,
permission get,channel watchers,channel read-state,channel batch,channel export,user export,moderation future-bans,
moderation review,audit list,app diff,profile add,local start,event listen,import wait,import get,poll option add,
poll option set,poll option remove,local fault list,local fault clear,local clock show,local snapshot list,
local snapshot delete,local coverage,local token,config explain,segment has,segment size,campaign stats,screen list,
screen run,push provider delete,token decode,task get,location update,command get,channel-type delete,role delete`
    .split(",")
    .map((path) => path.trim()),
);

/** A line of the list: the commands that share it, the first of which says what it does. */
export interface ListedLine {
  paths: readonly string[];
}

/** The lines of these paths, in their order. */
export function listedLines(tree: CommandTree, paths: readonly string[]): ListedLine[] {
  const left = new Set(paths.filter((path) => !UNLISTED.has(path)));
  const lines: ListedLine[] = [];
  for (const path of paths) {
    if (!left.has(path)) continue;
    const cut = path.lastIndexOf(" ") + 1;
    const row = TOGETHER.find(([first]) => cut > 0 && first === path.slice(cut)) ?? [];
    const others = row
      .map((verb) => path.slice(0, cut) + verb)
      .filter(
        (other) => other !== path && left.has(other) && tree.needsSecret(other) === tree.needsSecret(path),
      );
    for (const one of [path, ...others]) left.delete(one);
    lines.push({ paths: [path, ...others] });
  }
  return lines;
}

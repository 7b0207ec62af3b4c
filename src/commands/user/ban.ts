/** Bans users from the whole app. */
import { BAN_DELETIONS, type BanDeletion } from "../../wire/entities/moderation.ts";
import { CommandError, command } from "../base/define-command.ts";
import { banIs } from "../base/bulk/left-state.ts";
import {
  changeEachUser,
  userIds,
  USERS_ARGS,
  describeNames,
  confirmationHelp,
  confirmationWord,
} from "../base/bulk/names.ts";
import { minutesUntil } from "../member/ban-members.ts";

export default command({
  summary: "Ban users from the whole app",
  changes: "provider",
  examples: [
    "user ban bo --until 7d --reason spam --by mira",
    "user ban bo --shadow --by mira",
    "user ban --file bots.txt --by mira --report banned.ndjson --yes",
  ],
  args: {
    ...USERS_ARGS,
    until: { kind: "time", direction: "future", measured: true, help: "When the ban ends" },
    reason: { kind: "text", value: "text", help: "The reason" },
    shadow: { kind: "flag", help: "Do not tell them; nobody else sees what they write" },
    delete: { kind: "choice", choices: BAN_DELETIONS, help: "Also delete all their messages" },
    by: { kind: "user", actingUser: true, help: "Who bans them (default: you)" },
  },
  confirmWord: {
    word: confirmationHelp("the id of the user"),
    only: "With --delete",
  },
  needs: "secret",
  confirm: (args) =>
    args.delete === undefined
      ? { level: "moderate", question: `Ban ${describeNames(args.users, args)} from the whole app?` }
      : {
          level: "severe",
          question: `Ban ${describeNames(args.users, args)} from the whole app and delete all their messages?`,
          word: confirmationWord(args.users, args),
        },
  async *run(call) {
    const { by, until, reason, shadow, delete: deletion, users } = call.args;
    if (by === undefined)
      throw new CommandError("usage", "No user is named as the one who bans.", "Add --by <user>.");
    if (userIds(users).includes(by)) throw new CommandError("usage", "Nobody bans themselves.");
    const body = {
      banned_by_id: by,
      ...minutesUntil(until),
      ...(reason === undefined ? {} : { reason }),
      ...(shadow ? { shadow: true } : {}),
      ...(deletion === undefined ? {} : { delete_messages: deletion as BanDeletion }),
    };
    yield* changeEachUser(call, {
      batchSize: 1,
      send: ([user]) => call.core.call("ban", { body: { target_user_id: user!, ...body } }),
      ...(until === undefined && { isDone: banIs(call.core, undefined, true) }),
      result: shadow ? "shadow banned" : "banned",
      resultOf: (user) => ({
        user,
        banned: !shadow,
        shadow_banned: shadow === true,
        ...(until === undefined ? {} : { until: until.at }),
      }),
    });
  },
  show: ({ user, shadow_banned: shadow }) => `${user} ${shadow ? "shadow banned" : "banned"}`,
});

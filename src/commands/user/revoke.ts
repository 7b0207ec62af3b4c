/** Revokes the tokens of users, or undoes that (specification/auth.md §9). */
import { CommandError, command, type Args, type Call } from "../base/define-command.ts";
import { changeEachUser, USERS_ARGS, describeNames } from "../base/bulk/names.ts";

/** Asks the provider first: by a clock of this machine that is behind, the newest tokens would stay valid. */
async function providerTime({ core }: Pick<Call<Args>, "core">): Promise<string> {
  await core.call("getApp");
  return new Date(core.providerNow()).toISOString();
}

export default command({
  summary: "Revoke users' tokens issued before a given time",
  changes: "provider",
  examples: ["user revoke bo", "user revoke bo --before 2h", "user revoke bo --undo"],
  args: {
    ...USERS_ARGS,
    before: { kind: "time", help: "Reject tokens issued before this time (default: now)" },
    undo: { kind: "flag", help: "Accept the old tokens again" },
  },
  needs: "secret",
  confirm: (args) => ({
    level: args.undo ? "mild" : "moderate",
    question: args.undo
      ? `Let the old tokens of ${describeNames(args.users, args)} work again?`
      : `Revoke the tokens of ${describeNames(args.users, args)}? They are signed out at once.`,
  }),
  async *run(call) {
    const { before, undo } = call.args;
    if (undo && before !== undefined)
      throw new CommandError("usage", "--before and --undo cannot be combined.");
    const date = undo ? null : (before ?? (await providerTime(call)));
    const set = { revoke_tokens_issued_before: date };
    yield* changeEachUser(call, {
      send: (ids) =>
        call.core.call("updateUsersPartial", { body: { users: ids.map((id) => ({ id, set })) } }),
      result: undo ? "undone" : "revoked",
      resultOf: (user) => ({ user, revoke_tokens_issued_before: date }),
    });
  },
  show: ({ user, revoke_tokens_issued_before: date }) =>
    date === null ? `${user}: tokens work again` : `${user}: tokens issued before ${date} are revoked`,
});

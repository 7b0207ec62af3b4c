/** Gives a new guest its token: only the transport half knows the secret (specification/auth.md §5). */
import { signToken } from "../../wire/token.ts";
import type { User } from "../../wire/user.ts";
import type { Handlers } from "../base/handler.ts";

/** `now` in whole microseconds; without the domain's own handler there is none here either. */
export function guestHandler({ createGuest }: Handlers, secret: string, now: () => number): Handlers {
  if (!createGuest) return {};
  return {
    createGuest(call) {
      const reply = createGuest(call);
      const { id } = reply.user as User;
      return { ...reply, access_token: signToken({ user_id: id, iat: Math.floor(now() / 1e6) }, secret) };
    },
  };
}

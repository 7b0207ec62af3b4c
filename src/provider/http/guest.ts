/** Signs the token of a new guest, because only the transport has the secret (specification/auth.md §5). */
import { signToken } from "../../wire/token.ts";
import type { Handler, NewGuest } from "../base/handler.ts";

/** `now` in whole microseconds. */
export function guestHandler(create: NewGuest, secret: string, now: () => number): Handler<"createGuest"> {
  return (call) => {
    const { user } = create(call);
    return { user, access_token: signToken({ user_id: user.id, iat: Math.floor(now() / 1e6) }, secret) };
  };
}

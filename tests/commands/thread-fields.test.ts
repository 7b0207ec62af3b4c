/** Fields of a thread that only the provider writes: taking them away is refused as the provider would, before it is asked. */
import { expect, test } from "vitest";
import command from "../../src/commands/thread/unset.ts";

test.each(["reply_count", "created_at", "parent_message_id"])(
  "%s cannot be taken from a thread",
  async (field) => {
    const call = { args: { message: "m1", fields: ["mood", field] }, core: {} } as unknown;
    await expect(command.run(call as Parameters<typeof command.run>[0])).rejects.toMatchObject({
      kind: "rejected",
      message: expect.stringContaining(field),
    });
  },
);

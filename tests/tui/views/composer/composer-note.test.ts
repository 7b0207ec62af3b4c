/** The note at the right of the box, and switching to another profile. */
import { describe, expect, test } from "vitest";
import { countsDown, composerNote } from "../../../../src/tui/views/composer/composer-context.ts";
import { topPopup } from "../../../../src/tui/screen/popup.ts";
import { EPOCH, FakeCore, channel, message, stateOf } from "../../../support/fake-core.ts";
import { ScreenDriver } from "../../../support/screen-driver.ts";

function screenOf(more: Record<string, unknown> = {}, now = EPOCH + 10_000): ScreenDriver {
  const general = channel("general", { messages: [message("m1", "me", "one"), message("m2", "ana", "two")] });
  return new ScreenDriver(
    new FakeCore(stateOf([{ ...general, channel: { ...general.channel, ...more } as never }])),
    { now: () => now },
  );
}
const note = (m: ScreenDriver): string => composerNote(m.model);

describe("the note in the box", () => {
  test("says how many characters are left near the limit, and how many are too many", async () => {
    const m = screenOf({ config: { commands: [], max_message_length: 210 } });
    await m.type("tea");
    expect(note(m)).toBe("draft saved");
    await m.type("x".repeat(20));
    expect(note(m)).toBe("187 left");
    await m.type("x".repeat(190));
    expect(note(m)).toBe("3 too many");
  });

  test("says nothing of a draft of blanks", async () => {
    const m = screenOf();
    await m.type("   ");
    expect(note(m)).toBe("");
  });

  test("says nothing on a read-only screen, which neither saves a draft nor sends", async () => {
    const read = { settings: { readOnly: true } };
    const m = new ScreenDriver(new FakeCore(stateOf([channel("general", {})])), read);
    await m.type("tea");
    expect(note(m)).toBe("");
  });

  test("counts slow mode down after my own message, except for users who may skip it", () => {
    const slow = { cooldown: 30 };
    expect(note(screenOf(slow))).toBe("slow mode · 20 s");
    expect(countsDown(screenOf(slow).model)).toBe(true);
    expect(note(screenOf(slow, EPOCH + 31_000))).toBe("");
    expect(countsDown(screenOf(slow, EPOCH + 31_000).model)).toBe(false);
    expect(note(screenOf({ ...slow, own_capabilities: ["skip-slow-mode"] }))).toBe("");
    expect(note(screenOf())).toBe("");
  });
});

describe("switching to another profile", () => {
  test("works by name and from a list", async () => {
    const m = screenOf();
    await m.type("/profile home\r");
    expect(m.gone).toEqual(["home"]);
    await m.type("/profile\r");
    expect(topPopup(m.screen)).toMatchObject({
      choices: [{ label: "home", detail: "this machine" }, { runs: "login" }],
    });
    await m.press("enter");
    expect(m.gone).toEqual(["home", "home"]);
    await m.press("C-k");
    await m.type("home\r");
    expect(m.gone).toHaveLength(3);
  });

  test("names the existing profiles if there is none of that name, and does nothing for the current one", async () => {
    const m = screenOf();
    await m.type("/profile nowhere\r");
    expect(m.told().at(-1)).toBe("There is no profile nowhere: work, home. /login adds one.");
    await m.type("/profile work\r");
    expect([m.told().at(-1), m.gone]).toEqual(["You are already in the profile work.", []]);
  });

  test("asks first while messages are unsent", async () => {
    const m = screenOf();
    const row = { id: "x", cid: "messaging:general", kind: "send", state: "failed", tries: 1, busy: false };
    m.core.waitingRows = [{ ...row, created_at: new Date(EPOCH).toISOString() } as never];
    await m.type("/profile home\r");
    expect([m.gone, topPopup(m.screen)]).toMatchObject([
      [],
      {
        question: {
          question: "1 message is not sent yet and will be kept until you come back: switch anyway?",
        },
      },
    ]);
    await m.press("y");
    expect(m.gone).toEqual(["home"]);
  });
});

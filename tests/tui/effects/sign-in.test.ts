/** When the form to sign in opens by itself: once, for a refusal that it helps with, and never over what the user does. */
import { expect, test } from "vitest";
import { signInOffer } from "../../../src/tui/effects/sign-in.ts";
import { topPopup } from "../../../src/tui/screen/popup.ts";
import { words } from "../../../src/text/words.ts";
import type { State } from "../../../src/model/state.ts";
import { FakeCore, channel, stateOf } from "../../support/fake-core.ts";
import { ScreenDriver } from "../../support/screen-driver.ts";

const HOSTED = { url: "https://chat.example", key: "k", kind: "token" as const, secret: "", user: "mira" };
const open: State["link"] = { phase: "open", transport: "websocket", failures: 0, catchingUp: false };
const refused = (code?: number) =>
  ({ phase: "stopped", cause: "refused", ...(code !== undefined && { code }) }) as State["link"];

/** The links that the screen sees one after the other; answers the reason that the form shows, if it opened. */
async function after(
  links: State["link"][],
  prepare: (m: ScreenDriver) => unknown = () => {},
): Promise<string | undefined> {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general")])));
  m.ports.profiles.signInDefaults = () => HOSTED as never;
  await prepare(m);
  const offer = signInOffer(m.ports);
  for (const link of links) {
    offer({ ...m.model, link } as never);
    await m.settle();
  }
  const popup = topPopup(m.screen);
  return popup?.kind === "fields" && popup.name === "login" ? popup.fault : undefined;
}

test.each([
  [undefined, words.link.refusedOtherwise],
  [2, words.link.refused[2]],
  [5, words.link.refused[5]],
  [40, words.link.refused[40]],
  [43, words.link.refused[43]],
  [17, undefined],
  [41, undefined],
  [42, undefined],
  [99, undefined],
])("after a refusal with the code %s the form says: %s", async (code, reason) => {
  expect(await after([refused(code)])).toBe(reason);
});

test.each<[string, State["link"][], ((m: ScreenDriver) => unknown)?]>([
  ["the connection was open before", [open, refused(40)]],
  ["the user has signed out", [{ ...refused(40), cause: "signedOut" } as never]],
  ["a list is open", [refused(40)], (m) => m.press("C-k")],
  ["a text was begun", [refused(40)], (m) => m.type("hello")],
  [
    "the profile is of this machine",
    [refused(40)],
    (m) => void (m.ports.profiles.signInDefaults = () => undefined),
  ],
])("it does not open when %s", async (_, links, prepare) => {
  expect(await after(links, prepare)).toBeUndefined();
});

test("it opens once: what was closed stays closed", async () => {
  const m = new ScreenDriver(new FakeCore(stateOf([channel("general")])));
  m.ports.profiles.signInDefaults = () => HOSTED as never;
  const offer = signInOffer(m.ports);
  for (const expected of [1, 0]) {
    offer({ ...m.model, link: refused(40) } as never);
    await m.settle();
    expect(m.screen.popups).toHaveLength(expected);
    m.change((s) => ({ ...s, popups: [] }));
  }
});

/** Signing in on the screen: to another provider, to a profile whose token was removed, and without any profile. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signToken } from "../../src/wire/token.ts";
import { Home, until } from "../support/home.ts";
import type { Pty } from "../support/pty.ts";

/** The profile names the user. */
const WITHOUT_USER = { env: { PARLEY_USER: "" } };

let home: Home;
let token: (user: string) => string;

beforeAll(async () => {
  home = new Home();
  await home.up();
  await home.channel("hall", ["ana", "bob"]);
  await home.call("POST", "/users", { users: { cy: { id: "cy", name: "cy" } } });
  token = (user) => signToken({ user_id: user }, home.provider()!.secret);
});
afterAll(() => home.end());

/** Fills in and submits the form of a new profile; each blank in `switches` selects to the next sign-in method. */
function fill(screen: Pty, name: string, proof: string, switches = "", user = ""): void {
  const { url, apiKey } = home.provider()!;
  screen.type(`${name}\t\x15${url}\t${apiKey}\t${switches}\t${proof}\t${user}`);
  screen.key("C-j");
}

test("a profile added with the form is signed in to; a refused token is neither shown nor stored", async () => {
  await using screen = home.screen(["chat", "messaging:hall"]);
  await screen.waitFor("● online");
  screen.key("C-p");
  await screen.waitFor("Actions and commands");
  screen.type("login");
  await screen.waitFor(/▌ *Sign in to a provider/);
  screen.key("enter");
  await screen.waitFor("API key");
  const forged = signToken({ user_id: "bob" }, "another-secret-another-secret-another");
  fill(screen, "work", forged);
  await screen.waitFor("! ");
  expect(screen.text()).toContain("****");
  expect(screen.text()).not.toContain(forged.slice(-12));
  expect((await home.run(["profile", "list"])).out).not.toContain("work");
  screen.key("S-tab");
  screen.type("\x15");
  await screen.waitFor("from whoever runs the app");
  screen.type(token("bob"));
  screen.key("C-j");
  await screen.waitFor("● online   work");
  await screen.waitFor("Signed in as bob. work is now the default");
  screen.type("/profile local\r");
  await screen.waitFor("online   local");
});

test("a profile without a token opens with its cached channels and the sign-in form, and a typed token signs in", async () => {
  await home.run(["logout", "work"]);
  await using screen = home.screen(["--profile", "work"], WITHOUT_USER);
  await screen.waitFor("Sign in");
  await screen.waitFor("! the provider does not accept this sign-in");
  expect(screen.text()).toContain("#hall");
  screen.type(token("bob"));
  screen.key("C-j");
  await screen.waitFor("● online   work");
  await screen.waitFor("Signed in as bob");
});

test("a token revoked while the screen is open is reported in the title with /login, and unsent messages go out after signing in", async () => {
  await using screen = home.screen(["--profile", "work", "chat", "messaging:hall"], WITHOUT_USER);
  await screen.waitFor("● online");
  const revoke = (at: string | null): Promise<unknown> =>
    home.call("PATCH", "/users", { users: [{ id: "bob", set: { revoke_tokens_issued_before: at } }] });
  await revoke(new Date(Date.now() + 60_000).toISOString());
  screen.type("is anybody there?\r");
  await screen.waitFor("signed out: the token has expired or was revoked · /login");
  await screen.waitFor("waiting for you to sign in");
  await revoke(null);
  screen.type("/login\r");
  await screen.waitFor("API key");
  screen.type(token("bob"));
  screen.key("C-j");
  await screen.waitFor("Signed in as bob");
  await until("the message", async () =>
    (await home.messages("messaging:hall")).some(({ text }) => text === "is anybody there?"),
  );
});

test("the form signs in with the app's secret, which is never shown, and with a command that prints a token", async () => {
  await using screen = home.screen(["--profile", "local", "chat", "messaging:hall"], WITHOUT_USER);
  await screen.waitFor("● online");
  const { secret } = home.provider()!;
  screen.type("/login\r");
  await screen.waitFor("API key");
  fill(screen, "ops", secret, " ");
  await screen.waitFor("! Enter the user id too");
  expect(screen.text()).not.toContain(secret.slice(-12));
  screen.type("ana");
  screen.key("C-j");
  await screen.waitFor("Signed in as ana");
  await screen.waitFor("online   ops");
  screen.type("/profile local\r");
  await screen.waitFor("online   local");
  screen.type("/login\r");
  await screen.waitFor("API key");
  fill(screen, "robot", `printf %s ${token("bob")}`, "  ", "bob");
  await screen.waitFor("Signed in as bob");
  await screen.waitFor("online   robot");
});

test("a user without any channel is told how to create one", async () => {
  await using screen = home.screen(["--profile", "local", "chat", "messaging:hall"]);
  await screen.waitFor("● online");
  screen.type("/login\r");
  await screen.waitFor("API key");
  fill(screen, "empty", token("cy"));
  await screen.waitFor("online   empty");
  await screen.waitFor("You are not in any channel yet");
  screen.type("make a channel\r");
  await screen.waitFor("New channel");
  screen.type("Tea");
  screen.key("C-j");
  await screen.waitFor("#Tea   1 member");
  const config = readFileSync(path.join(home.folder, "config/parley/config.json"), "utf8");
  expect(config).not.toContain(token("cy"));
});

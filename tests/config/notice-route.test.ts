/** How desktop notifications are sent: by the name the terminal reports, also over SSH and through tmux, else by the environment. */
import { expect, test } from "vitest";
import { noticeRoute } from "../../src/config/notice-route.ts";
import { wrapForTmux } from "../../src/text/sequence-text.ts";

const SSH = { TERM: "xterm-256color", SSH_CONNECTION: "1" };

test.each([
  ["kitty(0.40.1)", "osc99"],
  ["ghostty 1.1.3", "osc777"],
  ["WezTerm 20240203", "osc777"],
  ["foot(1.16.2)", "osc777"],
  ["iTerm2 3.5.2", "osc9"],
  ["XTerm(370)", "bell"],
] as const)("over SSH a terminal that answers %s gets notices by %s", (version, route) => {
  const way = noticeRoute({ setting: "auto", env: SSH, version });
  expect([way.route, way.tmux]).toEqual([route, false]);
  expect(way.reason).toContain(version);
});

test("the terminal's answer wins over the environment, which may be inherited", () =>
  expect(
    noticeRoute({ setting: "auto", env: { TERM_PROGRAM: "WezTerm" }, version: "kitty(0.40)" }).route,
  ).toBe("osc99"));

test("inside tmux, notices go through it to the outer terminal if it allows that, else the bell is used", () => {
  const env = { TMUX: "/tmp/tmux" };
  const inside = (passthrough: boolean, terminal = "kitty(0.40)") =>
    noticeRoute({ setting: "auto", env, version: "tmux 3.4", tmux: { terminal, passthrough } });
  expect(inside(true)).toMatchObject({
    route: "osc99",
    tmux: true,
    reason: "osc99 through tmux, in kitty(0.40)",
  });
  expect(inside(false)).toMatchObject({
    route: "bell",
    tmux: false,
    hint: "tmux needs: set -g allow-passthrough on",
  });
  expect(inside(true, "XTerm(370)")).toMatchObject({ route: "bell", tmux: false });
  expect(noticeRoute({ setting: "osc9", env })).toMatchObject({ route: "osc9", tmux: true });
  expect(noticeRoute({ setting: "bell", env })).toMatchObject({ route: "bell", tmux: false });
});

test("escape sequences for tmux are doubled and wrapped, and a bell is not", () => {
  expect(wrapForTmux("\x1b]9;a\x07", true)).toBe("\x1bPtmux;\x1b\x1b]9;a\x07\x1b\\");
  expect(wrapForTmux("\x07", false)).toBe("\x07");
  expect(wrapForTmux("", true)).toBe("");
});

/** Notifications on the desktop: a call over the session's D-Bus, whose text no process listing shows (specification/screen.md §7). */
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createBroker, createClient, defineInterface, type DBusBroker } from "dbus-native";
import { afterAll, beforeAll, expect, test } from "vitest";
import { showOnDesktop } from "../../src/cli/shell-commands/notify/desktop.ts";
import { removeFolder } from "../support/remove-folder.ts";

const NAME = "org.freedesktop.Notifications";
let folder: string;
let broker: DBusBroker;
let env: { DBUS_SESSION_BUS_ADDRESS: string };
/** What the notification service was asked to show: application, title, body. */
const shown: string[][] = [];
/** The arguments of every process while a notification was being shown. */
let processes = "";

const argumentsOfAll = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-bus-"));
  broker = createBroker();
  const file = path.join(folder, "bus");
  await broker.listen({ socket: file });
  env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${file}` };
});
afterAll(async () => {
  await broker.close();
  removeFolder(folder);
});

test("without a bus, or without a service on it, there is no desktop to show it on", async () => {
  expect(await showOnDesktop({}, "bo", "hi")).toBe(false);
  expect(await showOnDesktop({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" }, "bo", "hi")).toBe(false);
  expect(await showOnDesktop({ DBUS_SESSION_BUS_ADDRESS: "nonsense" }, "bo", "hi")).toBe(false);
  expect(await showOnDesktop(env, "bo", "hi")).toBe(false);
});

test("the service gets title and body as text, and no process has them as arguments", async () => {
  const bus = createClient({ busAddress: env.DBUS_SESSION_BUS_ADDRESS });
  await bus.requestName(NAME, 0);
  const service = defineInterface({
    name: NAME,
    methods: {
      Notify: {
        in: {
          app: "s",
          replaces: "u",
          icon: "s",
          title: "s",
          body: "s",
          actions: "as",
          hints: "a{sv}",
          timeout: "i",
        },
        out: { id: "u" },
        handler: ({ app, title, body }: Record<string, string>): number => {
          shown.push([app!, title!, body!]);
          processes = argumentsOfAll();
          return shown.length;
        },
      },
    },
  });
  bus.exportInterface(service.impl, "/org/freedesktop/Notifications", service.descriptor);
  expect(await showOnDesktop(env, "bo in #ops", "wisteria <b>now</b> & --later")).toBe(true);
  expect(shown).toEqual([["Parley", "bo in #ops", "wisteria &lt;b&gt;now&lt;/b&gt; &amp; --later"]]);
  expect(processes).not.toContain("wisteria");
  await bus.close();
});

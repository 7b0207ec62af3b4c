/** Shows a notification on the desktop; its text is never an argument of a program, which every user of the machine can read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { sessionBus } from "dbus-native";
import { withoutSecrets } from "../../../config/child-env.ts";
import type { Env } from "../../../config/paths.ts";

/** A notification service that has not answered by then is treated as absent, ms. */
const TIMEOUT_MS = 3000;

/** Returns false if there is no desktop to show it on. */
export function showOnDesktop(env: Env, title: string, body: string): Promise<boolean> {
  return process.platform === "darwin" ? runAppleScript(env, title, body) : callNotify(env, title, body);
}

const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Calls the desktop's notification service over the session's D-Bus; it reads the body as markup. */
async function callNotify(env: Env, title: string, body: string): Promise<boolean> {
  const busAddress = env.DBUS_SESSION_BUS_ADDRESS;
  if (!busAddress) return false;
  try {
    const bus = sessionBus({ busAddress });
    const lost = once(bus.connection, "error").then(() => false);
    const plainBody = body.replace(/[&<>]/g, (sign) => MARKUP[sign]!);
    const shown = bus.invoke(
      {
        destination: "org.freedesktop.Notifications",
        path: "/org/freedesktop/Notifications",
        interface: "org.freedesktop.Notifications",
        member: "Notify",
        signature: "susssasa{sv}i",
        body: ["Parley", 0, "", title, plainBody, [], [], -1],
      },
      { timeout: TIMEOUT_MS },
    );
    return await Promise.race([shown.then(() => true), lost]).finally(() => bus.connection.end());
  } catch {
    return false;
  }
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, String.raw`\$&`)}"`;

async function runAppleScript(env: Env, title: string, body: string): Promise<boolean> {
  const child = spawn("osascript", ["-"], {
    stdio: ["pipe", "ignore", "ignore"],
    env: withoutSecrets(env),
  });
  child.stdin.on("error", () => {});
  child.stdin.end(`display notification ${quoted(body)} with title ${quoted(title)}\n`);
  const failed = once(child, "error").then(() => false);
  return Promise.race([failed, once(child, "exit").then(([code]) => code === 0)]);
}

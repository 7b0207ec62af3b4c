/** A provider process, a fault proxy in front of it, and a home whose profile uses that proxy, for tests of the screen and the command line. */
import path from "node:path";
import { FaultProxy } from "./fault-proxy.ts";
import type { Scene } from "./faults.ts";
import { Home, until, type Json, type Running } from "./home.ts";

export const CID = "messaging:general";

export class FaultStage implements Scene {
  readonly home = new Home();
  readonly data = path.join(this.home.folder, "served");
  readonly proxy = new FaultProxy(() => Number(new URL(this.home.provider(this.data)!.url).port));
  #provider!: Running;

  static async open(): Promise<FaultStage> {
    const stage = new FaultStage();
    await stage.#open();
    return stage;
  }

  async #open(): Promise<void> {
    const { home, data, proxy } = this;
    this.#provider = home.start(["serve", "--data", data, "--seed", "none"]);
    const { pid } = this.#provider.child;
    await until("the provider", () => home.provider(data)?.pid === pid);
    await home.channel("general", ["ana", "bob"], {}, data);
    await proxy.listen();
    const words = [
      "login",
      "work",
      "--url",
      proxy.url,
      "--key",
      home.provider(data)!.apiKey,
      "--user",
      "ana",
    ];
    const { code, err } = await home.run([
      ...words,
      "--kind",
      "secret",
      "--secret-file",
      path.join(data, "secret"),
      "--no-test",
    ]);
    if (code !== 0) throw new Error(`login ended with ${code}: ${err}`);
  }

  stopProvider(on: boolean): void {
    process.kill(this.#provider.child.pid!, on ? "SIGSTOP" : "SIGCONT");
  }

  /** Sends directly to the provider, also while the program under test is cut off. */
  async say(text: string, user = "bob"): Promise<void> {
    await this.home.say(CID, user, { text }, this.data);
  }

  /** The provider's texts of the channel that begin with `start`, oldest first. */
  async held(start: string): Promise<string[]> {
    const all: Json[] = await this.home.messages(CID, this.data);
    return all.map((message) => message.text as string).filter((text) => text.startsWith(start));
  }

  async close(): Promise<void> {
    this.stopProvider(false);
    await this.proxy.close();
    await this.home.end();
  }
}

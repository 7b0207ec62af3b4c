/** A company network: a home whose profiles reach a provider behind TLS, by name through a proxy or without one. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeAuthority, type Authority } from "./certificates.ts";
import { startForwardProxy, type ForwardProxy } from "./forward-proxy.ts";
import { Home } from "./home.ts";
import { startTlsFront, type TlsFront } from "./tls-front.ts";

/** A host name that only the proxy can resolve. */
export const PROXIED_HOST = "chat.parley.test";
const PROXIED_KEY = "far-key";

export interface CompanyNetwork {
  home: Home;
  authority: Authority;
  front: TlsFront;
  proxy: ForwardProxy;
  end(): Promise<void>;
}

/** Profile `near` uses https://localhost, `far` a name behind the proxy; both reach the same provider. */
export async function startCompanyNetwork(): Promise<CompanyNetwork> {
  const home = new Home();
  await home.up();
  await home.channel("general", ["ana", "bob"]);
  const { apiKey, secret } = home.provider()!;
  const authority = makeAuthority();
  const front = await startTlsFront(authority.issue(["localhost", PROXIED_HOST]), () => home.provider()!.url);
  front.rewrite = (target) => target.replace(`api_key=${PROXIED_KEY}`, `api_key=${apiKey}`);
  const proxy = await startForwardProxy(() => front.port);
  const profile = { kind: "secret", user: "ana", store: "file" };
  mkdirSync(path.join(home.folder, "config/parley"), { recursive: true });
  const config = {
    profiles: {
      near: { ...profile, url: front.url, key: apiKey },
      far: { ...profile, url: `https://${PROXIED_HOST}`, key: PROXIED_KEY },
    },
  };
  writeFileSync(path.join(home.folder, "config/parley/config.json"), JSON.stringify(config));
  Object.assign(home.env, {
    PARLEY_API_SECRET: secret,
    PARLEY_PROFILE: "near",
    PARLEY_CA_FILE: authority.file,
  });
  return {
    home,
    authority,
    front,
    proxy,
    async end() {
      await home.end();
      await front.close();
      await proxy.close();
      authority.remove();
    },
  };
}

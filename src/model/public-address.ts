/** Checks that an address is public, so that the provider cannot be used to reach internal networks (OG-3). */
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** IANA's special-purpose IPv4 blocks, which are not public. */
const SPECIAL_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** Special-purpose parts of 2000::/3, and those that embed an IPv4 address (Teredo, 6to4). */
const SPECIAL_V6: readonly [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const v4 = new BlockList();
for (const [net, bits] of SPECIAL_V4) v4.addSubnet(net, bits, "ipv4");
const v6 = new BlockList();
for (const [net, bits] of SPECIAL_V6) v6.addSubnet(net, bits, "ipv6");
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");

/** An address as text, without brackets. Mapped, translated and every other form outside 2000::/3 is not public. */
export function isPublic(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return !v4.check(address, "ipv4");
  if (kind === 6) return global.check(address, "ipv6") && !v6.check(address, "ipv6");
  return false;
}

/** The current addresses of this machine's interfaces; even a public one leads to this machine. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

/** Whether an address is in the list, in any notation. */
export function isOneOf(address: string, own: readonly string[]): boolean {
  const list = new BlockList();
  for (const entry of own) {
    // An interface address may have a zone: fe80::1%eth0.
    const withoutZone = entry.replace(/%.*$/, "");
    if (isIP(withoutZone)) list.addAddress(withoutZone, isIP(withoutZone) === 6 ? "ipv6" : "ipv4");
  }
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

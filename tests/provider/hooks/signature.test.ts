/** Webhook signature check: what a receiver must accept and what it must refuse (specification/admin.md §12). */
import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { signWebhook, verifyWebhook, webhookBody } from "../../../src/wire/entities/webhook.ts";

describe("webhook signature check", () => {
  const body = '{"type":"message.new","text":"käse 🧀"}';
  const good = createHmac("sha256", "secret").update(body).digest("hex");

  test("a signature is lower-case hex of HMAC-SHA256 over the raw body", () => {
    expect(signWebhook(body, "secret")).toBe(good);
    expect(signWebhook(Buffer.from(body), "secret")).toBe(good);
    expect(verifyWebhook(body, good, "secret")).toBe(true);
    expect(verifyWebhook(Buffer.from(body), good, "secret")).toBe(true);
  });

  test("a received signature may be upper-case, and have the name of its algorithm before it", () => {
    for (const signature of [good.toUpperCase(), `sha256=${good}`, `SHA256=${good.toUpperCase()}`])
      expect([signature, verifyWebhook(body, signature, "secret")]).toEqual([signature, true]);
  });

  test("a gzipped body is recognized by 1F 8B and checked unpacked", () => {
    const packed = gzipSync(body);
    expect([packed[0], packed[1]]).toEqual([0x1f, 0x8b]);
    expect(verifyWebhook(packed, good, "secret")).toBe(true);
    expect(verifyWebhook(packed, signWebhook(packed, "secret"), "secret")).toBe(false);
    expect(Buffer.from(webhookBody(packed)!).toString("utf8")).toBe(body);
  });

  test.each([
    ["another body", body + " ", good],
    ["another secret", body, createHmac("sha256", "other").update(body).digest("hex")],
    ["a part of it", body, good.slice(0, 62)],
    ["more than it", body, good + "00"],
    ["another algorithm", body, `sha1=${good}`],
    ["two prefixes", body, `sha256=sha256=${good}`],
    ["base64", body, Buffer.from(good, "hex").toString("base64")],
    ["nothing", body, ""],
    ["no header", body, undefined],
  ])("%s is refused", (_, body, signature) => expect(verifyWebhook(body, signature, "secret")).toBe(false));

  test("a broken gzip and one that unpacks to too much are refused", () => {
    const broken = Buffer.from([0x1f, 0x8b, 1, 2, 3]);
    expect(verifyWebhook(broken, signWebhook(broken, "secret"), "secret")).toBe(false);
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024));
    expect(webhookBody(bomb)).toBeUndefined();
  });
});

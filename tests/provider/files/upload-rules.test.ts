/** UP-2, UP-3: the upload rules of the provider, at their edges and in their order. */
import { describe, expect, test } from "vitest";
import {
  checkConfig,
  cleanMimeType,
  isImageUpload,
  isMedia,
  sizeLimit,
} from "../../../src/provider/files/rules.ts";
import type { UploadConfig } from "../../../src/wire/entities/attachment.ts";

/** The rule that refuses the upload; undefined if it is accepted. */
function refusedBy(
  config: UploadConfig,
  name: string,
  type = "application/octet-stream",
): string | undefined {
  try {
    checkConfig(config, name, cleanMimeType(type));
    return undefined;
  } catch (error) {
    return (error as { fields?: { file?: string } }).fields?.file;
  }
}

describe("types", () => {
  test.each<[string, UploadConfig, string | undefined]>([
    ["a blocked type", { blocked_mime_types: ["application/pdf"] }, "blocked_mime_types"],
    ["a blocked type in capitals", { blocked_mime_types: ["Application/PDF"] }, "blocked_mime_types"],
    ["a blocked family", { blocked_mime_types: ["application/*"] }, "blocked_mime_types"],
    [
      "the second of two blocked types",
      { blocked_mime_types: ["text/html", "application/pdf"] },
      "blocked_mime_types",
    ],
    ["a family that is a prefix only", { blocked_mime_types: ["app/*"] }, undefined],
    ["a type that is a prefix only", { blocked_mime_types: ["application/pd"] }, undefined],
    ["an allowed family", { allowed_mime_types: ["application/*"] }, undefined],
    ["another allowed family", { allowed_mime_types: ["image/*"] }, "allowed_mime_types"],
    [
      "a type that is allowed and blocked",
      { allowed_mime_types: ["application/*"], blocked_mime_types: ["application/pdf"] },
      "blocked_mime_types",
    ],
  ])("%s", (_, config, rule) => expect(refusedBy(config, "a.pdf", "application/pdf; v=1")).toBe(rule));

  test("a file without a type is checked by its name only", () => {
    expect(
      refusedBy({ allowed_mime_types: ["image/*"], blocked_mime_types: ["*/*"] }, "a.pdf"),
    ).toBeUndefined();
  });
});

test.each<[string, UploadConfig, string, string | undefined]>([
  ["a blocked extension", { blocked_file_extensions: ["exe"] }, "a.exe", "blocked_file_extensions"],
  [
    "a blocked ending with a dot, in capitals",
    { blocked_file_extensions: [".EXE"] },
    "a.eXe",
    "blocked_file_extensions",
  ],
  [
    "an extension that is not the last is ignored",
    { blocked_file_extensions: ["exe"] },
    "a.exe.txt",
    undefined,
  ],
  ["the last extension counts", { blocked_file_extensions: ["exe"] }, "a.txt.exe", "blocked_file_extensions"],
  [
    "no extension where some are allowed",
    { allowed_file_extensions: ["txt"] },
    "exe",
    "allowed_file_extensions",
  ],
  [
    "a name that is only an allowed extension",
    { allowed_file_extensions: ["txt"] },
    "txt",
    "allowed_file_extensions",
  ],
  [
    "an extension that is allowed and blocked",
    { allowed_file_extensions: ["exe"], blocked_file_extensions: ["exe"] },
    "a.exe",
    "blocked_file_extensions",
  ],
])("%s", (_, config, name, rule) => expect(refusedBy(config, name)).toBe(rule));

test("the first refusing rule is named", () => {
  const config: UploadConfig = {
    allowed_file_extensions: ["txt"],
    blocked_file_extensions: ["exe"],
    allowed_mime_types: ["text/*"],
    blocked_mime_types: ["application/*"],
  };
  expect(refusedBy(config, "a.exe", "application/x")).toBe("allowed_file_extensions");
  expect(refusedBy({ ...config, allowed_file_extensions: [] }, "a.exe", "application/x")).toBe(
    "blocked_file_extensions",
  );
  expect(refusedBy(config, "a.txt", "application/x")).toBe("allowed_mime_types");
  expect(refusedBy({ ...config, allowed_mime_types: [] }, "a.txt", "application/x")).toBe(
    "blocked_mime_types",
  );
  expect(refusedBy(config, "a.txt", "text/plain")).toBeUndefined();
});

test("an SVG may be uploaded as an image and is not displayed as media; an invalid type counts as none", () => {
  expect([isImageUpload("a", "image/svg+xml"), isMedia("image/svg+xml"), isMedia("image/png")]).toEqual([
    true,
    false,
    true,
  ]);
  expect([isImageUpload("a.png", "text/plain"), isImageUpload("a.png", cleanMimeType("nonsense"))]).toEqual([
    false,
    true,
  ]);
});

test("the size limit of an app is at most 100 MiB, which is also the default", () => {
  const MIB = 1024 * 1024;
  expect([0, 5, 100 * MIB, 100 * MIB + 1].map((size_limit) => sizeLimit({ size_limit }))).toEqual([
    100 * MIB,
    5,
    100 * MIB,
    100 * MIB,
  ]);
});

/** Contract rows of uploaded files. */
import { expect } from "vitest";
import type { Case } from "./case.ts";
import { UPLOADED } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const URL_FORM: unknown = expect.stringMatching(
  /^http:\/\/127\.0\.0\.1:\d+\/files\/.*[?&]Expires=\d+&.*sig=/,
);

export const attachedCases: Case[] = uploads();

function uploads(): Case[] {
  const form =
    (name: string | undefined, type = "text/plain", content = "tea") =>
    () => {
      const data = new FormData();
      if (name !== undefined) data.append("file", new Blob([content], { type }), name);
      return { form: data };
    };
  const stored =
    (route: (r: Room) => string) =>
    async (r: Room): Promise<Json> =>
      r.world.ok("bob", "POST", route(r), { ...form("tea.png", "image/png")() });
  const rows: Case[] = [];
  for (const kind of ["file", "image"] as const) {
    const inRoom = `/channels/{type}/{id}/${kind}`;
    const free = `/uploads/${kind}`;
    for (const path of [inRoom, free]) {
      const post = `POST ${path}`;
      const gone = `DELETE ${path}`;
      const at = (r: Room): string => (path === inRoom ? `${r.route}/${kind}` : free);
      rows.push(
        {
          route: post,
          name: "stores the file and answers an absolute, signed URL",
          as: "bob",
          input: form("tea.png", "image/png"),
          reply: UPLOADED,
          values: () => ({ file: URL_FORM }),
        },
        {
          route: post,
          name: "needs a file",
          as: "bob",
          input: () => {
            const data = new FormData();
            data.append("user", JSON.stringify({ id: "bob" }));
            return { form: data };
          },
          code: 4,
          field: "file",
        },
        { route: post, name: "needs a multipart body", as: "bob", input: () => ({ body: {} }), code: 4 },
        {
          route: gone,
          name: "UP-6: deletes for the uploader",
          as: "bob",
          prepare: stored(at),
          input: (r) => ({ query: { url: r.extra.file } }),
          reply: {},
        },
        {
          route: gone,
          name: "UP-6: refuses to delete for another user",
          as: "cyd",
          prepare: stored(at),
          input: (r) => ({ query: { url: r.extra.file } }),
          code: 17,
        },
        {
          route: gone,
          name: "UP-6: refuses an unknown file",
          as: "bob",
          input: (r) => ({ query: { url: `${r.world.address.url}/files/none/tea.png` } }),
          code: 16,
        },
        { route: gone, name: "needs an address", as: "bob", code: 4, field: "url" },
      );
      if (path === inRoom)
        rows.push(
          {
            route: post,
            name: "UP-1: refuses a user who is not a member",
            as: "dan",
            input: form("tea.png", "image/png"),
            code: 17,
          },
          {
            route: post,
            name: "an unknown channel",
            as: "bob",
            path: () => ({ id: "none" }),
            input: form("tea.png", "image/png"),
            code: 16,
          },
          {
            route: post,
            name: "UP-1: refuses uploads where they are disabled",
            as: "bob",
            prepare: async (r) =>
              r.world.ok("server", "PATCH", r.route, {
                body: { user_id: "ada", set: { config_overrides: { uploads: false } } },
              }),
            input: form("tea.png", "image/png"),
            code: 19,
          },
        );
      if (kind === "image")
        rows.push({
          route: post,
          name: "UP-3: refuses a file that is not an image",
          as: "bob",
          input: form("tea.txt"),
          code: 4,
          field: "file",
        });
    }
  }
  return rows;
}

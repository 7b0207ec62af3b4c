/** What a write that fails leaves behind: nothing, and an error that names the file. */
import { mkdirSync, rmdirSync } from "node:fs";
import path from "node:path";

/** Names the file in an error of the system, which does not name what is open already, or names a part of it. */
export function aboutFile(error: unknown, file: string): unknown {
  if (error instanceof Error && "syscall" in error) (error as NodeJS.ErrnoException).path = file;
  return error;
}

/** Makes a folder with those above it; returns how to remove those that it made, unless something is in them. */
export function makeFolders(folder: string, mode?: number): () => void {
  const first = mkdirSync(folder, { recursive: true, ...(mode !== undefined && { mode }) });
  return () => {
    if (first === undefined) return;
    const top = path.resolve(first);
    for (let at = path.resolve(folder); at.length >= top.length; at = path.dirname(at))
      try {
        rmdirSync(at);
      } catch {
        return;
      }
  };
}

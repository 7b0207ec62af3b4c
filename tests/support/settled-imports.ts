/** Waits after each file of tests for the modules that it began to load: files that share a process would otherwise fail with them. */
import { afterAll, vi } from "vitest";

afterAll(() => vi.dynamicImportSettled());

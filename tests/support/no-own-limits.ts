/** Fails a test with a time limit of its own below the general one: on a busy machine it would fail with nothing wrong. */
import { beforeEach } from "vitest";
import { TEST_PATIENCE } from "./patience.ts";

beforeEach(({ task }) => {
  if (task.timeout < TEST_PATIENCE)
    throw new Error(
      `The limit of ${task.timeout} ms is below the ${TEST_PATIENCE} ms of every test: leave it out.`,
    );
});

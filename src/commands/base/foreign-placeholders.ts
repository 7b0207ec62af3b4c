/** Says of placeholders that other tools fill, and that are sent unchanged here, how they are written here. */
import { foreignIn, variablesIn } from "../../wire/entities/template.ts";

/** `own`: the placeholder here; `condition`: what stands here for an instruction such as `{% if x %}`. */
export function unfilledProblem(
  found: string,
  { own, condition }: { own: string; condition: string },
): string {
  const [inside] = variablesIn(found);
  if (inside) return `${found} has three braces, and is sent with the outer ones: write ${inside.text}`;
  if (found.startsWith("{%"))
    return `${found} is an instruction of another tool, and is sent as it stands: ${condition}`;
  if (found.startsWith("{{") || found === "}}")
    return `${found} is not a placeholder: write ${own}, with two words and a dot`;
  return `${found} is a placeholder of another tool, and is sent as it stands: write ${own}`;
}

/** The problems of a push template, which is handlebars, each with its line. */
export const foreignInPush = (name: string, template: string): string[] =>
  template.split("\n").flatMap((line, n) =>
    foreignIn(line).map((found) => {
      const problem = unfilledProblem(found, {
        own: "{{ receiver.name }}",
        condition: "write {{#if x}} … {{/if}}",
      });
      return `${name} line ${n + 1}: ${problem}`;
    }),
  );

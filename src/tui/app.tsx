/** The tree Ink draws: every pane a box at its place with one Text a row; all thinking is done in picture.ts. */
import { Box, Text, useCursor } from "ink";
import { memo } from "react";
import type { JSX } from "react";
import type { Layout } from "./screen/layout.ts";
import type { Drawn, Picture } from "./picture.ts";
import type { Model } from "./screen/store.ts";
import type { Ui } from "./ui.ts";
import { useModel } from "./use-core.ts";

interface Props {
  ui: Ui;
  picture: Picture;
}

/** An empty Text has no height: a blank keeps the row. */
const Row = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === "" ? " " : text}</Text>);

/** The rows of one pane; the same picture is not rendered twice. */
export const Rows = memo(({ drawn }: { drawn: Drawn }) => {
  const { rect, rows } = drawn;
  return (
    <Box
      position="absolute"
      top={rect.y}
      left={rect.x}
      width={rect.width}
      height={rect.height}
      flexShrink={0}
      flexDirection="column"
    >
      {rows.slice(0, rect.height).map((text, i) => (
        // Rows have no life of their own: a row is its place.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={i} text={text} />
      ))}
    </Box>
  );
});

function Pane({ ui, select }: { ui: Ui; select: (model: Model) => Drawn | undefined }): JSX.Element | null {
  const drawn = useModel(ui, select);
  return drawn ? <Rows drawn={drawn} /> : null;
}
const MemoPane = memo(Pane);

/** The vertical lines; they change with the size alone. */
const Rules = memo(({ layout, ui }: { layout: Layout; ui: Ui }) => {
  const height = (layout.divider ?? 1) - 1;
  const text = Array.from({ length: height }, () => ui.ports.theme.dim("│")).join("\n");
  const below = Array.from({ length: layout.composer.height }, () => ui.ports.theme.dim("│")).join("\n");
  const ends = layout.rules.length ? [layout.rules[0]!, layout.rules.at(-1)!] : [];
  return (
    <>
      {layout.rules.map((x) => (
        <Box key={x} position="absolute" top={1} left={x} width={1} height={height} flexShrink={0}>
          <Text>{text}</Text>
        </Box>
      ))}
      {ends.map((x) => (
        <Box
          key={`c${x}`}
          position="absolute"
          top={layout.composer.y}
          left={x}
          width={1}
          height={layout.composer.height}
        >
          <Text>{below}</Text>
        </Box>
      ))}
    </>
  );
});

const Frame = memo(({ ui, picture }: Props) => <Rules ui={ui} layout={useModel(ui, picture.layout)} />);

const Caret = memo(({ ui, picture }: Props) => {
  const at = useModel(ui, picture.caret);
  const { setCursorPosition } = useCursor();
  setCursorPosition(at);
  return null;
});

/** The whole screen. Rows are cut to their panes already, so nothing is clipped: clipping measures every row again (specification/screen.md §2). Popups come last: later siblings paint over earlier ones, and their rows are filled. */
export function App({ ui, picture }: Props): JSX.Element {
  const { columns, rows } = useModel(ui, picture.layout);
  return (
    <Box width={columns} height={process.platform === "win32" ? rows - 1 : rows}>
      <MemoPane ui={ui} select={picture.header} />
      <Frame ui={ui} picture={picture} />
      <MemoPane ui={ui} select={picture.sidebar} />
      <MemoPane ui={ui} select={picture.main} />
      <MemoPane ui={ui} select={picture.panel} />
      <MemoPane ui={ui} select={picture.divider} />
      <MemoPane ui={ui} select={picture.composer} />
      <MemoPane ui={ui} select={picture.status} />
      <MemoPane ui={ui} select={picture.completion} />
      <MemoPane ui={ui} select={picture.notices} />
      <MemoPane ui={ui} select={picture.popup} />
      <Caret ui={ui} picture={picture} />
    </Box>
  );
}

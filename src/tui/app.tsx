/** The root component: renders every view in the rectangle the layout gives it. */
import { Box } from "ink";
import type { JSX } from "react";
import { padEnd } from "../text/width.ts";
import { words } from "../text/words.ts";
import { wrapText } from "../text/wrap.ts";
import { Caret } from "./caret.tsx";
import { InOtherHalf, useLook, useModel } from "./components/context.ts";
import { Divider, Rules } from "./components/frame.tsx";
import { Backdrop, Rows, type DrawnRows } from "./components/rows.tsx";
import type { Theme } from "./render/theme.ts";
import { LEAST, type Layout } from "./screen/layout.ts";
import { Completion } from "./views/composer/completion.tsx";
import { ComposerView } from "./views/composer/composer.tsx";
import { enterRuns } from "./views/composer/text-actions.ts";
import { FieldsForm } from "./views/forms/fields.tsx";
import { Banner } from "./views/lists/banner.tsx";
import { Messages } from "./views/messages/messages.tsx";
import { PanelView } from "./views/panel/panel.tsx";
import { PollFormView } from "./views/poll/form.tsx";
import { PopupView } from "./views/popup/popup.tsx";
import { Sidebar } from "./views/sidebar/sidebar.tsx";
import { Header } from "./views/status/header.tsx";
import { Notices } from "./views/status/notices.tsx";
import { Status } from "./views/status/status.tsx";

/** In the place of all views, where none has room. */
function sentence(theme: Theme, { columns, rows }: Layout): DrawnRows {
  const text = wrapText(words.tooSmall(LEAST.columns, LEAST.rows), Math.max(1, columns)).slice(0, rows);
  const lines = Array.from({ length: rows }, (_, y) => padEnd(theme.warn(text[y] ?? ""), columns));
  return { rect: { x: 0, y: 0, width: columns, height: rows }, rows: lines };
}

/**
 * Rows are already cut to their views, so Ink need not clip them; clipping would measure every row again (specification/screen.md §2).
 * Popups come last: later siblings paint over earlier ones, and popup rows fill their rectangle.
 */
export function App(): JSX.Element {
  const layout = useModel(["layout"], (model) => model.layout);
  const { theme } = useLook();
  const { columns, rows, header, sidebar, banner, main, panel, divider, composer, status, other } = layout;
  if (layout.tooSmall)
    return (
      <Box width={columns} height={rows}>
        <Rows drawn={sentence(theme, layout)} />
      </Box>
    );
  return (
    <Box width={columns} height={process.platform === "win32" ? rows - 1 : rows}>
      <Backdrop value={true}>
        {header && <Header rect={header} layout={layout} />}
        <Rules layout={layout} />
        {sidebar && <Sidebar rect={sidebar} />}
        {banner && <Banner rect={banner} />}
        {main && <Messages rect={main} />}
        {panel && <PanelView rect={panel} />}
        {divider !== undefined && <Divider layout={layout} y={divider} />}
        {composer.height > 0 && <ComposerView rect={composer} />}
        {other && (
          <InOtherHalf value={true}>
            <Header rect={other.header} layout={layout} />
            {other.banner && <Banner rect={other.banner} />}
            <Messages rect={other.main} />
            <ComposerView rect={other.composer} />
          </InOtherHalf>
        )}
      </Backdrop>
      {status && <Status rect={status} enterRuns={enterRuns} />}
      <Completion layout={layout} />
      <Notices layout={layout} />
      <PopupView layout={layout} />
      <PollFormView layout={layout} />
      <FieldsForm layout={layout} />
      <Caret />
    </Box>
  );
}

/** The root component: renders every view in the rectangle the layout gives it. */
import { Box } from "ink";
import type { JSX } from "react";
import { Caret } from "./caret.tsx";
import { InOtherHalf, useModel } from "./components/context.ts";
import { Divider, Rules } from "./components/frame.tsx";
import { Backdrop } from "./components/rows.tsx";
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

/**
 * Rows are already cut to their views, so Ink need not clip them; clipping would measure every row again (specification/screen.md §2).
 * Popups come last: later siblings paint over earlier ones, and popup rows fill their rectangle.
 */
export function App(): JSX.Element {
  const layout = useModel(["layout"], (model) => model.layout);
  const { columns, rows, header, sidebar, banner, main, panel, divider, composer, status, other } = layout;
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
        <ComposerView rect={composer} />
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

/** The settings in groups, each with a name in plain words. */
import type { SettingKey } from "../../../config/settings.ts";

const GROUPS: Readonly<Record<string, Readonly<Partial<Record<SettingKey, string>>>>> = {
  "On the screen": {
    theme: "Theme",
    "messages.width": "Message width",
    "messages.spacing": "Message spacing",
    emoji: "Emoji",
    skinTone: "Skin tone of emoji",
    pictures: "Pictures",
    "pictures.hosts": "Pictures from other hosts",
    maps: "Maps",
    "time.format": "Clock",
    "time.date": "Date order",
    utc: "UTC in tables",
    firstFrame: "First frame from last time",
    accessible: "Accessible: words for marks",
    plain: "Plain lines",
  },
  "Keys and mouse": {
    keys: "Keys",
    "keys.layout": "Keys of other alphabets",
    mouse: "Mouse",
  },
  Reading: {
    openAt: "Open channels at",
    readOn: "Read when",
    "sidebar.order": "Sidebar order",
    "sidebar.preview": "Sidebar with newest messages",
  },
  Writing: {
    undoSend: "Undo a send within",
    typing: "Typing shown to others",
    linkPreviews: "Link previews while writing",
    locations: "Locations",
    "messages.longest": "Longest text",
    "drafts.sync": "Drafts at the provider, too",
    editor: "Editor",
    downloads: "Downloads go to",
  },
  Notices: {
    notifications: "Notify of",
    "notifications.words": "Notify of these words",
    "notifications.text": "Notices show the text",
    "notifications.route": "Notices are sent by",
    "notifications.command": "Notices go to a program",
  },
  "Account and connection": {
    profile: "Profile",
    user: "User to act as",
    transport: "Transport",
    proxy: "Proxy",
    caFile: "Certificates",
    timeout: "Timeout of a request",
    retries: "Retries of a read",
    maxWait: "Longest wait for a send",
    log: "Log level",
    audit: "Audit log",
  },
  "Commands in the shell": {
    channel: "Channel if none is named",
    channelType: "Channel type of #id",
    output: "Output format",
    limit: "Limit of a list",
    color: "Colours",
    pager: "Pager",
    progress: "Progress",
    nonInteractive: "Never ask",
  },
};

export interface NamedSetting {
  key: SettingKey;
  group: string;
  name: string;
}

/** All settings in the order of their groups. */
export const namedSettings: readonly NamedSetting[] = Object.entries(GROUPS).flatMap(([group, names]) =>
  Object.entries(names).map(([key, name]) => ({ key: key as SettingKey, group, name })),
);

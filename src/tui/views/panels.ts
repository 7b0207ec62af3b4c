/** All panels. */
import { registerPanel } from "../ports/panels.ts";
import { about } from "./about/about.ts";
import { campaignDefinition } from "./campaigns/campaign.tsx";
import { filesPane } from "./channel-files/files.ts";
import { details } from "./details/details.ts";
import { userLists } from "./lists/lists.ts";
import { mapDefinition } from "./map/map.tsx";
import { membersPane } from "./members/members.ts";
import { fullMessage } from "./messages/full-message.ts";
import { pictureDefinition } from "./picture/picture.tsx";
import { votes } from "./poll/voters.ts";
import { threadDefinition } from "./thread/thread.tsx";

registerPanel(threadDefinition);
registerPanel(details);
registerPanel(about);
registerPanel(votes);
registerPanel(fullMessage);
for (const { definition } of Object.values(userLists)) registerPanel(definition);
registerPanel(membersPane.definition);
registerPanel(filesPane.definition);
registerPanel(pictureDefinition);
registerPanel(mapDefinition);
registerPanel(campaignDefinition);

/** All panels. */
import { registerPanel } from "../ports/panels.ts";
import { about } from "./about/about.ts";
import { campaignDefinition } from "./campaigns/campaign.tsx";
import { filesPane } from "./channel-files/files.ts";
import { linksPane } from "./channel-files/links.ts";
import { details } from "./details/details.ts";
import { userLists } from "./lists/lists.ts";
import { mapDefinition } from "./map/map.tsx";
import { membersPane } from "./members/members.ts";
import { fullMessage } from "./messages/full-message.ts";
import { pictureDefinition } from "./picture/picture.tsx";
import { votes } from "./poll/voters.ts";
import { searchDefinition } from "./search/search.tsx";
import { threadDefinition } from "./thread/thread.tsx";

registerPanel(searchDefinition);
for (const { definition } of Object.values(userLists)) registerPanel(definition);
registerPanel(details);
registerPanel(membersPane.definition);
registerPanel(filesPane.definition);
registerPanel(linksPane.definition);
registerPanel(threadDefinition);
registerPanel(about);
registerPanel(votes);
registerPanel(fullMessage);
registerPanel(pictureDefinition);
registerPanel(mapDefinition);
registerPanel(campaignDefinition);

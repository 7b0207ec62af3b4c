/** All panels that are folders of their own. */
import { registerPanel } from "../ports/panels.ts";
import { campaignDefinition } from "./campaigns/campaign.tsx";
import { filesPane } from "./channel-files/files.ts";
import { mapDefinition } from "./map/map.tsx";
import { membersPane } from "./members/members.ts";
import { pictureDefinition } from "./picture/picture.tsx";

registerPanel(membersPane.definition);
registerPanel(filesPane.definition);
registerPanel(pictureDefinition);
registerPanel(mapDefinition);
registerPanel(campaignDefinition);

/** The commands on campaigns, by their full names. */
import check from "./check.ts";
import clone from "./clone.ts";
import create from "./create.ts";
import remove from "./delete.ts";
import diff from "./diff.ts";
import get from "./get.ts";
import list from "./list.ts";
import fresh from "./new.ts";
import optOutAdd from "./optout-add.ts";
import optOutList from "./optout-list.ts";
import optOutRemove from "./optout-remove.ts";
import preview from "./preview.ts";
import report from "./report.ts";
import resume from "./resume.ts";
import retry from "./retry.ts";
import schedule from "./schedule.ts";
import start from "./start.ts";
import stats from "./stats.ts";
import stop from "./stop.ts";
import test from "./test.ts";
import unschedule from "./unschedule.ts";
import update from "./update.ts";
import watch from "./watch.ts";

export const campaignCommands = {
  "campaign new": fresh,
  "campaign check": check,
  "campaign preview": preview,
  "campaign test": test,
  "campaign create": create,
  "campaign update": update,
  "campaign get": get,
  "campaign list": list,
  "campaign start": start,
  "campaign schedule": schedule,
  "campaign unschedule": unschedule,
  "campaign stop": stop,
  "campaign watch": watch,
  "campaign stats": stats,
  "campaign report": report,
  "campaign resume": resume,
  "campaign retry": retry,
  "campaign clone": clone,
  "campaign diff": diff,
  "campaign delete": remove,
  "campaign optout list": optOutList,
  "campaign optout add": optOutAdd,
  "campaign optout remove": optOutRemove,
};

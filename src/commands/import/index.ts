/** The commands on imports, by their full names. */
import convert from "./convert.ts";
import get from "./get.ts";
import list from "./list.ts";
import upload from "./upload.ts";
import validate from "./validate.ts";
import wait from "./wait.ts";

export const importCommands = {
  "import validate": validate,
  "import upload": upload,
  "import get": get,
  "import list": list,
  "import wait": wait,
  "import convert": convert,
};

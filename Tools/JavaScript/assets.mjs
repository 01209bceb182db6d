// Lets Node import the pages' scripts as a browser does: `node --import ./Tools/JavaScript/assets.mjs --test …`.

import { register } from "node:module";

register("./resolution.mjs", import.meta.url);

// The page's modules as Node sees them: `load("web/js/wire.js")`. MANHUNT_PACKAGE names another copy of the package.

import { register } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.env.MANHUNT_PACKAGE ?? join(here, "..", "..", "..", "src", "manhunt");

register("./hooks.mjs", import.meta.url, { data: { root: pathToFileURL(folder).href } });

export const load = (path) => import(pathToFileURL(join(folder, path)).href);

// A page that does not exist: only what all pages share.

import { shell } from "./shell.js";

shell("");

// Shown in place of a page that cannot be had: comes back by itself when there is a connection.

import { shell } from "./shell.js";

shell("");
const again = () => location.reload();
document.getElementById("again").addEventListener("click", again);
addEventListener("online", again);

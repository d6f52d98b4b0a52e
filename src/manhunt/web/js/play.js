// The page of a game: who looks is told by the address, as the holder of seats or as somebody at a table.

import { GamePage } from "./game_page.js";
import { SEATS } from "./play_words.js";
import { rememberToken, shell } from "./shell.js";
import { tableToken } from "./table_link.js";

shell("play");
const uid = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const tokens = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
for (const seat of SEATS) if (tokens[seat]) rememberToken(uid, tokens[seat]);
const table = new URLSearchParams(location.search).get("table");
const token = table && tableToken(table);
if (token) rememberToken(uid, token);
new GamePage(uid, { tokens, table, token });
addEventListener("hashchange", () => location.reload());

// Home: a card for each game that starts it with one click, the games of this browser, tables, and what was played.

import { el, recall, replace } from "./dom.js";
import { gameCard } from "./game_card.js";
import { drawLists, drawMine } from "./home_lists.js";
import { recordButton, takeDrops } from "./record_drop.js";
import { askName, complain, playerName, shell } from "./shell.js";
import { api } from "./wire.js";

const REFRESH = 5000;
const $ = (id) => document.getElementById(id);

async function open() {
  shell("home");
  takeDrops();
  $("own-record").append(recordButton());
  showName();
  let games;
  let server;
  try {
    [{ games }, server] = await Promise.all([api("/api/catalog"), api("/api/server").catch(() => ({}))]);
  } catch (error) {
    complain(error);
    setTimeout(() => location.reload(), 4000);
    return;
  }
  replace($("games"), byLastPlayed(games).map((game, i) => gameCard(game, i === 0)));
  const refresh = () => {
    if (document.hidden) return;
    drawMine($("mine"), games);
    drawLists($("lists"), games, server);
  };
  refresh();
  setInterval(refresh, REFRESH);
  document.addEventListener("visibilitychange", refresh);
}

// The game that was played here last comes first.
function byLastPlayed(games) {
  const last = recall("game");
  return [...games].sort((a, b) => (b.name === last) - (a.name === last));
}

function showName() {
  const change = async () => {
    if (await askName({ again: true })) showName();
  };
  const name = playerName();
  const button = el("button", { type: "button", class: "name", onclick: change }, name ? ["You play as ", el("b", {}, name)] : "Choose your name");
  replace($("name"), button);
}

open();

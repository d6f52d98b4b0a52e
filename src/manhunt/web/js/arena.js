// The arena: begin a match-up, watch it fill its matrix, open its games.

import { FORMAT, boardUpload } from "./board_upload.js";
import { duration, matrix, ratings, times } from "./arena_figures.js";
import { el, keyed, plural, replace } from "./dom.js";
import { announce, busy, complain, confirmed, rememberToken, shell, tokenOf } from "./shell.js";
import { api } from "./wire.js";

const SEATS = ["evader", "pursuers"];
const ACTIVE = ["waiting", "running"];
const STATES = { waiting: "waiting", running: "running", done: "done", failed: "failed", cancelled: "stopped" };
const HOW = { capture: "caught", stranded: "could not move", survival: "rounds over", exhausted: "nobody could move", arrival: "arrived", forfeit: "forfeit" };
const LIMITS = [["", "no limit"], ["0.05", "0.05 s a move"], ["0.2", "0.2 s a move"], ["1", "1 s a move"]];
const PAGE = 12;
const $ = (id) => document.getElementById(id);
const dots = (n) => "●".repeat(n) + "○".repeat(5 - n);
const when = (at) => new Date(1000 * at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

let catalog = [];
let shown = null; // the run below the lists: {id}
let shownGames = null; // {evader, pursuers, lost_by, offset}

// -- a new match-up -----------------------------------------------------------------------------------

const form = { game: null, chosen: { evader: new Set(), pursuers: new Set() } };

function drawForm() {
  const game = catalog.find((each) => each.name === form.game);
  const select = (name, values, chosen, attrs = {}) =>
    el("select", { name, ...attrs }, values.map(([value, words]) => el("option", { value, selected: value === chosen }, words)));
  const field = (title, control) => el("label", { class: "field" }, el("span", {}, title), control);
  const choices = [...game.boards.map((board) => [board.name, board.name]), ...(game.uploads ? [["", "your own file …"]] : [])];
  form.upload = null;
  const own = boardUpload((board) => (form.upload = board));
  own.hidden = true;
  const boards = choices.length > 1 ? field("Board", select("board", choices, null, { onchange: (event) => (own.hidden = event.target.value !== "") })) : null;
  replace(
    $("begin"),
    el(
      "div",
      { class: "fields" },
      field("Game", select("game", catalog.map((each) => [each.name, each.title]), game.name, { onchange: (event) => chooseGame(event.target.value) })),
      field("Rules", select("preset", game.presets.map((preset) => [preset.name, preset.name]))),
      boards,
    ),
    own,
    SEATS.map((seat) => agents(game, seat)),
    el(
      "div",
      { class: "fields" },
      field("Games in each pairing", el("input", { type: "number", name: "games", min: 1, max: 5000, value: 20, required: true, oninput: count })),
      field("Seed", el("input", { type: "number", name: "seed", min: 0, placeholder: "random" })),
      field("Thinking", select("seconds", LIMITS, "")),
    ),
    el("p", { class: "quiet", id: "count", role: "status" }),
    el("div", { class: "row" }, el("button", { type: "submit", class: "primary" }, "Start")),
  );
  count();
}

function agents(game, seat) {
  const { title, agents: all } = game.seats[seat];
  return el(
    "fieldset",
    { class: "agents" },
    el("legend", {}, title),
    all.map((agent) =>
      el(
        "label",
        { title: `${agent.spec}: ${agent.summary}` },
        el("input", {
          type: "checkbox",
          name: seat,
          value: agent.spec,
          checked: form.chosen[seat].has(agent.spec),
          onchange: (event) => {
            if (event.target.checked) form.chosen[seat].add(agent.spec);
            else form.chosen[seat].delete(agent.spec);
            count();
          },
        }),
        el("span", {}, agent.title || agent.name),
        el("small", { class: "dotted", "aria-label": `strength ${agent.strength} of 5` }, dots(agent.strength)),
      ),
    ),
  );
}

function chooseGame(name) {
  form.game = name;
  const game = catalog.find((each) => each.name === name);
  for (const seat of SEATS) {
    const all = game.seats[seat].agents;
    form.chosen[seat] = new Set(all.filter((agent) => agent.strength <= 3).slice(0, 2).map((agent) => agent.spec));
  }
  drawForm();
}

function count() {
  const [rows, columns] = SEATS.map((seat) => form.chosen[seat].size);
  const games = Number($("begin").elements.games?.value ?? 0);
  const words = rows && columns ? `${rows} × ${columns} pairings, ${plural(rows * columns * games, "game")} in all.` : "Choose at least one agent for each side.";
  $("count").textContent = words;
  $("begin").querySelector("[type=submit]").disabled = !(rows && columns && games > 0);
}

async function begin(event) {
  event.preventDefault();
  const { elements } = $("begin");
  const body = {
    game: form.game,
    preset: elements.preset.value,
    evaders: [...form.chosen.evader],
    pursuers: [...form.chosen.pursuers],
    games: Number(elements.games.value),
    seed: elements.seed.value === "" ? null : Number(elements.seed.value),
    seconds: elements.seconds.value ? Number(elements.seconds.value) : null,
  };
  if (elements.board) body.board = elements.board.value || form.upload?.board;
  if (elements.board && !body.board) {
    complain(`Choose a board file. ${FORMAT}`);
    return;
  }
  try {
    const { id, token } = await busy($("begin"), "Checking the agents", (signal) => api("/api/arena", { method: "POST", body, signal }));
    rememberToken(id, token);
    announce("The run has started");
    await showRuns();
    go(id);
  } catch (error) {
    complain(error);
  }
}

// -- lists --------------------------------------------------------------------------------------------

async function showRuns() {
  const runs = await api("/api/arena");
  $("runs").dataset.active = String(runs.some((run) => ACTIVE.includes(run.state)));
  keyed($("runs"), runs, (run) => run.id, () => el("li", {}, el("a", {})), (item, run) => {
    const link = item.firstChild;
    link.href = `/arena/${run.id}`;
    link.onclick = (event) => follow(event, run.id);
    const here = shown?.id === run.id;
    if (here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    const far = run.state === "done" ? plural(run.total, "game") : `${run.done} of ${run.total} games`;
    replace(
      link,
      el("span", { class: "what" }, el("b", {}, run.title), el("small", {}, `${run.evaders.join(", ")} against ${run.pursuers.join(", ")}`)),
      el("span", { class: "state" }, el("span", { class: `chip ${run.state}` }, STATES[run.state]), el("small", {}, far)),
    );
  });
  if (!runs.length) replace($("runs"), el("li", { class: "quiet" }, "No runs yet."));
  return runs;
}

async function showTournaments() {
  const all = await api("/api/tournaments");
  replace(
    $("tournaments"),
    all.map((each) =>
      el(
        "li",
        {},
        el(
          "a",
          { href: `/standings#${encodeURIComponent(each.name)}` },
          el("span", { class: "what" }, el("b", {}, each.name), el("small", {}, `${each.games.join(", ")}; ${plural(each.bots.length, "bot")}, ${each.format}`)),
          el("span", { class: "state" }, el("span", { class: `chip ${each.finished ? "done" : "running"}` }, each.finished ? "done" : "running"), el("small", {}, plural(each.played, "game"))),
        ),
      ),
    ),
  );
  if (!all.length) replace($("tournaments"), el("li", { class: "quiet" }, "None yet. Start one with ", el("code", {}, "manhunt tournament run FILE"), "."));
}

// -- one run ------------------------------------------------------------------------------------------

function follow(event, id) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(id);
}

function go(id) {
  const path = `/arena/${id}`;
  if (location.pathname !== path) history.pushState(null, "", path);
  open(id);
}

async function open(id) {
  shown = { id };
  shownGames = null;
  $("detail").hidden = false;
  replace($("detail"), el("div", { class: "card" }, el("p", { class: "quiet" }, "Loading …")));
  await refresh();
  $("detail").scrollIntoView({ block: innerWidth > 860 ? "nearest" : "start" });
}

async function refresh() {
  if (!shown) return;
  try {
    drawRun(await api(`/api/arena/${shown.id}`, { token: tokenOf(shown.id) }));
  } catch (error) {
    if (error.status === 404) {
      shown = null;
      replace($("detail"), el("div", { class: "card" }, el("p", { role: "alert" }, error.message)));
    } else complain(error);
  }
}

const parts = {};

function drawRun(run) {
  if (shown?.id !== run.id) return;
  document.title = `Arena: ${run.title}`;
  if (parts.id !== run.id) {
    Object.assign(parts, { id: run.id, look: null, state: null, headKey: null, listed: 0, head: el("div"), bar: el("div"), figures: el("div", { class: "stack" }), games: el("div", { class: "stack" }) });
    replace($("detail"), el("div", { class: "card stack" }, parts.head, parts.bar, parts.figures, parts.games));
  }
  const look = JSON.stringify([run.state, run.done, run.error]);
  drawHead(run);
  drawBar(run);
  if (parts.look === look) return;
  const ended = parts.look && parts.state !== run.state && !ACTIVE.includes(run.state);
  if (ended) announce(`The run is ${STATES[run.state]}`);
  Object.assign(parts, { look, state: run.state });
  const focused = document.activeElement?.closest?.(".matrix button")?.getAttribute("aria-label")?.split(":")[0];
  replace(
    parts.figures,
    el("div", { class: "scroll" }, matrix(run, (evader, pursuers) => listGames(run, { evader, pursuers, offset: 0 }))),
    wide("Ratings", ratings(run)),
    wide("Times", times(run)),
    faults(run),
  );
  if (focused) [...parts.figures.querySelectorAll(".matrix button")].find((b) => b.getAttribute("aria-label").startsWith(`${focused}:`))?.focus();
  if (run.done && (!shownGames || ended || parts.listed < PAGE)) listGames(run, { ...(shownGames ?? { offset: 0 }) });
}

// A table that may be wider than the screen; keys can scroll it, too.
function wide(name, table) {
  return table && el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);
}

function drawHead(run) {
  const button = (words, act, attrs = {}) => el("button", { type: "button", onclick: act, ...attrs }, words);
  const active = ACTIVE.includes(run.state);
  const key = `${run.id} ${run.state} ${run.done > 0}`;
  if (parts.headKey === key) return;
  parts.headKey = key;
  replace(
    parts.head,
    el(
      "div",
      { class: "row head" },
      el("div", { class: "what" }, el("h2", {}, run.heading ?? run.title), el("p", { class: "quiet" }, [run.setting, `begun ${when(run.at)}`].filter(Boolean).join(" · "))),
      active && run.mine ? button("Cancel", () => act(run, "DELETE")) : null,
      run.mine && (run.state === "cancelled" || run.state === "failed") ? button("Resume", () => act(run, "POST", "/resume"), { class: "primary" }) : null,
      run.done ? el("a", { class: "button", href: `/api/arena/${run.id}/report.html` }, "Report") : null,
      active || !run.mine ? null : button("Delete", () => forget(run)),
    ),
  );
}

function drawBar(run) {
  const share = run.total ? run.done / run.total : 0;
  const left = run.secondsLeft === null ? "" : `, about ${duration(run.secondsLeft)} left`;
  const words = {
    waiting: run.ahead ? `Waiting for ${plural(run.ahead, "other run")}.` : "Waiting.",
    running: `${run.done} of ${run.total} games played${left}.`,
    done: `All ${run.total} games have been played.`,
    cancelled: `Stopped after ${run.done} of ${run.total} games; you can resume it.`,
    failed: run.error ?? "It failed.",
  }[run.state];
  if (!parts.meter) {
    parts.meter = el("progress", { max: 1, "aria-label": "Games played" });
    parts.words = el("p", {});
  }
  parts.meter.value = share;
  parts.words.className = run.state === "failed" ? "fault" : "";
  parts.words.textContent = words;
  if (!parts.bar.contains(parts.meter)) replace(parts.bar, parts.meter, parts.words);
}

function faults(run) {
  if (!run.faults.length) return null;
  return el("div", {}, el("h3", {}, "Faults"), el("ul", {}, run.faults.map((fault) => el("li", {}, `game ${fault.number}: ${fault.seat ? `${run.names[fault.seat]}, ` : ""}${fault.why} `, fault.seat ? replayButtons(run, fault.number) : null))));
}

async function act(run, method, path = "") {
  try {
    await api(`/api/arena/${run.id}${path}`, { method, token: tokenOf(run.id) });
    await Promise.all([refresh(), showRuns()]);
  } catch (error) {
    complain(error);
  }
}

async function forget(run) {
  if (!(await confirmed("Delete this run and all its games? Games you have opened stay in the store.", "Delete"))) return;
  try {
    await api(`/api/arena/${run.id}?forget=true`, { method: "DELETE", token: tokenOf(run.id) });
    shown = null;
    $("detail").hidden = true;
    history.pushState(null, "", "/arena");
    await showRuns();
  } catch (error) {
    complain(error);
  }
}

async function listGames(run, wanted) {
  shownGames = wanted;
  const query = new URLSearchParams({ offset: wanted.offset, limit: PAGE });
  for (const name of ["evader", "pursuers", "lost_by"]) if (wanted[name]) query.set(name, wanted[name]);
  try {
    const { total, games } = await api(`/api/arena/${run.id}/games?${query}`);
    if (shown?.id !== run.id || shownGames !== wanted) return;
    drawGames(run, wanted, total, games);
  } catch (error) {
    complain(error);
  }
}

function drawGames(run, wanted, total, games) {
  parts.listed = games.length;
  const focused = parts.games.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  const turn = (step) => listGames(run, { ...wanted, offset: Math.max(0, wanted.offset + step) });
  const title = wanted.evader ? `Games of ${wanted.evader} against ${wanted.pursuers}` : wanted.lost_by ? `Games lost by ${wanted.lost_by}` : "Games";
  const place = total ? `${wanted.offset + 1} to ${wanted.offset + games.length} of ${total}` : "none";
  replace(
    parts.games,
    el("h3", {}, title, " ", el("span", { class: "quiet" }, place), " ", lostBy(run, wanted)),
    el("ul", { class: "games" }, games.map((game) => gameRow(run, game))),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", disabled: wanted.offset === 0, onclick: () => turn(-PAGE) }, "Earlier"),
      el("button", { type: "button", disabled: wanted.offset + PAGE >= total, onclick: () => turn(PAGE) }, "Later"),
      wanted.evader || wanted.lost_by ? el("button", { type: "button", onclick: () => listGames(run, { offset: 0 }) }, "All games") : null,
    ),
  );
  if (focused) parts.games.querySelector(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
}

// Whose lost games are listed.
function lostBy(run, wanted) {
  const agents = [...new Set([...run.evaders, ...run.pursuers])];
  const choose = (event) => listGames(run, { lost_by: event.target.value || undefined, offset: 0 });
  const option = (value, words) => el("option", { value, selected: value === (wanted.lost_by ?? "") }, words);
  return el("select", { "aria-label": "Games lost by", onchange: choose }, option("", "lost by anyone"), agents.map((name) => option(name, `lost by ${name}`)));
}

function gameRow(run, game) {
  const won = game.winner ? `${run.names[game.winner]}: ${HOW[game.how] ?? game.how}${game.cost === null ? "" : `, paid ${game.cost.toPrecision(5)}`}` : "could not be played";
  return el(
    "li",
    {},
    el("span", { class: "n" }, game.number),
    el("span", { class: "what" }, el("b", {}, won), el("small", {}, `${game.evader} against ${game.pursuers}, ${plural(game.rounds, "round")}`)),
    game.winner ? replayButtons(run, game.number) : null,
  );
}

function replayButtons(run, number) {
  const button = (words, query) => el("button", { type: "button", "aria-label": `${words} game ${number}`, onclick: () => replay(run, number, query) }, words);
  return el("span", { class: "row" }, button("Replay", ""), run.analysis ? button("Analyse", "?analyse") : null);
}

async function replay(run, number, query) {
  try {
    const { link } = await api(`/api/arena/${run.id}/games/${number}`, { method: "POST" });
    location.assign(link + query);
  } catch (error) {
    complain(error);
  }
}

// -- all of it ----------------------------------------------------------------------------------------

function openFromAddress() {
  const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  if (id) open(id);
  else {
    shown = null;
    $("detail").hidden = true;
  }
}

async function watch() {
  for (;;) {
    await new Promise((next) => setTimeout(next, $("runs").dataset.active === "true" ? 1000 : 4000));
    if (document.hidden) continue;
    try {
      const runs = await showRuns();
      const run = runs.find((each) => each.id === shown?.id);
      if (run && (ACTIVE.includes(run.state) || run.state !== parts.state)) await refresh();
    } catch (error) {
      complain(error);
    }
  }
}

async function start() {
  shell("arena");
  $("begin").addEventListener("submit", begin);
  addEventListener("popstate", openFromAddress);
  try {
    ({ games: catalog } = await api("/api/catalog"));
    chooseGame(catalog[0].name);
    await Promise.all([showRuns(), showTournaments()]);
  } catch (error) {
    complain(error);
    setTimeout(() => location.reload(), 4000);
    return;
  }
  openFromAddress();
  watch();
}

start();

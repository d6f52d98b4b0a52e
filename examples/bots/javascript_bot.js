// A bot that plays all games at random; Node without packages.
//
// manhunt watch pursuit --agent-mrx "cmd:node javascript_bot.js"
// manhunt bot check "node javascript_bot.js" --game pursuit
"use strict";

if (process.argv.includes("-h") || process.argv.includes("--help")) {
  console.log("A random bot for all games of manhunt, over stdin and stdout: node javascript_bot.js");
  process.exit(0);
}

// Numbers in [0, 1) from a seed below 2**32 (mulberry32): take all chance from here, and manhunt can check that you
// play fair.
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// game: the message "new" (game, config, seat, board); view: what your seat knows; legal: the moves in notation;
// clock.move: the seconds for this move. Return one of legal, or null to resign.
function choose(game, view, legal, clock, random) {
  // ---- Your own logic goes here -------------------------------------------------------------------------------------
  if (legal === null || legal.length === 0) return null;
  return legal[Math.floor(random() * legal.length)];
  // -------------------------------------------------------------------------------------------------------------------
}

let game = null;
let view = null;

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const answers = {
  hello: () => say({ t: "hello", protocol: 1, name: "javascript random", version: "1.0" }),
  new: (message) => { game = message; },
  observe: (message) => { view = message.view; },
  go: (message) => {
    const action = choose(game, view, message.legal, message.clock, randomFrom(message.seed));
    say(action === null ? { t: "resign" } : { t: "move", n: message.n, action });
  },
  error: (message) => console.error("the manager says: " + message.what),
  bye: () => process.exit(0),
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    const answer = answers[message.t];
    if (answer) answer(message);
  })
  .on("close", () => process.exit(0));

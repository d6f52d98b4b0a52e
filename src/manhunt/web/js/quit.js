// Q quits: back to the games, or, where `--figure` opened this page, the end of the server behind it.

import { complain } from "./shell.js";
import { api } from "./wire.js";

export const endsServer = new URLSearchParams(location.hash.slice(1)).has("end");
const CLOSED = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>manhunt</title><main id="ended"><h1>The game is closed</h1><p>You can close this page.</p></main></html>`;

// `before` is called when the server is about to end; a page of its own takes the place of this one, which could
// only go on asking a server that is gone.
export async function quit(before = () => {}) {
  if (!endsServer) {
    location.assign("/");
    return;
  }
  before();
  try {
    await api("/api/end", { method: "POST" });
    location.replace(URL.createObjectURL(new Blob([CLOSED], { type: "text/html" })));
  } catch (error) {
    complain(error);
  }
}

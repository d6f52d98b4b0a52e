// A field for a board of one's own: the format is said before a file is chosen, and a refused file says why.

import { el } from "./dom.js";
import { announce } from "./shell.js";
import { api } from "./wire.js";

export const FORMAT = "CSV: first a line a,b (or a,b,transport), then one edge per line, such as 1,2 or 1,2,taxi.";

// `chosen(board)` hears {board, name, nodes} when a file was taken, and null when it was refused.
export function boardUpload(chosen) {
  const said = el("span", { class: "note", role: "status" }, FORMAT);
  const send = async () => {
    const [file] = input.files;
    if (!file) return;
    const name = file.name.replace(/\.[^.]*$/, "").slice(0, 80) || "uploaded";
    try {
      const board = await api("/api/boards", { method: "POST", body: { name, text: await file.text() } });
      said.textContent = `Board ${board.name}: ${board.nodes} nodes.`;
      announce(said.textContent);
      chosen(board);
    } catch (error) {
      said.textContent = `${file.name} is not a valid board: ${error.message}. ${FORMAT}`;
      announce(said.textContent);
      chosen(null);
    }
  };
  const input = el("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain", "aria-label": "Board file", onchange: send });
  return el("span", { class: "stack" }, input, said);
}

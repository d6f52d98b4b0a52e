// Records of one's own: drop one anywhere on the page, or choose it, and its replay opens.

import { el } from "./dom.js";
import { DragCount, chosenFile, holdsFiles } from "./record_file.js";
import { announce, complain } from "./shell.js";
import { api } from "./wire.js";

async function open(files) {
  const { file, error } = chosenFile(files);
  if (error) {
    complain(error);
    return;
  }
  announce(`Opening ${file.name}`);
  try {
    const { link } = await api("/api/replays", { method: "POST", body: await file.text(), type: "text/plain" });
    location.assign(link);
  } catch (reason) {
    complain(`${file.name}: ${reason.message}`);
  }
}

// The whole page takes a record.
export function takeDrops() {
  const over = new DragCount();
  const veil = el("div", { class: "drop-veil", hidden: true }, el("p", {}, "Drop a record to open its replay"));
  document.body.append(veil);
  const heard = (name, act) =>
    addEventListener(name, (event) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      act(event);
    });
  heard("dragenter", () => (veil.hidden = !over.enter()));
  heard("dragover", (event) => (event.dataTransfer.dropEffect = "copy"));
  heard("dragleave", () => (veil.hidden = !over.leave()));
  heard("drop", (event) => {
    veil.hidden = !over.drop();
    open(event.dataTransfer.files);
  });
}

// A button that lets a file be chosen.
export function recordButton(words = "Open a record") {
  const input = el("input", { type: "file", accept: ".txt,text/plain", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: () => open(input.files) });
  return el("span", {}, el("button", { type: "button", class: "open-record", onclick: () => input.click() }, words), input);
}

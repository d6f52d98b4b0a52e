// The files of a game's page; where they are is told by the server.

import { el } from "./dom.js";

// The game's module, with its style: {create({stage, side, context}), ...}
export function loadPage({ module, modules = [], style }) {
  for (const href of modules) document.head.append(el("link", { rel: "modulepreload", href }));
  if (style) document.head.append(el("link", { rel: "stylesheet", href: style }));
  return import(module);
}

// A small drawing in the colours of the page, in a box that is filled when it has come.
export function loadPicture(address) {
  const box = el("span", { class: "picture", "aria-hidden": "true" });
  fetch(address)
    .then(async (answer) => {
      const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      if (answer.ok && drawn.tagName === "svg") box.append(document.importNode(drawn, true));
    })
    .catch(() => {}); // a card without a picture
  return box;
}

// The invitation to a table: its link to copy or share, a QR code, and a warning where the link works only here.

import { el } from "./dom.js";
import { copyButton } from "./shell.js";

export function invitation(uid, server) {
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const origin = here && server.origins?.length ? server.origins[0] : location.origin;
  const address = `${origin}/table/${uid}`;
  const input = el("input", { type: "text", readonly: true, value: address, "aria-label": "Invitation link", onfocus: () => input.select() });
  const buttons = el("div", { class: "row" }, copyButton(address), shareButton(address), qrButton(uid, origin));
  const warning = here && server.onlyHere ? onlyHere() : null;
  return el("section", { class: "card invitation" }, el("h2", {}, "Invite"), el("p", { class: "quiet" }, "Anyone with this link can take a free place."), input, buttons, warning);
}

function onlyHere() {
  return el("p", { class: "warning", role: "note" }, el("b", {}, "This link works only on this computer."), " To play with others in your network, stop the server and start it with ", el("code", {}, "manhunt web --lan"), ".");
}

function shareButton(url) {
  if (!navigator.share) return null;
  return el("button", { type: "button", onclick: () => navigator.share({ title: "Play with me", url }).catch(() => {}) }, "Share");
}

function qrButton(uid, origin) {
  const show = () => {
    const image = el("img", { src: `/api/tables/${uid}/qr.svg?origin=${encodeURIComponent(origin)}`, alt: "QR code of the invitation", width: 280, height: 280 });
    const dialog = el("dialog", { class: "small qr", "aria-label": "QR code" }, image, el("p", { class: "quiet" }, "Scan it with the camera of a phone."), el("div", { class: "row end" }, el("button", { type: "button", onclick: () => dialog.close(), autofocus: true }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  return el("button", { type: "button", onclick: show }, "QR code");
}

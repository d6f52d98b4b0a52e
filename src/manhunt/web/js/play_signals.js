// How a page calls for its player: tab title, icon, sound, vibration, notification. The last two only on request.

import { el, keep, recall } from "./dom.js";
import { complain } from "./shell.js";
import { hasSound, play, switchSound } from "./sounds.js";

const ICON = "/icon.svg";
const ICON_TURN = "/icon_turn.svg";
const BUZZ = [70, 40, 70];

export class Signals {
  constructor(uid) {
    this.uid = uid;
    this.calling = false;
  }

  // The title and icon of the tab; the moment it becomes this player's turn they are called, if `isNews`.
  show({ title, yours, isNews = true }) {
    const text = yours ? `● Your turn: ${title}` : title;
    if (document.title !== text) document.title = text;
    const icon = document.querySelector("link[rel=icon]");
    const wanted = yours ? ICON_TURN : ICON;
    if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
    if (yours && !this.calling && isNews) this.#call(title);
    this.calling = yours;
  }

  #call(title) {
    play("turn");
    if (recall("vibrate", false)) globalThis.navigator?.vibrate?.(BUZZ);
    if (document.hidden && recall("notify", false)) notify("Your turn", title, this.uid);
  }

  // Something that people should look at: a message, a question of the other side.
  mention(words, body, sound = "said") {
    play(sound);
    if (document.hidden && recall("notify", false)) notify(words, body, this.uid);
  }
}

// A phone shows notifications only through a service worker.
async function notify(words, body, tag) {
  if (globalThis.Notification?.permission !== "granted") return;
  const options = { body, tag, icon: ICON };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) {
      await worker.showNotification(words, options);
      return;
    }
    const shown = new Notification(words, options);
    shown.onclick = () => {
      focus();
      shown.close();
    };
  } catch {
    // the title of the tab says it, too
  }
}

// Switches for what this browser does; each is kept here alone.
export function signalSwitches() {
  const box = (words, checked, act) => {
    const input = el("input", { type: "checkbox", checked });
    input.addEventListener("change", async () => {
      input.checked = await act(input.checked);
    });
    return el("label", { class: "row" }, input, words);
  };
  const kept = (key) => (on) => {
    keep(key, on);
    return on;
  };
  const sound = (on) => {
    switchSound(on);
    if (on) play("turn");
    return on;
  };
  return el(
    "fieldset",
    { class: "signals stack" },
    el("legend", {}, "When it is my turn"),
    box("Sounds", hasSound(), sound),
    navigator.vibrate ? box("Vibrate", recall("vibrate", false), kept("vibrate")) : null,
    globalThis.Notification ? box("Notify me when I am on another page", recall("notify", false) && Notification.permission === "granted", allowNotify) : null,
  );
}

async function allowNotify(on) {
  const allowed = on && (await Notification.requestPermission()) === "granted";
  if (on && !allowed) complain("This browser does not allow notifications here.");
  keep("notify", allowed);
  return allowed;
}

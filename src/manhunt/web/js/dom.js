// Elements from data; text is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

// el("button", {class: "quiet", onclick: f, "aria-label": "Close"}, "text", child, [children])
export function el(tag, attrs = {}, ...children) {
  return fill(document.createElement(tag), attrs, children);
}

export function svg(tag, attrs = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attrs, children);
}

function fill(element, attrs, children) {
  set(element, attrs);
  append(element, children);
  return element;
}

// Null and false take an attribute away; functions under on... become listeners.
export function set(element, attrs) {
  for (const [name, value] of Object.entries(attrs)) {
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in element && element.tagName !== "LI") element.value = value ?? "";
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child.nodeType ? child : String(child));
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

// Like `replace`, but the keyboard stays where it was: on the same button, else on the first move, else on the words.
export function refill(host, ...children) {
  const had = document.activeElement && host.contains?.(document.activeElement) ? document.activeElement : null;
  const { action } = had?.dataset ?? {};
  const name = had?.getAttribute("class");
  replace(host, ...children);
  if (!had) return host;
  const all = [...host.querySelectorAll("button:not(:disabled)")];
  const same = all.find((button) => (action ? button.dataset.action === action : name && button.getAttribute("class") === name));
  (same ?? host.querySelector(".moves button") ?? host.querySelector(".lead"))?.focus({ preventScroll: true });
  return host;
}

// Whether this person asked for less motion.
export function isCalm() {
  return Boolean(globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches);
}

// Children of `parent` become one for each item, reused by key; `update` writes an item into its element.
export function keyed(parent, items, keyOf, create, update = () => {}) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let before = null;
  for (const item of items) {
    const key = String(keyOf(item));
    let child = old.get(key);
    old.delete(key);
    if (!child) {
      child = create(item);
      child.dataset.key = key;
    }
    update(child, item);
    const wanted = before ? before.nextElementSibling : parent.firstElementChild;
    if (child !== wanted) parent.insertBefore(child, wanted);
    before = child;
  }
  for (const child of old.values()) child.remove();
}

// A function that runs `draw` at most once a frame, however often it is called.
export function onceAFrame(draw) {
  let waiting = 0;
  const ask = () => {
    waiting ||= requestAnimationFrame(() => {
      waiting = 0;
      draw();
    });
  };
  ask.cancel = () => {
    cancelAnimationFrame(waiting);
    waiting = 0;
  };
  return ask;
}

// Words as the beginning of a sentence.
export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function plural(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}

// What was kept in this browser; nothing where it may not be used.
export function recall(key, usual = null) {
  try {
    const text = localStorage.getItem(`manhunt-${key}`);
    return text === null ? usual : JSON.parse(text);
  } catch {
    return usual;
  }
}

export function keep(key, value) {
  try {
    if (value === null) localStorage.removeItem(`manhunt-${key}`);
    else localStorage.setItem(`manhunt-${key}`, JSON.stringify(value));
  } catch {
    // it will be asked again
  }
}

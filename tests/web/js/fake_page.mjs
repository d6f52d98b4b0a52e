// As much of a browser as the page's modules need to be made and asked; nothing is drawn.

class FakeElement {
  constructor(tag) {
    this.tagName = tag.toUpperCase();
    this.attributes = new Map();
    this.children = [];
    this.listeners = new Map();
    this.dataset = {};
    this.style = { setProperty() {} };
    this.classList = { add() {}, remove() {}, toggle() {} };
    this.nodeType = 1;
  }

  get childElementCount() {
    return this.children.filter((child) => child.nodeType).length;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }

  set textContent(text) {
    this.children = text ? [String(text)] : [];
  }

  append(...children) {
    this.children.push(...children);
  }

  prepend(...children) {
    this.children.unshift(...children);
  }

  after() {}

  remove() {}

  focus() {}

  replaceChildren(...children) {
    this.children = children;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  addEventListener(name, act) {
    this.listeners.set(name, act);
  }

  click() {
    return this.listeners.get("click")?.({ preventDefault() {} });
  }

  // All elements below, in order.
  *all() {
    for (const child of this.children) {
      if (!child.nodeType) continue;
      yield child;
      yield* child.all();
    }
  }

  querySelector() {
    return null;
  }

  withClass(name) {
    return [...this.all()].filter((each) => (each.getAttribute("class") ?? "").split(" ").includes(name));
  }
}

export function installPage() {
  const kept = new Map();
  const listeners = new Map();
  const listening = {
    addEventListener: (name, act) => listeners.set(name, act),
    removeEventListener: (name, act) => listeners.get(name) === act && listeners.delete(name),
  };
  const document = {
    addEventListener() {},
    removeEventListener() {},
    body: new FakeElement("body"),
    visibilityState: "visible",
    createElement: (tag) => new FakeElement(tag),
    createElementNS: (_, tag) => new FakeElement(tag),
    getElementById: () => null,
    querySelector: () => null,
  };
  Object.assign(globalThis, listening, {
    document,
    localStorage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    },
  });
  return { kept, listeners, element: (tag = "div") => new FakeElement(tag) };
}

// A board that remembers what it was told to show.
export class FakeBoard {
  constructor() {
    this.shown = {};
    this.places = new Map();
    this.neighbours = new Map();
    this.box = { clientWidth: 1000 };
    this.ready = Promise.resolve();
    for (const name of ["marks", "offers", "arrows", "badges", "glow", "belief", "candidates", "say", "fit"]) {
      this[name] = (value) => (this.shown[name] = value);
    }
  }

  onPick(act) {
    this.pick = act;
  }

  onHover(act) {
    this.hover = act;
  }

  destroy() {
    this.isGone = true;
  }
}

// Questions that the test answers: `asked` lists them, `answer(what, value)` gives the oldest of them its answer.
export class FakeServer {
  constructor() {
    this.asked = [];
    this.moves = [];
  }

  context(board, more = {}) {
    return {
      seat: "evader",
      game: "any",
      room: { called: {}, names: {} },
      panels: { add: (title) => Object.assign(document.createElement("div"), { title }), show() {} },
      board: () => board,
      move: (action) => this.moves.push(action),
      ask: (what, params) => new Promise((give, refuse) => this.asked.push({ what, params, give, refuse })),
      ...more,
    };
  }

  async answer(what, value) {
    const i = this.asked.findIndex((each) => each.what === what);
    const [{ give }] = this.asked.splice(i, 1);
    give(value);
    await settled();
  }
}

// When all that follows from what has happened is done.
export const settled = () => new Promise((go) => setImmediate(go));

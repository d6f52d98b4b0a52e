// Which part of a canvas an element shows, and which pixel shows which place. It draws nothing: `changed` is told.

const MOST_ZOOM = 14;

export class BoardWindow {
  // `whole` is the box {x, y, w, h} of the canvas that is seen at first.
  constructor(element, whole, changed) {
    this.element = element;
    this.whole = whole;
    this.changed = changed;
    this.wanted = { ...whole };
  }

  // Shows a box as large as it can be, in the middle if that leaves no empty ground beside the picture; null is the whole.
  // Places that are `gap` apart become `apart` pixels apart at least; if the box has no room then, `about` stays in sight.
  fit(box = null, { apart = 0, gap = Infinity, about = null } = {}) {
    const { w, h } = box ?? this.whole;
    const { x, y } = middleOf(box ?? this.whole);
    const [width, height] = [Math.min(w, this.whole.w), Math.min(h, this.whole.h)];
    this.wanted = { x: x - width / 2, y: y - height / 2, w: width, h: height };
    const pixels = this.element.getBoundingClientRect().width;
    const most = apart ? (gap * pixels) / apart : Infinity; // of the canvas, from side to side
    if (pixels && this.shown.w > most) {
      const around = this.shown;
      const size = { w: most, h: (most * around.h) / around.w };
      this.wanted = holding(about ?? middleOf(around), size, around);
    }
    if (box && pixels) this.wanted = within(this.shown, this.whole);
    this.changed();
  }

  // The point `at` stays where it is.
  zoom(factor, at = null) {
    const box = this.shown;
    const w = Math.min(this.whole.w * 1.15, Math.max(this.whole.w / MOST_ZOOM, box.w / factor));
    const real = box.w / w;
    const { x, y } = at ?? middleOf(box);
    this.#show({ x: x - (x - box.x) / real, y: y - (y - box.y) / real, w, h: box.h / real });
  }

  pan(dx, dy) {
    const box = this.shown;
    this.#show({ ...box, x: box.x + dx, y: box.y + dy });
  }

  // Brings a place into the middle if it is out of sight.
  reveal({ x, y }) {
    const box = this.shown;
    const isOut = x < box.x || x > box.x + box.w || y < box.y || y > box.y + box.h;
    if (isOut) this.pan(x - box.x - box.w / 2, y - box.y - box.h / 2);
  }

  #show(box) {
    this.wanted = box;
    this.changed();
  }

  // The part of the canvas that is visible, with the shape of the element.
  get shown() {
    const { width, height } = this.element.getBoundingClientRect();
    const shape = width && height ? width / height : 1;
    const { x, y, w, h } = this.wanted;
    return w / h > shape ? { x, y: y - (w / shape - h) / 2, w, h: w / shape } : { x: x - (h * shape - w) / 2, y, w: h * shape, h };
  }

  // Pixels for one unit of the canvas where all of it is shown.
  get scaleOfWhole() {
    const { width, height } = this.element.getBoundingClientRect();
    return Math.min(width / this.whole.w, height / this.whole.h);
  }

  // The picture may leave the element by half, not more.
  keepNear() {
    const { whole, wanted } = this;
    const near = (at, size, from, length) => Math.min(from + length - size / 2, Math.max(from - size / 2, at));
    wanted.x = near(wanted.x, wanted.w, whole.x, whole.w);
    wanted.y = near(wanted.y, wanted.h, whole.y, whole.h);
  }

  // Where a place of the canvas is, in pixels of the element.
  pixelOf({ x, y }) {
    const box = this.shown;
    const scale = this.element.getBoundingClientRect().width / box.w;
    return { x: (x - box.x) * scale, y: (y - box.y) * scale };
  }

  // The place under a pointer, and how much of the canvas a pixel is there.
  placeOf({ clientX, clientY }) {
    const rect = this.element.getBoundingClientRect();
    const box = this.shown;
    const scale = box.w / rect.width;
    return { x: box.x + (clientX - rect.left) * scale, y: box.y + (clientY - rect.top) * scale, scale };
  }
}

// A box moved into another one, as far as it fits.
function within({ x, y, w, h }, outer) {
  const into = (at, size, from, length) =>
    size < length ? Math.min(from + length - size, Math.max(from, at)) : from + (length - size) / 2;
  return { x: into(x, w, outer.x, outer.w), y: into(y, h, outer.y, outer.h), w, h };
}

// A smaller box in the middle of another one, moved so that a point is well within it.
function holding(point, { w, h }, outer) {
  const middle = middleOf(outer);
  const near = (at, wanted, size) => Math.min(wanted + 0.3 * size, Math.max(wanted - 0.3 * size, at)) - size / 2;
  return { x: near(middle.x, point.x, w), y: near(middle.y, point.y, h), w, h };
}

function middleOf({ x, y, w, h }) {
  return { x: x + w / 2, y: y + h / 2 };
}

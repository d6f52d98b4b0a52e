// The ground of a board as it was loaded: its picture, where the nodes are, and which are neighbours.

const READABLE_PIXELS = 10; // the radius of a disc in which a number can be read
const documents = new Map();

// Loads the picture of a board, once; whoever knows early that it will be shown asks early.
export async function documentOf(digest) {
  if (!documents.has(digest)) {
    const fetched = fetch(`/api/boards/${digest}.svg`).then(async (answer) => {
      if (!answer.ok) throw new Error("The board cannot be loaded.");
      return new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    });
    documents.set(digest, fetched);
    fetched.catch(() => documents.delete(digest));
  }
  return documents.get(digest);
}

// {svg, places: Map label -> {x, y, g, title}, neighbours: Map label -> Set, r, growth, whole}: `r` is the radius of the
// discs, `growth` how much larger they are than they were drawn, `whole` the box that is shown as the whole board. It will
// be shown `pixels` wide.
export async function loadGround(digest, pixels = Infinity) {
  const svg = document.importNode((await documentOf(digest)).documentElement, true);
  const places = placesOf(svg);
  const drawn = Number(svg.dataset.radius) || 11;
  const growth = growthOf([...places.values()], drawn, pixels);
  if (growth > 1) {
    for (const { g } of places.values()) g.setAttribute("transform", `${g.getAttribute("transform")} scale(${growth.toFixed(3)})`);
  }
  const r = drawn * growth;
  return { svg, places, neighbours: neighboursOf(svg), r, growth, whole: boxAround([...places.values()], 2.6 * r) ?? canvasOf(svg) };
}

function placesOf(svg) {
  const places = new Map();
  for (const g of svg.querySelectorAll("[data-node]")) {
    const [x, y] = g.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    places.set(g.dataset.node, { x, y, g, title: g.querySelector("title")?.textContent ?? g.dataset.node });
  }
  return places;
}

function neighboursOf(svg) {
  const neighbours = new Map();
  for (const path of svg.querySelectorAll("[data-edge]")) {
    const [a, b] = path.dataset.edge.split(" ");
    for (const [from, to] of [[a, b], [b, a]]) {
      if (!neighbours.has(from)) neighbours.set(from, new Set());
      neighbours.get(from).add(to);
    }
  }
  return neighbours;
}

// Small discs grow as far as their neighbours leave room, so that numbers can be read on a whole board; on a small screen
// until they can be read there.
export function growthOf(places, r, pixels = Infinity) {
  if (places.length < 2 || places.length > 600) return 1;
  const gap = (p) => Math.min(...places.map((q) => (p === q ? Infinity : Math.hypot(p.x - q.x, p.y - q.y))));
  const narrow = places.map(gap).sort((a, b) => a - b)[Math.floor(places.length / 50)];
  const { w } = boxAround(places, 2.6 * r);
  const wanted = Math.max(r < 15 ? 1.28 : 1, (READABLE_PIXELS * w) / (r * pixels));
  return Math.max(1, Math.min(wanted, (0.5 * narrow) / r));
}

// The smallest box around some places with room at its sides; null without places.
export function boxAround(places, pad) {
  if (!places.length) return null;
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  const [x, y] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return { x, y, w: Math.max(...xs) - x + pad, h: Math.max(...ys) - y + pad };
}

// How near the nearest two places are to each other.
export function leastGap(places) {
  let least = Infinity;
  places.forEach((a, i) => {
    for (const b of places.slice(i + 1)) least = Math.min(least, Math.hypot(a.x - b.x, a.y - b.y));
  });
  return least;
}

function canvasOf(svg) {
  const [x, y, w, h] = svg.getAttribute("viewBox").split(" ").map(Number);
  return { x, y, w, h };
}

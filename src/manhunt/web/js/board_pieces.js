// The pieces on a board: a ring around their node, wider for every further piece there, with a letter and perhaps words.

import { el, keyed, set, svg } from "./dom.js";

// Those that have a place, with the sign where a hidden piece was last seen: {id, at, kind, letter, name, words?, ...}
export function piecesOf({ pieces = [], lastSeen = null }, { places }) {
  const hidden = lastSeen && { id: "hidden", at: lastSeen.at, kind: "hidden", letter: "?", name: `${lastSeen.name}, last seen`, words: lastSeen.words };
  return (hidden ? [hidden, ...pieces] : pieces).filter((piece) => places.has(piece.at));
}

// The letter of a piece on its colour, beside the board.
export function pieceBadge({ letter, colour, on }) {
  const badge = el("span", { class: "badge", "aria-hidden": "true" }, letter);
  badge.style.setProperty("background", colour);
  badge.style.setProperty("color", on);
  return badge;
}

export function drawPieces(layer, pieces, ground) {
  const level = new Map();
  const rows = pieces.map((piece) => {
    const n = level.get(piece.at) ?? 0;
    level.set(piece.at, n + 1);
    return { ...piece, level: n };
  });
  rows.sort((a, b) => b.level - a.level);
  keyed(
    layer,
    rows,
    (piece) => piece.id,
    (piece) => svg("g", { class: `piece ${piece.kind}`, "data-piece": piece.id }),
    (g, piece) => putPiece(g, piece, ground),
  );
}

function putPiece(g, piece, ground) {
  const { x, y } = ground.places.get(piece.at);
  g.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  g.dataset.at = piece.at;
  const look = `${piece.level} ${piece.colour} ${piece.letter} ${piece.words ?? ""} ${piece.at}`;
  if (g.dataset.look === look) return;
  g.dataset.look = look;
  const width = 0.4 * ground.r;
  const radius = 1.22 * ground.r + piece.level * 1.45 * width;
  g.replaceChildren(
    svg("title", {}, `${piece.name} on ${piece.at}${piece.words ? `, ${piece.words}` : ""}`),
    ...(piece.kind === "quarry" ? disc(piece, ground) : []),
    ...ring(piece, radius, width),
    ...sign(piece, radius, ground.r),
    ...(piece.words ? [wordsBeside(piece, radius + width, ground)] : []),
  );
}

// The quarry covers its node, and the label of the node stands upon it unless it stands beside the node.
function disc(piece, { places, r, growth }) {
  const parts = [svg("circle", { r, fill: piece.colour })];
  const label = places.get(piece.at).g.querySelector("text.label");
  if (label && Number(label.getAttribute("y")) * growth < r) {
    const text = label.cloneNode(true);
    set(text, { fill: piece.on, transform: `scale(${growth})` });
    parts.push(text);
  }
  return parts;
}

function ring(piece, radius, width) {
  return [
    svg("circle", { class: "rim", r: radius, "stroke-width": width + 2.4 }),
    svg("circle", { class: "ring", r: radius, stroke: piece.kind === "hidden" ? "url(#hatch)" : piece.colour, "stroke-width": width }),
  ];
}

function sign(piece, radius, r) {
  const hidden = piece.kind === "hidden";
  const size = Math.max(6.5, 0.68 * r);
  const angle = ((75 * piece.level - 45) * Math.PI) / 180;
  const [x, y] = [(radius + 0.5 * size) * Math.cos(angle), (radius + 0.5 * size) * Math.sin(angle)];
  const font = piece.letter.length === 1 ? 1.3 * size : (2 * size) / piece.letter.length;
  return [
    svg("circle", { cx: x, cy: y, r: size, fill: hidden ? "var(--surface)" : piece.colour, stroke: hidden ? "var(--ink)" : "var(--piece_rim)", "stroke-width": 1.2 }),
    svg("text", { x, y: y + 0.36 * font, "font-size": font, fill: hidden ? "var(--ink)" : piece.on }, piece.letter),
  ];
}

// The words of a piece, on the side where they hide the fewest nodes.
function wordsBeside(piece, gap, { places, r, whole }) {
  const here = places.get(piece.at);
  const width = 7.2 * piece.words.length;
  const sides = [
    [gap + 4, 4.5, "start", gap + 4], [-gap - 4, 4.5, "end", -gap - 4 - width],
    [0, gap + 14, "middle", -width / 2], [0, -gap - 5, "middle", -width / 2],
  ];
  const hides = ([, dy, , left]) => {
    const [x0, x1, y] = [here.x + left, here.x + left + width, here.y + dy - 5];
    let n = x0 < whole.x || x1 > whole.x + whole.w || y < whole.y + 8 || y > whole.y + whole.h - 8 ? 100 : 0;
    for (const place of places.values()) {
      const across = Math.max(x0 - place.x, 0, place.x - x1);
      if (place !== here && Math.hypot(across, Math.max(0, Math.abs(place.y - y) - 7)) < r) n += 1;
    }
    return n;
  };
  const [x, y, anchor] = sides.reduce((best, side) => (hides(side) < hides(best) ? side : best));
  return svg("text", { class: "beside", x, y, "text-anchor": anchor }, piece.words);
}

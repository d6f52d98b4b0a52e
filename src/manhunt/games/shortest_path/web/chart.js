// What was paid, ply by ply, and what the whole way would have cost by the costs of each moment.

import { svg } from "/js/dom.js";
import { money } from "./lines.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT] = [330, 150, 34, 10, 12, 26];

// `points` as the server has them, `bounds` {lower, upper} of the whole game or null.
export function chart(points, bounds) {
  const tops = points.flatMap((point) => [point.paid, point.likely ?? 0]);
  const most = Math.max(1, ...tops, bounds?.lower ?? 0, bounds?.upper && bounds.upper < 3 * Math.max(...tops, bounds.lower) ? bounds.upper : 0);
  const last = Math.max(1, points.at(-1)?.ply ?? 1);
  const x = (ply) => LEFT + (ply / last) * (WIDTH - LEFT - RIGHT);
  const y = (cost) => HEIGHT - FOOT - (Math.min(cost, most) / most) * (HEIGHT - FOOT - TOP);
  const paid = points.map((point, i) => `${i ? `H${x(point.ply)}V` : `M${x(point.ply)} `}${y(point.paid)}`).join("");
  const known = points.filter((point) => point.likely !== null);
  const likely = known.map((point, i) => `${i ? "L" : "M"}${x(point.ply)} ${y(point.likely)}`).join("");
  const now = points.at(-1) ?? { paid: 0, likely: null };
  const words = `Paid ${money(now.paid)}${now.likely === null ? "" : `; with the cheapest way to the target, ${money(now.likely)}`}`;
  return svg(
    "svg",
    { class: "sp-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Cost over time. ${words}.` },
    [0, most].map((cost) => [
      svg("path", { class: "axis", d: `M${LEFT} ${y(cost)}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 6, y: y(cost) + 4, "text-anchor": "end" }, money(cost)),
    ]),
    bounds ? band(bounds, most, y) : null,
    likely ? svg("path", { class: "likely", d: likely }) : null,
    svg("path", { class: "paid", d: paid }),
    svg("circle", { class: "paid-dot", cx: x(now.ply ?? 0), cy: y(now.paid), r: 3.5 }),
    svg("text", { x: LEFT, y: HEIGHT - 8 }, "start"),
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, last === 1 ? "1 ply" : `${last} plies`),
  );
}

function band({ lower, upper }, most, y) {
  const top = upper === null ? y(most) : y(upper);
  const height = Math.max(2, y(lower) - top);
  return svg("rect", { class: "band", x: LEFT, y: top, width: WIDTH - LEFT - RIGHT, height });
}

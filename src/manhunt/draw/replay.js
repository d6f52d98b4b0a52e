"use strict";
// Shows one frame of one track. It knows no rules: all it does is look up what the page's data says.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = id => document.getElementById(id);
  const whole = deltas => deltas.reduce((all, delta) => (all.push({ ...all.at(-1), ...delta }), all), []);
  const tracks = data.tracks.map(whole);
  const last = tracks[0].length - 1;
  const texts = numbers => (numbers || []).map(n => data.texts[n]);
  const plain = text => text.replace(/[&<>]/g, sign => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
  let track = 0, ply = 0, timer = null;

  const glow = node => {
    const [x, y] = data.points[node];
    return `<circle cx="${x}" cy="${y}" r="${data.r}" opacity="${data.glow}"/>`;
  };

  function drawMoves() {
    let round = null;
    const items = [];
    for (let i = 1; i <= last; i++) {
      if (data.rounds[i - 1] !== round) {
        round = data.rounds[i - 1];
        items.push(`<li class="round">Round ${round}</li>`);
      }
      const told = plain(data.texts[tracks[track][i].m]);
      items.push(`<li><button type="button" data-ply="${i}">${told}</button></li>`);
    }
    at("moves").innerHTML = items.join("");
  }

  function draw() {
    const frame = tracks[track][ply];
    at("now").textContent = data.texts[frame.t];
    at("log").innerHTML = texts(frame.c).join("");
    at("log").hidden = !(frame.c || []).length;
    at("notes").innerHTML = texts(frame.n).map(text => `<p>${text}</p>`).join("");
    if (at("picture")) at("picture").innerHTML = texts(frame.s).join("\n");
    if (at("board")) {
      at("glow").innerHTML = frame.g.map(glow).join("");
      at("arrows").innerHTML = texts(frame.a).join("");
      at("pieces").innerHTML = texts(frame.p).join("");
    }
    at("ply").value = ply;
    at("ply").setAttribute("aria-valuetext", `move ${ply} of ${last}: ${data.texts[frame.t]}`);
    at("where").textContent = `move ${ply} of ${last}`;
    for (const button of at("moves").querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const current = at("moves").querySelector(`[data-ply="${ply}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const box = at("moves"), top = current.offsetTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = top - box.clientHeight / 2;
    }
  }

  const go = to => { ply = Math.min(last, Math.max(0, to)); draw(); if (ply === last) stop(); };
  function stop() {
    clearInterval(timer);
    timer = null;
    at("play").textContent = "▶▶";
    at("play").setAttribute("aria-label", "Play (space)");
    at("play").title = "Play (space)";
  }
  function toggle() {
    if (timer) return stop();
    if (ply === last) ply = 0;
    at("play").textContent = "❚❚";
    at("play").setAttribute("aria-label", "Pause (space)");
    at("play").title = "Pause (space)";
    draw();
    timer = setInterval(() => go(ply + 1), 700);
    return undefined;
  }

  const moves = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), Home: () => go(0), End: () => go(last) };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const kind = event.target.tagName === "INPUT" ? event.target.type : event.target.tagName;
    if (event.key === " " && kind !== "BUTTON" && kind !== "radio" && kind !== "SUMMARY") {
      event.preventDefault();
      toggle();
    } else if (moves[event.key] && kind !== "range" && kind !== "radio") {
      event.preventDefault();
      moves[event.key]();
    }
  });
  at("first").onclick = moves.Home;
  at("back").onclick = moves.ArrowLeft;
  at("next").onclick = moves.ArrowRight;
  at("last").onclick = moves.End;
  at("play").onclick = toggle;
  at("ply").oninput = () => go(Number(at("ply").value));
  at("moves").onclick = event => { if (event.target.dataset.ply) go(Number(event.target.dataset.ply)); };
  at("tracks").onchange = event => { track = Number(event.target.value); drawMoves(); draw(); };

  // #34 opens the 34th position, #34/1 as the second track shows it.
  const [wantedPly, wantedTrack] = location.hash.slice(1).split("/").map(Number);
  if (wantedTrack > 0 && wantedTrack < tracks.length) {
    track = wantedTrack;
    document.querySelector(`input[name=track][value="${track}"]`).checked = true;
  }
  drawMoves();
  go(wantedPly || 0);
})();

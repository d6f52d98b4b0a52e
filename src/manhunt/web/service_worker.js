// Keeps the notebook usable without a connection. Everything is asked from the server first; what is kept here is used
// only when it does not answer. Games, tables and whatever else changes there are never kept.

const NAME = "manhunt-notebook";
const ANSWERS = "manhunt-notebook-answers";
const MOST_ANSWERS = 200;
const PAGES = ["/notebook", "/offline"];
const FILES = /^\/(js|css|games)\/|^\/(tokens\.css|icon\.svg|manifest\.json)$/;
const BOARDS = /^\/api\/boards\/[^/]+\.svg$/;

self.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(request, pathname));
  else if (request.method === "POST" && pathname.startsWith("/api/notebook/")) event.respondWith(answerOf(request));
  else if (request.method === "GET" && (FILES.test(pathname) || BOARDS.test(pathname) || pathname === "/api/notebook")) event.respondWith(fileOf(request));
});

// A page: the notebook as it was, for all others the words that there is no connection.
async function pageOf(request, pathname) {
  const isNotebook = pathname === "/notebook" || pathname.startsWith("/notebook/");
  try {
    const answer = await fetch(request);
    if (isNotebook && answer.ok) (await caches.open(NAME)).put("/notebook", answer.clone());
    return answer;
  } catch {
    return (await caches.match(isNotebook ? "/notebook" : "/offline")) ?? Response.error();
  }
}

async function fileOf(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}

// What the notebook's lines tell: an answer is the same for the same lines, so it may be kept under them.
async function answerOf(request) {
  const key = `${new URL(request.url).pathname}?${await digest(await request.clone().text())}`;
  const cache = await caches.open(ANSWERS);
  try {
    const answer = await fetch(request);
    if (answer.ok) await keepAnswer(cache, key, answer.clone());
    return answer;
  } catch {
    return (await cache.match(key)) ?? Response.error();
  }
}

// With the board that it is drawn on.
async function keepAnswer(cache, key, answer) {
  const { board } = await answer.clone().json();
  const picture = board && `/api/boards/${board.digest}.svg`;
  if (picture && !(await caches.match(picture))) await (await caches.open(NAME)).add(picture);
  await cache.delete(key);
  await cache.put(key, answer);
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST_ANSWERS))) await cache.delete(old);
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The pages and all that they load: styles, scripts, the scripts that these import, and the games' own.
async function keepAll() {
  const cache = await caches.open(NAME);
  const seen = new Set();
  const waiting = [...PAGES, "/api/notebook", "/manifest.json", "/icon.svg"];
  while (waiting.length) {
    const path = waiting.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await fetch(path, { cache: "no-cache" });
    if (!answer.ok) continue;
    await cache.put(path, answer.clone());
    waiting.push(...namedIn(path, await answer.text()));
  }
}

// Files that a page, a script or the list of notebooks names.
function namedIn(path, text) {
  const found = [...text.matchAll(/["'](\.{0,2}\/[\w./-]+\.(?:js|css|json))["']/g)].map(([, name]) => new URL(name, new URL(path, location.origin)).pathname);
  return found.filter((name) => FILES.test(name));
}

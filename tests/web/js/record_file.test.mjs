// Which of the dropped files is opened, what is refused, and when the page says that it takes a drop.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./package.mjs";

const { DragCount, MOST_BYTES, chosenFile, holdsFiles } = await load("web/js/record_file.js");

test("only a drag of files is taken", () => {
  assert.equal(holdsFiles({ types: ["Files"] }), true);
  assert.equal(holdsFiles({ types: ["text/plain", "text/uri-list"] }), false);
  assert.equal(holdsFiles(null), false);
});

test("one file of a usual size is opened", () => {
  const file = { name: "game.txt", size: MOST_BYTES };
  assert.deepEqual(chosenFile([file]), { file });
});

test("no file, several files and large files are refused in words", () => {
  assert.match(chosenFile([]).error, /No file/);
  assert.match(chosenFile(undefined).error, /No file/);
  assert.match(chosenFile([{ name: "a", size: 1 }, { name: "b", size: 1 }]).error, /one record at a time/);
  assert.equal(chosenFile([{ name: "film.gif", size: MOST_BYTES + 1 }]).error, "film.gif is too large: 262,145 bytes (max 262,144).");
});

test("a drag is over the page until it left as many elements as it entered", () => {
  const over = new DragCount();
  assert.equal(over.enter(), true);
  assert.equal(over.enter(), true);
  assert.equal(over.leave(), true);
  assert.equal(over.leave(), false);
  assert.equal(over.leave(), false);
  assert.equal(over.enter(), true);
  assert.equal(over.drop(), false);
});

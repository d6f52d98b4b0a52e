// Questions about the moment that is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./fake_page.mjs";
import { load } from "./package.mjs";

const { Questions } = await load("web/js/questions.js");

function asking() {
  const asked = [];
  const failures = [];
  const page = { moment: 1 };
  const questions = new Questions({
    ask: (what, params, options) => new Promise((give, refuse) => asked.push({ what, params, options, give, refuse })),
    moment: () => page.moment,
    complain: (error) => failures.push(error.message),
  });
  return { asked, failures, page, questions };
}

test("an answer about the moment that is shown is shown", async () => {
  const { asked, questions } = asking();
  const answer = questions.answer("belief", { node: "1" }, { quiet: true });
  assert.deepEqual([asked[0].what, asked[0].params, asked[0].options], ["belief", { node: "1" }, { quiet: true }]);
  asked[0].give("found");
  assert.equal(await answer, "found");
});

test("an answer about a moment that has passed is not shown", async () => {
  const { asked, page, questions } = asking();
  const answer = questions.answer("belief");
  page.moment = 2;
  asked[0].give("stale");
  assert.equal(await answer, null);
});

test("nothing is answered when the page is gone", async () => {
  const { asked, questions } = asking();
  const answer = questions.answer("belief");
  questions.close();
  asked[0].give("late");
  assert.equal(await answer, null);
});

test("a failure is complained about, or told to whoever wants to hear it", async () => {
  const { asked, failures, questions } = asking();
  const first = questions.answer("hint");
  asked[0].refuse(new Error("busy"));
  assert.equal(await first, null);
  assert.deepEqual(failures, ["busy"]);
  const own = [];
  const second = questions.answer("hint", {}, {}, (error) => own.push(error.message));
  asked[1].refuse(new Error("again"));
  assert.equal(await second, null);
  assert.deepEqual([failures, own], [["busy"], ["again"]]);
});

test("one thing is learnt at a time, and what was wanted meanwhile once more", async () => {
  const { questions } = asking();
  const done = [];
  let finish;
  const work = () => new Promise((go) => (finish = () => go(done.push("work"))));
  questions.learn(work, () => done.push("never"));
  questions.learn(() => done.push("not now"), () => done.push("first again"));
  questions.learn(() => done.push("not now"), () => done.push("again"));
  finish();
  await settled();
  assert.deepEqual(done, ["work", "again"]);
  await questions.learn(async () => done.push("more"), () => done.push("never"));
  assert.deepEqual(done, ["work", "again", "more"]);
});

test("work that fails does not keep others from learning", async () => {
  const { questions } = asking();
  const done = [];
  await assert.rejects(questions.learn(async () => Promise.reject(new Error("no")), () => {}));
  await questions.learn(async () => done.push("more"), () => {});
  assert.deepEqual(done, ["more"]);
});

test("nothing more is asked when the page is gone", async () => {
  const { questions } = asking();
  const done = [];
  let finish;
  questions.learn(() => new Promise((go) => (finish = go)), () => {});
  questions.learn(() => {}, () => done.push("again"));
  questions.close();
  finish();
  await settled();
  assert.deepEqual(done, []);
});

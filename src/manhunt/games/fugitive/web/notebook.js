// The notebook of Fugitive: chances on the keys, advice for the Marshal, the variants of the table.

import { el, replace } from "/js/dom.js";
import { NotebookExtras } from "/js/notebook_extras.js";
import { complain } from "/js/shell.js";

const shortChance = (p) => (p > 0 ? `${p < 0.005 ? "<1" : Math.round(100 * p)} %` : "–");
const percent = (p) => (p > 0 && p < 0.005 ? "<1 %" : `${Math.round(100 * p)} %`);

export function create(notebook) {
  return new MarshalNotebook(notebook);
}

class MarshalNotebook extends NotebookExtras {
  answer(what) {
    return what === "notes" ? this.page.notes : null;
  }

  note(label, button) {
    return button.text === "guess" ? shortChance(this.page.notes.numbers[label]) : null;
  }

  show(wrong) {
    const { notebook } = this;
    const { scene } = this.page;
    if (wrong || scene.turn !== "pursuers" || this.page.toTurnUp.length) {
      replace(notebook.advice);
      return;
    }
    const words = el("p", { role: "status" });
    const ask = async () => {
      const { version } = notebook;
      try {
        const hint = await notebook.ask("hint", { seconds: 2 });
        if (version === notebook.version) replace(words, el("b", {}, hint.words), hint.confidence === null ? "" : `, confidence ${percent(hint.confidence)}`);
      } catch (error) {
        complain(error);
      }
    };
    replace(notebook.advice, el("button", { type: "button", onclick: ask }, "What would you do?"), words);
  }

  fields() {
    const { notebook } = this;
    const { table } = this.page;
    return [
      notebook.check("Exactly two hideouts in the first turn", table.opening_hideouts === "exactly_two", (on) => notebook.set({ opening_hideouts: on ? "exactly_two" : "one_or_two" })),
      notebook.check("A Fugitive who passes may draw one more card", table.pass_bonus, (on) => notebook.set({ pass_bonus: on })),
      notebook.check("The Marshal may skip a guess", !table.must_guess, (on) => notebook.set({ must_guess: !on })),
      notebook.check(`${table.last} may be a sprint card`, table.allow_last_sprint, (on) => notebook.set({ allow_last_sprint: on })),
    ];
  }
}

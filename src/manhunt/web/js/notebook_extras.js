// What a game may add to the notebook. Its notebook.js has `create(notebook)`, which gives one of these; a game without
// one gets these alone.

export class NotebookExtras {
  constructor(notebook) {
    this.notebook = notebook;
  }

  get page() {
    return this.notebook.page;
  }

  // Before the game's own panels are added.
  open() {}

  // After every answer of the server; `wrong` says that one line cannot be read.
  show() {}

  // How the table is set, before the first line.
  begin() {
    return `Rules: ${this.notebook.options.preset ?? this.page.table.presets[0]}.`;
  }

  // Fields of the table's form, besides the rules.
  fields() {
    return [];
  }

  // A few words on a key for this label; null for none.
  note() {
    return null;
  }

  // The answer to a question, where it has come with the page already.
  answer() {
    return null;
  }
}

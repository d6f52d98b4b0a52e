// How dangerous each offered move of Mr X is: asked once a turn, forgotten when something has happened.

export const percent = (p) => (p > 0 && p < 0.005 ? "<1 %" : `${Math.round(100 * p)} %`);

const HIGH = 0.25;

export class MoveDanger {
  // `ask()` gives {moves: {action: {caught, reach}}, model}, or null.
  constructor(ask, isOn) {
    this.ask = ask;
    this.isOn = isOn;
    this.found = null;
    this.scene = null;
    this.acting = false;
  }

  // What is shown now; what was found for another scene is forgotten.
  see(scene, acting) {
    if (scene !== this.scene) this.found = null;
    this.scene = scene;
    this.acting = acting;
  }

  // Asks where it is wanted and not known yet; true when there is something new to show.
  async weigh() {
    if (!this.isOn || !this.acting || this.found) return false;
    const { scene } = this;
    const found = await this.ask();
    if (!found || scene !== this.scene) return false;
    this.found = found;
    return true;
  }

  // {caught, reach} of a choice; of the first step of a double move, what its best second step gives.
  of(choice) {
    if (!this.found || !this.isOn) return null;
    if (choice.action) return this.found.moves[choice.action] ?? null;
    const after = Object.keys(choice.then ?? {}).map((action) => this.found.moves[action]).filter(Boolean);
    return after.sort((a, b) => a.caught - b.caught)[0] ?? null;
  }

  note(choice) {
    const danger = this.of(choice);
    return danger ? `${percent(danger.caught)}${danger.reach ? `, ${danger.reach} near` : ""}` : null;
  }

  // {label: {p, text, tone?}}: where several choices end on a node, the least danger.
  badges(choices) {
    const badges = {};
    for (const choice of choices) {
      const danger = this.of(choice);
      if (!danger) continue;
      const old = badges[choice.to];
      if (old && danger.caught >= old.p) continue;
      const tone = danger.caught >= HIGH ? "danger" : danger.reach === 0 ? "safe" : undefined;
      badges[choice.to] = { p: danger.caught, text: percent(danger.caught).replace(" ", ""), tone };
    }
    return badges;
  }

  get words() {
    return this.found && this.isOn ? this.found.model : null;
  }
}

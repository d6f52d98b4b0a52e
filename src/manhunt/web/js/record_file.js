// A record of one's own as a file: which of the files that were dropped it is, and what is refused before it is sent.

export const MOST_BYTES = 256 * 1024;

// Whether a drag over the page carries files, and not a link or a text.
export function holdsFiles(transfer) {
  return Array.from(transfer?.types ?? []).includes("Files");
}

// The file to open, or the words of a refusal: {file} or {error}.
export function chosenFile(files) {
  const all = Array.from(files ?? []);
  if (!all.length) return { error: "No file was dropped." };
  if (all.length > 1) return { error: "Drop one record at a time." };
  const [file] = all;
  if (file.size > MOST_BYTES) return { error: `${file.name} is too large: ${file.size.toLocaleString("en")} bytes (max ${MOST_BYTES.toLocaleString("en")}).` };
  return { file };
}

// A drag enters and leaves every element that it passes; it is over the page until it has left as many as it entered.
export class DragCount {
  #inside = 0;

  enter() {
    this.#inside += 1;
    return true;
  }

  leave() {
    this.#inside = Math.max(0, this.#inside - 1);
    return this.#inside > 0;
  }

  drop() {
    this.#inside = 0;
    return false;
  }
}

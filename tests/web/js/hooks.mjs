// Pages import "/js/..." from the server's root, and every script is a module.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

let root;

export function initialize(data) {
  root = data.root;
}

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith("/js/")) return next(specifier, context);
  return { url: `${root}/web${specifier}`, format: "module", shortCircuit: true };
}

export async function load(url, context, next) {
  if (!url.startsWith(root)) return next(url, context);
  return { source: await readFile(fileURLToPath(url)), format: "module", shortCircuit: true };
}

// Pure. The simple commands of a shell text, roughly: nothing is expanded, subshells and conditions count as what
// stands in them.
import path from 'node:path';
import { placeOf } from './read-file.ts';

/** The program first, without wrappers. `folder`: where earlier `cd`s lead. */
export type SimpleCommand = Readonly<{ words: readonly string[]; folder: string }>;

const wrapper =
  /^(?:if|then|elif|else|while|until|do|time|exec|command|builtin|nohup|eval|[{!]|env|timeout|nice|ionice|stdbuf|sudo|xvfb-run|setsid|unbuffer|caffeinate|cross-env|dotenv|npx|pnpx|bunx|uvx|c8|nyc|concurrently|uv|poetry|pipenv|pdm|rye|hatch|bundle)$/;

const between = /^(?:-.*|\w+\+?=.*|[\d.]+[smhd]?|run|exec)$/;

const token =
  /(?<!\S)#[^\n]*|\\\r?\n|(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|\$\{[^}]*\}|[^\s;&|()`"'<>\\])+|[;&|()\n`]|[<>]+&?/g;

export function readCommands(text: string, folder: string, depth = 0): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let here = folder;
  for (const plain of splitCommands(text)) {
    const words = unwrap(plain);
    const [program, place = ''] = words;
    if (program === undefined) continue;
    if (/^(?:cd|pushd)$/.test(program)) here = placeOf(here, place) ?? here;
    found.push({ words, folder: here });
    if (depth > 4 || !givesOn.test(programName(plain[0] ?? ''))) continue;
    for (const inner of plain.slice(1).filter((word) => /\s|^npm:/.test(word)))
      found.push(...readCommands(inner.replace(/^npm:/, 'npm run '), here, depth + 1));
  }
  return found;
}

const givesOn = /^(?:(?:ba|da|z|k)?sh|eval|concurrently|npx|find|su|nix-shell|watchexec)$/;

function splitCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const [piece] of text.matchAll(token)) {
    if (/^(?:#|\\\r?\n$)/.test(piece)) continue;
    if (/^[;&|()\n`]$/.test(piece)) commands.push([]);
    else if (/^[<>]/.test(piece)) isTarget = piece.startsWith('>');
    else {
      if (!isTarget) commands.at(-1)?.push(piece.replace(/"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g, '$1$2'));
      isTarget = false;
    }
  }
  return commands;
}

function unwrap(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (/^(?:npm|pnpm|yarn|bun)$/.test(first) && /^(?:exec|x|dlx)$/.test(second)) return unwrap(words.slice(2));
  if (/^\w+\+?=/.test(first)) return unwrap(words.slice(1));
  if (!wrapper.test(programName(first)) || words.length === 1) return words;
  const rest = words.slice(1);
  while (rest.length > 1 && between.test(rest[0] ?? '')) if (rest.shift() === '-u') rest.shift();
  return unwrap(rest);
}

/** Without folder, version and Windows extensions. */
export function programName(program: string): string {
  return path.posix
    .basename(program)
    .replace(/\.(?:exe|cmd|ps1)$/i, '')
    .replace(/@[\w.^~-]+$/, '');
}

export function optionOf(words: readonly string[], names: RegExp): string | undefined {
  return words.find((_, at) => names.test(words[at - 1] ?? ''));
}

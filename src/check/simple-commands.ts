// Pure. The simple commands of a shell text, each with its words and the folder that earlier `cd`s lead to. Expands nothing,
// and takes subshells and conditions for what stands in them.
import path from 'node:path';
import { placeOf } from './read-file.ts';

/** `args`: the words after the program, quotes removed. */
export type SimpleCommand = Readonly<{ program: string; args: readonly string[]; folder: string }>;

const token =
  /#[^\n]*|\\\n|(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|\\[\s\S]|\$\{[^}]*\}|[^\s;&|()`"'<>\\#]|(?<=\S)#)+|[;&|()\n`]|[<>]+&?/g;

const keyword = /^(?:if|then|elif|else|while|until|do|time|exec|command|builtin|nohup|[{!])$/;

/** Programs that run what follows them, with the options whose value is the next word, and plain words before it. */
const wrapper =
  /^(?:env|timeout|nice|ionice|stdbuf|sudo|xvfb-run|setsid|unbuffer|caffeinate|cross-env|dotenv|npx|pnpx|bunx|uvx|c8|nyc)$/;
const valued = /^-(?:[uksncgipo]|-signal|-kill-after|-unset|-user|-reporter|-package|p)$/;
const running =
  /^(?:npm|pnpm|yarn|bun) (?:exec|x|dlx)$|^(?:poetry|uv|pipenv|pdm|rye|hatch) run$|^bundle exec$/;

/** The commands in order. A quoted text that a shell or the like is given is read as commands of its own. */
export function readCommands(text: string, folder: string, depth = 0): readonly SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let here = folder;
  for (const words of splitCommands(text)) {
    const [program = '', ...args] = unwrap(words);
    if (program === '') continue;
    const name = programName(program);
    if (/^(?:cd|pushd)$/.test(name)) here = placeOf(here, args.find((word) => word !== '--') ?? '') ?? here;
    found.push({ program, args, folder: here });
    if (depth > 4) continue;
    const nested = /^(?:(?:ba|da|z|k)?sh|eval|concurrently|find|su|nix-shell|watchexec)$/.test(name)
      ? args.filter((word) => /\s|^npm:/.test(word))
      : [];
    for (const inner of nested)
      found.push(...readCommands(inner.replace(/^npm:/, 'npm run '), here, depth + 1));
  }
  return found;
}

/** A program's name without its folder, version and Windows extensions. */
export function programName(program: string): string {
  return path.posix
    .basename(program)
    .replace(/\.(?:exe|cmd|ps1)$/i, '')
    .replace(/@[\w.^~-]+$/, '');
}

function splitCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let isTarget = false;
  for (const [piece] of text.matchAll(token)) {
    if (/^(?:#|\\\n)/.test(piece)) continue;
    if (/^[;&|()\n`]$/.test(piece)) commands.push([]);
    else if (/^[<>]/.test(piece)) isTarget = piece.startsWith('>');
    else {
      if (!isTarget) commands.at(-1)?.push(unquote(piece));
      isTarget = false;
    }
  }
  return commands;
}

function unquote(word: string): string {
  return word.replace(/"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, escaped) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\(["\\$`\n])/g, '$1'),
  );
}

function unwrap(words: readonly string[]): readonly string[] {
  let left = words;
  for (let pass = 0; pass < 12; pass += 1) {
    const [first = '', second = ''] = left;
    const name = programName(first);
    if (keyword.test(first) || /^\w+\+?=/.test(first)) left = left.slice(1);
    else if (running.test(`${name} ${second}`)) left = withoutOptions(left.slice(2));
    else if (wrapper.test(name) && left.length > 1) {
      const rest = withoutOptions(left.slice(1));
      left = /^\d+(?:\.\d+)?[smhd]?$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
    } else break;
  }
  return left;
}

function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (/^-./.test(words[at] ?? '')) at += valued.test(words[at] ?? '') ? 2 : 1;
  return words.slice(at);
}

// What ralphex’s `claude_command` and `claude_args` become. Pure.
import path from 'node:path';
import { changed, missing, notNeeded, type Translated, taken, type Values } from './translated.ts';

/** Claude Code itself supports a conversation; other programs are only known to read the prompt on stdin. */
export function translateCommand(value: string, { home }: Values): Translated {
  const command = value.replace(/^~(?=\/)/, home);
  const name = path.basename(command).replace(/\.\w+$/, '');
  const set = { 'agent.claude.command': command };
  if (/^claude\b/.test(name) || name.endsWith('-as-claude')) return taken(set);
  return changed(
    { ...set, 'agent.claude.input': 'text' },
    'it gets the prompt on stdin, which is then closed; if it is Claude Code, take agent.claude.input out',
  );
}

/** Options that pawl itself passes. */
const own = new Set(['--verbose', '--print', '-p', '--dangerously-skip-permissions']);

/** Options with a value, and the setting for it; undefined: pawl itself passes them. */
const valued: ReadonlyMap<string, string | undefined> = new Map([
  ['--output-format', undefined],
  ['--input-format', undefined],
  ['--model', 'agent.claude.model'],
  ['--effort', 'agent.claude.effort'],
  ['--permission-mode', 'agent.claude.permissions'],
]);

/** Some are pawl’s own, some have settings, all others are passed on. */
export function translateCommandArgs(value: string): Translated {
  const words = splitWords(value);
  if (!words) return missing('its quotes do not match');
  const set: Record<string, unknown> = {};
  const left: string[] = [];
  const rest = words.flatMap((word) => {
    const [, name = '', given] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    return valued.has(name) ? [name, given ?? ''] : [word];
  });
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (own.has(word)) continue;
    if (!valued.has(word)) {
      left.push(word);
      continue;
    }
    const given = rest.shift();
    const setting = valued.get(word);
    if (setting !== undefined && given !== undefined) set[setting] = given;
  }
  const mode = set['agent.claude.permissions'];
  const mayAll = words.includes('--dangerously-skip-permissions') || mode === 'bypassPermissions';
  if (mayAll) delete set['agent.claude.permissions'];
  else set['agent.claude.permissions'] = mode ?? 'dontAsk';
  if (left.length > 0) set['agent.claude.args'] = left;
  if (Object.keys(set).length === 0) return notNeeded('pawl itself gives these options');
  return mayAll
    ? taken(set, 'pawl itself gives the other options')
    : changed(set, 'without --dangerously-skip-permissions nobody is there to give permission');
}

/** As ralphex splits it: at blanks, except in quotes or after a backslash. */
function splitWords(text: string): readonly string[] | undefined {
  const words = text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  if (words.join('').length !== text.replaceAll(/("(?:[^"\\]|\\.)*"|'[^']*'|\\.)|\s+/g, '$1').length)
    return undefined;
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, one?: string) =>
        double !== undefined ? double.replaceAll(/\\(.)/g, '$1') : (single ?? one ?? ''),
    ),
  );
}

// Loaded into pawl with `node --import`: kills it, as `kill -9` would, before one of its durable effects, or writes them
// all to a file. It is told by the environment which one, and touches no other program.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { observeEffects } from '../../src/effect.ts';

const { KILL_PAWL_AT: at, LIST_EFFECTS_TO: list } = process.env;
const isPawl = process.argv[1] === path.resolve(import.meta.dirname, '../../src/main.ts');

// `git commit#2` is the second effect of that name, `journal closing#1+1` the one after the first of that.
const [name, after = 0] = (at ?? '').split('+');
let isArmed = false;
let left = Number(after);

if (isPawl && (at !== undefined || list !== undefined)) {
  const seen = new Map<string, number>();
  observeEffects(({ number, kind, label }) => {
    const effect = `${kind} ${label}`;
    const count = (seen.get(effect) ?? 0) + 1;
    seen.set(effect, count);
    if (list !== undefined) appendFileSync(list, `${number}\t${effect}#${count}\n`);
    isArmed ||= name === String(number) || name === `${effect}#${count}`;
    if (isArmed && left === 0) process.kill(process.pid, 'SIGKILL');
    if (isArmed) left -= 1;
  });
}

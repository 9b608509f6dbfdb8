// Loaded into pawl with `node --import`: kills it, as `kill -9` would, before one of its durable effects, or writes them
// all to a file. It is told by the environment which one, and touches no other program.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { observeEffects } from '../../src/effect.ts';

const { KILL_PAWL_AT: at, LIST_EFFECTS_TO: list } = process.env;
const isPawl = process.argv[1] === path.resolve(import.meta.dirname, '../../src/main.ts');

if (isPawl && (at !== undefined || list !== undefined)) {
  const seen = new Map<string, number>();
  observeEffects(({ number, kind, label }) => {
    const name = `${kind} ${label}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (list !== undefined) appendFileSync(list, `${number}\t${name}#${count}\n`);
    if (at === String(number) || at === `${name}#${count}`) process.kill(process.pid, 'SIGKILL');
  });
}

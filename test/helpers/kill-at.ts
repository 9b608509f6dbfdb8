// Loaded into pawl with `node --import`: ends it at one of its durable effects as `kill -9` would, or with another signal,
// or writes all effects to a file. The environment says which one; no other program is touched.
import fs, { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { type EffectPoint, surroundEffects } from '../../src/effect.ts';
import { isLasting, type Moment, Situation } from './effect-name.ts';

const {
  /** `git commit#2`: the second effect of that name; `git commit#2+1`: the one after it; `git commit#2@during`: see `Moment`. */
  KILL_PAWL_AT: at,
  /** A file of names; it is killed at the first effect whose name is not in it, which then is. */
  KILL_PAWL_ONCE: once,
  /** `0/2`: with `KILL_PAWL_ONCE`, only names of the first of two halves. */
  KILL_PAWL_SHARD: shard = '0/1',
  /** With `KILL_PAWL_ONCE`, only names that fit. */
  KILL_PAWL_ONLY: only = '',
  /** Anything: with `KILL_PAWL_ONCE`, an effect is another one for each task, and all moments of it are tried. */
  KILL_PAWL_FINE: fine,
  /** Another signal than SIGKILL. */
  KILL_PAWL_WITH: signal = 'SIGKILL',
  /** A file that gets a line for each effect. */
  LIST_EFFECTS_TO: list,
} = process.env;

const isPawl = process.argv[1] === path.join(import.meta.dirname, 'main.js');
if (isPawl && (at ?? once ?? list) !== undefined)
  surround(once === undefined ? atName(at ?? '') : onceOnly(once));

function surround(isDue: (point: EffectPoint, moment: Moment) => boolean): void {
  let hasStruck = false;
  const strike = (point: EffectPoint, moment: Moment): void => {
    if (hasStruck || !isDue(point, moment)) return;
    hasStruck = true;
    process.kill(process.pid, signal);
  };
  surroundEffects((point, act) => {
    strike(point, 'before');
    if (!isLasting(point)) return act();
    const result = point.kind === 'file' ? beforeRename(act, () => strike(point, 'during')) : act();
    if (!(result instanceof Promise)) return result;
    strike(point, 'during');
    return result.finally(() => strike(point, 'after')) as typeof result;
  });
}

/** A file that is replaced whole is on the disk under another name before it is renamed. */
function beforeRename<T>(act: () => T, strike: () => void): T {
  const { renameSync } = fs;
  fs.renameSync = (...args) => {
    strike();
    renameSync(...args);
  };
  syncBuiltinESMExports();
  try {
    return act();
  } finally {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  }
}

function atName(wanted: string): (point: EffectPoint, moment: Moment) => boolean {
  const [effect = '', moment = 'before'] = wanted.split('@');
  const [name, after = 0] = effect.split('+');
  const seen = new Map<string, number>();
  let [isArmed, left, isNow] = [false, Number(after), false];
  return ({ number, kind, label }, when) => {
    if (when !== 'before') return isNow && when === moment;
    const own = `${kind} ${label}`;
    const count = (seen.get(own) ?? 0) + 1;
    seen.set(own, count);
    if (list !== undefined) appendFileSync(list, `${number}\t${own}#${count}\n`);
    isArmed ||= name === String(number) || name === `${own}#${count}`;
    isNow = isArmed && left === 0;
    if (isArmed) left -= 1;
    return isNow && moment === 'before';
  };
}

/** Each name once, over all lives of a run. */
function onceOnly(file: string): (point: EffectPoint, moment: Moment) => boolean {
  const situation = new Situation(process.cwd(), fine !== undefined);
  const done = new Set(readFileSync(file, 'utf8').split('\n'));
  const [part = 0, parts = 1] = shard.split('/').map(Number);
  let name = '';
  return (point, moment) => {
    if (moment === 'before') name = situation.nameOf(point);
    const full = `${name} @${moment}`;
    if (!isTried(full, moment) || !new RegExp(only).test(full)) return false;
    if (done.has(full) || partOf(full, parts) !== part) return false;
    done.add(full);
    appendFileSync(file, `${full}\n`);
    return true;
  };
}

/** A second kill in the middle of what a first one left is for those with time. */
function isTried(name: string, moment: Moment): boolean {
  return fine !== undefined || moment === 'before' || (moment === 'during' && !name.includes('(restarted'));
}

function partOf(name: string, parts: number): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7) % parts;
}

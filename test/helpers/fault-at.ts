// Loaded into pawl with `node --import`: before one of its durable effects it runs a shell command, or shifts
// pawl's clock. What it runs is real: a disk is filled, a branch switched, a program removed. Told by the environment.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { observeEffects } from '../../src/effect.ts';

const { FAULT_AT: at = '', FAULT: command = '', SHIFT_CLOCK_AT: shiftAt } = process.env;
const isPawl = process.argv[1] === path.join(import.meta.dirname, 'main.js');

/** `journal closing#1=-10800000` shifts by so many milliseconds from there on; without an effect, from the start. */
function shiftClock(ms: number): void {
  const RealDate = Date;
  class ShiftedDate extends RealDate {
    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(RealDate.now() + ms);
      else super(...(given as [number]));
    }
    static override now(): number {
      return RealDate.now() + ms;
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor;
}

if (isPawl) {
  const seen = new Map<string, number>();
  const [shiftEffect, shiftMs] = (shiftAt ?? '').split('=');
  if (shiftAt?.startsWith('=')) shiftClock(Number(shiftMs));
  observeEffects(({ kind, label }) => {
    const name = `${kind} ${label}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const effect = `${name}#${count}`;
    if (effect === shiftEffect) shiftClock(Number(shiftMs));
    if (effect === at)
      execFileSync('/bin/sh', ['-c', command], {
        stdio: 'ignore',
        env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      });
  });
}

// What an effect is called so that it is the same one in another life of the run: by what the journal said last. It
// reads the journal and changes nothing.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EffectPoint } from '../../src/effect.ts';
import { factName } from '../../src/event.ts';

/** When of an effect: before it; with its program started, or its file written and not yet in place; after its program has ended. */
export type Moment = 'before' | 'during' | 'after';

/** True for an effect that has an inside: a program of its own, or a file replaced whole. */
export function isLasting({ kind, label }: Pick<EffectPoint, 'kind' | 'label'>): boolean {
  return kind === 'git' || kind === 'forge' || (kind === 'file' && label.startsWith('write '));
}

/** Where a run stands, as its journal tells; each life has one. */
export class Situation {
  #last: string;
  #closed: number;
  /** What a restart cut off, until the tasks go on. */
  #cut: string | undefined;
  #seen = new Map<string, number>();

  readonly #isFine: boolean;

  /** `folder`: the repository. `isFine`: the same effect is another one for each task. */
  constructor(folder: string, isFine: boolean) {
    this.#isFine = isFine;
    const facts = readFacts(folder);
    this.#closed = facts.filter((fact) => fact === 'task-closed').length;
    this.#last = facts.length === 0 ? 'start' : 'restart';
    this.#cut = facts.length === 0 ? undefined : standingOf(facts);
  }

  /** The effect's name, e.g. `closing: git commit#1`: the last fact, the first of its kind since. */
  nameOf({ kind, label }: EffectPoint): string {
    const own = `${kind} ${label.replaceAll(/[\da-f]*\d[\d.a-f-]*/g, 'N')}`;
    const count = (this.#seen.get(own) ?? 0) + 1;
    this.#seen.set(own, count);
    const name = `${this.#where()}: ${own}#${count}`;
    if (kind === 'journal' && label !== 'open') this.#go(label);
    return name;
  }

  #where(): string {
    if (this.#last === 'start' || this.#last === 'restart') return this.#last;
    const cut = this.#cut === undefined ? '' : ` (restarted ${this.#cut})`;
    return `${this.#isFine ? `${this.#closed} ` : ''}${this.#last}${cut}`;
  }

  #go(fact: string): void {
    this.#last = fact;
    if (fact === 'phase') this.#cut = undefined;
    if (fact === 'task-closed') this.#closed += 1;
    this.#seen = new Map();
  }
}

/** In the middle of what the last life of the run was. */
function standingOf(facts: readonly string[]): string {
  const last = facts.findLastIndex((fact) => landmarks.has(fact));
  return landmarks.get(facts[last] ?? '') ?? 'between tasks';
}

const landmarks: ReadonlyMap<string, string> = new Map([
  ['session-started', 'in a session'],
  ['session-ended', 'after a session'],
  ['closing', 'in a close'],
  ['task-closed', 'between tasks'],
  ['plan-archived', 'in the archive'],
  ['undo-started', 'in an undo'],
]);

function readFacts(folder: string): readonly string[] {
  const runs = path.join(folder, '.git/pawl/runs');
  try {
    const [run = ''] = readdirSync(runs).sort().reverse();
    const lines = readFileSync(path.join(runs, run, 'journal.ndjson'), 'utf8')
      .split('\n')
      .slice(0, -1);
    return lines.map((line) => factName(JSON.parse(line)));
  } catch {
    return [];
  }
}

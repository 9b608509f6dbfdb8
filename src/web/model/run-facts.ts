// The facts of a run sorted for its view as they come: those of each task, what belongs to the run as a whole, and the
// current phase. The state itself is the journal's own fold.

import type { Fact, FactOf, Stamped } from '../../event.ts';
import { foldFact, foldRun } from '../../journal/fold.ts';
import type { RunState } from '../../journal/state.ts';

/** Types of facts that a task's evidence and bars are made of. */
const ofTask: ReadonlySet<Fact['type']> = new Set([
  'attempt-started',
  'correction-sent',
  'round-ended',
  'check-started',
  'check-ended',
  'act-found',
  'file-refused',
  'tamper-noted',
  'stuck',
  'plan-edit-set-aside',
  'rescue-saved',
  'task-failed',
  'task-closed',
]);

/** Types of facts that the whole run's timeline is made of. */
const ofRun: ReadonlySet<Fact['type']> = new Set([
  'waiting',
  'waited',
  'paused',
  'continued',
  'run-ended',
  'run-resumed',
  'check-started',
  'check-ended',
]);

/** How many of the newest journal lines are kept. */
const mostLatest = 300;

/** Grows with the journal; `keep`: false if only the state is wanted. */
export class RunFacts {
  #state: RunState | undefined;
  #pending: Stamped<Fact>[] = [];
  readonly #keep: boolean;
  readonly tasks = new Map<string, Stamped<Fact>[]>();
  readonly whole: Stamped<Fact>[] = [];
  readonly all: Stamped<Fact>[] = [];
  readonly stuck = new Map<string, Stamped<FactOf<'stuck'>>>();
  phase: string | undefined;

  constructor(keep: boolean) {
    this.#keep = keep;
  }

  /** The run so far; undefined before its start was read. */
  get state(): RunState | undefined {
    if (this.#pending.length > 0) {
      // The first time all at once: fold.ts copies less for many facts than for each.
      this.#state = this.#state ? this.#pending.reduce(foldFact, this.#state) : foldRun(this.#pending);
      this.#pending = [];
    }
    return this.#state;
  }

  /** The newest facts, for a person to read. */
  get latest(): readonly Stamped<Fact>[] {
    return this.all.slice(-mostLatest);
  }

  add(fact: Stamped<Fact>): void {
    this.#pending.push(fact);
    if (fact.type === 'phase-started') this.phase = fact.phase;
    if (fact.type === 'phase-ended') this.phase = undefined;
    if (fact.type === 'stuck') this.stuck.set(fact.task, fact);
    if (fact.type === 'retry-asked' || fact.type === 'note-left') this.stuck.delete(fact.task ?? '');
    if (this.#keep) this.#sort(fact);
  }

  #sort(fact: Stamped<Fact>): void {
    this.all.push(fact);
    const task = 'task' in fact ? fact.task : undefined;
    if (task !== undefined && ofTask.has(fact.type)) {
      const known = this.tasks.get(task);
      if (known) known.push(fact);
      else this.tasks.set(task, [fact]);
    } else if (ofRun.has(fact.type)) this.whole.push(fact);
  }
}

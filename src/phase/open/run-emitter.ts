// The one way a run emits: journals, folds, and shows.
import { type Emit, eventVersion, type Fact, type Stamped } from '../../event.ts';
import { foldFact } from '../../journal/fold.ts';
import type { Journal } from '../../journal/journal.ts';
import type { RunListener, RunState } from '../../journal/state.ts';

/** A person's doing: whoever waits, rests or listens looks again. */
const wakingFacts: ReadonlySet<Fact['type']> = new Set(['intervention', 'budgets-set']);

export class RunEmitter {
  readonly #journal: Journal;
  readonly #now: () => Date;
  readonly #show: RunListener;
  #state: RunState | undefined;
  readonly #awakeMs: () => number;
  /** The wall clock's lead over `awakeMs` at the last fact. */
  #aheadMs: number | undefined;
  #hasEmitted = false;
  #wake = new AbortController();

  constructor(
    journal: Journal,
    state: RunState | undefined,
    given: Readonly<{
      now: () => Date;
      show: RunListener;
      /** Stands still while the machine sleeps. */
      awakeMs?: () => number;
    }>,
  ) {
    this.#journal = journal;
    this.#state = state;
    this.#now = given.now;
    this.#show = given.show;
    this.#awakeMs = given.awakeMs ?? (() => performance.now());
  }

  get hasEmitted(): boolean {
    return this.#hasEmitted;
  }

  /** Replaced once aborted by a person's command. */
  get wake(): AbortSignal {
    return this.#wake.signal;
  }

  get state(): RunState {
    if (!this.#state) throw new Error('the run has not started');
    return this.#state;
  }

  /** A correction below a minute tells nothing. */
  #slept(at: Date): Readonly<{ sleptMs?: number }> {
    const aheadMs = at.getTime() - this.#awakeMs();
    const ms = Math.round(aheadMs - (this.#aheadMs ?? aheadMs));
    if (this.#aheadMs !== undefined && Math.abs(ms) < 60_000) return {};
    this.#aheadMs = aheadMs;
    return ms === 0 ? {} : { sleptMs: ms };
  }

  readonly emit: Emit = (event) => {
    const at = this.#now();
    if (event.type === 'activity') {
      const { state } = this;
      return this.#show({ v: eventVersion, at: at.toISOString(), ...event }, state, state);
    }
    const fact: Stamped<Fact> = this.#journal.append({ ...event, ...this.#slept(at) }, at);
    this.#hasEmitted = true;
    const before = this.#state;
    const state = foldFact(before, fact);
    this.#state = state;
    this.#show(fact, state, before);
    if (!wakingFacts.has(fact.type)) return;
    const woken = this.#wake;
    this.#wake = new AbortController();
    woken.abort();
  };
}

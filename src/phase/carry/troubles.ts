// What stands in the way of a carrying: told in the journal, once for each time in a row, and known at the run's end, whose fact is
// the last line of a journal.
import type { Run } from '../../place/run.ts';

/** The troubles of one run that is carried by one process. */
export class Troubles {
  readonly #run: Run;
  #failed: string | undefined;
  /** Why the branch on the remote is not the run's, and the head that was refused. */
  #branch: string | undefined;
  #refused: string | undefined;
  #withheld = '';

  constructor(run: Run) {
    this.#run = run;
    const failed = run.state().carry?.failed;
    if (failed?.what === 'branch') this.#branch = failed.reason;
  }

  /** Nothing was carried when it was tried last. */
  get hasFailed(): boolean {
    return this.#failed !== undefined;
  }

  /** The run is carried, its branch is not. */
  get lacksBranch(): boolean {
    return this.#branch !== undefined;
  }

  /** All of them, in words; undefined: there are none. */
  get now(): string | undefined {
    return this.#failed ?? this.#branch;
  }

  /** Whether this head of the branch was refused already. */
  wasRefused(head: string): boolean {
    return head === this.#refused;
  }

  /** Nothing could be carried. */
  fail(reason: string): void {
    const isNews = !this.hasFailed;
    this.#failed = reason;
    if (isNews) this.#tell('all', reason);
  }

  /** The branch was pushed to this head; `refused`: it was not, and why. */
  pushed(head: string, refused: string | undefined): void {
    const isNews = refused !== undefined && refused !== this.#branch;
    this.#branch = refused;
    this.#refused = refused === undefined ? undefined : head;
    if (isNews) this.#tell('branch', refused);
  }

  /** It was carried; true where that makes up for all there was. */
  carried(wasBehind: boolean): boolean {
    this.#failed = undefined;
    return wasBehind && !this.lacksBranch;
  }

  /** Files that were left out of the open work, by their names. */
  withhold(names: string): void {
    if (names === '' || names === this.#withheld || this.#run.state().ended) return;
    this.#withheld = names;
    const text = `not carried, as it would not be committed: ${names}`;
    this.#run.emit({ type: 'noticed', code: 'not-carried', text });
  }

  #tell(what: 'all' | 'branch', reason: string): void {
    if (!this.#run.state().ended) this.#run.emit({ type: 'carry-failed', what, reason });
  }
}

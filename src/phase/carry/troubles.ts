// What prevents a carry: journaled once per series, and before the run's end, the journal's last line.
import type { Run } from '../../place/run.ts';

export class Troubles {
  readonly #run: Run;
  #failed: string | undefined;
  /** Why the remote's branch is not the run's; the refused head. */
  #branch: string | undefined;
  #refused: string | undefined;
  #withheld = '';

  constructor(run: Run) {
    this.#run = run;
    const failed = run.state().carry?.failed;
    if (failed?.what === 'branch') this.#branch = failed.reason;
  }

  /** Why nothing is carried, in words. */
  get failed(): string | undefined {
    return this.#failed;
  }

  get lacksBranch(): boolean {
    return this.#branch !== undefined;
  }

  /** In words. */
  get now(): string | undefined {
    return this.#failed ?? this.#branch;
  }

  wasRefused(head: string): boolean {
    return head === this.#refused;
  }

  fail(reason: string): void {
    const isNews = this.#failed === undefined;
    this.#failed = reason;
    if (isNews) this.#tell('all', reason);
  }

  /** `refused`: why the branch was not. */
  pushed(head: string, refused: string | undefined): void {
    const isNews = refused !== undefined && refused !== this.#branch;
    this.#branch = refused;
    this.#refused = refused === undefined ? undefined : head;
    if (isNews) this.#tell('branch', refused);
  }

  /** True if it makes up for all earlier trouble. */
  carried(wasBehind: boolean): boolean {
    this.#failed = undefined;
    return wasBehind && !this.lacksBranch;
  }

  withhold(names: string): void {
    if (names === '' || names === this.#withheld || this.#run.state().ended) return;
    this.#withheld = names;
    const text = `not carried, because it would not be committed: ${names}`;
    this.#run.emit({ type: 'noticed', code: 'not-carried', text });
  }

  #tell(what: 'all' | 'branch', reason: string): void {
    if (!this.#run.state().ended) this.#run.emit({ type: 'carry', state: 'failed', what, reason });
  }
}

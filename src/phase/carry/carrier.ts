// Carries a run to its remote while it continues: after facts that another machine must not miss, and every few
// minutes. The run waits only at a close, and ends if another machine has it.
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Event, OfLane } from '../../event.ts';
import { asFailure, Failure } from '../../failure.ts';
import type { Written } from '../../git/carry/carried-commit.ts';
import { withOneClock, withoutLogin } from '../../git/carry/remote.ts';
import { type ProtectedFiles, readProtectedFiles } from '../../git/protect/protected-files.ts';
import type { Place } from '../../place/place.ts';
import { headOf, isSafeBeside, mustNotMiss, readContent, readWork } from './content.ts';
import { keepFenced } from './owner.ts';
import { carryRun } from './push-run.ts';

export type CarrierDeps = Readonly<{
  host: string;
  pawl: string;
  mask: (text: string) => string;
  /** As Ctrl-C does. */
  interrupt: () => void;
}>;

export class Carrier {
  readonly #place: Place;
  readonly #deps: CarrierDeps;
  /** Why nothing is carried, in words. */
  #failed: string | undefined;
  /** Why the remote's branch is not the run's, and the head that was refused. */
  #refused: Readonly<{ why: string; head?: string }> | undefined;
  #withheld = '';
  readonly #written: Written = new Map();
  /** `due`: to begin, or once more after the one under way. */
  #state: 'resting' | 'carrying' | 'due' | 'over' = 'resting';
  #carrying = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Something happened since the last carry began. */
  #isBehind = true;
  /** By the wall clock, which also runs while this machine sleeps. */
  #metAt = 0;
  #oid: string | undefined;
  #isBeside = false;
  /** As git's configuration was while no session could change it. */
  #guarded: ProtectedFiles | undefined;

  constructor(place: Place, deps: CarrierDeps) {
    this.#place = place;
    this.#deps = deps;
    const failed = place.run.state().carry?.failed;
    if (failed?.what === 'branch') this.#refused = { why: failed.reason };
  }

  /** Somebody may still be there to answer a login window. */
  async begin(): Promise<void> {
    this.#lookAround();
    this.#schedule({ attended: true });
    await this.#carrying;
  }

  hear(event: Event & OfLane): void {
    const isOwn = event.type === 'carry' && (event.state === 'done' || event.state === 'failed');
    if (event.type === 'activity' || isOwn) return;
    this.#isBehind = true;
    if (event.type === 'session-started') this.#isBeside = true;
    // What a session did to git is undone by then.
    if (event.type === 'round-ended' || event.type === 'task-closed' || event.type === 'phase')
      this.#lookAround();
    if (mustNotMiss.has(event.type)) this.#schedule();
  }

  /**
   * Waits until closed tasks are carried: `fixed.carryPatienceMs` at most, and not for an unreachable remote; with
   * `anew` it tries again, and waits to the end. Returns why they are not.
   */
  async settled(anew?: 'anew'): Promise<string | undefined> {
    if (this.#isOver) return undefined;
    // After this machine slept, another may have the run.
    const isOld = this.#state === 'resting' && Date.now() - this.#metAt > fixed.carryEveryMs;
    if (anew || isOld) this.#schedule();
    if (anew) await this.#carrying;
    else if (!this.#failed) await this.#waitPatiently();
    return this.#failed;
  }

  async #waitPatiently(): Promise<void> {
    const waited = new AbortController();
    const { run } = this.#place;
    await Promise.race([this.#carrying, run.sleep(fixed.carryPatienceMs, waited.signal)]);
    waited.abort();
  }

  /** Tries a few times, for a fleet's job until the remote answers. Returns what is wrong. */
  async finish(): Promise<string | undefined> {
    const { run } = this.#place;
    for (let tries = 1; !this.#isOver; tries += 1) {
      this.#schedule();
      await this.#carrying;
      const { job, oid } = this.#carry;
      const isLast = job === undefined && (oid === undefined || tries === fixed.carryTries);
      if (!this.#failed || isLast || run.signal.aborted) break;
      await run.sleep(fixed.carryAgainMs, run.signal);
    }
    clearTimeout(this.#timer);
    if (this.#isOver) return undefined;
    this.#state = 'over';
    return this.#trouble;
  }

  get #isOver(): boolean {
    return this.#state === 'over';
  }

  get #carry() {
    const { carry } = this.#place.run.state();
    if (!carry) throw new Error('the run is not carried');
    return carry;
  }

  #lookAround(): void {
    // Another machine's session cannot be working here.
    const sessions = [...this.#place.run.state().sessions.values()];
    this.#isBeside = sessions.some(({ ended, started }) => !ended && started.mark !== '');
    if (!this.#isBeside) this.#guarded = readProtectedFiles(this.#place.repo);
  }

  #refuseBeside(): void {
    if (!this.#isBeside || isSafeBeside(this.#place, this.#guarded)) return;
    throw new Failure('git', 'git’s configuration here changed while a session works');
  }

  #schedule({ attended = false } = {}): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    if (this.#state === 'resting') this.#carrying = this.#carryOn(attended);
    this.#state = 'due';
  }

  async #carryOn(attended: boolean): Promise<void> {
    // Not from inside the emit of a fact.
    await Promise.resolve();
    do {
      this.#state = 'carrying';
      try {
        this.#refuseBeside();
        await this.#push(attended);
      } catch (error) {
        // The run is worth more than its carrying.
        const before = this.#failed;
        this.#failed = withoutLogin((asFailure(error) ?? (error as Error)).message);
        if (before === undefined) this.#tell('all', this.#failed);
      }
    } while (this.#isDue);
    if (this.#isOver) return;
    this.#state = 'resting';
    const ms = this.#failed ? Math.min(fixed.carryEveryMs, fixed.carryAgainMs) : fixed.carryEveryMs;
    this.#timer = setTimeout(() => this.#schedule(), ms).unref();
  }

  get #isDue(): boolean {
    return this.#state === 'due';
  }

  async #push(attended: boolean): Promise<void> {
    const { run, repo } = this.#place;
    if (!this.#isBehind && !this.#failed && Date.now() - this.#metAt < fixed.carryAgainMs) return;
    this.#isBehind = false;
    const clockMs = fixed.carryPatienceMs;
    const carry = this.#carry;
    // Without settings that a working session made.
    const remote = withOneClock(
      { name: carry.remote, clockMs, ...(attended ? {} : { unattended: true }) },
      () => this.#refuseBeside(),
    );
    const state = run.state();
    const head = headOf(state);
    const files = readContent(run.folder, this.#deps.mask);
    const seen = await readWork(this.#place);
    this.#withhold(seen?.withheld ?? '');
    const old = this.#oid ?? carry.oid;
    const isMoved = head !== carry.head || old === undefined || this.#refused !== undefined;
    const withBranch = isMoved && this.#refused?.head !== head;
    const { host, pawl } = this.#deps;
    const { now, end } = await carryRun(repo, remote, {
      state,
      head,
      files,
      tree: seen?.tree,
      withBranch,
      written: this.#written,
      by: { host, pawl, at: run.now().toISOString() },
      carry: { ...carry, ...defined({ oid: old }) },
    });
    if (end.kind === 'fenced') return this.#fence(end.by, end.theirs);
    const wasBehind = this.#trouble !== undefined;
    if (withBranch) this.#pushed(head, end.branch);
    this.#oid = now;
    this.#metAt = Date.now();
    this.#failed = undefined;
    const caughtUp = wasBehind && !this.#refused;
    // The end is the journal's last line, unless something is missing: the ref's owner tells that.
    const {
      course: { ended },
      carry: told,
    } = run.state();
    if (ended && !(told?.failed && !this.#trouble)) return;
    const more = defined({ first: old === undefined || undefined, caughtUp: caughtUp || undefined });
    run.emit({ type: 'carry', state: 'done', oid: now, head, ...more });
  }

  async #fence(by: Readonly<{ host: string; at: string }>, theirs: string | undefined): Promise<void> {
    this.#state = 'over';
    const { run, repo } = this.#place;
    const head = headOf(run.state());
    const kept = await keepFenced(repo, { run: run.id, head, theirs });
    run.emit({ type: 'carry', state: 'fenced', by: { host: by.host, at: by.at }, ...defined({ kept }) });
    if (!run.signal.aborted) this.#deps.interrupt();
  }

  /** In words. */
  get #trouble(): string | undefined {
    return this.#failed ?? this.#refused?.why;
  }

  /** `why` the branch was refused. */
  #pushed(head: string, why: string | undefined): void {
    const before = this.#refused?.why;
    this.#refused = why === undefined ? undefined : { why, head };
    if (why !== undefined && why !== before) this.#tell('branch', why);
  }

  #withhold(names: string): void {
    const { run } = this.#place;
    if (names === '' || names === this.#withheld || run.state().course.ended) return;
    this.#withheld = names;
    const text = `not carried, because it would not be committed: ${names}`;
    run.emit({ type: 'noticed', code: 'not-carried', text });
  }

  /** Once per series, and before the run's end, the journal's last line. */
  #tell(what: 'all' | 'branch', reason: string): void {
    const { run } = this.#place;
    if (!run.state().course.ended) run.emit({ type: 'carry', state: 'failed', what, reason });
  }
}

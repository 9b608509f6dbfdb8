// Carries a run to its remote while it continues: after facts that another machine must not miss, and every few
// minutes. The run waits only at a close, and ends if another machine has it.
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Event, Fact, OfLane } from '../../event.ts';
import { asFailure, Failure } from '../../failure.ts';
import type { Written } from '../../git/carry/carried-commit.ts';
import { withOneClock, withoutLogin } from '../../git/carry/remote.ts';
import { type ProtectedFiles, readProtectedFiles } from '../../git/protect/protected-files.ts';
import type { Place } from '../../place/place.ts';
import { headOf, isSafeBeside, readContent, readWork } from './content.ts';
import { keepFenced } from './owner.ts';
import { carryRun } from './push-run.ts';
import { Troubles } from './troubles.ts';

export type CarrierDeps = Readonly<{
  host: string;
  pawl: string;
  mask: (text: string) => string;
  /** As Ctrl-C does. */
  interrupt: () => void;
}>;

const telling: ReadonlySet<Fact['type']> = new Set([
  'session-started',
  'task-closed',
  'task-reopened',
  'task-set-aside',
  'intervention',
  'definitions-taken',
  'plan-committed',
  'plan-archived',
  'replan',
  'run-squashed',
  'paused',
  'request',
  'commits-moved',
  'run-ended',
]);

/** At a run's end, to a remote that took it before. */
const lastTries = 3;

export class Carrier {
  readonly #place: Place;
  readonly #deps: CarrierDeps;
  readonly #troubles: Troubles;
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
    this.#troubles = new Troubles(place.run);
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
    if (telling.has(event.type)) this.#schedule();
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
    else if (!this.#troubles.failed) await this.#waitPatiently();
    return this.#troubles.failed;
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
      const isLast = job === undefined && (oid === undefined || tries === lastTries);
      if (!this.#troubles.failed || isLast || run.signal.aborted) break;
      await run.sleep(fixed.carryAgainMs, run.signal);
    }
    clearTimeout(this.#timer);
    if (this.#isOver) return undefined;
    this.#state = 'over';
    return this.#troubles.now;
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
        this.#troubles.fail(withoutLogin((asFailure(error) ?? (error as Error)).message));
      }
    } while (this.#isDue);
    if (this.#isOver) return;
    this.#state = 'resting';
    const ms = this.#troubles.failed ? Math.min(fixed.carryEveryMs, fixed.carryAgainMs) : fixed.carryEveryMs;
    this.#timer = setTimeout(() => this.#schedule(), ms).unref();
  }

  get #isDue(): boolean {
    return this.#state === 'due';
  }

  async #push(attended: boolean): Promise<void> {
    const { run, repo } = this.#place;
    const troubles = this.#troubles;
    if (!this.#isBehind && !troubles.failed && Date.now() - this.#metAt < fixed.carryAgainMs) return;
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
    troubles.withhold(seen?.withheld ?? '');
    const old = this.#oid ?? carry.oid;
    const isMoved = head !== carry.head || old === undefined || troubles.lacksBranch;
    const withBranch = isMoved && !troubles.wasRefused(head);
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
    const wasBehind = troubles.now !== undefined;
    if (withBranch) troubles.pushed(head, end.branch);
    this.#oid = now;
    this.#metAt = Date.now();
    const caughtUp = troubles.carried(wasBehind);
    // The end is the journal's last line, unless something is missing: the ref's owner tells that.
    const { ended, carry: told } = run.state();
    if (ended && !(told?.failed && troubles.now === undefined)) return;
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
}

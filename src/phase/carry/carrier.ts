// Carries a run to its remote while it continues: after facts that another machine must not miss, and every few
// minutes. The run waits only at a close, and ends if another machine has it.
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Event, OfLane } from '../../event.ts';
import { asFailure, Failure } from '../../failure.ts';
import { withOneClock, withoutLogin } from '../../git/carry/remote.ts';
import { type ProtectedFiles, readProtectedFiles } from '../../git/protect/protected-files.ts';
import { noticeOnce } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { headOf, isSafeBeside, mustNotMiss, readContent, readWork } from './content.ts';
import { keepFenced } from './owner.ts';
import { carryRun, type Taker } from './push-run.ts';

export type CarrierDeps = Readonly<{
  host: string;
  mask: (text: string) => string;
  /** As Ctrl-C does. */
  interrupt: () => void;
}>;

export class Carrier {
  readonly #place: Place;
  readonly #deps: CarrierDeps;
  /** Why nothing is carried, in words. */
  #failed: string | undefined;
  /** Why the remote's branch is not the run's. */
  #refused: string | undefined;
  /** `due`: to begin, or once more after the one under way. */
  #state: 'resting' | 'carrying' | 'due' | 'over' = 'resting';
  #carrying = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Somebody may still be there to answer a login window. */
  #isFirst = true;
  #isBeside = false;
  /** As git's configuration was while no session could change it. */
  #guarded: ProtectedFiles | undefined;

  constructor(place: Place, deps: CarrierDeps) {
    this.#place = place;
    this.#deps = deps;
    const { failed } = this.#carry;
    if (failed?.what === 'branch') this.#refused = failed.reason;
  }

  async begin(): Promise<void> {
    this.#lookAround();
    this.#schedule();
    await this.#carrying;
  }

  hear(event: Event & OfLane): void {
    if (event.type === 'session-started') this.#isBeside = true;
    // What a session did to git is undone by then.
    if (event.type === 'round-ended' || event.type === 'task-closed' || event.type === 'phase')
      this.#lookAround();
    if ((mustNotMiss as ReadonlySet<string>).has(event.type)) this.#schedule();
  }

  /**
   * Waits until closed tasks are carried: `fixed.carryPatienceMs` at most, and not for an unreachable remote; with
   * `anew` it tries again, and waits to the end. Returns why they are not; throws if the remote never took anything.
   */
  async settled(anew?: 'anew'): Promise<string | undefined> {
    const { run } = this.#place;
    if (anew) this.#schedule();
    if (anew) await this.#carrying;
    else if (!this.#failed) {
      const waited = new AbortController();
      await Promise.race([this.#carrying, run.sleep(fixed.carryPatienceMs, waited.signal)]);
      waited.abort();
    }
    const { remote, failed, oid } = this.#carry;
    if (!failed || oid !== undefined) return this.#failed;
    throw new Failure('environment', `the run cannot be carried to ${remote}: ${failed.reason}`, {
      hint: 'The server must take atomic pushes, and refs below refs/pawl/. Leave out --carry to run without.',
    });
  }

  /** Tries a few times, for a fleet's job until the remote answers. Returns what is wrong. */
  async finish(): Promise<string | undefined> {
    const { run } = this.#place;
    for (let tries = 1; ; tries += 1) {
      await this.#carrying;
      const { job, oid } = this.#carry;
      const isLast = job === undefined && (oid === undefined || tries === fixed.carryTries);
      if (this.#isOver || !this.#failed || isLast || run.signal.aborted) break;
      await run.sleep(fixed.carryAgainMs, run.signal);
      this.#schedule();
    }
    clearTimeout(this.#timer);
    this.#state = 'over';
    const { fenced } = this.#carry;
    return fenced ? `${fenced.by.host} has taken it up` : this.#trouble;
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

  async #refuseBeside(): Promise<void> {
    if (!this.#isBeside || (await isSafeBeside(this.#place, this.#guarded))) return;
    throw new Failure('git', 'git’s configuration here changed while a session works');
  }

  #schedule(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    if (this.#state === 'resting') this.#carrying = this.#carryOn();
    this.#state = 'due';
  }

  async #carryOn(): Promise<void> {
    // Not from inside the emit of a fact.
    await Promise.resolve();
    do {
      this.#state = 'carrying';
      try {
        await this.#refuseBeside();
        await this.#push();
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

  async #push(): Promise<void> {
    const { run, repo } = this.#place;
    const carry = this.#carry;
    const unattended = this.#isFirst ? {} : ({ unattended: true } as const);
    this.#isFirst = false;
    const slow = { name: carry.remote, clockMs: fixed.carryPatienceMs, ...unattended };
    // Without settings that a working session made.
    const remote = withOneClock({ ...slow, mayAsk: () => this.#refuseBeside() });
    const state = run.state();
    const head = headOf(state);
    const { host, mask } = this.#deps;
    const files = readContent(run.folder, mask);
    const seen = await readWork(this.#place);
    if (seen?.withheld && !state.course.ended) {
      const text = `not carried, because it would not be committed: ${seen.withheld}`;
      noticeOnce(run, { code: 'not-carried', text });
    }
    const withBranch = head !== carry.head || carry.oid === undefined || this.#refused !== undefined;
    const { now, parted, fenced } = await carryRun(repo, remote, {
      ...{ state, carry, head, files, tree: seen?.tree, withBranch, host, now: run.now() },
    });
    if (fenced) return this.#fence(fenced);
    const wasBehind = this.#trouble !== undefined;
    const before = this.#refused;
    if (withBranch) this.#refused = parted;
    if (parted !== undefined && parted !== before) this.#tell('branch', parted);
    this.#failed = undefined;
    // The end is the journal's last line, unless something is missing: the ref's owner tells that.
    const { course, carry: told } = run.state();
    if (course.ended && !(told?.failed && !this.#trouble)) return;
    const caughtUp = (wasBehind && !this.#refused) || undefined;
    run.emit({ type: 'carry', state: 'done', oid: now, head, ...defined({ caughtUp }) });
  }

  async #fence({ host, at, head: theirs }: Taker): Promise<void> {
    this.#state = 'over';
    const { run, repo } = this.#place;
    const kept = await keepFenced(repo, { run: run.id, head: headOf(run.state()), theirs });
    run.emit({ type: 'carry', state: 'fenced', by: { host, at }, ...defined({ kept }) });
    if (!run.signal.aborted) this.#deps.interrupt();
  }

  /** In words. */
  get #trouble(): string | undefined {
    return this.#failed ?? this.#refused;
  }

  /** Once per series, and before the run's end, the journal's last line. */
  #tell(what: 'all' | 'branch', reason: string): void {
    const { run } = this.#place;
    if (!run.state().course.ended) run.emit({ type: 'carry', state: 'failed', what, reason });
  }
}

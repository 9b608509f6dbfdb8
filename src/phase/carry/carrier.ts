// Carries a run to its remote while it continues: after facts that another machine must not miss, and every few
// minutes. The run waits only at a close, and ends if another machine has it.
import { setTimeout as delay } from 'node:timers/promises';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { Event, Fact, OfLane } from '../../event.ts';
import { asFailure, Failure } from '../../failure.ts';
import type { Written } from '../../git/carry/carried-commit.ts';
import { type Remote, withOneClock, withoutLogin } from '../../git/carry/remote.ts';
import { type ProtectedFiles, readProtectedFiles } from '../../git/protect/protected-files.ts';
import type { Place } from '../../place/place.ts';
import { differing, headOf, isSafeBeside, readContent, readWork } from './content.ts';
import { keepFenced } from './owner.ts';
import { branchAt, carryRun } from './push-run.ts';
import { Troubles } from './troubles.ts';

export type CarrierDeps = Readonly<{
  host: string;
  pawl: string;
  mask: (text: string) => string;
  /** As Ctrl-C does. */
  interrupt: () => void;
}>;

const telling: ReadonlySet<Fact['type']> = new Set([
  ...(['session-started', 'task-closed', 'task-reopened', 'task-set-aside'] as const),
  ...(['intervention', 'definitions-taken', 'plan-committed'] as const),
  ...(['plan-archived', 'replan', 'run-squashed', 'paused', 'request'] as const),
  'commits-moved',
  'run-ended',
]);

const retryMs = 30_000;

export class Carrier {
  readonly #place: Place;
  readonly #deps: CarrierDeps;
  readonly #troubles: Troubles;
  /** Nobody is left to answer a login window. */
  #unattended = false;
  #guarded: ProtectedFiles | undefined;
  readonly #written: Written = new Map();
  #under: Promise<void> | undefined;
  #again = false;
  #beside = false;
  #isOver = false;
  #heard = 0;
  #carriedLast = '';
  #lastMet = 0;
  #oid: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(place: Place, deps: CarrierDeps) {
    this.#place = place;
    this.#deps = deps;
    this.#troubles = new Troubles(place.run);
  }

  /** For one carry, without settings that a working session made. */
  #remoteNow(): Remote {
    const unattended = this.#unattended ? { unattended: true as const } : {};
    const remote = { name: this.#carry.remote, clockMs: fixed.carryPatienceMs, ...unattended };
    return withOneClock(remote, () => this.#refuseBeside());
  }

  #refuseBeside(): void {
    if (!this.#beside || isSafeBeside(this.#place, this.#guarded)) return;
    throw new Failure('git', 'git’s configuration here changed while a session works');
  }

  get #carry() {
    const { carry } = this.#place.run.state();
    if (!carry) throw new Error('the run is not carried');
    return carry;
  }

  async begin(): Promise<void> {
    this.#lookAround();
    this.#schedule();
    await this.#under;
    this.#unattended = true;
  }

  hear(event: Event & OfLane): void {
    if (
      event.type === 'activity' ||
      (event.type === 'carry' && event.state === 'done') ||
      (event.type === 'carry' && event.state === 'failed')
    )
      return;
    this.#heard += 1;
    if (event.type === 'session-started') this.#beside = true;
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
    const isOld = !this.#under && Date.now() - this.#lastMet > fixed.carryEveryMs;
    if (anew || isOld) this.#schedule();
    if (anew) await this.#under;
    else if (!this.#troubles.hasFailed) await this.#underPatiently();
    return this.#troubles.failed;
  }

  async #underPatiently(): Promise<void> {
    const waited = new AbortController();
    await Promise.race([
      this.#under,
      delay(fixed.carryPatienceMs, undefined, { signal: waited.signal }).catch(() => {}),
    ]);
    waited.abort();
  }

  /** Waits at most twice `fixed.carryPatienceMs`, for a fleet's job until the remote answers. Returns what is wrong. */
  async finish(): Promise<string | undefined> {
    const { run } = this.#place;
    clearTimeout(this.#timer);
    if (this.#isOver) return undefined;
    const isJobs = this.#carry.job !== undefined;
    for (;;) {
      this.#schedule();
      await this.#under;
      clearTimeout(this.#timer);
      if (this.#isOver) return undefined;
      if (!isJobs || !this.#troubles.hasFailed || run.signal.aborted) break;
      await run.sleep(retryMs, run.signal);
    }
    this.#isOver = true;
    return this.#troubles.now;
  }

  /** Remembers git's configuration while no session can change it. */
  #lookAround(): void {
    // Another machine's session cannot be working here.
    const sessions = [...this.#place.run.state().sessions.values()];
    this.#beside = sessions.some(({ ended, started }) => !ended && started.mark !== '');
    if (!this.#beside) this.#guarded = readProtectedFiles(this.#place.repo);
  }

  #schedule(): void {
    if (this.#isOver) return;
    if (this.#under) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#under = this.#carryOn().finally(() => {
      this.#under = undefined;
      if (this.#isOver) return;
      const every = fixed.carryEveryMs;
      const ms = this.#troubles.hasFailed ? Math.min(every, retryMs) : every;
      this.#timer = setTimeout(() => this.#schedule(), ms);
      this.#timer.unref();
    });
  }

  async #carryOn(): Promise<void> {
    // Not from inside the emit of a fact.
    await Promise.resolve();
    do {
      this.#again = false;
      try {
        this.#refuseBeside();
        await this.#push();
      } catch (error) {
        // The run is worth more than its carrying.
        this.#troubles.fail(withoutLogin((asFailure(error) ?? (error as Error)).message));
      }
    } while (this.#again && !this.#isOver);
  }

  async #push(): Promise<void> {
    const remote = this.#remoteNow();
    const { run, repo } = this.#place;
    const troubles = this.#troubles;
    const heard = this.#heard;
    const state = run.state();
    const carry = this.#carry;
    const head = headOf(state);
    const files = readContent(run.folder, this.#deps.mask);
    const seen = await readWork(this.#place);
    troubles.withhold(seen?.withheld ?? '');
    const work = await differing(repo, head, seen?.tree);
    const content = `${heard} ${head} ${work}`;
    if (content === this.#carriedLast && !troubles.hasFailed && Date.now() - this.#lastMet < retryMs) return;
    const old = this.#oid ?? carry.oid;
    const isMoved = head !== carry.head || old === undefined || troubles.lacksBranch;
    const branch = isMoved && !troubles.wasRefused(head) ? await branchAt(repo, state, head) : undefined;
    const { host, pawl } = this.#deps;
    const { now, end } = await carryRun(repo, remote, {
      ...{ state, head, files, work, branch, written: this.#written },
      by: { host, pawl, at: run.now().toISOString() },
      carry: { ...carry, ...defined({ oid: old }) },
    });
    if (end.kind === 'fenced') return this.#fence(end.by, end.theirs);
    const wasBehind = troubles.now !== undefined;
    if (branch) troubles.pushed(head, end.branch);
    this.#oid = now;
    this.#lastMet = Date.now();
    const first = old === undefined ? { first: true as const } : {};
    const caughtUp = troubles.carried(wasBehind) ? { caughtUp: true as const } : {};
    // The end is the journal's last line, unless something is missing: the ref's owner tells that.
    const { ended, carry: told } = run.state();
    if (!ended || (told?.failed && troubles.now === undefined))
      run.emit({
        type: 'carry',
        state: 'done',
        oid: now,
        head,
        ...first,
        ...caughtUp,
      });
    this.#carriedLast = content;
  }

  async #fence(by: Readonly<{ host: string; at: string }>, theirs: string | undefined): Promise<void> {
    this.#isOver = true;
    const { run, repo } = this.#place;
    const head = headOf(run.state());
    const kept = await keepFenced(repo, { run: run.id, head, theirs });
    run.emit({ type: 'carry', state: 'fenced', by: { host: by.host, at: by.at }, ...defined({ kept }) });
    if (!run.signal.aborted) this.#deps.interrupt();
  }
}

// Takes people's requests from other machines: each once, as if it had been typed in a terminal here, and answers it in the
// journal.
import type { ControlReply } from '../../control/request.ts';
import { asFailure } from '../../failure.ts';
import type { Remote } from '../../git/carry/remote.ts';
import { isAnswered } from '../../journal/fold-requests.ts';
import type { Place } from '../../place/place.ts';
import { writePlanEdit } from '../../plan/edit-file.ts';
import { formatNote, lintBy, lintPlan } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { allChecks, nameCheck } from '../../work/work.ts';
import { applyCommand, type Reach } from '../steer/apply-command.ts';
import { refuse } from '../steer/grant.ts';
import { type AfarRequest, dropRequests, readRequests, requestsRef } from './requests.ts';

/** Handles the requests to one run, for the process that carries it. */
export class RequestTaker {
  readonly #place: Place;
  readonly #reach: Reach;
  /** The commit of requests that were taken and are still on the remote; undefined if there are none. */
  #taken: string | undefined;
  /**
   * When this process began to work on the run. An earlier request to stop, by the requester's clock, is not meant for it.
   */
  readonly #since: number;
  #strange: string | undefined;

  constructor(place: Place, reach: Reach) {
    this.#place = place;
    this.#reach = reach;
    this.#since = place.run.now().getTime();
  }

  /**
   * Takes unanswered requests; reports unreadable ones once. Returns false if the remote no longer has what was last
   * carried from here, so that the requests may be another machine's.
   */
  async take(remote: Remote, last: string | undefined): Promise<boolean> {
    const { run, repo } = this.#place;
    // The end is the journal's last line.
    if (run.state().ended) return true;
    try {
      const { ref } = run.state().carry ?? {};
      const { oid, requests, beside } = await readRequests(repo, remote, this.#ref, ref);
      if (run.state().ended) return true;
      if (beside !== undefined && beside !== last) return false;
      for (const asked of requests) this.#take(asked);
      this.#taken = oid;
    } catch (error) {
      const failure = asFailure(error);
      if (failure?.code !== 'preflight') throw error;
      if (failure.message === this.#strange) return true;
      this.#strange = failure.message;
      run.emit({ type: 'noticed', code: 'requests', text: `${failure.message}. ${failure.hint ?? ''}` });
    }
    return true;
  }

  /** The run is finished: removes the requests that nobody took. */
  async dropAll(remote: Remote): Promise<void> {
    try {
      this.#taken ??= (await readRequests(this.#place.repo, remote, this.#ref)).oid;
    } catch (error) {
      if (!asFailure(error)) throw error;
    }
    await this.drop(remote);
  }

  /** Their answers are carried, so removes them from the remote. */
  async drop(remote: Remote): Promise<void> {
    const oid = this.#taken;
    this.#taken = undefined;
    if (oid !== undefined) await dropRequests(this.#place.repo, remote, { ref: this.#ref, oid });
  }

  get #ref(): string {
    return requestsRef(this.#place.run.state().carry?.ref ?? '');
  }

  #take(asked: AfarRequest): void {
    const { run } = this.#place;
    const { request, by, at, wish } = asked;
    const { requests: known } = run.state();
    if (isAnswered(known, request)) return;
    const reply = known.done.has(request) ? done : this.#answer(asked);
    const text = reply.ok ? reply.text : reply.error;
    run.emit({ type: 'request-answered', request, by, asked: at, wish: wish.do, ok: reply.ok, text });
  }

  #answer({ request, by, at, wish }: AfarRequest): ControlReply {
    if (Date.parse(at) < this.#since && (wish.do === 'stop' || wish.do === 'pause'))
      return refuse('nobody was working on the run when it was asked');
    return wish.do === 'edit'
      ? takeEdit(this.#place, wish)
      : applyCommand(this.#place, { ...wish, by, request }, this.#reach);
  }
}

/** It was done, but a kill cut off the answer. */
const done = { ok: true, text: 'It was done.' } as const;

/**
 * Anyone who can push can make a request, so an edit that would run other commands here than the plan has now is refused.
 */
function takeEdit(place: Place, { text, base }: Extract<AfarRequest['wish'], { do: 'edit' }>): ControlReply {
  const { run, plan } = place;
  const edited = parsePlan(text, plan.file);
  const known = new Set(allChecks(place, readPlanSnapshot(place)).map(nameCheck));
  const strange = allChecks(place, { text, plan: edited }).find((check) => !known.has(nameCheck(check)));
  if (strange)
    return refuse(
      `the edit has a check that is not in the plan: ${strange.command}; add it on the machine that works on the run`,
    );
  const [mistake] = lintPlan(edited, lintBy(run.config)).filter(({ severity }) => severity === 'error');
  if (mistake) return refuse(`the edit has mistakes: ${formatNote(plan.name, mistake)}`);
  writePlanEdit(run.folder, text, base);
  return { ok: true, text: 'The edit applies at the next round.' };
}

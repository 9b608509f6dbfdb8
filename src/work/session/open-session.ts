// Opens any session of a run, with less where the repository is not trusted. The caller sets its prompt and place.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AgentRequest } from '../../agent/agent.ts';
import { adapterOf, filesAgentsObey } from '../../agent/agents.ts';
import { Session } from '../../agent/session/session.ts';
import type { SessionPlan } from '../../agent/session/session-plan.ts';
import { endingMs, startMs } from '../../agent/session/session-state.ts';
import { isAtOrBelow } from '../../below.ts';
import type { ModelChoice } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { parseDuration } from '../../duration.ts';
import { Failure } from '../../failure.ts';
import { sessionFile } from '../../journal/folder.ts';
import { journalFile } from '../../journal/run-files.ts';
import { noticeOnce } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { plansFolder } from '../../plan/plan-name.ts';
import { readInside } from '../../plan/read-inside.ts';
import { type Library, readTemplate } from '../../prompt/library.ts';
import { formatGuide } from '../../prompt/prompts.ts';
import { fillTemplate, type Values } from '../../prompt/template.ts';
import { writeFileUnsynced } from '../../write-file.ts';
import { countBeside, shareOfRest, spendingNow } from '../budget/spending.ts';
import { identityOf } from './identity.ts';

export type Opening = Readonly<{
  number: number;
  nonce: string;
  trusted: boolean;
  /** What any prompt may name. */
  values: Values;
  library: Library;
  /** Absolute, of its files, without extensions. */
  name: string;
}>;

export type SessionGiven = Pick<
  SessionPlan,
  'agent' | 'role' | 'attempt' | 'reviewer' | 'insteadOf' | 'notes' | 'continues' | 'prompt' | 'cwd'
> &
  Readonly<{
    task?: Task;
    model: ModelChoice;
    /** Besides model, budget and trust. */
    request?: Pick<AgentRequest, 'resume' | 'tools' | 'schema' | 'readOnly'>;
    /** ralphex markers that count without a nonce. */
    bare: ReadonlySet<string>;
    /** Sessions opening together, which share what is left. Default 1. */
    among?: number;
  }>;

/** Reports narrowed trust. Open it before preparing another. */
export function prepareOpening(place: Place): Opening {
  const { started, sessions } = place.run.state();
  const untrusted = place.run.untrusted(place.lane && place.repo.root);
  const trusted = started.ground.trusted && untrusted.length === 0;
  if (untrusted.length > 0 && started.ground.trusted) {
    const text = `files that were trusted have changed (${untrusted.join(', ')}): later sessions ignore the repository's agent configuration; see: pawl trust`;
    noticeOnce(place.run, { code: 'trust-narrowed', text }, 'code');
  }
  const number = Math.max(0, ...sessions.keys()) + 1;
  const nonce = place.run.random(2);
  return {
    number,
    nonce,
    trusted,
    values: {
      ROOT: place.repo.root,
      NONCE: nonce,
      NOTES: trusted ? '' : formatGuide(readGuide(place.repo.root, untrusted)),
      PLAN_FILE: place.plan.name,
      // Variables of ralphex's templates.
      PLANS_DIR: plansFolder,
      DEFAULT_BRANCH: started.base,
      PROGRESS_FILE: path.join(place.run.folder, journalFile),
    },
    library: libraryNow(place, untrusted),
    name: sessionFile(place.run.folder, number),
  };
}

export function openRunSession(place: Place, opening: Opening, given: SessionGiven): Session {
  const { run, lane, readOnlySpawn, sandbox, sweep } = place;
  const { number, nonce, trusted, name } = opening;
  const { agent, task, model, bare, among } = given;
  const state = run.state();
  if (!trusted) refuseObedient(place, agent.name, given.cwd);
  const sharers = among ?? (lane ? countBeside(state, lane.atOnce()) : 1);
  const maxCostUsd = shareOfRest(state, spendingNow(place, task), sharers);
  const request = { ...model, ...given.request, ...defined({ maxCostUsd }), trusted };
  const traced = run.options.traceSession?.(number, task?.id);
  const plan: SessionPlan = {
    ...given,
    number,
    wasThere: [...state.sessions.values()].some(
      ({ started, ready }) => started.agent === agent.name && ready,
    ),
    task: task?.id,
    request: { ...request, promptFile: `${name}.prompt.md` },
    marker: { nonce, bare },
    env: { ...place.env, ...identityOf(place.env, run.id, number), ...traced },
    mark: `PAWL_SESSION=${run.folder}/${number}`,
    clocks: {
      ...startMs,
      ...endingMs,
      silenceMs: run.config.clocks.silence,
      sessionMs: parseDuration(task?.timeout ?? '') ?? run.config.clocks.session,
    },
    rawFile: `${name}.ndjson`,
    stderrFile: `${name}.stderr.log`,
  };
  writeFileUnsynced(plan.request.promptFile, given.prompt, 0o600);
  // A sandbox has its own walls.
  const isFree = !request.readOnly || sandbox !== undefined;
  const spawn = isFree ? place.spawn : (readOnlySpawn ?? place.spawn);
  return new Session({ spawn, sweep, signal: run.signal, emit: run.emit }, plan);
}

/** Throws if it would obey what nobody has consented to, in a repository, or as changed since. */
export function refuseObedient({ run, lane, repo }: Place, agent: string, cwd: string): void {
  const { obeys, alwaysObeys } = adapterOf(run.config, agent);
  const names = alwaysObeys && obeys ? [...obeys.names, ...(obeys.shared ?? [])] : [];
  const found = run.state().started.ground.trusted
    ? run.untrusted(lane && repo.root).find((file) => names.some((name) => isAtOrBelow(file, name)))
    : names.find((name) => existsSync(path.join(cwd, name)));
  if (found === undefined) return;
  throw new Failure('agent-refused', `${agent} would obey ${found}, which is not trusted`, {
    hint: 'It cannot be told not to. Read the file, then `pawl trust --yes`; or take claude or codex, which can.',
  });
}

/** A further message to a session. */
export function fillNow(place: Place, template: string, values: Values): string {
  return fillTemplate(readTemplate(libraryNow(place), template), values);
}

/** The project's only while its files are as consented to. */
export function libraryNow(
  { run: { library, untrusted: findUntrusted }, repo }: Pick<Place, 'repo' | 'run'>,
  untrusted = findUntrusted(),
): Library {
  if (untrusted.length === 0) return library;
  const inProject = path.join(repo.root, '.pawl') + path.sep;
  return library.filter((folder) => !folder.startsWith(inProject));
}

/**
 * CLAUDE.md without `untrusted` files; may be empty. Links are not followed: they may lead out of the
 * repository.
 */
function readGuide(root: string, untrusted: readonly string[]): string {
  const names = filesAgentsObey
    .flatMap(({ guides = [] }) => guides)
    .filter((name) => !untrusted.includes(name));
  return names.flatMap((name) => readInside(root, name)?.trim() ?? []).join('\n\n');
}

// Prepares an attempt's session: its prompt with notes and lessons, model, and conversation.
import type { Agent } from '../../agent/agent.ts';
import { readContextTokens } from '../../agent/session/recorded.ts';
import type { Session } from '../../agent/session/session.ts';
import { shippedNameOf } from '../../agent-name.ts';
import { type ModelChoice, readModel } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import { matchesAny } from '../../glob.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Lesson, Note, RunState } from '../../journal/state.ts';
import type { TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { isClosed, type Task } from '../../plan/plan.ts';
import { readTemplate } from '../../prompt/library.ts';
import { bareMarkers, taskPrompt, workPlaces, workValues } from '../../prompt/prompts.ts';
import { formatFinding } from '../../prompt/review-prompts.ts';
import { fillTemplate, type Template, type Values } from '../../prompt/template.ts';
import { progressOf } from '../judge/progress.ts';
import type { CorrectionKind } from '../judge/verdict.ts';
import { mayReplan } from '../plan/plan-snapshot.ts';
import { keptPlan, writeKeptPlan, writeKeptSnapshot } from '../restart-files.ts';
import { checksOf, isOfPlan, stateOf, type Work } from '../work.ts';
import { type AgentChoice, type Duty, takeAgent } from './choose-agent.ts';
import { type Continuation, findContinuation } from './continuation.ts';
import { openRunSession, prepareOpening } from './open-session.ts';

/** A task's session and what has come of it. */
export type LiveSession = Readonly<{
  session: Session;
  task: Task;
  sent: CorrectionKind[];
  /** Per turn, without marker lines. */
  said: string[];
}> & {
  /** It can be corrected. */
  isOpen: boolean;
};

export function startSession(
  place: Place,
  work: Work,
  { evidence, before, fresh }: Readonly<{ evidence: string; before: Snapshot; fresh: boolean }>,
): LiveSession {
  const { task, kind: role } = work;
  const opening = prepareOpening(place);
  const taken = takeAgent(place, dutyOf(work));
  const model = modelOf(place, work, taken);
  const next = { agent: taken.agent, model: model.model };
  const continued = !fresh && isOfPlan(work) ? continuationOf(place, work, next) : undefined;
  const template = readTemplate(opening.library, role === 'task' && continued ? 'task-continue' : role);
  const notes = notesFor(place.run.state(), task.id);
  const checks = checksOf(place, work.plan, task).map(({ command }) => command);
  const lessons = lessonsFor(place.run.state().lessons, { checks, files: task.files });
  const { answers, attemptsEver } = stateOf(place, task);
  const { plan } = work;
  const told = { plan, checks, evidence, lessons, notes: formatNotes(answers, notes) };
  const prompt = promptOf(place, work, template, workValues(opening.values, told));
  writeKeptSnapshot(place, before);
  writeKeptPlan(place, work.plan.text);
  const session = openRunSession(place, opening, {
    role,
    task,
    attempt: attemptsEver,
    notes: notes.fresh.map(({ note }) => note),
    ...taken,
    ...defined({ continues: continued }),
    model,
    request: defined({ resume: continued?.id, tools: task.tools }),
    prompt,
    bare: bareMarkers(template),
    cwd: place.repo.root,
  });
  return { session, task, sent: [], said: [], isOpen: true };
}

function promptOf(place: Place, work: Work, template: Template, values: Values): string {
  const { task, plan } = work;
  switch (work.kind) {
    case 'task':
      return taskPrompt(template, values, {
        plan,
        task,
        mayReplan: mayReplan(place.run, plan, { why: 'request', task: task.id }),
        closed: new Set(plan.tasks.filter(isClosed).map(({ id }) => id)),
      });
    case 'fix': {
      const findings = work.fix.findings.map(formatFinding).join('\n\n');
      return fillTemplate(template, { ...values, FINDINGS: findings }, workPlaces);
    }
    case 'finalize': {
      const { prompt = '' } = place.run.config.finalize;
      const base = place.run.state().started.base.slice(0, 12);
      return fillTemplate(template, { ...values, PROMPT: prompt, BASE: base }, ['PROMPT', ...workPlaces]);
    }
  }
}

function continuationOf(
  place: Place,
  work: Work,
  next: { agent: Agent; model: string | undefined },
): Continuation | undefined {
  const state = place.run.state();
  return findContinuation(state, stateOf(place, work.task), {
    ...next,
    samePlan: keptPlan(place) === work.plan.text,
    settings: place.run.config.task,
    readTokens: (session) =>
      readContextTokens(next.agent, `${sessionFile(place.run.folder, session)}.ndjson`),
  });
}

export function dutyOf({ kind, task }: Pick<Work, 'kind' | 'task'>): Duty {
  return { role: kind, agent: task.agent, task: task.id };
}

/**
 * The stronger model if stuck, else the task's, else the role's; a fixer's default is the tasks'. It is only for the
 * program it was configured for.
 */
function modelOf(place: Place, work: Work, { agent, insteadOf }: AgentChoice): ModelChoice {
  const { config } = place.run;
  const shipped = agent.uses ?? agent.name;
  if (insteadOf !== undefined && shippedNameOf(config, insteadOf) !== shipped) return {};
  if (shipped !== shippedNameOf(config)) return readModel(work.task.model);
  const { step } = progressOf(stateOf(place, work.task), config.task);
  const escalated = step === 'escalate' ? config.task.escalate : undefined;
  const { task, fix = task } = config.roles;
  return readModel(escalated ?? work.task.model ?? (work.kind === 'fix' ? fix : task));
}

type NotesFor = Readonly<{
  /** Not delivered yet: for this task, or whichever comes next. */
  fresh: readonly Note[];
  /** Delivered to earlier sessions: a new conversation does not know them. */
  earlier: readonly Note[];
}>;

export function notesFor({ notes, sessions }: RunState, task: string): NotesFor {
  return {
    fresh: notes.filter((note) => note.session === undefined && (note.task ?? task) === task),
    earlier: notes.filter(
      ({ session }) => session !== undefined && sessions.get(session)?.started.task === task,
    ),
  };
}

function formatNotes(answers: TaskState['answers'], { fresh, earlier }: NotesFor): readonly string[] {
  const before = 'Said to an earlier session of this task, which may have acted on it:\n';
  const answered = answers.map(({ question, answer }) => `You asked: ${question}\nThe answer: ${answer}`);
  return [...answered, ...earlier.map(({ text }) => before + text), ...fresh.map(({ text }) => text)];
}

const most = 40;

/** Those on the same checks and files first, then the newest. */
export function lessonsFor(
  lessons: readonly Lesson[],
  about: Readonly<{ checks: readonly string[]; files: readonly string[] }>,
): readonly string[] {
  const weigh = ({ check, files }: Lesson) =>
    (check !== undefined && about.checks.includes(check) ? 1 : 0) +
    (files.some((file) => matchesAny(file, about.files)) ? 1 : 0);
  return lessons
    .map((lesson, at) => ({ says: lesson.says, at, weight: weigh(lesson) }))
    .sort((a, b) => b.weight - a.weight || b.at - a.at)
    .slice(0, most)
    .map(({ says }) => says);
}

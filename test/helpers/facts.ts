// Builders of facts and of whole small runs, for tests that need a journal without a run. Each fact is complete and valid.
import type { z } from 'zod';
import {
  type Event,
  eventVersion,
  type Fact,
  type FactName,
  type FactOf,
  factName,
  factSchema,
  type Stamped,
} from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import type { RunState } from '../../src/journal/state.ts';

type Samples = { readonly [N in FactName]?: Partial<FactOf<N>> };

type FactSchema = z.ZodObject<{ type: z.ZodLiteral<Fact['type']> }>;

/** The schema of each fact, of a type with several states one for each. */
export const factSchemas = factSchema.options.flatMap(
  (option): readonly FactSchema[] => ('shape' in option ? [option] : [...option.options]) as never,
);

export function nameOf({ shape }: FactSchema): FactName {
  const state = 'state' in shape ? (shape.state as z.ZodLiteral) : undefined;
  return factName({
    type: shape.type.value,
    state: state?.def.type === 'literal' ? state.value : undefined,
  }) as FactName;
}

const oid = '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d';

/** What a required field of these names holds in a sample that says nothing else. */
const usual: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['base', 'commit', 'from', 'head', 'merged', 'oid', 'onto', 'parent', 'rescue', 'tree'].map((name) => [
      name,
      oid,
    ]),
  ),
  agent: 'claude',
  branch: 'auth',
  check: 'plan:1',
  command: 'npm test',
  ground: {
    agent: 'claude',
    model: 'opus',
    permissions: 'bypass',
    billing: 'a subscription',
    trusted: true,
  },
  key: 'k1',
  landed: ['1'],
  lane: 2,
  pawl: '0.1.0',
  plan: 'docs/plans/auth.md',
  run: '20261121-223005-auth',
  proof: 'proven',
  reason: 'red: npm test',
  remote: 'origin',
  role: 'task',
  session: 3,
  stage: 'first',
  summary: 'Added the route.',
  task: '2',
  title: 'Add user authentication',
  verdict: 'again',
  when: 'after',
};

/** What is its own in each sample. */
const samples = {
  'run-started': { untracked: ['notes.txt'] },
  'carry-failed': { reason: 'could not read from remote repository' },
  'carry-taken-up': { from: { host: 'laptop', at: '2026-11-21T22:40:00.000Z' } },
  'carry-fenced': { by: { host: 'server', at: '2026-11-21T22:50:00.000Z' } },
  'run-resumed': { after: 'crash', dirt: ['src/auth.ts', 'src/new.ts'] },
  'plan-read': {
    hash: 'ab12',
    checks: ['npm test', '# all of it\nnpm run lint\nnpm run e2e'],
    tasks: [
      {
        id: '1',
        title: 'Add middleware',
        closed: true,
        steps: 2,
        manual: [],
        checks: ['npx vitest run auth'],
      },
      { id: '2', title: 'Add login', closed: false, steps: 3, manual: ['Try it in the staging app'] },
    ],
  },
  waiting: { until: Date.UTC(2026, 10, 22, 2, 30), text: '5-hour limit reached' },
  intervention: {
    ...{ kind: 'rerun', text: 'pawl run after a stop' },
    ...{ task: '2', note: 1, said: 'accounts', now: false },
  },
  'plan-archived': {
    state: 'done',
    from: 'docs/plans/auth.md',
    to: 'docs/plans/completed/auth.md',
    oid,
  },
  noticed: { code: 'shallow', text: 'the clone is shallow' },
  'run-ended': {
    reasons: [
      { exit: 1, code: 'task-failed', text: 'task 2 failed: red: npm test', hint: 'See pawl report.' },
    ],
    tree: oid,
    head: oid,
  },
  'task-started': {
    title: 'Add login',
    titleHash: 'ab12',
    red: ['task:2:2'],
    called: ['check.sh'],
    outside: [{ file: '~/.npmrc', digest: 'd1' }],
  },
  'attempt-started': { attempt: 2 },
  'round-ended': { fingerprint: 'f1', tree: oid, counts: true },
  'proof-judged': {
    task: '2',
    reasons: ['its tests are red without the work'],
    experiments: {
      clean: 'green',
      configs: [],
      redefined: [],
      deaf: [],
      pinsText: false,
      withoutWork: 'red',
      indifferent: [],
      hunks: {
        lines: 14,
        provenLines: 12,
        unproven: [{ file: 'src/auth.ts', from: 40, to: 41, executed: true }],
        onlyRemoving: 1,
        withoutCode: 3,
        untried: 0,
      },
      runs: 6,
      durationMs: 5200,
    },
  },
  stuck: { why: 'attempt 2 ended with the same failure as attempt 1' },
  closing: { reason: '2 checks green' },
  'task-closed': {
    reason: '2 checks green',
    files: 3,
    insertions: 40,
    deletions: 2,
    planHash: 'h2',
  },
  'undo-started': { closer: 'r', plan: 'plan.md' },
  'task-reopened': { by: 'undo', detail: 'the branch went back to its start' },
  'definitions-taken': { changed: ['package.json'] },
  'task-set-aside': { ...{ as: 'parked', reason: 'Which table holds the users?' } },
  'check-started': { task: '2' },
  'check-ended': {
    result: 'red',
    task: '2',
    exitCode: 1,
    durationMs: 12_300,
    log: 'checks/004-plan-1.log',
    fingerprint: 'f1',
    says: 'AssertionError: expected 401 to be 200',
    alreadyRed: true,
  },
  'act-found': {
    task: '2',
    session: 3,
    detail: '2 commits on auth',
    kept: 'refs/pawl/r/absorbed/001',
  },
  'file-refused': { task: '2', file: 'deploy.pem', detail: '*.pem' },
  'tamper-noted': {
    file: 'test/auth.test.ts',
    line: 12,
    detail: 'test skipped',
    quote: "it.skip('logs in', () => {",
  },
  'tree-written': { insertions: 4, deletions: 0 },
  'fresh-verified': {
    result: 'red',
    red: ['./run.sh'],
    beside: ['lib/'],
    reason: 'red in a fresh checkout: ./run.sh',
  },
  'files-made': { files: ['coverage/index.html'] },
  'egress-refused': { host: 'paste.example', port: 443 },
  'rescue-saved': {
    reason: 'before task 2',
    ref: 'refs/pawl/r/rescue',
    notHeld: [{ file: 'big.bin', why: '40 MB' }],
  },
  'plan-edit-set-aside': { file: 'plan-001.proposed.md', detail: 'task 3 was removed', session: 3 },
  'session-started': {
    task: '2',
    attempt: 1,
    cwd: '/work/repo',
    model: 'opus',
    pid: 4711,
    mark: 'r/3',
    configKeptOut: true,
  },
  'session-ready': { agentSession: 'e79961ed', model: 'claude-opus', version: '2.1.330' },
  'session-cost': { costUsd: 0.42 },
  'agent-switched': {
    task: '2',
    from: 'claude',
    to: 'codex',
    until: Date.UTC(2026, 10, 22, 2, 30),
  },
  'turn-ended': { outcome: 'silent', reason: '', contextShare: 0.41 },
  'clock-rang': { session: 3, clock: 'silence', afterMs: 600_000 },
  'limit-seen': {
    status: 'warning',
    window: '5h',
    utilization: 0.91,
    resetsAt: Date.UTC(2026, 10, 22, 2, 30),
  },
  'leftovers-ended': { session: 3, processes: [{ pid: 88, command: 'node server.js' }] },
  'budgets-set': {
    settings: [
      { budget: 'cost', cap: 20, from: '.pawl/config.yaml:3' },
      { budget: 'sessions', cap: 35, from: 'default' },
    ],
    asked: [{ budget: 'cost', cap: 30, from: '--max-cost' }],
  },
  'budget-reached': { spent: 16.1, cap: 20, atLeast: true },
  'session-ended': {
    outcome: 'crashed',
    reason: 'the process ended in the middle of a turn',
    costUsd: 0.42,
    costAtLeast: true,
    tokens: { input: 10, output: 5200, cacheRead: 0, cacheWrite: 0 },
    durationMs: 124_000,
    exitCode: null,
    signal: 'SIGKILL',
  },
  'stage-started': { reviewers: ['quality', 'testing'], rounds: 5 },
  comment: {
    author: 'ann',
    text: 'Rename it.',
    file: 'src/auth.ts',
    line: 3,
    answer: 'Fixed in 1a2b3c4d5e6f: renamed',
  },
  request: { number: 7, url: 'https://forge.invalid/pull/7', target: 'main' },
  'commits-moved': { head: 'c1'.repeat(20), moved: [{ task: '1', from: oid, to: 'c2'.repeat(20) }] },
  ci: {
    state: 'red',
    text: 'test',
    jobs: [{ name: 'test', url: 'https://forge.invalid/jobs/1', onBase: false, branch: 'auth' }],
  },
  'run-squashed': { to: 'c1'.repeat(20), kept: 'refs/pawl/r1/squashed/001', commits: 2 },
  'dialogue-asked': {
    session: 1,
    header: 'Store',
    text: 'Where are sessions kept?',
    context: 'The app has a Redis already.',
    options: [
      { label: 'Redis', why: 'it is there', recommended: true },
      { label: 'Memory', recommended: false },
    ],
  },
  'dialogue-answered': { answer: 'Redis' },
  'dialogue-drafted': {
    session: 1,
    file: 'draft-001.md',
    tasks: 2,
    checks: 2,
    errors: ['draft-001.md:7:1 error near-miss-heading a colon is missing'],
    notes: ['it names no risks'],
  },
  'dialogue-corrected': {
    session: 1,
    what: 'draft',
    problem: '- draft-001.md:7:1 error near-miss-heading a colon is missing',
  },
  'dialogue-tried': { tried: true, problems: ['task 1: `true` passes before any work'] },
  'dialogue-judged': { choice: 'commented', text: 'Smaller tasks.' },
  'dialogue-written': { to: 'docs/plans/2026-11-22-auth.md' },
  'replan-started': { plan: 'ab12' },
  'replan-taking': {
    session: 4,
    file: 'replan-001.md',
    before: 'ab12',
    after: 'cd34',
    added: ['2a'],
    changed: ['2'],
    diff: ['…', ' ### Task 2: Add login', '-- [ ] POST', '+- [ ] GET'],
  },
  'replan-ended': { reason: 'tasks added 2a, changed 2', oid, rescue: oid },
  'opinion-given': {
    reviewer: 'quality',
    session: 4,
    findings: [
      {
        id: 'F1',
        file: 'src/auth.ts',
        line: 12,
        severity: 'major',
        title: 'The token is compared with ==',
        evidence: 'if (given == token)',
        suggestion: 'timingSafeEqual',
        proof: { command: '', patch: '' },
        anchor: 'if (given == token) {',
        fingerprint: '0123456789abcdef',
      },
    ],
  },
  'finding-tried': {
    finding: 'F1',
    reason: 'its proof is red (exit code 1)',
    files: ['test/auth.test.ts'],
  },
  'opinion-missing': {
    reviewer: 'testing',
    session: 5,
    reason: 'the answer holds no JSON',
    again: true,
  },
  'findings-answered': {
    session: 6,
    answers: [{ finding: 'F1', answer: 'fixed', reason: 'compares in constant time' }],
  },
  'review-round-ended': { reason: 'HEAD moved' },
  'stage-ended': { reason: '2 reviewers answered, nothing at or above minor' },
  phase: { phase: 'baseline', reason: 'all tasks are closed' },
  'work-planned': {
    ...{ task: 'fix-first-1', title: 'The token is logged' },
    fix: { stage: 'first', round: 1, findings: ['F1'] },
  },
  'work-ended': {
    ...{ task: 'fix-first-1', fix: { stage: 'first', round: 1 } },
    ...{ reason: '1 finding fixed', oid },
  },
  'notes-delivered': { notes: [1, 2] },
  'lane-opened': { folder: '/state/lanes/app-2' },
  'lane-catching-up': { conflicts: ['src/api.ts'], clashes: [['src/api.ts']] },
  'landing-given-back': { files: ['src/api.ts'] },
  'landing-kept': { files: ['src/api.ts'] },
} satisfies Samples;

/** One valid fact of each type, and of each state of a type with several. */
export const sampleFacts = Object.fromEntries(
  factSchemas.map((schema) => [nameOf(schema), sampleOf(schema)]),
) as { readonly [N in FactName]: FactOf<N> };

function sampleOf(schema: FactSchema): object {
  const sample: Record<string, unknown> = {};
  for (const [field, { _zod }] of Object.entries<z.core.$ZodTypes>(schema.shape as never)) {
    if (_zod.def.type === 'optional') continue;
    const value = field in usual ? usual[field] : leastOf(_zod.def);
    if (value !== undefined) sample[field] = value;
  }
  return { ...sample, ...(samples as Samples)[nameOf(schema)] };
}

/** What a field holds of which nobody says anything: the first choice, 1, false, nothing. */
function leastOf(def: z.core.$ZodTypes['_zod']['def']): unknown {
  if (def.type === 'literal') return def.values[0];
  if (def.type === 'enum') return Object.values(def.entries)[0];
  return { number: 1, boolean: false, array: [] }[def.type as string];
}

/** A fact of a type with some fields changed. */
export function fact<N extends FactName>(name: N, change: Partial<FactOf<N>> = {}): FactOf<N> {
  return { ...sampleFacts[name], ...change };
}

const acts: Readonly<Partial<Record<FactOf<'intervention'>['kind'], Partial<FactOf<'intervention'>>>>> = {
  answer: { text: 'task 2 was answered', task: '2', said: 'accounts' },
  pause: { text: 'paused', now: false },
  skip: { text: 'task 2 was skipped', task: '2' },
  tick: { text: 'task 2 was ticked by hand', task: '2' },
  retry: { text: 'task 2 gets new attempts', task: '2' },
  steer: {
    ...{ text: 'note 1: Use the existing table.', said: 'Use the existing table.' },
    ...{ note: 1, task: '2', now: false },
  },
};

/** What a person does to a run, with some fields changed. */
export function byPerson(
  kind: FactOf<'intervention'>['kind'],
  change: Partial<FactOf<'intervention'>> = {},
): FactOf<'intervention'> {
  return { type: 'intervention', kind, text: kind, ...acts[kind], ...change };
}

/** A task that is set aside, with some fields changed. */
export function setAside(
  as: FactOf<'task-set-aside'>['as'],
  change: Partial<FactOf<'task-set-aside'>> = {},
): FactOf<'task-set-aside'> {
  const reason = as === 'parked' ? 'Which table holds the users?' : 'red: npm test';
  const kept = as === 'parked' ? {} : { rescue: oid };
  return { type: 'task-set-aside', task: '2', as, reason, ...kept, ...change };
}

export const finalizing = {
  type: 'work',
  state: 'planned',
  task: 'finalize',
  title: 'Finalize the work',
} as const;

/** How the finalizing ended, with some fields changed. */
export function finalized(change: Partial<FactOf<'work-ended'>> = {}): FactOf<'work-ended'> {
  return {
    type: 'work',
    state: 'ended',
    task: 'finalize',
    result: 'nothing',
    reason: 'no file had to be changed',
    ...change,
  };
}

/** Those of one type or name, in order. */
export function ofType<T extends FactName>(
  facts: readonly Stamped<Fact>[],
  name: T,
): readonly Stamped<FactOf<T>>[] {
  const found: readonly unknown[] = facts.filter((fact) => fact.type === name || factName(fact) === name);
  // No member of a union is known to be the one of a type parameter.
  return found as readonly Stamped<FactOf<T>>[];
}

/** The state after these facts, which begin with a start. */
export function foldFacts(facts: readonly Fact[], stepMs = 1000): RunState {
  const state = foldRun(stampAll(facts, stepMs));
  if (!state) throw new Error('the facts do not begin with a start');
  return state;
}

/** The state after a run's start, its plan and these facts. */
export function stateOf(...facts: readonly Fact[]): RunState {
  return foldFacts([fact('run-started'), fact('plan-read'), ...facts]);
}

/** Stamps events one second after another, from 2026-11-21 22:30:00 UTC. */
export function stampAll<E extends Event>(events: readonly E[], stepMs = 1000): readonly Stamped<E>[] {
  const start = Date.UTC(2026, 10, 21, 22, 30);
  // The type of a stamp has a field that may be absent, which no spread of a type parameter is known to fit.
  return events.map((event, index) => {
    const at = new Date(start + index * stepMs).toISOString();
    return { ...event, v: eventVersion, at } as E & { v: number; at: string } as Stamped<E>;
  });
}

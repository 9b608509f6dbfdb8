// A world in memory for the loop of attempts: trees that are names, sessions that do what a list of deeds says, checks
// whose colour is the tree's. The loop, the judgement, the fold and the plan's file are the real ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from '../../src/agent/session/outcome.ts';
import type { Session, Turn } from '../../src/agent/session/session-plan.ts';
import type { CheckRun } from '../../src/check/check-run.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import type { Event, Fact, FactOf, Stamped } from '../../src/event.ts';
import type { Snapshot } from '../../src/git/protect/snapshot.ts';
import { foldFact } from '../../src/journal/fold.ts';
import { startState } from '../../src/journal/start-state.ts';
import { isAway, isInWork, type RunState } from '../../src/journal/state.ts';
import { tickTask } from '../../src/plan/tick.ts';
import type { Close } from '../../src/work/close/close.ts';
import { hashPlan } from '../../src/work/plan/plan-snapshot.ts';
import type { Checks, Ports, Repository, Sessions, WorkPlace } from '../../src/work/ports.ts';
import { checksOf, ownChecksOf, stateOf } from '../../src/work/work.ts';
import { byPerson, fact } from '../helpers/facts.ts';

/** What a session does in one turn, and what the world does to it then. */
export type Deed = Readonly<{
  outcome: Outcome['kind'];
  /** Its last words are a question. */
  asks: boolean;
  alive: boolean;
  contextShare: number;
  /** The tree it leaves: as it was, a new one, the task's start, or one that was there before. */
  move: 'none' | 'new' | 'start' | 'old';
  colour: Colour;
  /** The guard objects. */
  guard: boolean;
  /** The checks fail this once, whatever the tree. */
  flaky: boolean;
  checksWrite: boolean;
  slow: boolean;
  /** So many times the tree moves by itself after the judgement. */
  late: number;
  commit: 'made' | 'rejected' | 'interrupted';
  resetsInMs: number;
  /** The next session would go on with its conversation, and finds it lost. */
  forgets: boolean;
  costUsd: number;
}>;

export type Colour = 'green' | 'red' | 'other red';

export type Setting = Readonly<{
  deeds: readonly Deed[];
  plan: string;
  startColour: Colour;
  config: Readonly<Record<string, unknown>>;
  maxSessions: number;
  /** The person interrupts at this call of the world; absent: never. */
  interruptAt: number | undefined;
}>;

const memory = '/dev/shm';
/** What a look at a real tree finds; nothing asks here. */
const noLook: Awaited<ReturnType<Ports['repository']['writeTree']>>['look'] = {
  head: { branch: 'run', commit: 'c0' },
  entries: [],
  ignored: [],
  submodules: [],
};

/** One world; its folder goes with it. */
export class World {
  readonly facts: Stamped<Fact>[] = [];
  readonly #setting: Setting;
  readonly #folder: string;
  readonly #colours = new Map<string, Colour>();
  /** Trees that hold work of a session; what checks alone made of a start is not. */
  readonly #work = new Set<string>();
  #state: RunState;
  #nowMs = Date.UTC(2026, 0, 1);
  #stop = new AbortController();
  #calls = 0;
  #deed = 0;
  #trees = 0;
  #tree = 'start';
  #head = { commit: 'c0', tree: 'start' };
  #late = 0;
  #isGuardRed = false;
  /** A session has ended, and nobody has looked since. */
  #isOver = false;
  #seen: Readonly<{ tree: string; ran: number; isGreen: boolean; ownGreen: boolean }> | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#folder = mkdtempSync(path.join(pickFolder(), 'pawl-loop-'));
    writeFileSync(this.planFile, setting.plan);
    writeFileSync(path.join(this.#folder, 'HEAD'), 'ref: refs/heads/plan\n');
    this.#colours.set('start', setting.startColour);
    this.#state = startState({
      ...fact('run-started', { plan: 'plan.md', branch: 'plan' }),
      v: 3,
      at: this.#at(),
    });
    const sessions = { budget: 'sessions', cap: setting.maxSessions, from: 'default' } as const;
    this.emit({ type: 'budgets-set', settings: [sessions], asked: [] });
  }

  get planFile(): string {
    return path.join(this.#folder, 'plan.md');
  }

  get state(): RunState {
    return this.#state;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** A person starts the stopped run again, answering what was asked. */
  startAgain(): void {
    this.emit(fact('run-ended', { exit: 1, finished: false }));
    this.emit(fact('run-resumed', { after: 'stop', dirt: [] }));
    for (const { id, standing } of this.#state.tasks.values())
      if (standing === 'parked') this.emit(byPerson('answer', { task: id, said: 'yes' }));
    this.#stop = new AbortController();
    this.#calls = Number.NEGATIVE_INFINITY;
  }

  readonly emit = (event: Event): void => {
    if (event.type === 'activity') return;
    const stamped = { ...event, v: 3, at: this.#at() } as Stamped<Fact>;
    this.facts.push(stamped);
    this.#state = foldFact(this.#state, stamped);
  };

  /** What the loop is given. */
  place(): WorkPlace {
    const config: Config = configSchema.parse({ replan: 'never', prove: 'off', ...this.#setting.config });
    return {
      repo: { root: this.#folder, gitDir: this.#folder },
      run: {
        id: 'r',
        folder: this.#folder,
        config,
        library: [path.resolve(import.meta.dirname, '../../templates')],
        agentNamed: () => ({ can: { followUp: true } }),
        emit: this.emit,
        state: () => this.#state,
        untrusted: () => [],
        signal: this.#stop.signal,
        wake: () => new AbortController().signal,
        now: () => new Date(this.#nowMs),
        sleep: async (ms: number) => {
          this.#nowMs += ms;
        },
        random: () => '7f',
        options: { tasksOnly: true, takeEdits: false },
      },
      plan: { file: this.planFile, name: 'plan.md', tracked: true },
      index: path.join(this.#folder, 'index'),
      ports: { sessions: this.#sessions(), checks: this.#checks(), repository: this.#repository() },
    } as unknown as WorkPlace;
  }

  #sessions(): Sessions {
    return {
      start: (place, work, { fresh }) => {
        this.#call();
        // What a conversation that was found lost did is looked at together with what the one in its place does.
        this.#isOver = false;
        const number = place.run.state().sessions.size + 1;
        const { attemptsEver: attempt } = stateOf(place, work.task);
        this.emit(fact('session-started', { session: number, task: work.task.id, attempt }));
        const continues = !fresh && number > 1 && this.#now().forgets;
        return {
          session: this.#session(number, work.start.tree, continues),
          number,
          nonce: '7f7f',
          continues,
        };
      },
    };
  }

  #checks(): Checks {
    return {
      run: async (place, checks, { when }) => {
        this.#call();
        const { flaky, slow, checksWrite } = this.#now();
        const colour = flaky ? 'red' : this.#colourOf(this.#tree);
        const runs = checks.map((check): CheckRun => {
          const common = {
            check,
            exitCode: 0,
            durationMs: slow ? 600_000 : 10,
            log: '',
            output: '',
            leftovers: [],
          };
          if (place.run.signal.aborted) return { ...common, result: 'could-not-run' };
          return colour === 'green'
            ? { ...common, result: 'green' }
            : { ...common, result: 'red', fingerprint: colour };
        });
        const greens = runs.filter(({ result }) => result === 'green');
        const isGreen = greens.length === runs.length;
        const ownGreen = greens.some(({ check }) => check.scope === 'task');
        this.#seen = { tree: this.#tree, ran: runs.length, isGreen, ownGreen };
        if (when === 'after' && checksWrite && runs.length > 0)
          this.#moveTo(this.#newTree(this.#colourOf(this.#tree)), this.#work.has(this.#tree));
        return { runs, after: undefined };
      },
    };
  }

  #repository(): Repository {
    return {
      begin: async (place, planSnapshot, task) => {
        this.#call();
        const state = stateOf(place, task);
        const { start: known } = state;
        if (known && !isAway(state)) return { kind: 'task', task, planSnapshot, start: known };
        if (place.run.signal.aborted) return undefined;
        const own = ownChecksOf(planSnapshot, task).map(({ id }) => id);
        const isGreen = this.#colourOf(this.#tree) === 'green';
        // What another task was stopped at is that one's work: it goes on before anything begins.
        const stopped = [...place.run.state().tasks.values()].filter(
          (other) => other.id !== task.id && isInWork(other),
        );
        expect(
          stopped.map(({ id }) => id),
          `begun before task ${task.id}`,
        ).toEqual([]);
        this.#work.delete(this.#tree);
        this.emit({
          ...{
            type: 'task-started',
            task: task.id,
            title: task.title,
            rescue: 'r',
            called: [],
            calledByOthers: [],
            outside: [],
          },
          ...{ commit: this.#head.commit, tree: this.#tree },
          ...{ vacuous: isGreen ? own : [], red: isGreen ? [] : own },
        });
        const { start } = stateOf(place, task);
        return start && { kind: 'task', task, planSnapshot, start };
      },
      takeSnapshot: async () => {
        this.#call();
        return {} as Snapshot;
      },
      restoreRepository: async () => {
        this.#call();
        const late = this.#isOver;
        this.#isOver = false;
        if (late) this.#late = this.#now().late;
        else this.#isGuardRed = this.#now().guard;
        return this.#isGuardRed && !late ? ['the guard objects'] : [];
      },
      noteIgnored: async () => [],
      sortCheckWrites: async () => ({ files: ['written.txt'], others: [] }),
      noteTamper: async () => [],
      judgeTouched: async () => ({ reds: [], read: [] }),
      proveTree: async () => undefined,
      writeTree: async () => {
        this.#call();
        if (this.#late > 0) {
          this.#late -= 1;
          this.#moveTo(this.#newTree(this.#now().colour), true);
        }
        return { tree: this.#tree, refused: [], files: [], look: noLook };
      },
      tick: async (_place, work, tree) => {
        this.#call();
        return { text: tickTask(work.planSnapshot.plan, work.task.id), tree, index: 'index' };
      },
      close: async (place, work, { tree, ticked, verdict, outcome }) => {
        this.#call();
        expect(ticked.tree).toBe(tree);
        const { commit } = this.#now();
        if (commit === 'interrupted')
          return { reason: 'interrupted', evidence: '', fingerprint: undefined, interrupted: true };
        if (commit === 'rejected')
          return { reason: 'the hook rejected it', evidence: 'x', fingerprint: 'pre-commit' };
        this.#expectProof(tree, {
          verdict,
          outcome,
          hasChecks: checksOf(place, work.planSnapshot, work.task).length > 0,
        });
        writeFileSync(this.planFile, ticked.text);
        this.#head = { commit: `c${this.facts.length}`, tree };
        this.emit({
          ...{
            type: 'task-closed',
            task: work.task.id,
            oid: this.#head.commit,
            key: `k${this.facts.length}`,
            planHash: hashPlan(ticked.text),
          },
          ...{ proof: verdict.proof, reason: verdict.reason, summary: verdict.summary },
          ...{ files: 1, insertions: 1, deletions: 0 },
        });
        return undefined;
      },
      restoreStart: async (_place, { start }) => {
        this.#call();
        this.#tree = start.commit === this.#head.commit ? start.tree : this.#head.tree;
        return 'rescue';
      },
      replay: async () => {
        this.#call();
        this.#moveTo(this.#newTree('red'), true);
        return [];
      },
    };
  }

  /** What nothing but the world knows: a close is proved by green checks of this tree, after a session changed it. */
  #expectProof(
    tree: string,
    close: Readonly<{
      verdict: Close['verdict'];
      outcome: Outcome['kind'];
      hasChecks: boolean;
    }>,
  ): void {
    const said = JSON.stringify({ tree, now: this.#tree, ...close, seen: this.#seen, work: [...this.#work] });
    expect(tree, said).toBe(this.#tree);
    expect(this.#isGuardRed, said).toBe(false);
    if (close.hasChecks) expect(this.#seen, said).toMatchObject({ tree, isGreen: true });
    const isWork = this.#work.has(tree);
    const isDoneBefore = close.outcome === 'already-done';
    expect(isWork || isDoneBefore, said).toBe(true);
    if (close.verdict.proof === 'unchecked') return;
    expect(close.hasChecks && (this.#seen?.ran ?? 0) > 0, said).toBe(true);
    expect(isWork || this.#seen?.ownGreen, said).toBe(true);
  }

  #session(number: number, start: string, isLost: boolean): Session {
    let isOpen = true;
    const lostTurn = async (): Promise<Turn> => {
      this.#call();
      this.#outcome = 'crashed';
      const outcome = { kind: 'crashed', reason: 'No conversation found' } as const;
      return { outcome, spoke: false, text: '', written: [], seen: [], alive: false, canCorrect: false };
    };
    const turn = async (): Promise<Turn> => {
      this.#call();
      this.#deed += 1;
      const deed = this.#now();
      if (deed.move === 'new') this.#moveTo(this.#newTree(deed.colour), true);
      if (deed.move === 'start') this.#tree = start;
      if (deed.move === 'old') this.#tree = [...this.#work][deed.late] ?? this.#tree;
      this.emit(fact('session-cost', { session: number, costUsd: deed.costUsd }));
      const kind = this.#stop.signal.aborted ? 'interrupted' : deed.outcome;
      const until = kind === 'limited' ? { until: this.#nowMs + deed.resetsInMs } : {};
      const outcome = { kind, reason: 'why', remedies: [], clock: 'tool', ...until } as Outcome;
      const { alive, contextShare } = deed;
      this.#outcome = kind;
      return {
        outcome,
        spoke: true,
        written: [],
        text: deed.asks ? 'Which?' : 'Done.',
        seen: [],
        alive,
        canCorrect: alive,
        contextShare,
      };
    };
    return {
      firstTurn: isLost ? lostTurn : turn,
      correct: turn,
      hold: async () => [],
      steer: async () => false,
      stop: async () => {},
      close: async () => {
        if (isOpen)
          this.emit(fact('session-ended', { session: number, outcome: this.#outcome, costUsd: 0.01 }));
        this.#isOver ||= isOpen;
        isOpen = false;
        return {} as Awaited<ReturnType<Session['close']>>;
      },
    };
  }

  #outcome: FactOf<'session-ended'>['outcome'] = 'crashed';

  #now(): Deed {
    const { deeds } = this.#setting;
    const deed = deeds[Math.max(0, this.#deed - 1) % deeds.length];
    if (!deed) throw new Error('a world without deeds');
    return deed;
  }

  #call(): void {
    this.#nowMs += 1_000;
    this.#calls += 1;
    if (this.#calls === this.#setting.interruptAt) this.#stop.abort('Ctrl-C');
  }

  #newTree(colour: Colour): string {
    this.#trees += 1;
    this.#colours.set(`t${this.#trees}`, colour);
    return `t${this.#trees}`;
  }

  #moveTo(tree: string, isWork: boolean): void {
    this.#tree = tree;
    if (isWork) this.#work.add(tree);
  }

  #colourOf(tree: string): Colour {
    return this.#colours.get(tree) ?? 'red';
  }

  #at(): string {
    return new Date(this.#nowMs).toISOString();
  }
}

/** Memory where the system has some: the loop syncs its small files. */
function pickFolder(): string {
  try {
    rmSync(mkdtempSync(path.join(memory, 'pawl-')), { recursive: true });
    return memory;
  } catch {
    return tmpdir();
  }
}

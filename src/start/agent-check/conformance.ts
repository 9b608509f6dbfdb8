// What an agent is seen to do: it answers, writes a file, accepts a correction, can be cancelled, reports its usage,
// resumes, and fails as refused without a login. Each is compared with what pawl assumes about it.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Agent } from '../../agent/agent.ts';
import type { Session, SessionEnd, Turn } from '../../agent/session/session-plan.ts';
import { removeFile } from '../../disk.ts';
import { formatUsd } from '../../dollars.ts';
import { sleep } from '../../process/clock.ts';
import { formatCount, formatMs } from '../../report/text/figure.ts';
import type { Probe, Room } from './room.ts';

/** One thing that was tried. `no` is a defect only if pawl relies on it. */
export type Trial = Readonly<{
  name: 'answers' | 'writes' | 'corrected' | 'usage' | 'cancelled' | 'resumes' | 'refused';
  seen: 'yes' | 'no' | 'not tried';
  isNeeded: boolean;
  says: string;
}>;

export type CheckGiven = Readonly<{
  agent: Agent;
  room: Room;
  signal: AbortSignal;
  /** Variables that make its login invalid; absent if that cannot be tried. */
  wrongLogin?: Readonly<Record<string, string>> | undefined;
}>;

export type Conformance = Readonly<{ trials: readonly Trial[]; sessions: readonly SessionEnd[] }>;

const word = 'heron';
const file = 'note.txt';
const asks = {
  hello: `This is a test of the connection. Answer with the one word ${word}, and use no tool.`,
  write: `Now write the line ${word} to the file ${file} in the current folder with one of your tools. Then answer: done.`,
  sleep:
    'Run this command with your shell tool, in the foreground, and wait for its end: touch begun; sleep 300',
  recall: `Without any tool: which word did I ask you to write to ${file}? Answer with that word only.`,
  refused: 'Answer with the one word hello. The login of this session is a wrong one.',
};

/** The longest wait for a command to begin, milliseconds. */
const beginMs = 120_000;

/** Tries everything; stops after an agent that does not even answer. */
export async function tryAgent(given: CheckGiven): Promise<Conformance> {
  const sessions: SessionEnd[] = [];
  const first = await tryWork(given);
  sessions.push(first.end);
  if (first.trials[0]?.seen !== 'yes') return { trials: [...first.trials, ...untried], sessions };
  const usage = judgeUsage(given.agent, first.end);
  const cancelled = await tryCancel(given, sessions);
  const resumes = await tryResume(given, sessions, first.conversation);
  const refused = await tryRefused(given, sessions);
  return { trials: [...first.trials, usage, cancelled, resumes, refused], sessions };
}

const untried: readonly Trial[] = (['usage', 'cancelled', 'resumes', 'refused'] as const).map((name) =>
  notTried(name, 'it does not answer'),
);

function notTried(name: Trial['name'], says: string): Trial {
  return { name, seen: 'not tried', isNeeded: false, says };
}

/** Says hello, then a correction in the same process asks for a file. */
async function tryWork({
  agent,
  room,
}: CheckGiven): Promise<
  Readonly<{ trials: readonly Trial[]; end: SessionEnd; conversation: string | undefined }>
> {
  const probe = room.open(agent, { prompt: asks.hello });
  const hello = await probe.session.firstTurn();
  const isHeard = hello.text.toLowerCase().includes(word);
  const answers: Trial = { name: 'answers', seen: yesOr(isHeard), isNeeded: true, says: saysOf(hello) };
  if (!isHeard) {
    const trials = [
      answers,
      ...(['writes', 'corrected'] as const).map((name) => notTried(name, 'it does not answer')),
    ];
    return { trials, end: await probe.session.close(), conversation: undefined };
  }
  const isCorrectable = hello.canCorrect;
  const writing = isCorrectable ? await correct(probe.session, asks.write) : await inNewSession(room, agent);
  const at = path.join(room.root, file);
  const isWritten = existsSync(at) && readFileSync(at, 'utf8').trim() === word;
  if (isWritten) removeFile(at);
  const trials: readonly Trial[] = [
    answers,
    {
      name: 'writes',
      seen: yesOr(isWritten),
      isNeeded: true,
      says: isWritten ? `${file} is there` : saysOf(writing),
    },
    {
      name: 'corrected',
      seen: yesOr(isCorrectable && isWritten),
      isNeeded: agent.can.followUp,
      says: isCorrectable ? saysOf(writing) : 'the process takes no second message',
    },
  ];
  const conversation = probe.conversation();
  return { trials, end: await probe.session.close(), conversation };
}

async function correct(session: Session, text: string): Promise<Turn> {
  await session.hold();
  return session.correct(text);
}

async function inNewSession(room: Room, agent: Agent): Promise<Turn> {
  await using probe = room.open(agent, { prompt: asks.write });
  return probe.session.firstTurn();
}

function judgeUsage({ can }: Agent, { tokens, costUsd }: SessionEnd): Trial {
  const told = [
    ...(tokens ? [`${tokens.input} tokens in, ${tokens.output} out`] : []),
    ...(costUsd === undefined ? [] : [formatUsd(costUsd)]),
  ];
  const isTold = told.length > 0;
  const isWhole = (!can.usage || tokens !== undefined) && (!can.cost || costUsd !== undefined);
  const says = isTold ? told.join(', ') : 'neither tokens nor cost';
  return { name: 'usage', seen: yesOr(isTold && isWhole), isNeeded: can.usage || can.cost, says };
}

async function tryCancel({ agent, room, signal }: CheckGiven, sessions: SessionEnd[]): Promise<Trial> {
  const probe = room.open(agent, { prompt: asks.sleep });
  let isOver = false;
  const turn = probe.session.firstTurn().finally(() => {
    isOver = true;
  });
  const at = path.join(room.root, 'begun');
  for (let leftMs = beginMs; leftMs > 0 && !isOver && !existsSync(at) && !signal.aborted; leftMs -= 100)
    await sleep(100, signal);
  const hasBegun = existsSync(at);
  const since = performance.now();
  await probe.session.stop('the trial cancels it');
  const ended = await turn;
  const end = await probe.session.close();
  sessions.push(end);
  const left = await probe.processes();
  const took = formatMs(Math.round(performance.now() - since));
  const swept =
    end.leftovers.length === 0
      ? ''
      : `; pawl ended ${formatCount(end.leftovers.length, 'process', 'processes')} of it`;
  const says = hasBegun
    ? `ended in ${took}, ${formatCount(left.length, 'process', 'processes')} left${swept}`
    : `the command never began: ${saysOf(ended)}`;
  return { name: 'cancelled', seen: yesOr(hasBegun && left.length === 0), isNeeded: true, says };
}

/** Does a new process know what the first was asked? */
async function tryResume(
  { agent, room }: CheckGiven,
  sessions: SessionEnd[],
  conversation: string | undefined,
): Promise<Trial> {
  if (!agent.can.resume) return notTried('resumes', 'pawl does not rely on it for this agent');
  if (conversation === undefined)
    return { ...notTried('resumes', 'it named no conversation'), seen: 'no', isNeeded: true };
  const { turn } = await once(room.open(agent, { prompt: asks.recall, resume: conversation }), sessions);
  return {
    name: 'resumes',
    seen: yesOr(turn.text.toLowerCase().includes(word)),
    isNeeded: true,
    says: saysOf(turn),
  };
}

/** Without a valid login. */
async function tryRefused({ agent, room, wrongLogin }: CheckGiven, sessions: SessionEnd[]): Promise<Trial> {
  if (!wrongLogin) return notTried('refused', 'its login is in no variable that could be changed');
  const { turn } = await once(room.open(agent, { prompt: asks.refused, env: wrongLogin }), sessions);
  const { kind, reason } = turn.outcome;
  return { name: 'refused', seen: yesOr(kind === 'refused'), isNeeded: false, says: `${kind}: ${reason}` };
}

async function once(probe: Probe, sessions: SessionEnd[]): Promise<Readonly<{ turn: Turn }>> {
  await using open = probe;
  const turn = await open.session.firstTurn();
  sessions.push(await open.session.close());
  return { turn };
}

function yesOr(isSeen: boolean): Trial['seen'] {
  return isSeen ? 'yes' : 'no';
}

/** The answer on one line; without one, how the turn ended. */
function saysOf({ text, outcome }: Turn): string {
  const line = text.trim().replaceAll(/\s+/g, ' ').slice(0, 100);
  const [remedy] = outcome.kind === 'refused' ? outcome.remedies : [];
  const help = remedy === undefined ? '' : `; ${remedy}`;
  return line === '' ? `${outcome.kind}: ${outcome.reason}${help}` : `“${line}”`;
}

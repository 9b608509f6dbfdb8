import { describe, expect, it } from 'vitest';
import { clocksOf, SessionState, type StateClocks } from '../../../src/agent/session/session-state.ts';
import type { AgentEvent } from '../../../src/event/activity.ts';

const clocks: StateClocks = {
  firstEventMs: 90,
  silenceMs: 600,
  apiMs: 900,
  toolMs: 3_600,
  sessionMs: 14_400,
  drainMs: 15,
  quietMs: 1,
};

const started: AgentEvent = { type: 'started', agentSession: 's', model: 'm', version: '1' };
const said: AgentEvent = { type: 'said', text: 'x', main: true, synthetic: false };
const heartbeat: AgentEvent = { type: 'heartbeat' };
const retry: AgentEvent = { type: 'api-retry', attempt: 1, max: 7, delayMs: 1, reason: 'overloaded' };
const result: AgentEvent = { type: 'result', text: 'x', isError: false };
const idle: AgentEvent = { type: 'idle' };
const busy: AgentEvent = { type: 'busy' };
const noise: AgentEvent = { type: 'noise', text: 'x' };
const cost: AgentEvent = { type: 'cost', costUsd: 1 };
const open = (id: string): AgentEvent => ({ type: 'tool-started', id, tool: 'Bash', detail: '', main: true });
const close = (id: string): AgentEvent => ({ type: 'tool-ended', id, isError: false, main: true });
const background = (...names: string[]): AgentEvent => ({ type: 'background', open: names });

/** A session that began at 0 and heard these events, by their instants. */
function live(
  heard: Readonly<Record<number, AgentEvent | readonly AgentEvent[]>> = {},
  speech: Partial<{ followUp: boolean; plainAnswer: boolean }> = {},
): SessionState {
  const session = new SessionState(clocks, { followUp: true, plainAnswer: false, ...speech }, 0);
  session.sent(0);
  for (const [atMs, events] of Object.entries(heard)) session.hear([events].flat(), Number(atMs));
  return session;
}

/** A session that heard pieces of a reply as well. */
function withPieces(session: SessionState, ...atMs: readonly number[]): SessionState {
  for (const at of atMs) session.hearPiece(at);
  return session;
}

const plain = { followUp: false, plainAnswer: true };

function ringsAt(session: SessionState): Record<string, number> {
  return Object.fromEntries(session.deadlines().map(({ clock, atMs }) => [clock, atMs]));
}

type Rings = readonly [state: string, rings: Record<string, number>];
const working = (silence: number, api: number, quiet?: number): Rings => [
  'working',
  { session: 14_400, silence, api, ...(quiet === undefined ? {} : { quiet }) },
];
const runsTool = (tool: number): Rings => ['tool-running', { session: 14_400, tool }];

describe('states and when their clocks ring', () => {
  const thought: AgentEvent = { type: 'thought', main: true };
  const ownWords: AgentEvent = { ...said, synthetic: true };
  const replied: AgentEvent[] = [{ type: 'reply', requestId: '1' }, cost];
  const [a, b] = [open('a'), open('b')];
  it.each<[string, SessionState, Rings]>([
    ['nothing heard', live(), ['spawned', { session: 14_400, firstEvent: 90 }]],
    ['a line of noise', live({ 5: noise }), working(605, 900)],
    ['a line that says nothing', live({ 5: [] }), working(605, 900)],
    ['the agent is up', live({ 5: started }), working(605, 900)],
    ['words', live({ 5: started, 7: said }), working(607, 907)],
    ['a thought', live({ 5: thought }), working(605, 905)],
    ['retries: silence starts anew, api does not', live({ 5: retry, 400: retry }), working(1_000, 900)],
    ['text of the CLI’s own is no content', live({ 5: ownWords }), working(605, 900)],
    [
      'an answer is of the agent, not the model',
      live({ 5: started, 450: cost, 500: replied }),
      working(1_100, 900),
    ],
    ['pieces: the model is at work', withPieces(live({ 5: started }), 500, 550), working(1_150, 1_450)],
    ['a piece before anything else', withPieces(live(), 50), working(650, 950)],
    ['a piece while a tool is open', withPieces(live({ 5: a }), 50), runsTool(3_605)],
    ['a tool', live({ 5: a }), runsTool(3_605)],
    ['heartbeats of a tool', live({ 5: a, 3000: heartbeat }), runsTool(3_605)],
    ['two tools: the older one counts', live({ 5: a, 9: b }), runsTool(3_605)],
    ['the older one ends', live({ 5: a, 9: b, 20: close('a') }), runsTool(3_609)],
    ['both end', live({ 5: a, 9: close('a') }), working(609, 909)],
    ['a result without an idle: quiet', live({ 5: started, 9: result }), working(609, 909, 10)],
    ['a result that ends an open tool', live({ 5: a, 9: result }), working(609, 909, 10)],
    ['of one that announces: a longer quiet', live({ 5: busy, 9: result }), working(609, 909, 24)],
    ['a result with background work', live({ 5: background('x'), 9: result }), runsTool(3_609)],
    ['idle with background work', live({ 5: background('x'), 9: result, 10: idle }), runsTool(3_609)],
    ['it ended', live({ 5: background('x'), 9: result, 20: background() }), working(620, 909, 21)],
    ['idle', live({ 9: result, 10: idle }), ['idle', {}]],
    ['idle before any result', live({ 9: idle }), working(609, 900)],
    [
      'of one prompt, with idle',
      live({ 9: result, 10: idle }, { followUp: false }),
      ['draining', { drain: 25 }],
    ],
    ['plain text, silent', live({}, plain), ['spawned', { session: 14_400, tool: 3_600 }]],
    ['plain text', live({ 50: noise }, plain), ['working', { session: 14_400, tool: 3_650 }]],
    ['stream-json after plain text', live({ 50: noise, 60: started }, plain), working(660, 950)],
  ])('%s', (_, session, rings) => expect([session.state, ringsAt(session)]).toEqual(rings));

  it('every state that waits for the agent has a clock', () => {
    for (const state of ['spawned', 'working', 'tool-running', 'draining'] as const) {
      expect(clocksOf(state)).not.toEqual([]);
      expect(clocksOf(state, true)).not.toEqual([]);
    }
  });
});

describe('ringing', () => {
  it('names the clock once its instant has come', () => {
    const session = live();
    expect(session.ring(89)).toBeUndefined();
    expect(session.ring(90)).toBe('firstEvent');
  });

  it('a quiet that has passed ends the turn and is no alarm', () => {
    const session = live({ 9: result });
    expect(session.ring(9)).toBeUndefined();
    expect(session.state).toBe('working');
    expect(session.ring(10)).toBeUndefined();
    expect(session.state).toBe('idle');
  });

  it('forgives the time in which pawl did not run', () => {
    const session = live({ 5: open('a') });
    session.forgive(10_000);
    expect(ringsAt(session)).toEqual({ tool: 13_605, session: 24_400 });
  });
});

describe('a conversation', () => {
  it('pauses all clocks between turns and counts working time only', () => {
    const session = live({ 100: [result, idle] });
    expect(session.state).toBe('idle');
    expect(session.ring(1_000_000)).toBeUndefined();
    session.sent(50_000);
    expect(session.state).toBe('working');
    expect(ringsAt(session)).toEqual({ silence: 50_600, api: 50_900, session: 64_300 });
  });

  it('does not take the echo of an earlier idle for the end of the next turn', () => {
    const session = live({ 100: result });
    session.ring(101);
    session.sent(200);
    session.hear([idle], 201);
    expect(session.state).toBe('working');
    session.hear([result], 300);
    session.hear([idle], 301);
    expect(session.state).toBe('idle');
  });

  it('drains when its input is closed, then ends for good', () => {
    const session = live({ 9: result, 10: idle });
    session.close(20);
    expect([session.state, ringsAt(session)]).toEqual(['draining', { drain: 35 }]);
    session.end(22);
    session.sent(30);
    session.close(31);
    expect([session.state, ringsAt(session)]).toEqual(['ended', {}]);
  });
});

it('a turn that is cut off and begins anew ends with its own result, not with the one it cut off', () => {
  const session = live({ 5: open('a') });
  session.sent(10_000, { cuts: true });
  session.hear([result], 11_000);
  session.hear([idle], 11_001);
  expect(session.state).not.toBe('idle');
  expect(ringsAt(session)).not.toHaveProperty('quiet');
  session.hear([started], 12_000);
  session.hear([result], 13_000);
  session.hear([idle], 13_001);
  expect(session.state).toBe('idle');
});

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

describe('states and when their clocks ring', () => {
  it.each<[string, SessionState, string, Record<string, number>]>([
    ['nothing heard', live(), 'spawned', { firstEvent: 90 }],
    ['a line of noise', live({ 5: noise }), 'working', { silence: 605, api: 900 }],
    ['a line that says nothing', live({ 5: [] }), 'working', { silence: 605, api: 900 }],
    ['the agent is up', live({ 5: started }), 'working', { silence: 605, api: 900 }],
    ['words', live({ 5: started, 7: said }), 'working', { silence: 607, api: 907 }],
    ['a thought', live({ 5: { type: 'thought', main: true } }), 'working', { silence: 605, api: 905 }],
    [
      'retries: silence starts anew, api does not',
      live({ 5: retry, 400: retry }),
      'working',
      { silence: 1_000, api: 900 },
    ],
    [
      'text of the CLI’s own is no content',
      live({ 5: { ...said, synthetic: true } as AgentEvent }),
      'working',
      { silence: 605, api: 900 },
    ],
    [
      'an answer to pawl’s own question is a sign of the agent’s session, not of the model’s',
      live({ 5: started, 450: cost, 500: [{ type: 'reply', requestId: '1' }, cost] }),
      'working',
      { silence: 1_100, api: 900 },
    ],
    [
      'pieces of a reply: the model is at work on it',
      withPieces(live({ 5: started }), 500, 550),
      'working',
      { silence: 1_150, api: 1_450 },
    ],
    ['a piece before anything else', withPieces(live(), 50), 'working', { silence: 650, api: 950 }],
    ['a piece while a tool is open', withPieces(live({ 5: open('a') }), 50), 'tool-running', { tool: 3_605 }],
    ['a tool', live({ 5: open('a') }), 'tool-running', { tool: 3_605 }],
    ['heartbeats of a tool', live({ 5: open('a'), 3000: heartbeat }), 'tool-running', { tool: 3_605 }],
    [
      'two tools: the older one counts',
      live({ 5: open('a'), 9: open('b') }),
      'tool-running',
      { tool: 3_605 },
    ],
    [
      'the older one ends',
      live({ 5: open('a'), 9: open('b'), 20: close('a') }),
      'tool-running',
      { tool: 3_609 },
    ],
    ['both end', live({ 5: open('a'), 9: close('a') }), 'working', { silence: 609, api: 909 }],
    [
      'a result without an idle: quiet',
      live({ 5: started, 9: result }),
      'working',
      { silence: 609, api: 909, quiet: 10 },
    ],
    [
      'a result that ends an open tool',
      live({ 5: open('a'), 9: result }),
      'working',
      { silence: 609, api: 909, quiet: 10 },
    ],
    [
      'a result of an agent that announces: a longer quiet',
      live({ 5: busy, 9: result }),
      'working',
      { silence: 609, api: 909, quiet: 24 },
    ],
    [
      'a result with background work',
      live({ 5: background('npm test'), 9: result }),
      'tool-running',
      { tool: 3_609 },
    ],
    [
      'idle with background work',
      live({ 5: background('x'), 9: result, 10: idle }),
      'tool-running',
      { tool: 3_609 },
    ],
    [
      'background work that ended',
      live({ 5: background('x'), 9: result, 20: background() }),
      'working',
      { silence: 620, api: 909, quiet: 21 },
    ],
    ['idle', live({ 9: result, 10: idle }), 'idle', {}],
    ['idle before any result', live({ 9: idle }), 'working', { silence: 609, api: 900 }],
    [
      'a result of one prompt, with idle',
      live({ 9: result, 10: idle }, { followUp: false }),
      'draining',
      { drain: 25 },
    ],
    ['plain text, silent', live({}, plain), 'spawned', { tool: 3_600 }],
    ['plain text', live({ 50: noise }, plain), 'working', { tool: 3_650 }],
    [
      'stream-json after plain text',
      live({ 50: noise, 60: started }, plain),
      'working',
      { silence: 660, api: 950 },
    ],
  ])('%s', (_, session, state, rings) => {
    expect(session.state).toBe(state);
    const isWaited = state !== 'idle' && state !== 'draining';
    expect(ringsAt(session)).toEqual(isWaited ? { session: 14_400, ...rings } : rings);
  });

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

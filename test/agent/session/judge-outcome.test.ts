import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readClaude } from '../../../src/agent/claude/read-line.ts';
import { parseMarker } from '../../../src/agent/marker.ts';
import { answerOf, judgeOutcome, type TurnFacts } from '../../../src/agent/session/judge-outcome.ts';
import { findRemedies, readFailure } from '../../../src/agent/session/outcome-words.ts';
import { type TurnResult, TurnTranscript } from '../../../src/agent/session/turn-transcript.ts';

/** Facts of a turn, flat; `blind`: a reviewer that used no tool, and what to try. */
type Row = Partial<
  Pick<TurnFacts['said'], 'last' | 'answer' | 'limit' | 'retry' | 'refusal' | 'background'> &
    Pick<TurnFacts, 'ended' | 'wasThere' | 'ring' | 'stopped'>
> &
  Readonly<{ words?: string; plainAnswer?: string; blind?: string }>;

const can = { usage: true, cost: true, schema: true, followUp: true, resume: true };

const exit = (code: number) => ({ code, signal: null });
const done = 'Well.\n<<<PAWL:TASK_DONE a1b2>>> did it';

function result(more: Partial<TurnResult> = {}): TurnResult {
  return { type: 'result', text: '', isError: false, reason: 'completed', ...more };
}

/** Judges facts with the marker of their own answer. */
function judge({ words = '', plainAnswer, blind, ended, wasThere, ring, stopped, ...heard }: Row) {
  const noise = plainAnswer ?? '';
  const facts: TurnFacts = {
    said: { ...new TurnTranscript(), noise, isUp: true, ...heard },
    agent: {
      can: { ...can, plainAnswer: plainAnswer !== undefined },
      firstEventHint: 'try text',
      ...(blind === undefined ? {} : { blindHint: blind }),
    },
    command: { file: 'claude' },
    stderr: words,
    isReviewer: blind !== undefined,
    ended,
    wasThere,
    ring,
    stopped,
  };
  return judgeOutcome(facts, parseMarker(answerOf(facts), { nonce: 'a1b2', bare: new Set<string>() }));
}

/** Judges what a turn with these results came to. */
function judgeResults(results: readonly TurnResult[], more: Row = {}) {
  const transcript = new TurnTranscript();
  for (const each of results) transcript.take(each);
  return judge({
    last: transcript.last,
    answer: transcript.answer,
    background: transcript.background,
    ...more,
  });
}

function judgeRecording(name: string, more: Row) {
  const url = new URL(`../../fixtures/streams/claude-2.1.330/${name}.ndjson`, import.meta.url);
  const transcript = new TurnTranscript();
  const events = readFileSync(url, 'utf8').split('\n').flatMap(readClaude);
  for (const event of events) transcript.take(event);
  const { last, answer, limit, background, noise } = transcript;
  return judge({ last, answer, limit, background, words: noise, ...more });
}

const asAcceptEdits = expect.stringContaining('acceptEdits');

/** They end well, without a marker. */
const silent = [
  ...['one-task', 'agents-default', 'agents-foreground', 'agent-fault', 'bg-bash-6s', 'bash-timeout-nobg'],
  ...[
    'err-529-twice',
    'fallback-529',
    'cut-tool-once',
    'limit-warning',
    'json-schema',
    'json-schema-ignored',
  ],
  'input-clear',
];

describe('recordings: a turn of a conversation (the process lives) or a process that ended', () => {
  it.each<[string, number | undefined, object]>([
    ['one-task', undefined, { kind: 'silent', reason: 'it finished without a marker' }],
    ...silent.map((name) => [name, 0, { kind: 'silent' }] as [string, number, object]),
    ['one-task', 1, { kind: 'crashed', reason: 'it ended with exit code 1' }],
    ['hook-continue-false', 0, { kind: 'silent', reason: expect.stringContaining('hook_stopped') }],
    ['always-429', 1, { kind: 'overloaded', reason: expect.stringContaining('429') }],
    ['always-529', 1, { kind: 'overloaded' }],
    ['always-529', undefined, { kind: 'overloaded' }],
    ['always-cut-tool', 1, { kind: 'overloaded' }],
    ['err-401', 143, { kind: 'crashed' }],
    ['err-404', 1, { kind: 'refused' }],
    ['limit-rejected', 1, { kind: 'limited', until: 1_795_300_692_000 }],
    ['limit-rejected-7d', 1, { kind: 'limited', until: 1_795_300_693_000 }],
    ['limit-midway', undefined, { kind: 'limited', reason: expect.stringContaining('5-hour limit') }],
    ['max-budget', 1, { kind: 'over-budget' }],
    ['max-turns', 1, { kind: 'unfinished' }],
    ['json-schema-always-bad', 1, { kind: 'failed' }],
    ['compact', 1, { kind: 'unfinished' }],
    ['stop-max-tokens', 1, { kind: 'unfinished' }],
    ['stop-refusal', 1, { kind: 'failed' }],
    ['sig-SIGINT', 0, { kind: 'interrupted' }],
    ['input-interrupt-bash', 1, { kind: 'interrupted' }],
    ['startup-failure', 1, { kind: 'refused', remedies: expect.arrayContaining([asAcceptEdits]) }],
  ])('%s with exit %s', (name, code, outcome) => {
    expect(judgeRecording(name, code === undefined ? {} : { ended: exit(code) })).toMatchObject(outcome);
  });
});

describe('a process that gave no result', () => {
  it.each([
    ['exit 0 (never success)', { ended: exit(0) }, 'crashed', /exit code 0 and no result/],
    ['exit 0 with words of a limit', { ended: exit(0), words: 'usage limit' }, 'crashed', /no result/],
    ['exit 143', { ended: exit(143) }, 'crashed', /143/],
    ['a process that stays', { ended: { code: null, signal: null } }, 'crashed', /not even be killed/],
    ['a signal', { ended: { code: null, signal: 'SIGKILL' as const } }, 'crashed', /SIGKILL/],
    ['a quota on stderr only', { ended: exit(1), words: 'Error: usage limit reached' }, 'limited', /usage/],
    ['a startup error', { ended: exit(1), words: 'error: unknown option --x' }, 'refused', /--x/],
    ['not logged in', { ended: exit(1), words: 'Not logged in · Please run /login' }, 'refused', /login/],
    ['a launcher without its program', { ended: exit(127), words: 'sh: nope' }, 'refused', /nope/],
    ['a stack on stderr', { ended: exit(1), words: 'TypeError: x\n  at y' }, 'crashed', /exit code 1: at y/],
  ])('%s', (_, facts, kind, reason) => {
    expect(judge(facts)).toMatchObject({ kind, reason: expect.stringMatching(reason) });
  });

  it.each([
    ['ENOENT', 'claude was not found'],
    ['EACCES', 'claude may not be executed'],
  ])('that could not be started: %s', (code, reason) => {
    const startError = Object.assign(new Error(code), { code });
    const outcome = judge({ ended: { code: null, signal: null, startError } });
    expect(outcome).toEqual({ kind: 'refused', reason, remedies: [expect.any(String)] });
    const again = judge({ ended: { code: null, signal: null, startError }, wasThere: true });
    expect(again).toEqual({ ...outcome, mayReturn: true });
  });
});

describe('several results in one process', () => {
  const failed = result({ isError: true, text: 'API Error', apiStatus: 529 });
  it.each<[string, readonly TurnResult[], Row, string]>([
    ['are judged by the last that has text', [result({ text: done }), result()], {}, 'done'],
    ['keep no earlier marker', [result({ text: done }), result({ text: 'Never mind.' })], {}, 'silent'],
    ['take no answer of a failed one', [result({ text: done, isError: true }), result()], {}, 'silent'],
    ['take none from plain text', [result()], { ended: exit(0), plainAnswer: done }, 'silent'],
    ['fail when the last one failed', [result({ text: done }), failed], {}, 'overloaded'],
    [
      'are unfinished while background work is open',
      [result({ text: done })],
      { background: ['x'] },
      'unfinished',
    ],
  ])('%s', (_, results, more, kind) => expect(judgeResults(results, more).kind).toBe(kind));
});

describe('a result', () => {
  it.each([
    ['TASK_DONE', 'done'],
    ['ALL_TASKS_DONE', 'done'],
    ['REVIEW_DONE', 'done'],
    ['PLAN_READY', 'done'],
    ['TASK_FAILED', 'failed'],
    ['ALREADY_DONE', 'already-done'],
    ['NEEDS_INPUT', 'needs-input'],
    ['REPLAN', 'replan'],
  ])('with the marker %s is %s', (name, kind) => {
    expect(judgeResults([result({ text: `<<<PAWL:${name} a1b2>>> why` })])).toEqual({ kind, reason: 'why' });
  });

  it.each([
    ['You will regain access on 2026-12-01 at 00:00 UTC.', '2026-12-01T00:00:00.000Z'],
    ['You have reached your monthly limit. It resets on December 1, 2026.', '2026-12-01T00:00:00.000Z'],
    ['Usage limits reached, available again 2026-12-01 14:30 UTC', '2026-12-01T14:30:00.000Z'],
    ['You have reached your usage limits. Ask your admin on Monday.', undefined],
  ])('a limit ends when its words say: %s', (text, iso) => {
    const failed = result({ isError: true, apiStatus: 400, text });
    const outcome = judgeResults([failed], { ended: exit(1) });
    expect(outcome).toMatchObject({ kind: 'limited' });
    expect('until' in outcome ? new Date(outcome.until ?? 0).toISOString() : undefined).toBe(iso);
  });

  it.each([
    ['429, no limit known', { apiStatus: 429 }, 'overloaded'],
    ['500', { apiStatus: 500 }, 'overloaded'],
    ['401', { apiStatus: 401 }, 'refused'],
    ['402', { apiStatus: 402 }, 'refused'],
    ['403', { apiStatus: 403 }, 'refused'],
    ['400 of an empty account', { apiStatus: 400, text: 'Your credit balance is too low' }, 'refused'],
    ['400 of another kind', { apiStatus: 400, text: 'API Error: 400 bad' }, 'refused'],
    ['422', { apiStatus: 422, text: 'API Error: 422' }, 'refused'],
    ['400 of a spend limit', { apiStatus: 400, text: 'You have reached your API usage limits.' }, 'limited'],
    ['400 that says so', { apiStatus: 400, text: 'You will regain access next month.' }, 'limited'],
    ['413', { apiStatus: 413 }, 'unfinished'],
    ['no answer at all', { text: 'Request timed out. Check your network.' }, 'overloaded'],
    ['a refused connection', { apiError: 'connection_failed' }, 'overloaded'],
    ['a model for credits', { apiError: 'model_requires_usage_credits', apiStatus: 429 }, 'limited'],
    ['a context for credits', { apiError: 'long_context_credits_required', apiStatus: 429 }, 'unfinished'],
    ['no login at a gateway', { apiError: 'gateway_signin_required' }, 'refused'],
    ['model_error', { reason: 'model_error' }, 'overloaded'],
    ['prompt_too_long', { reason: 'prompt_too_long' }, 'unfinished'],
    ['turn_setup_failed', { reason: 'turn_setup_failed' }, 'crashed'],
    ['an unknown --resume', { reason: 'error_during_execution' }, 'crashed'],
    ['aborted', { reason: 'aborted_streaming' }, 'interrupted'],
    ['a reason that every object knows', { reason: 'constructor' }, 'crashed'],
    ['an error that every object knows', { apiError: 'toString' }, 'crashed'],
  ])('that failed with %s', (_, fields, kind) => {
    const failed = result({ isError: true, reason: 'api_error', ...fields });
    expect(judgeResults([failed], { ended: exit(1) }).kind).toBe(kind);
  });

  it('that failed after the limit was reported as reached is limited until then', () => {
    const limit = { type: 'limit', status: 'rejected', resetsAt: 5 } as const;
    const failed = result({ isError: true, text: 'API Error: something new' });
    expect(judgeResults([failed], { limit })).toEqual({ kind: 'limited', reason: failed.text, until: 5 });
    expect(judgeResults([{ ...failed, apiStatus: 500 }], { limit }).kind).toBe('overloaded');
    expect(judgeResults([failed], { limit: { ...limit, status: 'allowed' } }).kind).toBe('crashed');
  });

  it('that succeeded is never judged by its words', () => {
    const text = `Handled "API Error: 429", usage limit and not logged in.\n${done}`;
    const limit = { type: 'limit', status: 'rejected', resetsAt: 5 } as const;
    expect(judgeResults([result({ text })], { limit, words: 'usage limit' }).kind).toBe('done');
    expect(judgeResults([result({ text })], { ended: exit(0), words: 'Not logged in' }).kind).toBe('done');
  });

  it('with a non-zero exit before the turn was over is no success', () => {
    expect(judgeResults([result({ text: done })], { ended: exit(3) }).kind).toBe('crashed');
  });

  it('is not undone by the drain clock, whose kill is pawl’s own', () => {
    const ring = { clock: 'drain', afterMs: 15_000 } as const;
    expect(judgeResults([result({ text: done })], { ended: exit(143), ring }).kind).toBe('done');
  });
});

it.each<[string, Row, string]>([
  ['has given no answer', { last: result() }, 'crashed'],
  ['has failed as it says', { last: result({ isError: true, apiStatus: 401 }) }, 'refused'],
])('a reviewer that could run nothing %s', (_, facts, kind) => {
  const outcome = judge({ ...facts, ended: exit(0), blind: 'try it' });
  expect(outcome.kind).toBe(kind);
  expect(outcome.reason.endsWith('read nothing: try it')).toBe(kind === 'crashed');
});

describe('what pawl did itself', () => {
  it.each(['firstEvent', 'silence', 'api', 'tool', 'session'] as const)('the %s clock', (clock) => {
    const ring = { clock, afterMs: 90_000 };
    const outcome = judge({ ring, ended: exit(1), words: 'usage limit' });
    expect(outcome).toMatchObject({ kind: 'timed-out' });
    const isSetting = clock === 'silence' || clock === 'session';
    expect(outcome.reason).toContain(isSetting ? `for 90 s (clocks.${clock})` : 'for 90 s');
    expect(outcome.reason.includes('try text')).toBe(clock === 'firstEvent');
  });

  const tried = (status: number, reason: string, attempt: number) =>
    ({ type: 'api-retry', attempt, max: 7, delayMs: 1, status, reason }) as const;

  it('the api clock names the last try', () => {
    const ring = { clock: 'api', afterMs: 900_000 } as const;
    const { reason } = judge({ ring, retry: tried(529, 'overloaded', 7) });
    expect(reason).toContain('last try 7: 529 overloaded');
  });

  it('a login that is refused again and again, whatever the CLI printed when it was ended', () => {
    const refusal = tried(401, 'x_y', 3);
    const aborted = result({ isError: true, reason: 'aborted_streaming' });
    const outcome = judgeResults([aborted], { refusal, ended: exit(143) });
    expect(outcome).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('401 x y, 3 times'),
      remedies: [expect.stringContaining('log in')],
    });
    expect(judge({ refusal, stopped: { kind: 'interrupted', reason: 'Ctrl-C' } }).kind).toBe('interrupted');
  });

  it('a clock over open background work after a result: unfinished', () => {
    const ring = { clock: 'tool', afterMs: 1 } as const;
    expect(judgeResults([result({ text: done })], { ring, background: ['x'] }).kind).toBe('unfinished');
  });

  it.each(['interrupted', 'stuck', 'over-budget'] as const)(
    '%s wins over whatever the agent printed then',
    (kind) => {
      const stopped = { kind, reason: 'why' };
      expect(judgeResults([result({ text: done })], { stopped, ended: exit(0) })).toEqual(stopped);
    },
  );
});

it.each<[string, Row, string]>([
  ['exit 0', { ended: exit(0), plainAnswer: done }, 'done'],
  ['exit 0, no text', { ended: exit(0), plainAnswer: ' \n' }, 'crashed'],
  ['exit 1', { ended: exit(1), plainAnswer: done }, 'crashed'],
  ['exit 1, a limit', { ended: exit(1), plainAnswer: 'x', words: 'usage limit' }, 'limited'],
])('an agent whose plain text is its answer: %s', (_, facts, kind) => expect(judge(facts).kind).toBe(kind));

describe('sentences of failed sessions', () => {
  it.each([
    ["You've hit your 5-hour limit · resets 10:38pm (UTC)", 'limited'],
    ["You've hit your weekly limit · resets 10:38pm (UTC)", 'limited'],
    ["You've hit your Opus limit · resets Monday", 'limited'],
    ["You've hit your limit · resets 3pm", 'limited'],
    ['Claude AI usage limit reached|1795300692', 'limited'],
    ['You’ve hit your usage limit. Try again later.', 'limited'],
    ["You're out of extra usage · resets 3am", 'limited'],
    ['5-hour limit reached ∙ resets 3am', 'limited'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'overloaded'],
    ['API Error: Request rejected (429) · scripted', 'overloaded'],
    ['API Error: 529 Overloaded. This is a server-side issue, usually temporary', 'overloaded'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    ['API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)', 'overloaded'],
    ['API Error: Connection lost mid-response. The response above may be incomplete.', 'overloaded'],
    ['stream disconnected: getaddrinfo ENOTFOUND api.example.com', 'overloaded'],
    ['You have hit the rate limit', 'overloaded'],
    ['API Error: Stream idle timeout - no chunks received', 'overloaded'],
    ['API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy', 'overloaded'],
    ['Not logged in · Please run /login', 'refused'],
    ['Failed to authenticate. API Error: 401 MESSAGE', 'refused'],
    ['The requested model doesn’t exist', 'refused'],
    ['Invalid API key · Fix external API key', 'refused'],
    ["There's an issue with the selected model (x). It may not exist", 'refused'],
    ['--dangerously-skip-permissions cannot be used with root/sudo privileges', 'refused'],
    ['Not inside a trusted directory and --skip-git-repo-check was not specified.', 'refused'],
    ["API Error: Claude's response exceeded the 128000 output token maximum. To configure", 'unfinished'],
    ['Autocompact is thrashing: the context refilled to the limit within 3 turns', 'unfinished'],
    ['Request too large (max 32MB).', 'unfinished'],
    ['Reached maximum number of turns (2)', 'unfinished'],
    ['Segmentation fault', undefined],
    ['time limit of the test exceeded', undefined],
    ['', undefined],
  ])('%s', (words, told) => expect(readFailure(words)).toBe(told));
});

it.each([
  ['--dangerously-skip-permissions cannot be used with root/sudo privileges', undefined, /IS_SANDBOX/],
  ['API Error: 401 invalid x-api-key', 401, /log in again/],
  ['Not logged in · Please run /login', undefined, /log in again/],
  ['Your credit balance is too low', undefined, /billing/],
  ["There's an issue with the selected model (x)", 404, /--model/],
  ['Error: No such device or address (os error 6)', undefined, /update the agent/],
  ['the app server of this version of codex speaks otherwise', undefined, /update the agent/],
  ['something else', undefined, undefined],
] as const)('what helps against: %s', (words, status, helps) => {
  const found = findRemedies(words, status).join('\n');
  if (helps === undefined) expect(found).toBe('');
  else expect(found).toMatch(helps);
});

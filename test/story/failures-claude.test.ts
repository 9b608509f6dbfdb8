// Every way the API fails the real Claude Code CLI, and what pawl makes of it: the right outcome, and soon. The CLI's own
// retries are cut to what a test can wait for; how many it is given else is a matter of claude-environment.ts.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/agent/session/session-plan.ts';
import type { ApiFailure, Step } from '../fixtures/agents/scripted/script.ts';
import { startClaude } from '../helpers/claude-session.ts';
import { share } from '../helpers/share.ts';

type Row = Readonly<{
  steps: readonly Step[];
  kind: Outcome['kind'];
  reason: RegExp;
  auth?: 'oauth';
  /** Default: one retry. */
  cliEnv?: Readonly<Record<string, string>>;
  apiUrl?: string;
}>;

const api = (failure: ApiFailure): readonly Step[] => [{ api: failure }];
const oneTry = { CLAUDE_CODE_MAX_RETRIES: '0' };
/** As set by pawl. */
const asSet = { CLAUDE_CODE_MAX_RETRIES: '7' };
const noShape = { CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1' };

const rows: Readonly<Record<string, Row>> = {
  '401 of a key, with all the retries pawl grants': {
    steps: api({ status: 401 }),
    kind: 'refused',
    reason: /authenticat|refuses the login/i,
    cliEnv: asSet,
  },
  '400': { steps: api({ status: 400 }), kind: 'refused', reason: /400/ },
  '400 of a spend limit': {
    steps: api({
      status: 400,
      message:
        'You have reached your specified API usage limits. You will regain access on 2099-12-01 at 00:00 UTC.',
    }),
    kind: 'limited',
    reason: /usage limits/,
  },
  '400 for want of money': {
    steps: api({ status: 400, message: 'Your credit balance is too low' }),
    kind: 'refused',
    reason: /credit balance/i,
  },
  '400 as the prompt is too long': {
    steps: api({ status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' }),
    kind: 'unfinished',
    reason: /too long/i,
  },
  '401 of a subscription': {
    steps: api({ status: 401 }),
    kind: 'refused',
    reason: /authenticat/i,
    auth: 'oauth',
  },
  '403': { steps: api({ status: 403 }), kind: 'refused', reason: /authenticat/i },
  '404': { steps: api({ status: 404 }), kind: 'refused', reason: /model/ },
  '413': { steps: api({ status: 413 }), kind: 'unfinished', reason: /too large/i },
  '429 of a key': { steps: api({ status: 429 }), kind: 'overloaded', reason: /429/ },
  '429 of a subscription’s limit': {
    steps: [{ limit: { resetsInS: 3_600 } }],
    kind: 'limited',
    reason: /5-hour limit/,
    auth: 'oauth',
  },
  '500': { steps: api({ status: 500 }), kind: 'overloaded', reason: /500/ },
  '529': { steps: api({ status: 529 }), kind: 'overloaded', reason: /529/ },
  'an overload inside the stream': {
    steps: api({ status: 529, inStream: true }),
    kind: 'overloaded',
    reason: /529|overloaded/i,
    cliEnv: oneTry,
  },
  'no server there': {
    steps: [],
    apiUrl: 'http://127.0.0.1:9',
    kind: 'overloaded',
    reason: /refused/i,
    cliEnv: oneTry,
  },
  'a stream that is cut': {
    steps: [{ cut: true }],
    kind: 'overloaded',
    reason: /lost/i,
    cliEnv: { ...oneTry, ...noShape },
  },
  'a stream that is cut after a finished block': {
    steps: [{ say: 'I begin' }, { cut: true }],
    kind: 'overloaded',
    reason: /lost|incomplete|dropped/i,
    cliEnv: oneTry,
  },
  'no answer at all': {
    steps: [{ hang: true }],
    kind: 'overloaded',
    reason: /timed out/i,
    cliEnv: { ...oneTry, API_TIMEOUT_MS: '1500' },
  },
  'a reply that goes silent': {
    steps: [{ silence: true }],
    kind: 'overloaded',
    reason: /idle timeout/i,
    cliEnv: { ...oneTry, ...noShape, API_TIMEOUT_MS: '1500', CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '10000' },
  },
  'replies that never fit': {
    steps: [{ say: 'a' }, { stop: 'max_tokens' }],
    kind: 'unfinished',
    reason: /output token/,
  },
  'a refusal of the model': {
    steps: [{ say: 'no' }, { stop: 'refusal' }],
    kind: 'failed',
    reason: /safeguard|flagged|violat/i,
  },
};

test.concurrent.each(share(Object.entries(rows), 12))('%s', async (_, row) => {
  await using claude = await startClaude({
    turns: [{ once: false, steps: row.steps }],
    ...(row.auth === undefined ? {} : { auth: row.auth }),
    ...(row.apiUrl === undefined ? {} : { apiUrl: row.apiUrl }),
    cliEnv: { CLAUDE_CODE_MAX_RETRIES: '1', ...row.cliEnv },
  });
  const { outcome } = await claude.test.session.firstTurn();
  expect(outcome).toMatchObject({ kind: row.kind, reason: expect.stringMatching(row.reason) });
  if (outcome.kind === 'refused') expect(outcome.remedies).not.toEqual([]);
});

// One that is dead: nights.test.ts.
test.concurrent('a model that thinks for longer than the silence clock works on', async () => {
  const clocks = { silenceMs: 15_000, apiMs: 15_000 };
  await using thinks = await startClaude({
    turns: [{ steps: [{ ponder: 20_000 }, { say: '{{marker TASK_DONE}}' }] }],
    clocks,
  });
  const { outcome } = await thinks.test.session.firstTurn();
  expect(outcome.kind).toBe('done');
  await thinks.test.session.close();
  // The whole block is kept, its pieces are not.
  expect(await thinks.test.raw()).toContain('Well, Well, ');
  expect(await thinks.test.raw()).not.toMatch(
    /^\{"type":"(stream_event|system","subtype":"thinking_tokens)"/m,
  );
});

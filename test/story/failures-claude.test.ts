// Every way the API fails the real Claude Code CLI, and what pawl makes of it: the right outcome, and soon. The CLI's own
// retries are cut to what a test can wait for; how many it is given else is a matter of claude-environment.ts.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/agent/session/session-plan.ts';
import type { ApiFailure, Step } from '../fixtures/agents/scripted/script.ts';
import { type ClaudePlan, startClaude } from '../helpers/claude-session.ts';
import { share } from '../helpers/share.ts';

type Row = [
  name: string,
  steps: readonly Step[],
  kind: Outcome['kind'],
  reason: RegExp,
  /** Default: a key, one retry. */
  more?: Pick<ClaudePlan, 'auth' | 'cliEnv' | 'apiUrl'>,
];

const api = (failure: ApiFailure): readonly Step[] => [{ api: failure }];
const oneTry = { CLAUDE_CODE_MAX_RETRIES: '0' };
/** As set by pawl. */
const asSet = { CLAUDE_CODE_MAX_RETRIES: '7' };
const noShape = { CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1' };

const spent =
  'You have reached your specified API usage limits. You will regain access on 2099-12-01 at 00:00 UTC.';
const tooLong = 'prompt is too long: 250000 tokens > 200000 maximum';
const short = { ...oneTry, API_TIMEOUT_MS: '1500' };

const rows: readonly Row[] = [
  [
    '401 of a key, with all the retries pawl grants',
    api({ status: 401 }),
    'refused',
    /authenticat|refuses the login/i,
    { cliEnv: asSet },
  ],
  ['400', api({ status: 400 }), 'refused', /400/],
  ['400 of a spend limit', api({ status: 400, message: spent }), 'limited', /usage limits/],
  [
    '400 for want of money',
    api({ status: 400, message: 'Your credit balance is too low' }),
    'refused',
    /credit balance/i,
  ],
  ['400 as the prompt is too long', api({ status: 400, message: tooLong }), 'unfinished', /too long/i],
  ['401 of a subscription', api({ status: 401 }), 'refused', /authenticat/i, { auth: 'oauth' }],
  ['403', api({ status: 403 }), 'refused', /authenticat/i],
  ['404', api({ status: 404 }), 'refused', /model/],
  ['413', api({ status: 413 }), 'unfinished', /too large/i],
  ['429 of a key', api({ status: 429 }), 'overloaded', /429/],
  [
    '429 of a subscription’s limit',
    [{ limit: { resetsInS: 3_600 } }],
    'limited',
    /5-hour limit/,
    { auth: 'oauth' },
  ],
  ['500', api({ status: 500 }), 'overloaded', /500/],
  ['529', api({ status: 529 }), 'overloaded', /529/],
  [
    'an overload inside the stream',
    api({ status: 529, inStream: true }),
    'overloaded',
    /529|overloaded/i,
    { cliEnv: oneTry },
  ],
  ['no server there', [], 'overloaded', /refused/i, { cliEnv: oneTry, apiUrl: 'http://127.0.0.1:9' }],
  ['a stream that is cut', [{ cut: true }], 'overloaded', /lost/i, { cliEnv: { ...oneTry, ...noShape } }],
  [
    'a stream that is cut after a finished block',
    [{ say: 'I begin' }, { cut: true }],
    'overloaded',
    /lost|incomplete|dropped/i,
    { cliEnv: oneTry },
  ],
  ['no answer at all', [{ hang: true }], 'overloaded', /timed out/i, { cliEnv: short }],
  [
    'a reply that goes silent',
    [{ silence: true }],
    'overloaded',
    /idle timeout/i,
    { cliEnv: { ...short, ...noShape, CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '10000' } },
  ],
  ['replies that never fit', [{ say: 'a' }, { stop: 'max_tokens' }], 'unfinished', /output token/],
  ['a refusal of the model', [{ say: 'no' }, { stop: 'refusal' }], 'failed', /safeguard|flagged|violat/i],
];

test.concurrent.each<Row>(share(rows, 12))('%s', async (_, steps, kind, reason, more) => {
  const cliEnv = { CLAUDE_CODE_MAX_RETRIES: '1', ...more?.cliEnv };
  await using claude = await startClaude({ turns: [{ once: false, steps }], ...more, cliEnv });
  const { outcome } = await claude.test.session.firstTurn();
  expect(outcome).toMatchObject({ kind, reason: expect.stringMatching(reason) });
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

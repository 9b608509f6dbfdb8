// What a start works with, in words: what agents may do is told as it is, with and without walls around them.
import { describe, expect, test } from 'vitest';
import type { GroundFields } from '../../src/event/ground.ts';
import { formatEvent } from '../../src/report/events/format-event.ts';
import { formatGround } from '../../src/report/events/format-ground.ts';
import { emptyContext, foldContext } from '../../src/report/events/render-context.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const ground: GroundFields = {
  agent: 'claude',
  agentCommand: 'claude',
  billing: 'an API key',
  trusted: true,
};

test.each<[Partial<GroundFields>, string]>([
  [
    { permissions: 'bypass' },
    'warn access every file, program and host this user can reach (permissions: bypass)',
  ],
  [
    { permissions: 'bypass', sandbox: 'docker' },
    'plain access every file, program and host in its sandbox (permissions: bypass)',
  ],
  [
    { permissions: 'acceptEdits', sandbox: 'process' },
    'plain access edits files, and runs what its settings allow (permissions: acceptEdits)',
  ],
  [{ permissions: 'dontAsk' }, 'plain access only what its own settings allow (permissions: dontAsk)'],
  [{}, ''],
])('under %j access: %s', (change, wanted) => {
  const lines = formatGround({ ...ground, ...change }).map(({ tone, text }) => `${tone} ${text.trim()}`);
  expect((lines.find((text) => / access/.test(text)) ?? '').replaceAll(/ +/g, ' ')).toBe(wanted);
});

test.each<[boolean | undefined, string]>([
  [true, 'reviews reviewers and planners see this tree read-only (bubblewrap)'],
  [false, 'reviews what reviewers and planners change in this tree is put back'],
  [undefined, ''],
])('a tree that is read-only for reviewers: %s', (readOnly, wanted) => {
  const lines = formatGround({ ...ground, readOnly }).map(({ text }) => text.trim().replaceAll(/ +/g, ' '));
  expect(lines.find((text) => text.startsWith('reviews')) ?? '').toBe(wanted);
});

test('how many tasks are worked on at once', () => {
  const tell = (change: Partial<GroundFields>) =>
    formatGround({ ...ground, ...change }).map(({ text }) => text.trim());
  expect(tell({ jobs: 4 }).join('\n')).toMatch(/lanes +up to 4 tasks at once, each in its own checkout/);
  expect(tell({}).join('\n')).not.toMatch(/at once/);
});

describe('a later start', () => {
  const inside = fact('run-started', { sandbox: 'docker' });
  const context = stampAll([inside]).reduce(foldContext, emptyContext);
  const tell = (now: GroundFields) =>
    formatEvent(fact('run-resumed', { ground: now, dirt: [] }), { verbose: false }, context).map(
      ({ text }) => text,
    );

  test('without the sandbox of the one before says so', () => {
    const { sandbox: _, ...outside } = inside;
    expect(tell(outside).join('\n')).toContain('every file, program and host this user can reach');
    expect(tell(outside)).toHaveLength(2);
  });

  test('in the same one says nothing of it', () => {
    expect(tell(inside)).toHaveLength(1);
  });
});

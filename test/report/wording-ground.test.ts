// What a start works with, in words: what agents may do is told as it is, with and without walls around them.
import { describe, expect, test } from 'vitest';
import type { Ground } from '../../src/event/run.ts';
import { emptyScene, foldScene } from '../../src/report/scene.ts';
import { wordEvent } from '../../src/report/wording.ts';
import { wordGround } from '../../src/report/wording-ground.ts';
import { fact } from '../helpers/facts.ts';

const ground: Ground = { agent: 'claude', agentCommand: 'claude', billing: 'an API key', trusted: true };

test.each<[Partial<Ground>, string]>([
  [{ permissions: 'bypass' }, 'warn may any file, program or host that this user can (permissions: bypass)'],
  [
    { permissions: 'bypass', sandbox: 'docker' },
    'plain may any file, program or host that its sandbox has (permissions: bypass)',
  ],
  [
    { permissions: 'acceptEdits', sandbox: 'process' },
    'plain may edit files, run what its settings allow (permissions: acceptEdits)',
  ],
  [{ permissions: 'dontAsk' }, 'plain may only what its own settings allow (permissions: dontAsk)'],
  [{}, ''],
])('under %j it may: %s', (change, wanted) => {
  const lines = wordGround({ ...ground, ...change }).map(({ tone, text }) => `${tone} ${text.trim()}`);
  expect((lines.find((text) => / may /.test(text)) ?? '').replaceAll(/ +/g, ' ')).toBe(wanted);
});

describe('a later start', () => {
  const inside = fact('run-started', { sandbox: 'docker' });
  const scene = foldScene(emptyScene, inside);
  const tell = (now: Ground) =>
    wordEvent(fact('run-resumed', { ground: now, dirt: [] }), { verbose: false }, scene).map(
      ({ text }) => text,
    );

  test('without the sandbox of the one before says so', () => {
    const { sandbox: _, ...outside } = inside;
    expect(tell(outside).join('\n')).toContain('any file, program or host that this user can');
    expect(tell(outside)).toHaveLength(2);
  });

  test('in the same one says nothing of it', () => {
    expect(tell(inside)).toHaveLength(1);
  });
});

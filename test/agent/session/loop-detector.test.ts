// Circles of tool calls, a row per rule: which calls are the same, when the tree is looked at, and what is said of it.
import { expect, test } from 'vitest';
import { detectLoops } from '../../../src/agent/session/loop-detector.ts';

/** Calls as `tool:input`, one after another; the tree that each look finds, the last one for ever. */
async function play(calls: readonly string[], trees: readonly (string | undefined)[], most = 3) {
  const found: string[] = [];
  let looks = 0;
  const look = () => Promise.resolve(trees[Math.min(looks++, trees.length - 1)]);
  const watch = detectLoops({ most, tree: 'start', look }, (reason) => found.push(reason));
  for (const [at, call] of calls.entries()) {
    const [tool = '', input] = call.split(':');
    watch({
      ...{ type: 'tool-started', id: `t${at}`, tool, detail: `${input}`, main: true },
      ...(input === undefined ? {} : { input }),
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { found, looks };
}

const times = (count: number, ...calls: readonly string[]) =>
  Array.from({ length: count }, () => calls).flat();

test.each<[string, readonly string[], readonly (string | undefined)[], number, number]>([
  ['fewer than the bound', times(2, 'Bash:ls'), ['start'], 0, 0],
  ['one call in a row', times(3, 'Bash:ls'), ['start'], 1, 1],
  ['two in turn', times(3, 'Bash:ls', 'Read:a'), ['start'], 1, 1],
  ['one among many others', ['Bash:ls', 'A:1', 'Bash:ls', 'A:2', 'A:3', 'Bash:ls'], ['start'], 1, 1],
  ['other inputs each time', ['Bash:a', 'Bash:b', 'Bash:c', 'Bash:d'], ['start'], 0, 0],
  ['the same input of another tool', ['Bash:a', 'Read:a', 'Grep:a'], ['start'], 0, 0],
  ['an agent that does not tell the input', times(9, 'Bash'), ['start'], 0, 0],
  ['the tree moved', times(3, 'Bash:ls'), ['other'], 0, 1],
  ['it moves on and on', times(9, 'Bash:ls'), ['a', 'b', 'c'], 0, 3],
  ['it moved once, then no more', times(6, 'Bash:ls'), ['other'], 1, 2],
  ['the tree cannot be told', times(9, 'Bash:ls'), [undefined], 0, 3],
])('%s', async (_, calls, trees, found, looks) => {
  const played = await play(calls, trees);
  expect([played.found.length, played.looks]).toEqual([found, looks]);
});

test('says what was repeated and how often', async () => {
  const { found } = await play(times(3, 'Bash:npm test'), ['start']);
  expect(found).toEqual(['it called Bash 3 times with the same input while no file changed: npm test']);
});

test('a look that fails is none, and a call that is told twice was made once', async () => {
  const found: string[] = [];
  const look = () => Promise.reject(new Error('git'));
  const watch = detectLoops({ most: 2, tree: 'start', look }, (reason) => found.push(reason));
  const call = { type: 'tool-started', id: 'a', tool: 'Bash', detail: '', input: 'x', main: true } as const;
  watch(call);
  watch(call);
  watch({ ...call, id: 'b' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(found).toEqual([]);
});

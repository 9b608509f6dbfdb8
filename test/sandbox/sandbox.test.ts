// When programs share what they see of the host, and when it is made anew.
import { expect, test } from 'vitest';
import { sweep } from '../../src/process/host-sweep.ts';
import { spawn } from '../../src/process/spawn.ts';
import type { Mark } from '../../src/process/sweep.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';

function makeLodgings() {
  const log: string[] = [];
  const closed = new Set<string>();
  const failing = new Set<string>();
  let count = 0;
  class Lodgings extends Sandbox<string> {
    readonly sweep = sweep;
    protected start = spawn;
    protected async make(workdir: string): Promise<string> {
      if (failing.delete(workdir)) throw new Error('cannot');
      count += 1;
      return `${workdir}#${count}`;
    }
    protected override isOpen = (place: string) => !closed.has(place);
    protected leave = async (place: string) => void log.push(place);
  }
  const lodgings = new Lodgings({ trees: () => ['/tree'], handIn: () => {} });
  const enter = async (mark?: string, cwd = '/tree/sub') =>
    (await lodgings.enter(cwd, mark as Mark | undefined)).place;
  return { lodgings, enter, log, closed, failing };
}

const [first, second, check] = ['PAWL_SESSION=r/1', 'PAWL_SESSION=r/2', 'PAWL_CHECK=r/1'];

test('all below a tree share one; a session that is alone has its own, made by what it may see now', async () => {
  const { lodgings, enter, log } = makeLodgings();
  expect(await Promise.all([enter(), enter(check), enter(first)])).toEqual(['/tree#1', '/tree#1', '/tree#1']);
  expect([await enter(second), await enter(first, '/elsewhere')]).toEqual(['/tree#1', '/elsewhere#2']);
  for (const { active } of await lodgings.made()) active.clear();
  expect([await enter(check), log]).toEqual(['/tree#1', []]);
  for (const { active } of await lodgings.made()) active.clear();
  expect([await enter(second), log]).toEqual(['/tree#3', ['/tree#1']]);
});

test('not even a run’s first session gets what was made before its plan was read', async () => {
  const { enter } = makeLodgings();
  expect([await enter(), await enter(first)]).toEqual(['/tree#1', '/tree#2']);
});

test('one that nobody can enter, or that could not be made, is made anew', async () => {
  const { enter, log, closed, failing, lodgings } = makeLodgings();
  failing.add('/tree');
  await expect(enter(check)).rejects.toThrow('cannot');
  expect([await enter(check), await lodgings.made()]).toMatchObject(['/tree#1', [{ place: '/tree#1' }]]);
  closed.add('/tree#1');
  expect([await enter(check), log]).toEqual(['/tree#2', ['/tree#1']]);
});

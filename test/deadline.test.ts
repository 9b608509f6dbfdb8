// Synchronous work that does not return is ended; work that was not given a processor is not.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DeadlineError, withDeadline } from '../src/deadline.ts';

const forEver = (): never => {
  for (;;);
};

test('what returns in time is handed on, undefined and errors too', () => {
  expect(withDeadline(1_000, () => 5)).toBe(5);
  expect(withDeadline(1_000, () => undefined)).toBe(undefined);
  expect(() => withDeadline(1_000, () => JSON.parse('{'))).toThrow(SyntaxError);
});

test.each<[string, () => unknown]>([
  ['a loop', forEver],
  [
    'a loop that catches everything',
    () => {
      try {
        forEver();
      } catch {
        return 1;
      }
      return 2;
    },
  ],
  ['a pattern that goes back and forth', () => /(a+)+$/.test(`${'a'.repeat(50)}b`)],
  ['work in work', () => withDeadline(60_000, forEver)],
])('%s is ended', (_, work) => {
  expect(() => withDeadline(50, work)).toThrow(DeadlineError);
});

test('work goes on after one that was ended', () => {
  expect(() => withDeadline(20, forEver)).toThrow('it takes longer than');
  expect(withDeadline(20, () => 'fine')).toBe('fine');
});

test('what only waits gets more time', () => {
  let calls = 0;
  const work = () => {
    calls += 1;
    if (calls === 1) execFileSync('sleep', ['0.3']);
    return calls;
  };
  expect(withDeadline(100, work)).toBe(2);
});

test('Ctrl-C ends it, and is heard', () => {
  const script = `
    const { withDeadline } = await import('${new URL('../src/deadline.ts', import.meta.url)}');
    process.on('SIGINT', () => console.log('heard'));
    process.getBuiltinModule('node:child_process').spawn('sh', ['-c', 'sleep 0.3; kill -INT ' + process.pid]);
    try { withDeadline(60_000, () => { for (;;); }); } catch (error) { console.log(error.name); }
    process.exit();`;
  const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(told).toBe('heard\nAbortError\n');
});
